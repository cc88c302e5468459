// The file managers that can have an entry "Upload and copy link", and in which state it is.
import type { Language } from './speech.ts';
import { de } from './words/de.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { zh } from './words/zh.ts';

export const fileManagerNames = ['nautilus', 'nemo', 'thunar', 'dolphin', 'explorer', 'finder'] as const;
export type FileManagerName = (typeof fileManagerNames)[number];

/**
 * `old`: it is there, but made for another place of the program or in another language. `system`: a package brought it,
 * and removing the package removes it. `missing`: the file manager is not on this computer.
 */
export type EntryState = 'on' | 'old' | 'off' | 'system' | 'missing';

export type FileManagerView = {
  name: FileManagerName;
  /** Its own name, the same in every language. */
  title: string;
  state: EntryState;
  /** Where the entry is, or would be: files, and on Windows a key of the registry. */
  places: string[];
};

/** What the entry is called. All of them are known, so that an entry made in another language is found. */
export const entryLabels: Readonly<Record<Language, string>> = {
  en: en['integrate.entry'],
  de: de['integrate.entry'],
  es: es['integrate.entry'],
  zh: zh['integrate.entry'],
};
