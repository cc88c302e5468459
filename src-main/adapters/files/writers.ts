// Which files a process is still writing. A quiet file that no process has open for writing is finished, which cuts
// the wait from seconds to a quarter of a second.
//
// Linux: one pass over /proc/*/fd of the processes we may see (our user's own). The name behind a descriptor is read
// first, because that asks no file system that might hang. Only a descriptor named like a candidate is compared by
// device and inode, and not on another drive that might hang (descriptors.ts). A link's owner bits in /proc/*/fd show
// how the file is open. A writer that closed its descriptor but keeps a shared mapping shows up in /proc/*/maps
// (mappings.ts). A file that stays open is checked again and again, and costs two calls as long as the same descriptor
// holds it.
// Where a writer would not be seen, "no process has it open" proves nothing, and the answer is `hidden` (view.ts).
// Measured at 91 processes with 512 descriptors: 10 ms the first time, 6 ms from then on, in slices.
// Windows: a file that a process has open refuses an exclusive open. Node opens a file either so or shared with all (libuv,
// uv_fs_open), so there is no other way to ask. For those microseconds the file refuses other programs, too: only a quiet
// file is asked, and none on a network drive, where it would take a round trip. macOS has nothing of the kind: `untold`.
// (The Windows branch follows libuv's documentation and is untested.)
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  statSync,
  type BigIntStats,
} from 'node:fs';
import type { Writing } from '../../engine/ports/files.ts';
import { systemCode } from '../system-code.ts';
import { createMayLook, type MayLook } from './descriptors.ts';
import { disks } from './disk.ts';
import { isGone } from './faults.ts';
import { attempt, createMappings, isWithoutHandle, lastName } from './mappings.ts';
import { deviceNumber } from './mount-table.ts';
import { toSystemPath } from './paths.ts';
import type { Breathe } from './slices.ts';
import { inodeOf } from './stamps.ts';
import { viewOfProcesses, type View } from './view.ts';

/** A descriptor of a process. */
type Holder = { pid: string; fd: string };
const linkOf = ({ pid, fd }: Holder): string => `/proc/${pid}/fd/${fd}`;

/** Files deleted while open are never asked about again, so entries remain; above this count the map is cleared. */
const maxHolders = 1000;

/** Returns `openForWriting` of the port; all but the first are for tests. */
export const createWriters = (
  breathe: Breathe,
  platform: NodeJS.Platform = process.platform,
  view: View = viewOfProcesses(),
  isShared: (path: string) => boolean = (path) => disks.mounts(path)?.isShared === true,
) => {
  const mappings = createMappings();
  /** The descriptor that held a path at the last look. */
  const holders = new Map<string, Holder>();

  /** Returns the paths that the same descriptor still holds, and forgets the others. */
  const stillHeld = (paths: readonly string[], mayLook: MayLook): Set<string> => {
    const held = new Set(paths.filter((path) => isHeldBy(path, holders.get(path), mayLook)));
    for (const path of paths) if (!held.has(path)) holders.delete(path);
    if (holders.size > maxHolders) holders.clear();
    return held;
  };

  /** Adds what is held to `held`. Throws the system's error where no handle is free. */
  const lookInProc = async (
    paths: readonly string[],
    held: Set<string>,
  ): Promise<ReadonlyMap<string, Writing>> => {
    const mayLook = createMayLook();
    for (const path of stillHeld(paths, mayLook)) held.add(path);
    const candidates = candidatesOf(paths.filter((path) => !held.has(path)));
    const answer = (isAnyUnread: boolean): ReadonlyMap<string, Writing> =>
      new Map(
        paths.map((path) => {
          const file = candidates.file(path);
          const isHidden = file !== null && view.hides(file, isAnyUnread);
          return [path, held.has(path) ? 'open' : isHidden ? 'hidden' : 'closed'];
        }),
      );
    if (candidates.size === 0) return answer(false);
    const processes = attempt(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name)));
    if (processes === null) return untold(paths, held); // no /proc
    let isAnyUnread = false;

    for (const pid of processes) {
      await breathe();
      const descriptors = descriptorsOf(pid);
      if (descriptors === null) isAnyUnread = true;
      for (const fd of descriptors ?? []) {
        const link = linkOf({ pid, fd });
        const target = targetOf(link);
        if (target === null) {
          isAnyUnread = true;
          break; // what is refused of one descriptor is refused of the whole process
        }
        if (!target.startsWith('/') || !candidates.mayBe(lastName(target))) continue;
        if (!isWriting(link) || !mayLook(pid, fd, candidates)) continue;
        const stats = attempt(() => statSync(link, { bigint: true }));
        if (stats === null) continue;
        for (const path of candidates.of(inodeOf(stats))) {
          held.add(path);
          holders.set(path, { pid, fd });
        }
      }
      for (const { name, ino } of mappings.of(pid)) {
        if (candidates.mayBe(name)) candidates.holdByNumber(held, ino);
      }
    }
    mappings.keepOnly(processes);
    return answer(isAnyUnread);
  };

  const inProc = (paths: readonly string[]): Promise<ReadonlyMap<string, Writing>> => {
    const held = new Set<string>();
    return lookInProc(paths, held).catch((error: unknown) => {
      if (isWithoutHandle(error)) return untold(paths, held);
      throw error;
    });
  };

  return async (paths: readonly string[]): Promise<ReadonlyMap<string, Writing>> => {
    if (platform === 'linux') return await inProc(paths);
    const ask = platform === 'win32' ? heldOnWindows : (): Writing => 'untold';
    return new Map(paths.map((path) => [path, isShared(path) ? 'hidden' : ask(path)]));
  };
};

