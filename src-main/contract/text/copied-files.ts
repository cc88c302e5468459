// Copied files as Linux desktops put them on the clipboard, for the command and the app: one address a line. Pure.

/** File managers offer this type only for copied files: what it names is never a text or a link. */
const onlyFilesType = 'x-special/gnome-copied-files';

/** The second type comes from Nautilus and its kin: its first line is `copy` or `cut`. */
export const fileListTypes: readonly string[] = ['text/uri-list', onlyFilesType];

/** `elsewhere`: how many more were copied that have no path here, such as in a network place or in the trash. */
export type CopiedFiles = { paths: string[]; elsewhere: number };

/** A link to a web page is no copied file. `pathOf`: null for an address that is not on this computer. */
export const filesInList = (
  type: string,
  list: string,
  pathOf: (address: string) => string | null,
): CopiedFiles => {
  const addresses = list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /^[a-z][a-z0-9+.-]*:/i.test(line) && !/^https?:/i.test(line));
  const paths = addresses.flatMap((address) => pathOf(address) ?? []);
  const least = type.includes(onlyFilesType) && paths.length === 0 ? 1 : 0;
  return { paths, elsewhere: Math.max(least, addresses.length - paths.length) };
};
