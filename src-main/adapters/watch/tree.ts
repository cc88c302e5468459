// The folders that are watched, each with its handle. A folder is watched first and listed afterwards, so that
// what comes into it meanwhile is either listed or reported. The tree grows by small groups, never wholly in
// parallel: that is where plain chokidar's memory goes (watch.ts).
import { joinPath } from '../files/paths.ts';
import { identityOf, subfoldersOf } from './folders.ts';
import { groupSize, type Handle, type Opened } from './handles.ts';

type Node = {
  folder: string;
  name: string;
  parent: Node | null;
  identity: string;
  handle: Handle;
  below: Map<string, Node>;
  /** Subfolders that could not be watched; a change in one of them is a reason to try again. */
  refused: Set<string>;
};

/** A folder that may come under watch. */
type Seed = { folder: string; name: string; parent: Node | null };

type Options = {
  root: string;
  recursive: boolean;
  enter: (folder: string) => boolean;
  /** At most `groupSize` folders at once, none inside another. */
  open: (folders: readonly string[]) => Promise<Opened[]>;
  /** A folder was added to the watch after the first walk, or left it: the engine must scan its content. */
  announce: (folder: string) => void;
  /** True when the fault is the system's limit, so that more attempts are of no use now. */
  isShort: (error: unknown) => boolean;
};

export const createTree = ({ root, recursive, enter, open, announce, isShort }: Options) => {
  const nodes = new Map<string, Node>();
  let closing: Promise<void>[] = [];
  let stopped = false;
  let short = false;

  const isShortNow = (): boolean => short;
  const isCurrent = (node: Node): boolean => nodes.get(node.folder) === node;

  /** Watches these folders and all below them. `quiet`: the first walk, which announces nothing. */
  const grow = async (seeds: Seed[], quiet: boolean): Promise<void> => {
    const todo = seeds;
    while (todo.length > 0 && !stopped && !short) {
      // From the end: depth first, so that few wait. A group never holds a folder and one inside it, since
      // subfolders are found only after their folder is watched.
      const group = new Map(todo.splice(-groupSize).map((seed) => [seed.folder, seed]));
      const before = new Map([...group.keys()].map((folder) => [folder, identityOf(folder)]));
      const there = [...group.keys()].filter((folder) => before.get(folder) !== null);
      for (const opened of there.length === 0 ? [] : await open(there)) {
        const seed = group.get(opened.folder);
        const identity = before.get(opened.folder) ?? null;
        if (seed === undefined || identity === null) continue;
        const node = await plant(seed, identity, opened, quiet);
        if (node === null || !recursive) continue;
        for (const name of await subfoldersOf(node.folder)) {
          const folder = joinPath(node.folder, name);
          if (enter(folder)) todo.push({ folder, name, parent: node });
        }
      }
    }
  };

  const plant = async (
    seed: Seed,
    identity: string,
    opened: Opened,
    quiet: boolean,
  ): Promise<Node | null> => {
    const { folder, name, parent } = seed;
    if ('fault' in opened) {
      if (isShort(opened.fault)) short = true;
      parent?.refused.add(name);
      return null;
    }
    const parentHolds = parent === null || isCurrent(parent);
    if (stopped || !parentHolds || nodes.has(folder) || identityOf(folder) !== identity) {
      // Swapped while it was opened. The swap has its own event, or the parent's, and is looked at then.
      await opened.handle.close();
      if (!stopped) announce(folder);
      return null;
    }
    const node: Node = { ...seed, identity, handle: opened.handle, below: new Map(), refused: new Set() };
    nodes.set(folder, node);
    parent?.below.set(name, node);
    parent?.refused.delete(name);
    if (!quiet) announce(folder);
    return node;
  };

  const release = (node: Node): void => {
    for (const inner of [...node.below.values()]) release(inner);
    node.parent?.below.delete(node.name);
    nodes.delete(node.folder);
    closing.push(node.handle.close());
    announce(node.folder);
  };

  const closed = async (): Promise<void> => {
    const all = closing;
    closing = [];
    await Promise.all(all);
  };

  /** Brings the watched subfolders with these names in line with what is there. */
  const compare = async (node: Node, names: Iterable<string>): Promise<void> => {
    const seeds: Seed[] = [];
    for (const name of names) {
      const folder = joinPath(node.folder, name);
      const watched = node.below.get(name);
      const identity = identityOf(folder);
      if (watched !== undefined && watched.identity !== identity) release(watched);
      const fresh = identity !== null && !node.below.has(name);
      if (fresh && recursive && enter(folder)) seeds.push({ folder, name, parent: node });
    }
    await closed();
    await grow(seeds, false);
  };

  const compareAll = async (node: Node): Promise<void> => {
    const there = recursive ? await subfoldersOf(node.folder) : [];
    await compare(node, new Set([...node.below.keys(), ...there]));
  };

  const rootSeed: Seed = { folder: root, name: '', parent: null };

  return {
    /** Walks everything for the first time. */
    start: () => grow([rootSeed], true),
    has: (folder: string): boolean => nodes.has(folder),
    wasRefused: (folder: string, name: string): boolean => nodes.get(folder)?.refused.has(name) ?? false,
    /** True while the root is watched and still the folder it was; when not, everything is released. */
    holdsRoot: (): boolean => {
      const node = nodes.get(root);
      if (node === undefined) return false;
      if (identityOf(root) === node.identity) return true;
      release(node);
      return false;
    },
    /** Something moved in `folder`: at these names, or, null, anywhere. */
    moved: async (folder: string, names: ReadonlySet<string> | null): Promise<void> => {
      const node = nodes.get(folder);
      if (node === undefined) return;
      await (names === null ? compareAll(node) : compare(node, names));
    },
    /** Compares every folder; true when no folder lacks a watch because of the system's limits. */
    review: async (): Promise<boolean> => {
      short = false;
      if (!nodes.has(root)) await grow([rootSeed], false);
      for (const node of [...nodes.values()]) if (!stopped && isCurrent(node)) await compareAll(node);
      return !isShortNow() && nodes.has(root);
    },
    /** Watches the folder again after its handle failed. */
    reopen: async (folder: string): Promise<void> => {
      const node = nodes.get(folder);
      if (node === undefined) return;
      release(node);
      await closed();
      await grow([{ folder, name: node.name, parent: node.parent }], false);
    },
    close: async (): Promise<void> => {
      stopped = true;
      closing.push(...[...nodes.values()].map(({ handle }) => handle.close()));
      nodes.clear();
      await closed();
    },
  };
};
