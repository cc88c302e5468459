// The ports `Files`, `Watch` and `photo` of `Inspect`, and other files of the user, for all drives. The process of its
// drive makes a call that may hang; this process makes all others.
import { toAppError } from '../../contract/errors.ts';
import type {
  Files,
  Inspect,
  OpenFile,
  Place,
  Spelled,
  Stamp,
  Watch,
  Writing,
} from '../../engine/ports/files.ts';
import type { Disks } from '../files/disk.ts';
import { unlessAborted } from '../system/unless-aborted.ts';
import type { RealPaths, Texts } from './messages.ts';
import { texts } from './texts.ts';
import { createDrive, type Drive, type Link } from './drive.ts';

/** Each piece is a round trip to the drive's process, so several are requested ahead. */
const piecesAhead = 8;

export type Reachable = {
  files: Files;
  paths: RealPaths;
  texts: Texts;
  watch: Watch;
  photo: Inspect['photo'];
};

/** Files that the processes of drives have open. */
const createOpenFiles = (nextId: () => number) => {
  const photos = new WeakMap<
    OpenFile,
    (head: Uint8Array, cutsAll: boolean) => ReturnType<Inspect['photo']>
  >();

  const openOn = async (drive: Drive, path: string, root: string | null): Promise<OpenFile> => {
    const file = nextId();
    try {
      return fileOn(drive, file, path, await drive.ask('open', file, path, root));
    } catch (error) {
      drive.tell('close', file);
      throw error;
    }
  };

  const fileOn = (drive: Drive, file: number, path: string, stamp: Stamp): OpenFile => {
    const open: OpenFile = {
      stamp,
      // Not by its written path: if the drive cannot be asked, the file is not trusted.
      place: () => drive.ask('placeOfOpen', file),
      async *pieces(signal) {
        const next = async (): Promise<Uint8Array | null> => unlessAborted(signal, drive.ask('read', file));
        const ahead: Promise<Uint8Array | null>[] = [];
        for (;;) {
          while (ahead.length < piecesAhead) {
            const piece = next();
            piece.catch(() => undefined); // thrown when it is its turn
            ahead.push(piece);
          }
          const piece = await ahead.shift();
          if (piece === null || piece === undefined) return;
          yield piece;
        }
      },
      head: (maxBytes) => drive.ask('head', file, maxBytes),
      descriptor: -1,
      cut(parts) {
        const part = nextId();
        const sizeBytes = parts.reduce(
          (sum, one) => sum + (one instanceof Uint8Array ? one.length : one.to - one.from),
          0,
        );
        // Orders start one after another, so it is cut before it is read.
        drive.tell('cut', part, file, parts);
        return {
          ...fileOn(drive, part, path, { ...stamp, sizeBytes }),
          async close() {
            drive.tell('close', part);
            await open.close();
          },
        };
      },
      unchanged: () => drive.ask('unchanged', file).catch(() => false),
      sha256: () => drive.ask('sha256', file),
      close: async () => drive.tell('close', file),
    };
    photos.set(open, (head, cutsAll) => drive.ask('photo', file, head, cutsAll));
    return open;
  };
  const photoOf = (file: OpenFile) => photos.get(file);

  return { openOn, photoOf };
};

