// The rules that a watched folder can have of its own, in words, and what each of them can be.
import { expiryPresets } from '../../src-main/contract/expiry.ts';
import { folderSettings, type FolderRules } from '../../src-main/contract/settings.ts';
import { linkForms } from '../../src-main/contract/text/link-text.ts';
import type { FolderView } from '../../src-main/contract/answers.ts';
import { say } from './say.svelte.ts';

/** The pause is not among them: it has a button. */
export type OwnRule = (typeof folderSettings)[number];
/** The rules with a few values to choose from; patterns are typed. */
type ChosenRule = Exclude<OwnRule, 'ignore'>;

/** The value of a rule in words. */
export const ruleText = (name: OwnRule, rules: Pick<FolderRules, OwnRule>): string => {
  switch (name) {
    case 'recursive':
    case 'includeHidden':
    case 'notify':
      return say(rules[name] ? 'settings.folders.yes' : 'settings.folders.no');
    case 'ignore':
      return say('settings.folders.patterns', { count: rules.ignore.length });
    case 'graceSeconds':
      return say('settings.folders.seconds', { count: rules.graceSeconds });
    case 'expireAfter':
      return expiryText(rules.expireAfter);
    case 'afterUpload':
      return programText(rules.afterUpload);
    case 'copyLink':
      return say(`settings.copyLink.${rules.copyLink}`);
    case 'copyFormat':
      return say(`settings.copyFormat.${rules.copyFormat}`);
  }
};

const programText = (program: string): string =>
  program === 'none' ? say('settings.afterUpload.none') : program;

/** A span that is not one of those offered is shown as it is written. */
export const expiryText = (span: string): string => {
  const known = [...expiryPresets, 'none' as const].find((one) => one === span);
  return known === undefined
    ? say('settings.expireAfter.other', { span })
    : say(`settings.expireAfter.${known}`);
};

/** The choices in the window; if another value is in force, that one is added. */
export const expiryChoices = (now: string): { value: string; label: string }[] =>
  withNow([...expiryPresets, 'none'], now).map((value) => ({ value, label: expiryText(value) }));

const withNow = <Value>(offered: readonly Value[], now: Value): Value[] =>
  offered.includes(now) ? [...offered] : [...offered, now];

/** The offered values of a rule, each as the complete rules with that value. */
export const choicesOf = (name: ChosenRule, rules: FolderRules): FolderRules[] => {
  switch (name) {
    case 'recursive':
    case 'includeHidden':
    case 'notify':
      return [true, false].map((on) => ({ ...rules, [name]: on }));
    case 'graceSeconds':
      return withNow([0, 10, 30, 60, 300], rules.graceSeconds).map((graceSeconds) => ({
        ...rules,
        graceSeconds,
      }));
    case 'expireAfter':
      return withNow([...expiryPresets, 'none'], rules.expireAfter).map((expireAfter) => ({
        ...rules,
        expireAfter,
      }));
    case 'afterUpload':
      return withNow(['none'], rules.afterUpload).map((afterUpload) => ({ ...rules, afterUpload }));
    case 'copyLink':
      return (['never', 'dropped', 'always'] as const).map((copyLink) => ({ ...rules, copyLink }));
    case 'copyFormat':
      return linkForms.map((copyFormat) => ({ ...rules, copyFormat }));
  }
};

/** The folder's own rules, except those that a policy decides. */
export const ownRules = ({ own, locked }: Pick<FolderView, 'own' | 'locked'>): OwnRule[] =>
  folderSettings.filter((name) => own.includes(name) && !locked.includes(name));

/** These rules in one line. */
export const rulesLine = (names: readonly OwnRule[], rules: FolderRules): string =>
  names.map((name) => `${say(`settings.${name}`)}: ${ruleText(name, rules)}`).join(' · ') ||
  say('settings.folders.plain');

/** What happens to a new file in the folder, step by step, and by which rules. */
export const newFileSteps = (rules: FolderRules): { text: string; by: OwnRule[] }[] => {
  const copied = rules.copyFormat === 'plain' ? 'copied' : 'copiedAs';
  const steps: [boolean, string, ...OwnRule[]][] = [
    [true, say(rules.recursive ? 'settings.folders.new.recursive' : 'settings.folders.new'), 'recursive'],
    [rules.includeHidden, say('settings.folders.new.hidden'), 'includeHidden'],
    [rules.ignore.length > 0, say('settings.folders.new.ignore', { count: rules.ignore.length }), 'ignore'],
    [rules.paused, say('settings.folders.new.paused')],
    [
      rules.graceSeconds > 0,
      say('settings.folders.new.waits', { count: rules.graceSeconds }),
      'graceSeconds',
    ],
    [true, say('settings.folders.new.goes')],
    [rules.copyLink === 'dropped', say('settings.folders.new.dropped'), 'copyLink'],
    [
      rules.copyLink === 'always',
      say(`settings.folders.new.${copied}`, { form: ruleText('copyFormat', rules) }),
      'copyLink',
      'copyFormat',
    ],
    [rules.notify, say('settings.folders.new.told'), 'notify'],
    [
      rules.expireAfter !== 'none',
      say('settings.folders.new.ends', { when: expiryText(rules.expireAfter) }),
      'expireAfter',
    ],
  ];
  return steps.flatMap(([isTrue, text, ...by]) => (isTrue ? [{ text, by }] : []));
};

export const newFileLine = (rules: FolderRules): string =>
  newFileSteps(rules)
    .map(({ text }) => text)
    .join(' › ');
