// The questions to the user before a page may do what it must not do by itself. The system's dialogs ask: no page draws
// them, and none can press their buttons. Each throws `aborted` when the answer is not yes.
import type { KeyState } from '../../contract/answers.ts';
import { AppError } from '../../contract/errors.ts';
import type { SettingName } from '../../contract/settings.ts';
import { choiceWord, inUnit, settingLabel, shownUnit } from '../../contract/text/setting-words.ts';
import type { Say } from '../../contract/text/speech.ts';
import type { WordKey } from '../../contract/locales/words.ts';
import { plainName } from '../texts.ts';
import type { CommandNamed } from '../../contract/commands.ts';

/** `act`: the button that is not Cancel. */
export type Question = { message: string; detail: string; act: string };

export type HandName = CommandNamed<{ page: 'hand' }>;
/** Allowed after a press of the user; without one a dialog asks. `load`, `install`: of an update. */
export type HandAct = HandName | 'account.login' | 'load' | 'install';

export type PageQuestions = {
  /** `names`: the first of the files in question; `files`: the number of all. */
  act(act: HandAct, names: readonly string[], files?: number): Promise<void>;
  setting(name: SettingName, now: unknown, next: unknown): Promise<void>;
  /** The same of one watched folder. */
  rule(folder: string, name: SettingName, now: unknown, next: unknown): Promise<void>;
  signIn(now: string | null, next: string | null): Promise<void>;
  replaceKey(now: KeyState, next: string): Promise<void>;
  signOut(): Promise<void>;
  /** `withFiles`: the files in it are uploaded, too. */
  watch(folder: string, withFiles: boolean): Promise<void>;
  upload(paths: readonly string[]): Promise<void>;
  /** For files that then wait another ten seconds. */
  publish(names: readonly string[]): Promise<void>;
  /** `names`: of these files, as far as they are known. */
  approve(count: number, names: readonly string[]): Promise<void>;
  reset(what: 'settings' | 'everything'): Promise<void>;
  /** Whether links to these hosts may be copied. `link`: the first of `count`. */
  trust(hosts: readonly string[], link: string, count: number): Promise<void>;
};

const mostNames = 8;
/** Longer paths are shortened: a dialog cannot hold them. */
const longest = 300;

