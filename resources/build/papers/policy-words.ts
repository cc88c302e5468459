// What an administrator reads about the settings, in every language of Outtray, by Windows' name for the language. The
// words are data: `policy.XX.json` beside the words of the window. What a language lacks appears in English.
import type { Group } from '../../../src-main/contract/catalogue/kinds.ts';
import de from '../../../src-main/contract/locales/policy.de.json' with { type: 'json' };
import english from '../../../src-main/contract/locales/policy.en.json' with { type: 'json' };
import es from '../../../src-main/contract/locales/policy.es.json' with { type: 'json' };
import zh from '../../../src-main/contract/locales/policy.zh.json' with { type: 'json' };
import { rowOf, settingNames, type SettingName } from '../../../src-main/contract/settings.ts';

export type PolicyWords = {
  description: string;
  supported: string;
  /** Title of the category of the recommended values. */
  recommended: string;
  /** What the states of a policy mean: Group Policy names them "Enabled" and "Not configured". */
  whenLocked: string;
  whenRecommended: string;
  groups: Record<Group, string>;
  settings: Record<SettingName, { title: string; text: string }>;
};

/** A setting without its words does not compile. */
export const policyWords: PolicyWords = english;

type Some = Partial<Omit<PolicyWords, 'groups' | 'settings'>> & {
  groups?: Partial<PolicyWords['groups']>;
  settings?: Partial<PolicyWords['settings']>;
};
const orEnglish = (words: Some): PolicyWords => ({
  ...policyWords,
  ...words,
  groups: { ...policyWords.groups, ...words.groups },
  settings: { ...policyWords.settings, ...words.settings },
});

export const policyLanguages = {
  'en-US': policyWords,
  'de-DE': orEnglish(de),
  'es-ES': orEnglish(es),
  'zh-CN': orEnglish(zh),
} as const;

/** Rights cannot be recommended: a right that the user may change is none. */
export const recommendedNames: readonly SettingName[] = settingNames.filter(
  (name) => rowOf(name).group !== 'rights',
);
