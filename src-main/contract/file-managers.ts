// The file managers that can have an entry "Upload and copy link", and in which state it is.

/** The app's switch in such an entry: the files are shared without a window. */
export const shareSwitch = '--share';

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
