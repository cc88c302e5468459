// Looks into an app.asar with the library that made it, which electron-builder brings along.
import { createRequire } from 'node:module';

type Asar = {
  listPackage(archive: string, options: { isPack: boolean }): string[];
  extractAll(archive: string, folder: string): void;
};

const fromBuilder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib'));
const asar = fromBuilder('@electron/asar') as Asar;

export type Listed = { path: string; isUnpacked: boolean };

/** The files of the archive; an entry is a folder if there is something below it. */
export const listApp = (archive: string): Listed[] => {
  const entries = asar.listPackage(archive, { isPack: true }).map((line) => {
    const [, kind = '', name = ''] = /^(\w+)\s*: [/\\](.*)$/.exec(line) ?? [];
    return { path: name.replaceAll('\\', '/'), isUnpacked: kind === 'unpack' };
  });
  const folders = new Set(entries.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  return entries.filter(({ path }) => !folders.has(path));
};

export const unpackApp = (archive: string, folder: string): void => asar.extractAll(archive, folder);
