// What lies at the paths that are planned.
import { AppError, ownData, toAppError } from '../../contract/errors.ts';
import type { EngineStatus, UploadState } from '../../contract/model.ts';
import { requireRight } from '../../contract/rights.ts';
import type { Service } from '../account/service.ts';
import { createNamesAt, type FolderOf } from '../given/names-at.ts';
import { walkFolder } from '../given/walk.ts';
import { wishFor } from '../discover/folders/choose-folder.ts';
import type { Discovery } from '../discover/discovery.ts';
import type { Forecast } from '../limiter/forecast.ts';
import type { Found } from '../ports/files.ts';
import type { Ports } from '../ports/ports.ts';
import { rulesNow, whyNotThere, type ActiveFolder } from '../shared/folder.ts';
import { isTooDeep, joinPath, relativeTo } from '../shared/paths.ts';
import type { Rows } from '../state/rows.ts';
import { outermost } from '../upload/bundle-members.ts';

export type World = {
  ports: Ports;
  rows: Rows;
  service: Service;
  discovery: Discovery;
  queueNow: () => Pick<EngineStatus, 'gate'>;
  forecast: (more: { files: number; bytes: number; fromMs?: number }) => Forecast;
};

/** Something that lies at a path. `folder`: the watched folder whose scan finds it. `leftOut`: it is not given. */
export type Item = { path: string; folder: ActiveFolder | null } & (
  { found: Found | Error | null; leftOut?: UploadState } | { unreadable: string }
);

type Place = { path: string; found: Found; folder: ActiveFolder | null };

/** Throws `not-found` for a path with nothing there, `not-allowed`, `folder-unavailable`. */
export const plannedPlaces = async (world: World, given: readonly string[]): Promise<Place[]> => {
  const { ports, discovery } = world;
  const chosen = discovery.choice.chosen().map(({ path, row }) => row?.path ?? path);
  const places: Place[] = [];
  for (const path of outermost(given)) {
    const found = await ports.files.look(path);
    if (found === null) throw new AppError('not-found', `There is no file at ${path}.`, 'Check the path.');
    if ((await ports.places.ownIn(path)) === path) throw ownData(path);
    const watched =
      found.type === 'folder'
        ? chosen.find((folder) => path === folder || relativeTo(folder, path) !== null)
        : undefined;
    if (watched === undefined) requireRight(ports.settings, 'allowGivenFiles');
    places.push({ path, found, folder: watched === undefined ? null : await watchedAt(world, watched) });
  }
  return places;
};

/** A watched folder. One that was never scanned is planned as its first scan would find it. */
const watchedAt = async (
  { ports, discovery }: Pick<World, 'ports' | 'discovery'>,
  path: string,
): Promise<ActiveFolder> => {
  const { files, ledger, clock } = ports;
  const known = ledger.folders.byPath(path);
  const problem = known === null ? null : await whyNotThere(ports, discovery.choice, known);
  if (problem !== null) throw problem;
  const row = known ?? {
    id: 0,
    path,
    identity: await files.identify(path),
    chosenAtMs: clock.wallMs(),
    baselineDone: false,
    baselineLastId: 0,
    leftOutSubfolders: false,
    unreadable: [],
    judgedBy: null,
    own: {},
  };
  const existing = wishFor(ledger, path) ?? 'skip';
  return {
    row,
    ...rulesNow(ports, row),
    judgesAgain: true,
    existing,
    mounts: null,
  };
};

/** Each call walks over all places again, in each folder sorted by name. */
export const createWalk = (
  ports: Pick<Ports, 'files' | 'places' | 'settings' | 'ignore' | 'clock'>,
  folderOf: FolderOf,
  places: readonly Place[],
  signal: AbortSignal,
) => {
  /** A watched folder, as its scan finds it. */
  async function* scanned(dir: string, folder: ActiveFolder): AsyncGenerator<Item> {
    if (signal.aborted) throw new AppError('aborted', 'Interrupted. Nothing was changed.');
    const listing = await ports.files.list(dir);
    if (!listing.ok) {
      yield { path: dir, folder, unreadable: listing.message };
      return;
    }
    const isDeep = folder.rules.recursive;
    for (const found of listing.found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = joinPath(dir, found.name);
      if (found.type !== 'folder') yield { path, folder, found };
      else if (isDeep && isTooDeep(folder.row.path, path))
        yield { path, folder, found: { ...found, type: 'too-deep' } };
      else if (isDeep) yield* scanned(path, folder);
    }
  }
  async function* given(root: string): AsyncGenerator<Item> {
    const folder = null;
    for await (const one of walkFolder(ports, root, createNamesAt(ports, folderOf, null), signal)) {
      const { path } = one;
      if (one.kind === 'unreadable') yield { path, folder, unreadable: one.message };
      else yield { path, folder, found: one.found, ...(one.kind === 'file' ? {} : { leftOut: one.state }) };
    }
  }
  return async function* walk(): AsyncGenerator<Item> {
    for (const { path, found, folder } of places) {
      if (found.type !== 'folder')
        yield { path, folder: null, found: await ports.files.look(path).catch(toAppError) };
      else if (folder === null) yield* given(path);
      else if (path === folder.row.path || folder.rules.recursive) yield* scanned(path, folder);
    }
  };
};
