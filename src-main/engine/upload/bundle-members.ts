// Which files become a zip, and what they are called in it. The rules of names of the watched folder hold here, too.
import { AppError, ownData } from '../../contract/errors.ts';
import type { LeftOut, LeftOutReason } from '../../contract/model.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Files, Found, Stamp } from '../ports/files.ts';
import { allowanceOf, refusal, type Allowance } from '../candidate/allowance.ts';
import { candidateOf, placeFor, writtenPlace } from '../candidate/candidate.ts';
import type { NamesAt } from '../given/names-at.ts';
import { controlOf } from '../candidate/unfinished.ts';
import { walkFolder, type WalkPorts } from '../given/walk.ts';
import { createLeftOut } from '../../contract/files/left-out.ts';
import { judgeByHand } from '../shared/names/name-rules.ts';
import { relativeTo, splitPath } from '../shared/paths.ts';
import { foldedName, inZip, namedFile } from '../shared/sent-name.ts';

/** `name`: in the zip, with `/`. `isSecret`: the name looks like a secret. */
export type Member = { path: string; name: string; stamp: Stamp; isSecret: boolean };

/** As many as one command takes. */
const maxFiles = 100_000;

type Naming = {
  files: Pick<Files, 'list' | 'look' | 'place'>;
  settings: Settings;
  allowance: Allowance;
  members: Member[];
};

/**
 * The files at these paths and in these folders. `leftOut`: links, special and online-only files, what the rules skip.
 * `from`: names in the zip are relative to this folder; null: to the folder of each path. Throws `bad-use` for no file
 * or folder or an unfinished one; `own-data`; `locked` for an unreadable one; `forbidden` by a rule; `aborted`.
 */
export const membersOf = async (
  ports: WalkPorts & { files: Naming['files'] },
  settings: Settings,
  { paths, namesAt, from = null }: { paths: readonly string[]; namesAt: NamesAt; from?: string | null },
  signal: AbortSignal,
): Promise<{ members: Member[]; leftOut: LeftOut[] }> => {
  const { files, places } = ports;
  const allowance = await allowanceOf(files, settings);
  const naming: Naming = { files, settings, allowance, members: [] };
  const leftOut = createLeftOut<LeftOutReason>();
  const nameOf = namesFrom(from);
  for (const path of outermost(paths)) {
    const found = await files.look(path);
    const top = nameOf(path);
    const control = found === null ? null : await controlOf(files, writtenPlace(path), found);
    if (control !== null) throw unfinished(path, control);
    if (found?.type === 'folder') {
      const nameIn = namesIn(top);
      for await (const one of walkFolder(ports, path, namesAt, signal)) {
        // A zip with a hole in it would look whole.
        if (one.kind === 'unreadable') throw unreadable(one.path, one.message);
        if (one.kind === 'left-out') leftOut.add(one.path, one.state.rule);
        else await addFile(naming, one.path, nameIn(one.below), one.stamp);
      }
    } else if ((await places.ownIn(path)) === path) throw ownData(path);
    else if (found?.type === 'unreadable') throw unreadable(path, 'the system tells nothing about it');
    else if (found?.type !== 'file') throw notPacked(path, found);
    else if (found.stamp === null) leftOut.add(path, 'special');
    else if (found.onlineOnly) leftOut.add(path, 'online-only');
    else await addFile(naming, path, top, found.stamp);
  }
  const { members } = naming;
  if (members.length === 0)
    throw new AppError('bad-use', 'There is no file in it.', 'The rules skip what is there, or it is empty.');
  // Not sorted by the rules of a language: the order must be the same everywhere.
  members.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { members, leftOut: leftOut.all() };
};

/** Each path once, sorted, without those that lie in another one: they are packed with it. */
export const outermost = (paths: readonly string[]): string[] => {
  const all = new Set(paths);
  const isInside = (path: string): boolean => {
    for (let { dir } = splitPath(path), below = path; dir !== below; below = dir, { dir } = splitPath(dir))
      if (all.has(dir)) return true;
    return false;
  };
  return [...all].filter((path) => !isInside(path)).sort((a, b) => (a < b ? -1 : 1));
};