/** `start` starts the process of the drive that is mounted at `root`. */
export const createDrives = (options: {
  here: Omit<Reachable, 'texts'>;
  disks: Pick<Disks, 'hanging'>;
  start: (root: string) => Link;
}): Reachable & { close(): void } => {
  const { here, disks, start } = options;
  /** By path of the mount. */
  const drives = new Map<string, { mount: string; drive: Drive }>();
  let last = 0;
  const nextId = (): number => (last += 1);
  const { openOn, photoOf } = createOpenFiles(nextId);

  const driveOf = (path: string): Drive | null => {
    const mount = disks.hanging(path);
    if (mount === null) return null;
    const key = `${mount.id} ${mount.device}`;
    const known = drives.get(mount.path);
    if (known?.mount === key && !known.drive.mayStartAgain()) return known.drive;
    // Another one is mounted there now.
    known?.drive.end();
    const drive = createDrive(mount.path, start(mount.path));
    drives.set(mount.path, { mount: key, drive });
    return drive;
  };

  const byDrive = (paths: readonly string[]): [Drive | null, string[]][] => {
    const groups = new Map<Drive | null, string[]>();
    for (const path of paths) {
      const drive = driveOf(path);
      const group = groups.get(drive);
      if (group === undefined) groups.set(drive, [path]);
      else group.push(path);
    }
    return [...groups];
  };

  const files: Files = {
    ...here.files,
    identify: (folder) => driveOf(folder)?.ask('identify', folder) ?? here.files.identify(folder),
    async list(folder, isUnchanged) {
      const drive = driveOf(folder);
      if (drive === null) return await here.files.list(folder, isUnchanged);
      const listing = await drive
        .ask('list', folder)
        .catch((error: unknown) => ({ ok: false, gone: false, message: toAppError(error).message }) as const);
      if (!listing.ok || isUnchanged === undefined) return listing;
      const found = listing.found.filter(
        ({ name, stamp }) => stamp === null || !isUnchanged(name, stamp.key),
      );
      return { ok: true, found };
    },
    look: (path) => driveOf(path)?.ask('look', path) ?? here.files.look(path),
    place: (path) =>
      driveOf(path)
        ?.ask('place', path)
        .catch(() => writtenPlace(path)) ?? here.files.place(path),
    async open(path, root) {
      const drive = driveOf(path);
      return drive === null ? await here.files.open(path, root) : await openOn(drive, path, root);
    },
    seesWriters: () => here.files.seesWriters(),
    async openForWriting(paths) {
      const answers = byDrive(paths).map(([drive, own]) =>
        drive === null
          ? here.files.openForWriting(own)
          : drive.ask('openForWriting', own).catch(() => new Map<string, Writing>()),
      );
      return new Map((await Promise.all(answers)).flatMap((answer) => [...answer]));
    },
    async spell(paths) {
      const spelled = new Map<string, Spelled>();
      const answers = byDrive(paths).map(async ([drive, own]) => {
        const asWritten = (): Spelled[] => own.map((path) => ({ path, isGuess: false }));
        const all =
          drive === null ? await here.files.spell(own) : await drive.ask('spell', own).catch(asWritten);
        for (const [at, path] of own.entries()) spelled.set(path, all[at] ?? { path, isGuess: false });
      });
      await Promise.all(answers);
      return paths.map((path) => spelled.get(path) ?? { path, isGuess: false });
    },
  };

  return {
    files,
    watch: {
      async start(given) {
        const drive = driveOf(given.root);
        return drive === null ? await here.watch.start(given) : await startWatchOn(drive, nextId(), given);
      },
    },
    paths: {
      real: (path) => driveOf(path)?.ask('real', path) ?? here.paths.real(path),
      realFolder: (path) => driveOf(path)?.ask('realFolder', path) ?? here.paths.realFolder(path),
    },
    texts: {
      read: (path, mostBytes, isPipeTaken) =>
        driveOf(path)?.ask('readText', path, mostBytes, isPipeTaken) ??
        texts.read(path, mostBytes, isPipeTaken),
      async create(path, replaces) {
        const drive = driveOf(path);
        if (drive === null) return await texts.create(path, replaces);
        const text = nextId();
        await drive.ask('createText', text, path, replaces);
        return {
          write: (piece) => drive.ask('writeText', text, piece),
          finish: () => drive.ask('finishText', text),
          discard: async () => drive.tell('discardText', text),
        };
      },
    },
    photo: (file, head, cutsAll) => photoOf(file)?.(head, cutsAll) ?? here.photo(file, head, cutsAll),
    close() {
      for (const { drive } of drives.values()) drive.end();
    },
  };
};

const startWatchOn = async (
  drive: Drive,
  watch: number,
  { root, recursive, sighted, health, signal }: Parameters<Watch['start']>[0],
): ReturnType<Watch['start']> => {
  drive.watches.set(watch, { sighted, health });
  const stop = (): void => {
    if (drive.watches.delete(watch)) drive.tell('unwatch', watch);
  };
  try {
    await unlessAborted(signal, drive.ask('watch', watch, root, recursive));
  } catch (error) {
    stop();
    throw error;
  }
  signal.addEventListener('abort', stop, { once: true });
  return { stop: async () => stop() };
};

const writtenPlace = (path: string): Place => ({ path, names: [path], folders: [] });
