// Checks the file with which an update feed announces installers, as electron-builder wrote it beside them.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { feedNotesOf } from '../../../resources/build/package/release-notes.ts';
import { version } from '../../../src-main/adapters/version.ts';
import { mostFeedBytes } from '../../../src-main/shell/updates/updates-feed.ts';

export const feedProblems = async (folder: string, installers: readonly string[]): Promise<string[]> => {
  const text = await readFile(path.join(folder, 'latest-linux.yml'), 'utf8');
  const problems: string[] = [];
  if (!text.startsWith(`version: ${version}\n`)) problems.push('it announces another version');
  const { releaseNotes } = parse(text) as { releaseNotes?: unknown };
  if (releaseNotes !== feedNotesOf(await readFile('resources/CHANGELOG.md', 'utf8'), version))
    problems.push('its notes are not the changes of this version');
  if (Buffer.byteLength(text) > mostFeedBytes / 2) problems.push('it is over half of what an app takes');
  for (const name of installers) {
    const hash = createHash('sha512')
      .update(await readFile(path.join(folder, name)))
      .digest('base64');
    const [, announced] = new RegExp(`url: ${name}\n +sha512: (\\S+)`).exec(text) ?? [];
    if (announced !== hash) problems.push(`${name} is announced with another sum`);
  }
  return problems;
};
