// The one walk through folders that are given: with --recursive, as a zip, to a plan. A folder that is watched is
// scanned instead (discover/scan.ts). Nothing of Outtray's own data is ever in it.
import { createLeftOut } from '../../contract/files/left-out.ts';
import type { FilesIn } from '../../contract/answers.ts';
import { AppError, ownData } from '../../contract/errors.ts';
import type { LeftOutReason, NameSkip, UploadState } from '../../contract/model.ts';
import type { EntryType, Files, Found, Stamp } from '../ports/files.ts';
import type { Clock, Places } from '../ports/ports.ts';
import { startSlices } from '../shared/loop.ts';
import type { NameVerdict } from '../shared/names/name-rules.ts';
import { isTooDeep, joinPath, relativeTo } from '../shared/paths.ts';
import type { NamesAt } from './names-at.ts';
import { controlsIn } from '../candidate/unfinished.ts';

export type Walked =
  /** `below`: its path below the given folder, with `/`. */
  | { kind: 'file'; path: string; below: string; found: Found; stamp: Stamp }
  | {
      kind: 'left-out';
      path: string;
      found: Found;
      state: Skipped & { rule: LeftOutReason };
    }
  | { kind: 'unreadable'; path: string; message: string };

/** The most files of one command. */
const maxFiles = 100_000;

/** Replaces each folder among the paths by the files in it and in its subfolders. Links are never followed. */
export const filesIn = async (
  ports: WalkPorts & { files: Pick<Files, 'look'> },
  given: readonly string[],
  namesAt: NamesAt,
  signal: AbortSignal,
): Promise<FilesIn> => {
  const paths: string[] = [];
  const unreadable: FilesIn['unreadable'] = [];
  const leftOut = createLeftOut<LeftOutReason>();
  for (const path of given) {
    const found = await ports.files.look(path).catch(() => null);
    if (found?.type !== 'folder') {
      paths.push(path);
      continue;
    }
    for await (const one of walkFolder(ports, path, namesAt, signal)) {
      if (one.kind === 'file') paths.push(one.path);
      else if (one.kind === 'left-out') leftOut.add(one.path, one.state.rule);
      else unreadable.push({ path: one.path, message: one.message });
      if (paths.length > maxFiles) throw tooManyFiles();
    }
  }
  return { paths, leftOut: leftOut.all(), unreadable };
};

export const tooManyFiles = (): AppError =>
  new AppError('bad-use', 'That is more than 100,000 files.', 'Name fewer at once, or watch the folder.');

export type WalkPorts = { files: Pick<Files, 'list'>; places: Pick<Places, 'ownIn'>; clock: Clock };

/** Sorted by name in each folder, and not by the rules of a language. Throws `own-data`, `aborted`. */
export async function* walkFolder(
  { files, places, clock }: WalkPorts,
  root: string,
  namesAt: NamesAt,
  signal: AbortSignal,
): AsyncGenerator<Walked> {
  const own = await places.ownIn(root);
  if (own === root) throw ownData(root);
  const breathe = startSlices(clock, 20);
  yield* below(root);

  async function* below(dir: string): AsyncGenerator<Walked> {
    if (signal.aborted) throw new AppError('aborted', 'It was stopped; nothing is public.');
    const listing = await files.list(dir);
    if (!listing.ok) {
      yield { kind: 'unreadable', path: dir, message: listing.message };
      return;
    }
    const controlFor = controlsIn(listing.found);
    for (const found of listing.found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const pause = breathe();
      if (pause !== null) await pause;
      const path = joinPath(dir, found.name);
      const isDeep = found.type === 'folder' && isTooDeep(root, path);
      if (path === own) yield leftOut(path, found, 'own');
      else if (controlFor(found) !== null) yield leftOut(path, found, 'partial');
      else if (isDeep) yield leftOut(path, found, 'too-deep');
      else if (found.type === 'folder') yield* below(path);
      else yield entry(path, found);
    }
  }

  function entry(path: string, found: Found): Walked {
    if (found.type === 'unreadable')
      return { kind: 'unreadable', path, message: 'the system tells nothing about it' };
    const state = leftOutOf(found.type, namesAt(path, root));
    if (state !== null) return { kind: 'left-out', path, found, state };
    if (found.stamp === null) return leftOut(path, found, 'special');
    if (found.onlineOnly) return leftOut(path, found, 'online-only');
    return { kind: 'file', path, below: relativeTo(root, path) ?? found.name, found, stamp: found.stamp };
  }
}

type Skipped = Extract<UploadState, { kind: 'skipped' }>;

/** The pattern is kept: `outtray why` names it. */
export const skippedBy = ({
  rule,
  pattern,
}: Extract<NameVerdict, { kind: 'skip' }>): Skipped & { rule: NameSkip } =>
  pattern === undefined ? { kind: 'skipped', rule } : { kind: 'skipped', rule, pattern };

/** Why a file is not given together with its folder; null: it is. */
const leftOutOf = (type: EntryType, name: NameVerdict): (Skipped & { rule: LeftOutReason }) | null => {
  const special = specialRule(type);
  if (special !== null) return { kind: 'skipped', rule: special };
  return name.kind === 'skip' ? skippedBy(name) : null;
};

export const specialRule = (type: EntryType): Exclude<EntryType, 'file' | 'folder'> | null =>
  type === 'file' || type === 'folder' ? null : type;

const leftOut = (path: string, found: Found, rule: LeftOutReason): Walked => ({
  kind: 'left-out',
  path,
  found,
  state: { kind: 'skipped', rule },
});
