// The drives on which folders of the tray lie: USB sticks, and servers that hang, are slow, are mounted again, and
// report no change. Another drive may appear in the place of each, with files of the same names and sometimes the same
// sizes, times and inode numbers. No file of it may leave before the user is asked (I21).
import { AppError } from '../../../src-main/contract/errors.ts';
import type { Clock } from '../../../src-main/engine/ports/ports.ts';
import type { Disk, Files, Found, OpenFile, Place, Stamp } from '../../../src-main/engine/ports/files.ts';
import { localDisk, type FakeDisk } from '../fake-folder.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { Dice } from './dice.ts';
import type { Acts } from './hands.ts';
import type { Story } from './story.ts';

export type Drives = {
  files: Files;
  acts: Acts;
  /** The drive of this path is the right one. */
  isHere(path: string): boolean;
  /** A file keeps its inode number after this rename, even when the drive is mounted again. */
  keepsNumber(from: string, to: string): boolean;
  /** No program notices what another machine changes there. */
  isShared(folder: string): boolean;
  /** It is a drive of its own. */
  isApart(folder: string): boolean;
  isHung(folder: string): boolean;
  /** Puts another drive at the place of this folder, or takes it away. */
  exchange(folder: string, isOther: boolean): void;
  /** A process starts: it waits once more for a drive that hangs. */
  restarted(): void;
  end(): void;
};

/** Every content on another drive starts with this. */
export const otherDriveMark = 'alien';

/** As adapters/drives: a call without an answer fails after this time, and later calls fail at once. */
const silenceMs = 1000;
const remedy = 'Outtray waits for it.';

type Kind = {
  /** How folders on it are identified. `n`: which drive it is. */
  identity: (device: number, n: number) => string;
  disk: Partial<Disk>;
  /** Its files get other inode numbers when it is mounted again. */
  isRenumbered: boolean;
};

const kinds = {
  stick: {
    identity: (device, n) => `${device}:0:0:uuid=${n}`,
    disk: { kind: 'vfat', tellsBirth: false, keepsInodes: false },
    isRenumbered: true,
  },
  server: {
    identity: (device, n) => `${device}:2:0:from=nfs4 nas:/export/${n}`,
    disk: { kind: 'nfs4', isShared: true, mayHang: true, tellsBirth: false, tellsChanges: false },
    isRenumbered: false,
  },
  /** A FUSE mount: nothing distinguishes it from another one. */
  nameless: {
    identity: (device) => `${device}:0:0:`,
    disk: {
      kind: 'fuse.box',
      isShared: true,
      mayHang: true,
      tellsBirth: false,
      keepsInodes: false,
      tellsChanges: false,
    },
    isRenumbered: true,
  },
} satisfies Record<string, Kind>;

type Drive = {
  folder: string;
  /** Null: a folder of the machine's own disk. */
  kind: keyof typeof kinds | null;
  device: number;
  /** How many times something was mounted there. */
  mounts: number;
  /** Where the files of the other drive lie; null: the right drive is there. */
  other: string | null;
  isGone: boolean;
  isHung: boolean;
  /** A call has timed out. */
  isSilent: boolean;
  isSlow: boolean;
};