const addFile = async (
  { files, settings, allowance, members }: Naming,
  path: string,
  name: string,
  stamp: Stamp,
): Promise<void> => {
  if (members.length === maxFiles)
    throw new AppError('bad-use', 'A zip holds at most 100,000 files.', 'Make several, one for each folder.');
  const place = await placeFor(files, allowance, path);
  const refused = refusal(candidateOf(place, stamp.sizeBytes), allowance);
  if (refused !== null) throw new AppError(refused.code, `${path}: ${refused.message}`, refused.remedy);
  // Some names are secrets only in a certain folder, which may lie above the named path.
  const isSecret = judgeByHand(settings, namedFile(path)).kind === 'secret';
  members.push({ path, name, stamp, isSecret });
};

/**
 * A taken name gets a number. Two names may become equal when characters that a zip cannot have are replaced. Names
 * that differ only in case or in their Unicode form are the same one on some systems.
 */
const free = (taken: Set<string>, name: string): string => {
  const dot = name.lastIndexOf('.');
  const end = dot <= 0 ? name.length : dot;
  let candidate = name;
  for (let number = 2; taken.has(foldedName(candidate)); number += 1)
    candidate = `${name.slice(0, end)} (${number})${name.slice(end)}`;
  taken.add(foldedName(candidate));
  return candidate;
};

/** The names in the zip of what lies below a folder that is called `top` in it. */
const namesIn = (top: string): ((below: string) => string) => {
  const known = new Map<string, string>([['', top]]);
  const takenIn = new Map<string, Set<string>>();
  return function nameOf(below): string {
    const name = known.get(below);
    if (name !== undefined) return name;
    const slash = below.lastIndexOf('/');
    const dir = slash < 0 ? '' : below.slice(0, slash);
    const taken = takenIn.get(dir) ?? new Set();
    takenIn.set(dir, taken);
    const above = nameOf(dir);
    const own = free(taken, inZip(below.slice(slash + 1)));
    const whole = above === '' ? own : `${above}/${own}`;
    known.set(below, whole);
    return whole;
  };
};

/** The names of the paths that are given. Folders on the way from `from` are each named once. */
const namesFrom = (from: string | null): ((path: string) => string) => {
  const takenIn = new Map<string, Set<string>>();
  const known = new Map<string, string>();
  return (path) => {
    const inside = from === null ? null : relativeTo(from, path);
    // The root of a disk has no name.
    const way = (inside ?? splitPath(path).name).split('/').filter((name) => name !== '');
    let name = '';
    for (const [at, one] of way.entries()) {
      const place = inside === null ? path : way.slice(0, at + 1).join('/');
      const taken = takenIn.get(name) ?? new Set();
      takenIn.set(name, taken);
      const own = known.get(place) ?? (name === '' ? '' : `${name}/`) + free(taken, inZip(one));
      known.set(place, own);
      name = own;
    }
    return name;
  };
};

const unreadable = (path: string, message: string): AppError =>
  new AppError(
    'locked',
    `${path} cannot be read: ${message}`,
    'Nothing is uploaded. Give your account permission to read it.',
  );

const unfinished = (path: string, control: string): AppError =>
  new AppError(
    'bad-use',
    `${path} is unfinished: ${control} is beside it.`,
    'Nothing is uploaded. Finish the download, or delete that control file if the file is whole.',
  );

const notPacked = (path: string, found: Found | null): AppError =>
  found === null
    ? new AppError('bad-use', `There is no file at ${path}.`, 'Nothing is uploaded. Check the path.')
    : new AppError(
        'bad-use',
        `${path} is a symbolic link or not a regular file.`,
        'Nothing is uploaded. Name the file or folder itself.',
      );
