// The texts of the Group Policy template in every language of Outtray, by the name of Windows for it.
import type { Group } from '../../../src-main/contract/catalogue/kinds.ts';
import type { SettingName } from '../../../src-main/contract/settings.ts';
import { de } from './policy-words-de.ts';
import { es } from './policy-words-es.ts';
import { zh } from './policy-words-zh.ts';
import { groups, settingsWords } from './settings-words.ts';

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

const en: PolicyWords = {
  description: 'Settings of Outtray decided by an administrator. The API key is never one of them.',
  supported: 'Outtray 0.1 or later',
  recommended: 'Outtray – defaults that users may change',
  whenLocked: 'Enabled: the value is locked. Not configured: the user decides.',
  whenRecommended:
    'Enabled: the value is a default that the user may change. Not configured: the default of Outtray.',
  groups,
  settings: settingsWords,
};

export const policyLanguages = { 'en-US': en, 'de-DE': de, 'es-ES': es, 'zh-CN': zh } as const;
