// Whether we may look at the file behind another process's descriptor. On a drive that hangs the look would never
// return, and the file need not be ours. /proc/PID/fdinfo and the mount tables are read without asking a file system
// (proc_pid_fdinfo(5)).
import { readlinkSync } from 'node:fs';
import { mayHang } from './disk.ts';
import { attempt, attemptWithHandle, readSystemText } from './mappings.ts';
import { parseMounts, type Mount } from './mount-table.ts';

/** The files whose writers are searched for: `devices` as `major:minor`, `inodes` as digits. */
type Candidates = { devices: ReadonlySet<string>; inodes: ReadonlySet<string> };
export type MayLook = (pid: string, descriptor: string, candidates: Candidates) => boolean;

/** For one pass over the processes: mount tables are read once. `read` and `namespaceOf` give null for what is gone. */
export const createMayLook = (
  read = (file: string) => attemptWithHandle(() => readSystemText(file)),
  namespaceOf = (pid: string) => attempt(() => readlinkSync(`/proc/${pid}/ns/mnt`)),
): MayLook => {
  type Table = { mounts: readonly Mount[]; byId: ReadonlyMap<string, Mount> };
  const tables = new Map<string, Table>();
  const mountsOf = (pid: string): Table => {
    const key = namespaceOf(pid) ?? pid;
    const known = tables.get(key);
    if (known !== undefined) return known;
    const mounts = parseMounts(read(`/proc/${pid}/mountinfo`) ?? '');
    const table = { mounts, byId: new Map(mounts.map((mount) => [mount.id, mount])) };
    tables.set(key, table);
    return table;
  };

  return (pid, descriptor, { devices, inodes }) => {
    const info = read(`/proc/${pid}/fdinfo/${descriptor}`);
    if (info === null) return false;
    const [, id = ''] = /^mnt_id:\s*(\d+)/m.exec(info) ?? [];
    // A process that entered a namespace of its own keeps what it opened before.
    for (const { mounts, byId } of [mountsOf(pid), mountsOf('self')]) {
      const mount = byId.get(id);
      if (mount !== undefined) return !mayHang(mount, mounts) || devices.has(mount.device);
    }
    // It is unmounted, or of a third namespace. Linux shows the inode since 5.14.
    const [, inode] = /^ino:\s*(\d+)/m.exec(info) ?? [];
    return inode === undefined || inodes.has(inode);
  };
};
