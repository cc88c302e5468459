// The watched folders of this process, and what it stores about them in the ledger for other processes.
import type { Core } from '../../state/core.ts';
import { openFolder } from '../../shared/folder.ts';
import { createLoop } from '../../shared/loop.ts';
import type { Facts } from '../../../contract/facts.ts';
import type { Existing } from '../../../contract/answers.ts';
import type { FolderStatus } from '../../../contract/model.ts';
import type { Ports } from '../../ports/ports.ts';
import type { WatchedFolder } from '../../ports/uploads.ts';
import { createOpenFolder, type OpenFolder } from './open-folder.ts';
import { type Post, type FolderHealth, type Lookout, type OpenPost, createPost } from './post.ts';

/** Reading the table of mounts asks no disk. */
const mountsEveryMs = 5000;
/** The reason and the remedy while the watching process has to scan instead. Null: its watches are enough. */
export const degradedMessage = ({ ledger }: Pick<Ports, 'ledger'>): string | null =>
  ledger.facts.get('watch-degraded')?.value ?? null;

/** Minutes between two scans of a folder, if other machines write to its drive. */
export const sharedScan = (
  { ledger }: Pick<Ports, 'ledger'>,
  folder: Pick<WatchedFolder, 'id'> | null,
): Pick<FolderStatus, 'scanMinutes'> => {
  const scanMinutes = folder === null ? undefined : ledger.facts.get('shared-drives')?.value[folder.id];
  return scanMinutes === undefined ? {} : { scanMinutes };
};

/** Whether the watching process has found this folder away. */
export const isFoundAway = ({ ledger }: Pick<Ports, 'ledger'>, folder: Pick<WatchedFolder, 'id'>): boolean =>
  ledger.facts.get('folders-away')?.value.includes(folder.id) === true;

/** Stores in the ledger what other processes read there; what is not so has no fact. */
const storeFor =
  ({ ledger: { facts }, clock }: Pick<Ports, 'ledger' | 'clock'>) =>
  <Name extends 'watch-degraded' | 'shared-drives' | 'folders-away'>(
    name: Name,
    value: Facts[Name] | null,
  ): void => {
    const before = facts.get(name)?.value ?? null;
    if (JSON.stringify(value) === JSON.stringify(before)) return;
    if (value === null) facts.remove(name);
    else facts.set(name, value, clock.wallMs());
  };

export const createWatching = (core: Core, lookout: Lookout) => {
  const { ports } = core;
  /** By path. */
  const posts = new Map<string, OpenPost>();
  const store = storeFor(ports);
  const degraded = (): Extract<FolderHealth, { kind: 'degraded' }> | undefined =>
    [...posts.values()].map((post) => post.health()).find((health) => health.kind === 'degraded');

  const tellOthers = (): void => {
    const all = [...posts.values()];
    const scans = all.flatMap(({ folder, sharedScanMs }): [number, number][] => {
      const everyMs = sharedScanMs();
      return everyMs === null ? [] : [[folder.row.id, Math.ceil(everyMs / 60_000)]];
    });
    const away = all.filter((post) => !isThere(post)).map(({ folder }) => folder.row.id);
    store('watch-degraded', degraded()?.message ?? null);
    store('shared-drives', scans.length === 0 ? null : Object.fromEntries(scans));
    store('folders-away', away.length === 0 ? null : away);
  };

  const close = async (path: string): Promise<void> => {
    const post = posts.get(path);
    posts.delete(path);
    await post?.close();
  };

  const lookAtMounts = createLoop({
    name: 'mounts',
    ports,
    work: core.work,
    async turn() {
      const answers = [...posts.values()].map((post) => {
        const isAnew = post.isMountedAnew();
        if (isAnew === true) post.check();
        return isAnew;
      });
      return answers.some((isAnew) => isAnew !== null) ? mountsEveryMs : null;
    },
  });

  return {
    /** In the order in which they were opened. */
    posts: (): readonly Post[] => [...posts.values()],
    /** The folders that are watched and there. */
    active: (): Post[] => [...posts.values()].filter(isThere),
    /** The folder with this id, if it is watched and there. */
    activeOf(folderId: number | null): OpenFolder | null {
      for (const post of posts.values())
        if (post.folder.row.id === folderId) return isThere(post) ? post.folder : null;
      return null;
    },
    /** Of all folders together: lost only when all of them are. */
    health(): FolderHealth {
      const [first, ...others] = posts.values();
      if (first === undefined) return { kind: 'off', message: null };
      return (
        degraded() ??
        others.map((post) => post.health()).find(({ kind }) => kind !== 'lost') ??
        first.health()
      );
    },
    /**
     * Starts the watch first and the scan after it, so no file is missed in between. For a new folder it resolves when
     * the baseline is done. Throws `folder-unavailable`.
     */
    async open(path: string, existing: Existing): Promise<void> {
      const folder = createOpenFolder(ports, await openFolder(ports, path, existing));
      await close(path);
      const post = createPost(core, folder, { ...lookout, tellOthers });
      posts.set(path, post);
      try {
        await post.begin();
        lookAtMounts.wake();
      } catch (error) {
        if (posts.get(path) === post) await close(path);
        throw error;
      }
    },
    /** Settings changed: patterns take effect at once, by a scan. */
    async rulesChanged(): Promise<void> {
      await Promise.all([...posts.values()].map((post) => post.rulesChanged()));
    },
    /** Takes over rules of single folders that another command or process has written into the ledger. */
    hearOwnRules(): void {
      for (const post of posts.values()) if (post.folder.readOwnRules()) void post.rulesChanged();
    },
    /** Scans this folder, or all of them, soon. */
    requestScan(folderId?: number): void {
      for (const post of posts.values())
        if (folderId === undefined || post.folder.row.id === folderId) post.requestScan();
    },
    /** Folders may be gone: checks them now. */
    check(): void {
      for (const post of posts.values()) post.check();
    },
    /** This one could not be reached or read, so something in it was not looked at. Others may be gone, too. */
    missed(folderId: number): void {
      for (const post of posts.values())
        if (post.folder.row.id === folderId) post.missed();
        else post.check();
    },
    /** This folder is not watched any more. */
    close,
    async stop(): Promise<void> {
      await Promise.all([lookAtMounts.stop(), ...[...posts.values()].map((post) => post.stop())]);
    },
  };
};

export type Watching = ReturnType<typeof createWatching>;

const isThere = (post: Post): boolean => post.health().kind !== 'lost';
