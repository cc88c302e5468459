// `release-notes.ts TAG`: demands that the tag matches this version and that the version has its date, and prints what
// changed in it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../../src-main/adapters/version.ts';

/** The part of the list of changes under the heading of a version. Throws when there is none, or it has no date yet. */
export const notesOf = (changes: string, of: string): string => {
  const parts = changes.split(/^## /m).slice(1);
  const part = parts.find((one) => /^\[?([^\s\]]+)/.exec(one)?.[1] === of);
  if (part === undefined) throw new Error(`The list of changes has no part ${of}.`);
  if (/^.*\bUnreleased\b/.test(part))
    throw new Error(`The list of changes calls ${of} unreleased: give it the day of its release.`);
  return `${part.slice(part.indexOf('\n')).trim()}\n`;
};

if (import.meta.main) {
  const [, , tag = ''] = process.argv;
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and package.json says ${version}.`);
  process.stdout.write(
    notesOf(readFileSync(path.resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8'), version),
  );
}
