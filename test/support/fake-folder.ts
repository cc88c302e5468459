// A disk in memory: folders, files, links and pipes, writers that have a file open, locks, and a mount that can go
// away. It implements the engine's `Files` and `Watch` ports, and lets the test change things. As on a real disk, an
// open file stays readable after its name is gone, and every reader sees what is written in place.
import { AppError } from '../../src-main/contract/errors.ts';
import {
  noLinks,
  type Disk,
  type EntryType,
  type Files,
  type Found,
  type OpenFile,
  type Place,
  type Sighting,
  type Spelled,
  type Stamp,
  type Watch,
  type WatchHealth,
  type Writing,
} from '../../src-main/engine/ports/files.ts';
import type { Clock } from '../../src-main/engine/ports/ports.ts';
import { bytesOf, newNode, cutNode, nodeContent, nodeStamp, type Node } from './fake-node.ts';

export type FakeDisk = {
  files: Files;
  watch: Watch;
  /** A new file, or new content in the same one. */
  write(path: string, content: string | Uint8Array): void;
  append(path: string, content: string): void;
  /** Content written aside and renamed over the path, as editors do: another inode. */
  replace(path: string, content: string | Uint8Array): void;
  make(path: string, type: Exclude<EntryType, 'file'>): void;
  rename(from: string, to: string): void;
  /** A second name for the same file. */
  hardLink(from: string, to: string): void;
  remove(path: string): void;
  touch(path: string): void;
  /** Only its rights change. */
  chmod(path: string): void;
  /** Sets the time of its last write, as programs do that restore a file or copy it with its times. */
  age(path: string, mtimeMs: number): void;
  mtimeMs(path: string): number;
  inode(path: string): string;
  /** Its disk reports a size that exceeds its content by this number of bytes. */
  overstate(path: string, missingBytes: number): void;
  isOverstated(path: string): boolean;
  /** Looking at it returns the size, times and inode number of `like`. The bytes are its own. */
  forge(path: string, like: string): void;
  /** Everything in this folder gets other inode numbers, as on a stick that is plugged in again. */
  renumber(folder: string): void;
  /** Keeps the file open for writing until the returned function is called. */
  holdOpen(path: string): () => void;
  lock(path: string, locked: boolean): void;
  /** Reading it throws this; null: no more. */
  spoil(path: string, fault: AppError | null): void;
  markOnlineOnly(path: string): void;
  /** A folder that cannot be read for a while. */
  hide(path: string, hidden: boolean): void;
  /** Takes the disk away, brings it back, or another one in its place. */
  mount(state: 'here' | 'gone' | 'another'): void;
  /** Takes a folder and all in it away, or brings it back as it was. */
  takeAway(folder: string, isAway: boolean): void;
  /** Puts a link in the place of a folder or a file: what lies below leads to `target`. Returns its undo. */
  swap(path: string, target: string): () => void;
  /** Called with each path that is opened inside a root; what it returns is called when the file is open. */
  raceAtOpen(race: (path: string) => (() => void) | null): void;
  /** Called with each path that is opened, after each piece of it, and around the question whether it is unchanged. */
  raceAtUse(race: (path: string) => void): void;
  /** Called with each folder that is about to be listed. */
  raceAtList(race: (folder: string) => void): void;
  /** Whether the watch reports changes; if not, only a scan finds them. */
  hints(on: boolean): void;
  hint(sighting: Sighting): void;
  degrade(health: WatchHealth): void;
  /** How the system hides who has a file open for writing; null: it shows all writers. */
  hideWriters(as: 'hidden' | 'untold' | null): void;
  /** The kind of disk: its device number, and whether it reports the birth times of files. */
  kind(kind: { device?: number; tellsBirth?: boolean } & Partial<Disk>): void;
  /** What is mounted in the folders, and on them; null, as at first: the system does not report it. */
  mounts(now: string | null, own?: string): void;
  /** The identity of the watched folder from now on. */
  identify(identity: string): void;
  /** The next file gets the current inode number of this one, as on a disk that reuses numbers. */
  giveNumberOf(path: string): void;
  text(path: string): string | null;
  /** How many watches run, and how often each folder was listed. */
  watches(): number;
  /** For each watch that was started, whether it went into subfolders. */
  watched: boolean[];
  listed: string[];
  opened: string[];
};

const dirOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** As a disk in the machine. */
export const localDisk: Disk = {
  kind: 'ext4',
  isShared: false,
  mayHang: false,
  tellsBirth: true,
  keepsInodes: true,
  tellsChanges: true,
  locks: true,
  identity: 'uuid=1',
  isDrive: false,
  foldsNames: false,
};

export const createFakeDisk = (clock: Clock, root = '/tray'): FakeDisk => {
  const nodes = new Map<string, Node>();
  const hidden = new Set<string>();
  const away = new Set<string>();
  const links = new Map<string, { node: Node; target: string }>();
  let race: (path: string) => (() => void) | null = () => null;
  let useRace: (path: string) => void = () => undefined;
  let listRace: (folder: string) => void = () => undefined;
  let watchers: {
    root: string;
    sighted: (batch: Sighting[]) => void;
    health: (health: WatchHealth) => void;
    signal: AbortSignal;
  }[] = [];
  /** Without a listener at the signal: Node keeps a signal of several for ever while it has one. */
  const watching = (): typeof watchers => (watchers = watchers.filter(({ signal }) => !signal.aborted));
  const listed: string[] = [];
  const opened: string[] = [];
  const watched: boolean[] = [];
  let inodes = 100;
  let state: 'here' | 'gone' | 'another' = 'here';
  let hintsOn = true;
  let unseen: 'hidden' | 'untold' | null = null;
  let device = 1;
  let tellsBirth = true;
  let identity: string | null = null;
  let ofDisk: Partial<Disk> = {};
  let mounts: string | null = null;
  let ownMount = '';
  let nextInode: number | null = null;
  const takeInode = (): number => {
    const inode = nextInode ?? (inodes += 1);
    nextInode = null;
    return inode;
  };

  const make = (type: EntryType, content: string | Uint8Array = ''): Node =>
    newNode(type, content, takeInode(), clock.wallMs());
  nodes.set(root, make('folder'));

  const isHere = (path: string): boolean => {
    for (const folder of away) if (path === folder || isInside(path, folder)) return false;
    return state === 'here' || !(path === root || path.startsWith(`${root}/`));
  };
  /** Links on the way are followed, one in the last place is not. */
  const realOf = (path: string): string => {
    for (const [link, { target }] of links)
      if (path.startsWith(`${link}/`)) return realOf(target + path.slice(link.length));
    return path;
  };
  const at = (path: string): Node | null =>
    isHere(path) ? (links.get(path)?.node ?? nodes.get(realOf(path)) ?? null) : null;
  const need = (path: string): Node => {
    const node = at(path);
    if (node === null) throw new Error(`The test names ${path}, which is not there.`);
    return node;
  };
  const stampOf = (node: Node): Stamp => nodeStamp(node, { device, tellsBirth });
  const found = (path: string, node: Node): Found => ({
    name: nameOf(path),
    type: node.type,
    stamp: node.type === 'file' ? stampOf(node) : null,
    onlineOnly: node.onlineOnly,
  });
  const hint = (sighting: Sighting): void => {
    const { folder, everything } = sighting;
    const isOf = (one: string): boolean => everything === true || folder === one || isInside(folder, one);
    if (hintsOn) for (const one of watching()) if (isOf(one.root)) one.sighted([sighting]);
  };
  const hintAt = (path: string): void => hint({ folder: dirOf(path), name: nameOf(path) });
  const changed = (path: string, node: Node): void => {
    node.mtimeMs = clock.wallMs();
    node.ctimeMs = clock.wallMs();
    node.version += 1;
    hintAt(path);
  };
  const writingOf = (path: string): Writing => unseen ?? ((at(path)?.writers ?? 0) > 0 ? 'open' : 'closed');
  const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

  /** As in the real one: the open file must be the one that the path, with links followed, names inside the root. */
  const isReached = (path: string, within: string | null, node: Node): boolean =>
    within === null ||
    ((within === noLinks ? realOf(path) === path : isInside(realOf(path), within)) && at(path) === node);

  /** Each node has its number; folders that were never created have none. */
  const place = (path: string): Place => {
    const real = realOf(`${path}/`).slice(0, -1);
    const folders: string[] = [];
    for (let dir = real; ; dir = dirOf(dir)) {
      const node = nodes.get(dir);
      folders.push(node === undefined ? '' : `${device}:${node.inode}`);
      if (dir === dirOf(dir)) break;
    }
    return { path, names: [...(real === path ? [] : [path]), real], folders };
  };

  /** Ignores case if the kind of the disk does; otherwise each spelling is a name of its own. */
  const spelled = (written: string): Spelled => {
    const path = realOf(written);
    const foldsNames = ofDisk.foldsNames ?? false;
    if (!foldsNames || at(path) !== null) return { path, isGuess: false };
    const there = [...nodes.keys()].find((one) => one.toLowerCase() === path.toLowerCase());
    return { path: there ?? path, isGuess: there === undefined };
  };

  const open = (path: string, within: string | null): OpenFile => {
    useRace(path);
    const settleRace = within === null ? null : race(path);
    const node = at(path);
    settleRace?.();
    if (node === null) throw new AppError('gone', 'The file is not there.');
    if (node.type !== 'file') throw new AppError('not-a-file', 'No regular file.');
    if (node.locked) throw new AppError('locked', 'The file is locked.');
    if (!isReached(path, within, node)) throw new AppError('outside', 'Outside the folder.');
    opened.push(path);
    const stamp = stampOf(node);
    const content = nodeContent(node, stamp);
    const file: OpenFile = {
      stamp,
      place: async () => place(path),
      descriptor: -1,
      cut: (parts) => cutNode(file, node, parts),
      ...content,
      async *pieces(signal) {
        for await (const piece of content.pieces(signal)) {
          useRace(path);
          yield piece;
        }
      },
      async unchanged() {
        useRace(path);
        const is = at(path) === node && isReached(path, within, node) && stampOf(node).key === stamp.key;
        useRace(path);
        return is;
      },
      close: async () => undefined,
    };
    return file;
  };

  return {
    listed,
    opened,
    watched,
    files: {
      async identify(folder) {
        if (folder === root && state === 'another') return 'another';
        if (folder === root && identity !== null && at(folder)?.type === 'folder') return identity;
        if (at(folder)?.type !== 'folder')
          throw new AppError('folder-unavailable', 'The folder is not there.');
        return `${folder}#1`;
      },
      disk: () => ({ ...localDisk, ...ofDisk }),
      mounts: () => {
        const isShared = ofDisk.isShared ?? false;
        return mounts === null && !isShared ? null : { key: mounts ?? '', own: ownMount, isShared };
      },
      async list(folder, isUnchanged) {
        listed.push(folder);
        listRace(folder);
        // A link in the place of a folder is followed, as the system does.
        const base = links.get(folder)?.target ?? realOf(folder);
        const node = isHere(folder) ? (nodes.get(base) ?? null) : null;
        if (node === null) return { ok: false, gone: true, message: 'not there' };
        if (node.type !== 'folder') return { ok: false, gone: true, message: 'no folder' };
        if (hidden.has(folder)) return { ok: false, gone: false, message: 'no permission' };
        const all: Found[] = [];
        const start = base === '/' ? base : `${base}/`;
        for (const [path, one] of nodes) {
          if (!path.startsWith(start) || path === base || path.includes('/', start.length)) continue;
          all.push(found(path, links.get(path)?.node ?? one));
        }
        const isKnown = ({ name, stamp }: Found): boolean =>
          stamp !== null && isUnchanged?.(name, stamp.key) === true;
        return { ok: true, found: all.filter((one) => !isKnown(one)) };
      },
      async look(path) {
        if (hidden.has(path)) throw new AppError('locked', 'No permission.');
        const node = at(path);
        return node === null ? null : found(path, node);
      },
      spell: async (paths) => paths.map(spelled),
      place: async (path) => place(path),
      open: async (path, within) => open(path, within),
      seesWriters: () => unseen !== 'untold',
      async openForWriting(paths) {
        return new Map(paths.map((path) => [path, writingOf(path)]));
      },
    },
    watch: {
      async start({ root, sighted, health, signal, recursive }) {
        watched.push(recursive);
        const watcher = { root, sighted, health, signal };
        watchers.push(watcher);
        return {
          async stop() {
            watchers = watchers.filter((one) => one !== watcher);
          },
        };
      },
    },
    write(path, content) {
      const node = at(path);
      if (node === null) {
        nodes.set(path, make('file', content));
        hintAt(path);
        return;
      }
      node.bytes = bytesOf(content);
      changed(path, node);
    },
    append(path, content) {
      const node = need(path);
      node.bytes = Buffer.concat([node.bytes, Buffer.from(content)]);
      changed(path, node);
    },
    replace(path, content) {
      nodes.set(path, make('file', content));
      hintAt(path);
    },
    make(path, type) {
      nodes.set(path, make(type));
      hintAt(path);
    },
    rename(from, to) {
      const node = need(from);
      for (const [path, inner] of [...nodes]) {
        if (path !== from && !isInside(path, from)) continue;
        nodes.delete(path);
        nodes.set(to + path.slice(from.length), inner);
      }
      node.ctimeMs = clock.wallMs();
      node.version += 1;
      hintAt(from);
      hintAt(to);
    },
    hardLink(from, to) {
      nodes.set(to, need(from));
      hintAt(to);
    },
    remove(path) {
      for (const one of [...nodes.keys()]) if (one === path || isInside(one, path)) nodes.delete(one);
      hintAt(path);
    },
    touch: (path) => changed(path, need(path)),
    chmod(path) {
      need(path).ctimeMs = clock.wallMs();
      hintAt(path);
    },
    age(path, mtimeMs) {
      const node = need(path);
      node.mtimeMs = mtimeMs;
      node.ctimeMs = clock.wallMs();
      node.version += 1;
      hintAt(path);
    },
    mtimeMs: (path) => need(path).mtimeMs,
    inode: (path) => String(need(path).inode),
    overstate(path, missingBytes) {
      need(path).missingBytes = missingBytes;
      hintAt(path);
    },
    isOverstated: (path) => (at(path)?.missingBytes ?? 0) > 0,
    forge(path, like) {
      const { inode, mtimeMs, ctimeMs, bornMs, version } = need(like);
      Object.assign(need(path), { inode, mtimeMs, ctimeMs, bornMs, version });
    },
    renumber(folder) {
      for (const [path, node] of nodes) if (isInside(path, folder)) node.inode = takeInode();
    },
    holdOpen(path) {
      const node = need(path);
      node.writers += 1;
      return () => {
        node.writers -= 1;
      };
    },
    lock(path, locked) {
      need(path).locked = locked;
    },
    spoil(path, fault) {
      need(path).fault = fault;
    },
    markOnlineOnly(path) {
      need(path).onlineOnly = true;
    },
    hide(path, isHidden) {
      if (isHidden) hidden.add(path);
      else hidden.delete(path);
    },
    mount(next) {
      state = next;
    },
    takeAway(folder, isAway) {
      if (isAway) away.add(folder);
      else away.delete(folder);
    },
    swap(path, target) {
      links.set(path, { node: make('link'), target });
      hintAt(path);
      return () => {
        links.delete(path);
        hintAt(path);
      };
    },
    raceAtOpen(next) {
      race = next;
    },
    raceAtUse(next) {
      useRace = next;
    },
    raceAtList(next) {
      listRace = next;
    },
    hints(on) {
      hintsOn = on;
    },
    hint,
    degrade(health) {
      for (const one of watching()) one.health(health);
    },
    hideWriters(as) {
      unseen = as;
    },
    mounts(now, own = '') {
      mounts = now;
      ownMount = own;
    },
    kind({ device: number, ...now }) {
      device = number ?? device;
      tellsBirth = now.tellsBirth ?? tellsBirth;
      ofDisk = { ...ofDisk, ...now };
    },
    identify(now) {
      identity = now;
    },
    giveNumberOf(path) {
      nextInode = need(path).inode;
    },
    text: (path) => at(path)?.bytes.toString() ?? null,
    watches: () => watching().length,
  };
};