export const createPageQuestions = (options: {
  ask: (question: Question) => Promise<boolean>;
  say: () => Say;
}): PageQuestions => {
  let isOpen = false;
  /** One after the other: a page must not bury the user in dialogs. */
  const ask = async (words: (say: Say) => Question): Promise<void> => {
    if (isOpen) throw new AppError('bad-use', 'Another question is open.', 'Answer it first.');
    isOpen = true;
    try {
      if (!(await options.ask(words(options.say())))) throw new AppError('aborted', 'The user said no.');
    } finally {
      isOpen = false;
    }
  };
  const change = (name: SettingName, now: unknown, next: unknown, folder?: string): Promise<void> =>
    ask((say) => ({
      message: say('ask.setting', { setting: labelOf(say, name) }),
      detail:
        (folder === undefined ? '' : `${plainName(folder, longest)}\n`) +
        say('ask.setting.text', { now: valueText(say, name, now), next: valueText(say, name, next) }),
      act: say('ask.setting.do'),
    }));

  return {
    act: (act, names, files) =>
      ask((say) => {
        // The words of a menu end with … where a dialog follows.
        const what = say(actWords[act]).replace(/…$/, '');
        return {
          message:
            files === undefined
              ? say('ask.act', { act: what })
              : say('ask.act.files', { act: what, count: files }),
          detail: paragraphs(listed(names), say('ask.act.text')),
          act: say('ask.act.do'),
        };
      }),
    setting: (name, now, next) => change(name, now, next),
    rule: (folder, name, now, next) => change(name, now, next, folder),
    signIn: (now, next) =>
      ask((say) => {
        const addresses = { now: valueText(say, 'baseUrl', now), next: valueText(say, 'baseUrl', next) };
        return {
          message: say('ask.signIn', { address: addresses.next }),
          detail: `${say('ask.signIn.text')}\n\n${say('ask.setting.text', addresses)}`,
          act: say('ask.signIn.do'),
        };
      }),
    replaceKey: (now, next) =>
      ask((say) => ({
        message: say('ask.key'),
        detail: say('ask.setting.text', {
          now: 'lastFour' in now ? `…${now.lastFour}` : say('settings.account.keyAbsent'),
          next: `…${next.slice(-4)}`,
        }),
        act: say('ask.key.do'),
      })),
    signOut: () =>
      ask((say) => ({
        message: say('settings.account.signOutTitle'),
        detail: say('settings.account.signOutText'),
        act: say('settings.account.signOutDo'),
      })),
    watch: (folder, withFiles) =>
      ask((say) => ({
        message: say('ask.watch', { folder: plainName(folder, longest) }),
        detail: say(withFiles ? 'ask.watch.all' : 'ask.watch.text'),
        act: say('ask.watch.do'),
      })),
    upload: (paths) =>
      ask((say) => ({
        message: say('ask.upload', { count: paths.length }),
        detail: listed(paths),
        act: say('do.upload'),
      })),
    publish: (names) =>
      ask((say) => {
        const about = { count: names.length, name: plainName(names[0] ?? '') };
        return {
          message: say('publish.title', about),
          detail: paragraphs(say('publish.text', about), names.length === 1 ? '' : listed(names)),
          act: say('publish.do', about),
        };
      }),
    approve: (count, names) =>
      ask((say) => ({
        message: say('ask.approve', { count }),
        detail: paragraphs(say('ask.approve.text'), listed(names, count)),
        act: say('do.upload'),
      })),
    reset: (what) =>
      ask((say) => {
        const key = what === 'settings' ? 'settings.reset' : 'settings.resetAll';
        return { message: say(`${key}.title`), detail: say(`${key}.text`), act: say(`${key}.do`) };
      }),
    trust: (hosts, link, count) =>
      ask((say) => ({
        message: say(link.startsWith('http:') ? 'given.newHostOpen' : 'given.newHost', {
          host: plainName(hosts[0] ?? '', longest),
          count,
        }),
        detail: hosts.length > 1 ? listed(hosts) : '',
        act: say('given.trust', { count }),
      })),
  };
};

const paragraphs = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n\n');

const listed = (names: readonly string[], count = names.length): string =>
  [
    ...names.slice(0, mostNames).map((name) => plainName(name, longest)),
    ...(count > Math.min(names.length, mostNames) ? ['…'] : []),
  ].join('\n');

const actWords: Record<HandAct, WordKey> = {
  'account.decide': 'settings.account.whose',
  'files.delete': 'files.recall',
  'files.expire': 'files.expire',
  'files.unfollow': 'files.unfollow',
  'files.keep': 'queue.undo',
  'files.remove': 'files.remove',
  'queue.resume': 'queue.resume',
  'queue.undo': 'queue.undo',
  'folders.remove': 'settings.folders.removeDo',
  'window.openAccount': 'settings.account.other',
  'window.uploadClipboard': 'keys.paste',
  'window.setFileManager': 'integrate.entry',
  'account.login': 'ask.signIn.do',
  load: 'settings.update.load',
  install: 'settings.update.install',
};

/** Settings that have the label of another one in the window. */
const sameLabel: Partial<Record<SettingName, SettingName>> = { folder: 'folders', burstBytes: 'burstFiles' };

/** As the window calls it; its own name where the window does not show it. */
const labelOf = (say: Say, name: SettingName): string => settingLabel(say, sameLabel[name] ?? name) || name;

const valueText = (say: Say, name: SettingName, value: unknown): string => {
  const text = Array.isArray(value) ? value.map(String).join(', ') : plainText(value);
  if (text === '') return say('settings.caFile.none');
  if (typeof value === 'boolean') return say(value ? 'settings.folders.yes' : 'settings.folders.no');
  const { per, unit } = shownUnit(say, name);
  if (typeof value === 'number') return `${inUnit(value, per)} ${unit}`.trimEnd();
  return choiceWord(say, name, text) || plainName(text, longest);
};

const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
