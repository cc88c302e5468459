// Which files become a zip, and what they are called in it. The rules of names of the watched folder hold here, too.
import { AppError } from '../../contract/errors.ts';
import type { LeftOut, LeftOutReason } from '../../contract/model.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Files, Found, IgnoreRules, Stamp } from '../ports/files.ts';
import type { Places } from '../ports/ports.ts';
import { allowanceOf, refusal, type Allowance } from '../candidate/allowance.ts';
import { candidateAt, placeFor, writtenPlace } from '../candidate/candidate.ts';
import { controlOf, controlsIn } from '../candidate/unfinished.ts';
import { createNameRules, judgeByHand, type NameRules } from '../shared/names/name-rules.ts';
import { isTooLongWay, joinPath, relativeTo, splitPath } from '../shared/paths.ts';
import { foldedName, inZip, namedFile } from '../shared/sent-name.ts';

/** `name`: in the zip, with `/`. `isSecret`: the name looks like a secret. */
export type Member = { path: string; name: string; stamp: Stamp; isSecret: boolean };

/** As many as one command takes. */
const maxFiles = 100_000;
/** Every file that is left out is counted. At most this many are named for each reason. */
const mostNamed = 100;

type Walk = {
  files: Pick<Files, 'list' | 'look' | 'place'>;
  /** Folders with Outtray's own data. */
  own: Set<string>;
  rules: NameRules;
  settings: Settings;
  allowance: Allowance;
  signal: AbortSignal;
  members: Member[];
  leftOut: Map<LeftOutReason, LeftOut>;
};

/**
 * The files at these paths and in these folders. `leftOut`: links, special and online-only files, what the rules skip.
 * `from`: names in the zip are relative to this folder; null: to the folder of each path. Throws `bad-use` for no file
 * or folder, an unfinished one or our own data; `locked` for an unreadable one; `forbidden` by a rule; `aborted`.
 */
export const membersOf = async (
  ports: { files: Walk['files']; ignore: IgnoreRules; places: Pick<Places, 'ownIn'> },
  settings: Settings,
  paths: readonly string[],
  signal: AbortSignal,
  from: string | null = null,
): Promise<{ members: Member[]; leftOut: LeftOut[] }> => {
  const walk: Walk = {
    files: ports.files,
    own: new Set(),
    rules: createNameRules(settings, ports.ignore),
    settings,
    allowance: await allowanceOf(ports.files, settings),
    signal,
    members: [],
    leftOut: new Map(),
  };
  const nameOf = namesFrom(from);
  for (const path of outermost(paths)) {
    const found = await ports.files.look(path);
    const top = nameOf(path);
    const control = found === null ? null : await controlOf(ports.files, writtenPlace(path), found);
    if (control !== null) throw unfinished(path, control);
    const own = await ports.places.ownIn(path);
    if (own === path) throw ownData(path);
    if (own !== null) walk.own.add(own);
    if (found?.type === 'file') await addFile(walk, path, top, found, null);
    else if (found?.type === 'folder') await addFolder(walk, path, top, '');
    else throw notPacked(path, found);
  }
  if (walk.members.length === 0)
    throw new AppError('bad-use', 'There is no file in it.', 'The rules skip what is there, or it is empty.');
  // Not sorted by the rules of a language: the order must be the same everywhere.
  walk.members.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { members: walk.members, leftOut: [...walk.leftOut.values()] };
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

const addFolder = async (walk: Walk, dir: string, top: string, below: string): Promise<void> => {
  if (walk.signal.aborted) throw new AppError('aborted', 'It was stopped; nothing is public.');
  const listing = await walk.files.list(dir);
  // A zip with a hole in it would look whole.
  if (!listing.ok) throw unreadable(dir, listing.message);
  const names = new Set<string>();
  const controlFor = controlsIn(listing.found);
  for (const found of listing.found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = joinPath(dir, found.name);
    const relative = below === '' ? found.name : `${below}/${found.name}`;
    const name = free(names, inZip(found.name));
    const inside = top === '' ? name : `${top}/${name}`;
    if (controlFor(found) !== null) leaveOut(walk.leftOut, path, 'partial');
    else if (walk.own.has(path)) leaveOut(walk.leftOut, path, 'system');
    else if (found.type === 'folder' && isTooLongWay(relative)) leaveOut(walk.leftOut, path, 'too-deep');
    else if (found.type === 'folder') await addFolder(walk, path, inside, relative);
    else await addFile(walk, path, inside, found, relative);
  }
};

/** `below`: its path in the folder that was named; null: the file itself was named, so no rule skips it. */
const addFile = async (
  walk: Walk,
  path: string,
  name: string,
  found: Found,
  below: string | null,
): Promise<void> => {
  const judged = below === null ? null : walk.rules.judge(namedFile(below));
  if (found.type === 'unreadable') throw unreadable(path, 'the system tells nothing about it');
  if (found.stamp === null) {
    leaveOut(walk.leftOut, path, found.type === 'link' || found.type === 'too-deep' ? found.type : 'special');
    return;
  }
  if (judged?.kind === 'skip') {
    leaveOut(walk.leftOut, path, judged.rule);
    return;
  }
  if (found.onlineOnly) {
    leaveOut(walk.leftOut, path, 'online-only');
    return;
  }
  if (walk.members.length === maxFiles)
    throw new AppError('bad-use', 'A zip holds at most 100,000 files.', 'Make several, one for each folder.');
  const place = await placeFor(walk.files, walk.allowance, path);
  const refused = refusal(candidateAt(place, found.stamp, 'zip'), walk.allowance);
  if (refused !== null) throw new AppError(refused.code, `${path}: ${refused.message}`, refused.remedy);
  // Some names are secrets only in a certain folder, which may lie above the named path.
  const isSecret = judgeByHand(walk.settings, namedFile(path)).kind === 'secret';
  walk.members.push({ path, name, stamp: found.stamp, isSecret });
};

export const leaveOut = (leftOut: Map<LeftOutReason, LeftOut>, path: string, why: LeftOutReason): void => {
  const known = leftOut.get(why) ?? { why, count: 0, paths: [] };
  leftOut.set(why, known);
  known.count += 1;
  if (known.paths.length < mostNamed) known.paths.push(path);
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

const ownData = (path: string): AppError =>
  new AppError(
    'bad-use',
    `${path} belongs to the data that Outtray keeps for itself.`,
    'Nothing is uploaded. Choose other files.',
  );

const notPacked = (path: string, found: Found | null): AppError =>
  found === null
    ? new AppError('bad-use', `There is no file at ${path}.`, 'Nothing is uploaded. Check the path.')
    : new AppError(
        'bad-use',
        `${path} is a symbolic link or not a regular file.`,
        'Nothing is uploaded. Name the file or folder itself.',
      );