const untold = (paths: readonly string[], held: ReadonlySet<string>): ReadonlyMap<string, Writing> =>
  new Map(paths.map((path) => [path, held.has(path) ? 'open' : 'untold']));

const candidatesOf = (paths: readonly string[]) => {
  const names = new Set<string>();
  const byInode = new Map<string, string[]>();
  const byNumber = new Map<string, string[]>();
  const devices = new Set<string>();
  const files = new Map<string, Pick<BigIntStats, 'uid' | 'dev'>>();
  let anyName = false;
  const add = (map: Map<string, string[]>, key: string, path: string): void => {
    map.set(key, [...(map.get(key) ?? []), path]);
  };

  for (const path of paths) {
    const bytes = toSystemPath(path);
    const stats = attempt(() => lstatSync(bytes, { bigint: true }));
    if (stats === null || !stats.isFile()) continue;
    names.add(lastName(Buffer.from(bytes).toString('latin1')));
    if (stats.nlink > 1n) anyName = true; // a hard link: the writer may know it by another name
    files.set(path, stats);
    add(byInode, inodeOf(stats), path);
    add(byNumber, String(stats.ino), path);
    devices.add(deviceNumber(stats.dev));
  }

  return {
    size: byInode.size,
    devices,
    inodes: new Set(byNumber.keys()),
    file: (path: string) => files.get(path) ?? null,
    mayBe: (name: string): boolean => anyName || names.has(name),
    of: (inode: string): readonly string[] => byInode.get(inode) ?? [],
    /** By inode number alone: /proc/*\/maps and stat name the device differently on some file systems. */
    holdByNumber: (held: Set<string>, ino: string): void => {
      for (const path of byNumber.get(ino) ?? []) held.add(path);
    },
  };
};

/** Null when we have no permission; empty when the process has ended. Throws where no handle is free. */
const descriptorsOf = (pid: string): readonly string[] | null => {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    if (isWithoutHandle(error)) throw error;
    return systemCode(error) === 'EACCES' ? null : [];
  }
};

/** The file that the descriptor is open on; empty when it was closed meanwhile, null when we have no permission. */
const targetOf = (link: string): string | null => {
  try {
    return readlinkSync(link, 'latin1');
  } catch (error) {
    return systemCode(error) === 'EACCES' ? null : '';
  }
};

const isWriting = (link: string): boolean => ((attempt(() => lstatSync(link))?.mode ?? 0) & 0o200) !== 0;

/** The path still names the file that is open for writing behind this link. */
const isHeldBy = (path: string, holder: Holder | undefined, mayLook: MayLook): boolean => {
  if (holder === undefined) return false;
  const link = linkOf(holder);
  const there = attempt(() => lstatSync(toSystemPath(path), { bigint: true }));
  if (there === null || !isWriting(link)) return false;
  const own = { devices: new Set([deviceNumber(there.dev)]), inodes: new Set([String(there.ino)]) };
  try {
    if (!mayLook(holder.pid, holder.fd, own)) return false;
  } catch (error) {
    // Without a free handle it counts as it was.
    if (isWithoutHandle(error)) return true;
    throw error;
  }
  const open = attempt(() => statSync(link, { bigint: true }));
  return open !== null && inodeOf(open) === inodeOf(there);
};

const heldOnWindows = (path: string): Writing => {
  const exclusive = 0x10000000; // UV_FS_O_EXLOCK
  try {
    closeSync(openSync(toSystemPath(path), exclusive));
    return 'closed';
  } catch (error) {
    if (systemCode(error) === 'EBUSY') return 'open';
    // Without the right to open it, or a free handle, it is not known.
    return isGone(error) ? 'closed' : 'untold';
  }
};