export const createDrives = (options: {
  dice: Dice;
  world: VirtualClock;
  /** Sleeps with the machine. */
  clock: Clock;
  disk: FakeDisk;
  story: Story;
  folders: readonly string[];
  pathsIn: (dir: string) => string[];
  /** The first scan of this folder is over: Outtray knows what was in it before. */
  isKnown: (folder: string) => boolean;
  hung: (folder: string) => void;
  /** The right drive is back. */
  back: (folder: string) => void;
}): Drives => {
  const { dice, world, clock, disk, story, pathsIn } = options;
  const drives = new Map<string, Drive>(
    options.folders.map((folder, n) => {
      const isLocal = n === 0 || !dice.happens(0.2);
      const kind = isLocal ? null : dice.pick(['stick', 'server', 'nameless'] as const);
      return [
        folder,
        {
          folder,
          kind,
          device: 50 + n,
          mounts: 1,
          other: null,
          isGone: false,
          isHung: false,
          isSilent: false,
          isSlow: kind !== null && dice.happens(0.2),
        },
      ];
    }),
  );
  const all = [...drives.values()];
  const apart = all.filter(({ kind }) => kind !== null);
  const hanging = apart.filter(({ kind }) => kind === 'server' || kind === 'nameless');
  let serial = 0;
  /** A process has begun. */
  let isAsked = false;

  const driveOf = (path: string): Drive | null => {
    const end = path.indexOf('/', 1);
    return drives.get(end === -1 ? path : path.slice(0, end)) ?? null;
  };
  /** The path in the fake disk that this path leads to now. */
  const there = (path: string): string => {
    const drive = driveOf(path);
    return drive === null || drive.other === null ? path : drive.other + path.slice(drive.folder.length);
  };

  // ---------------------------------------------------------------- what is asked

  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
  const reach = async (drive: Drive | null): Promise<boolean> => {
    if (drive === null) return true;
    const hangs = (): boolean => drive.isHung;
    if (drive.isSlow && isAsked) await pause(dice.spread(1, 400));
    if (hangs() && !drive.isSilent) await pause(silenceMs);
    // It may answer again after the wait.
    if (!hangs()) return true;
    drive.isSilent = true;
    return false;
  };
  const silence = (drive: Drive | null, code: 'locked' | 'folder-unavailable'): AppError =>
    new AppError(code, `The drive at ${drive?.folder ?? ''} does not answer.`, remedy);
  const assertReached = async (path: string): Promise<void> => {
    const drive = driveOf(path);
    if (!(await reach(drive))) throw silence(drive, 'locked');
  };

  const stampOn = (drive: Drive | null, { bornMs, ...stamp }: Stamp): Stamp =>
    bornMs === undefined || (drive !== null && drive.kind !== null) ? stamp : { ...stamp, bornMs };
  const foundOn = (drive: Drive | null, found: Found): Found =>
    found.stamp === null ? found : { ...found, stamp: stampOn(drive, found.stamp) };
  const placeOn = (drive: Drive | null, place: Place): Place => {
    if (drive === null || drive.other === null) return place;
    const { other, folder } = drive;
    const named = (path: string): string =>
      path.startsWith(other) ? folder + path.slice(other.length) : path;
    return { ...place, path: named(place.path), names: place.names.map(named) };
  };

  const inner = disk.files;
  const files: Files = {
    ...inner,
    async identify(folder) {
      const drive = driveOf(folder);
      if (!(await reach(drive))) throw silence(drive, 'folder-unavailable');
      if (drive?.isGone === true)
        throw new AppError('folder-unavailable', `The folder ${folder} cannot be reached.`);
      const own = await inner.identify(folder);
      if (drive === null || drive.kind === null)
        return drive === null || drive.other === null ? own : 'another';
      return kinds[drive.kind].identity(drive.device, drive.other === null ? 0 : drive.mounts);
    },
    disk(path) {
      const kind = driveOf(path)?.kind ?? null;
      return kind === null ? inner.disk(path) : { ...localDisk, ...kinds[kind].disk };
    },
    mounts(folder) {
      const drive = driveOf(folder);
      if (drive === null || drive.kind === null) return inner.mounts(folder);
      const key = drive.isGone ? 'nothing' : `${drive.folder} ${drive.mounts}`;
      return { key, own: key, isShared: isShared(folder) };
    },
    async list(folder, isUnchanged) {
      const drive = driveOf(folder);
      if (!(await reach(drive))) return { ok: false, gone: false, message: silence(drive, 'locked').message };
      if (drive?.isGone === true) return { ok: false, gone: true, message: 'not there' };
      const listing = await inner.list(there(folder), isUnchanged);
      return listing.ok ? { ok: true, found: listing.found.map((one) => foundOn(drive, one)) } : listing;
    },
    async look(path) {
      await assertReached(path);
      const drive = driveOf(path);
      if (drive?.isGone === true) return null;
      const found = await inner.look(there(path));
      return found === null ? null : foundOn(drive, found);
    },
    async place(path) {
      const drive = driveOf(path);
      if (!(await reach(drive))) return { path, names: [path], folders: [] };
      return placeOn(drive, await inner.place(there(path)));
    },
    async open(path, root) {
      await assertReached(path);
      const drive = driveOf(path);
      if (drive?.isGone === true) throw new AppError('gone', 'The file is not there.');
      const open = await inner.open(there(path), root === null ? null : there(root));
      return drive === null || drive.kind === null ? open : openOn(drive, path, open);
    },
    seesWriters: () => inner.seesWriters(),
    async openForWriting(paths) {
      const hung = new Set<string>();
      for (const path of paths) if (!(await reach(driveOf(path)))) hung.add(path);
      return await inner.openForWriting(paths.filter((path) => !hung.has(path)));
    },
  };

  const openOn = (drive: Drive, path: string, open: OpenFile): OpenFile => {
    const begun = drive.mounts;
    const stamp = stampOn(drive, open.stamp);
    return {
      ...open,
      stamp,
      async place() {
        await assertReached(path);
        return placeOn(drive, await open.place());
      },
      async *pieces(signal) {
        for await (const piece of open.pieces(signal)) {
          await assertReached(path);
          yield piece;
        }
      },
      async head(maxBytes) {
        await assertReached(path);
        return await open.head(maxBytes);
      },
      async sha256() {
        await assertReached(path);
        return await open.sha256();
      },
      async unchanged() {
        if (!(await reach(drive)) || drive.isGone) return false;
        if (drive.mounts === begun) return await open.unchanged();
        // The open file is on the earlier mount, so look at what the path leads to now.
        return (await inner.look(there(path)).catch(() => null))?.stamp?.key === stamp.key;
      },
    };
  };

  // ---------------------------------------------------------------- what befalls them

  const kindOf = (drive: Drive | null): Kind | null =>
    drive === null || drive.kind === null ? null : kinds[drive.kind];
  const isShared = (folder: string): boolean => kindOf(driveOf(folder))?.disk.isShared === true;
  const isHere = ({ other, isGone, isHung }: Drive): boolean => other === null && !isGone && !isHung;
  const mayChange = (drive: Drive): boolean => isHere(drive) && options.isKnown(drive.folder);

  /** Another drive with files of the same names. Stamps may be equal too, unless only they can identify the drive. */
  const other = ({ folder, kind }: Drive): string => {
    const at = `/other drive ${(serial += 1)}`;
    disk.make(at, 'folder');
    const alien = (size: number): string =>
      `${otherDriveMark} ${(serial += 1)}`.padEnd(size, '!').slice(0, Math.max(12, size));
    for (const path of pathsIn(folder).slice(0, 20)) {
      if (!dice.happens(0.7)) continue;
      const to = at + path.slice(folder.length);
      for (let end = to.indexOf('/', at.length + 1); end !== -1; end = to.indexOf('/', end + 1))
        if (disk.text(to.slice(0, end)) === null) disk.make(to.slice(0, end), 'folder');
      const size = disk.text(path)?.length ?? 12;
      disk.write(to, alien(dice.happens(0.7) ? size : 40));
      if (kind !== 'nameless' && disk.text(to)?.length === size && dice.happens(0.5)) disk.forge(to, path);
    }
    for (let i = dice.whole(1, 4); i > 0; i -= 1)
      disk.write(`${at}/${dice.pick(['a.txt', 'b.txt', 'Photo 1.jpg', `own ${i}.txt`])}`, alien(40));
    return at;
  };

  const exchange = (drive: Drive, isOther: boolean): void => {
    drive.mounts += 1;
    story.note(`drive ${drive.folder} is ${isOther ? 'another one' : 'back'}`);
    if (isOther) {
      drive.other = other(drive);
      return;
    }
    if (drive.other !== null) disk.remove(drive.other);
    drive.other = null;
    drive.isGone = false;
    options.back(drive.folder);
  };
  /** Plugged in or mounted again: the same files with other inode numbers. */
  const again = (drive: Drive): void => {
    drive.device += 100;
    if (drive.kind !== null && kinds[drive.kind].isRenumbered) disk.renumber(drive.folder);
  };
  const later = (ms: number, act: () => void): void => void world.after(ms, act);
  const some = (from: readonly Drive[], act: (drive: Drive) => void): void => {
    const able = from.filter(mayChange);
    if (able.length > 0) act(dice.pick(able));
  };

  const acts: Acts =
    apart.length === 0
      ? {}
      : {
          'other-drive': [
            1,
            () => {
              some(apart, (drive) => {
                story.fault('other-drive', drive.folder);
                exchange(drive, true);
                later(dice.spread(1000, 3_600_000), () => {
                  if (drive.other === null) return;
                  again(drive);
                  exchange(drive, false);
                });
              });
            },
          ],
          'drive-again': [
            1,
            () => {
              some(apart, (drive) => {
                story.fault('drive-again', drive.folder);
                drive.isGone = true;
                later(dice.spread(100, 3_600_000), () => {
                  if (!drive.isGone) return;
                  again(drive);
                  exchange(drive, false);
                });
              });
            },
          ],
          ...(hanging.length === 0
            ? {}
            : {
                'drive-hangs': [
                  1.5,
                  () => {
                    const able = hanging.filter(isHere);
                    if (able.length === 0) return;
                    const drive = dice.pick(able);
                    story.fault('drive-hung', drive.folder);
                    drive.isHung = true;
                    options.hung(drive.folder);
                    later(dice.spread(500, 3_600_000), () => letGo(drive));
                  },
                ],
              }),
        };

  const letGo = (drive: Drive): void => {
    if (!drive.isHung) return;
    story.note(`drive ${drive.folder} answers again`);
    drive.isHung = false;
    drive.isSilent = false;
    options.back(drive.folder);
  };

  return {
    files,
    acts,
    isHere(path) {
      const drive = driveOf(path);
      return drive === null || isHere(drive);
    },
    keepsNumber: (from, to) => [from, to].every((path) => (driveOf(path)?.kind ?? null) === null),
    isShared,
    isApart: (folder) => (drives.get(folder)?.kind ?? null) !== null,
    isHung: (folder) => drives.get(folder)?.isHung === true,
    exchange(folder, isOther) {
      const drive = drives.get(folder);
      if (drive !== undefined && (drive.other !== null) !== isOther) exchange(drive, isOther);
    },
    restarted() {
      isAsked = true;
      for (const drive of all) drive.isSilent = false;
    },
    end() {
      for (const drive of all) {
        letGo(drive);
        drive.isSlow = false;
        if (isHere(drive)) continue;
        again(drive);
        exchange(drive, false);
      }
    },
  };
};
