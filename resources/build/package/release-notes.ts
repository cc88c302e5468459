// `release-notes.ts TAG`: demands that the tag matches this version and that the version has its date, and prints what
// changed in it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../../src-main/adapters/version.ts';
import { mostNotes } from '../../../src-main/shell/updates/updates-feed.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Throws when the version has no part in the list of changes. */
const partOf = (changes: string, of: string): string => {
  const parts = changes.split(/^## /m).slice(1);
  const part = parts.find((one) => /^\[?([^\s\]]+)/.exec(one)?.[1] === of);
  if (part === undefined) throw new Error(`The list of changes has no part ${of}.`);
  return part;
};

const withoutHeading = (part: string): string => `${part.slice(part.indexOf('\n')).trim()}\n`;

/** The part of the list of changes under the heading of a version. Throws when there is none, or it has no date yet. */
export const notesOf = (changes: string, of: string): string => {
  const part = partOf(changes, of);
  if (/^.*\bUnreleased\b/.test(part))
    throw new Error(`The list of changes calls ${of} unreleased: give it the day of its release.`);
  return withoutHeading(part);
};

/** Those of the feed file, with or without a date: as many whole lines as an installed app shows. */
export const feedNotesOf = (changes: string, of: string): string => {
  const notes = withoutHeading(partOf(changes, of));
  return notes.length <= mostNotes ? notes : notes.slice(0, notes.lastIndexOf('\n', mostNotes - 1) + 1);
};

const changelog = (): string => readFileSync(path.join(root, 'resources/CHANGELOG.md'), 'utf8');

/** Where electron-builder.yml expects the notes of the feed file. */
export const writeFeedNotes = (): void => {
  mkdirSync(path.join(root, 'out'), { recursive: true });
  writeFileSync(path.join(root, 'out/feed-notes.md'), feedNotesOf(changelog(), version));
};

if (import.meta.main) {
  const [, , tag = ''] = process.argv;
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and package.json says ${version}.`);
  process.stdout.write(notesOf(changelog(), version));
}
