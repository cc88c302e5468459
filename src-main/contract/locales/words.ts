// The words of window, tray, menus and notifications. English is here: it types the keys, and every script has it. The
// other languages are in files beside this one; the window loads one when it is wanted, the main process has them all.
import english from './en.json' with { type: 'json' };

export type WordKey = keyof typeof english;
export type Words = Readonly<Record<WordKey, string>>;

export const en: Words = english;

export const isWordKey = (key: string): key is WordKey => Object.hasOwn(en, key);

/** `locale` may lack keys while it is being translated: those are in English. */
export const wordsOf = (locale: Partial<Words>): Words => ({ ...en, ...locale });
