// Where /proc may not show a writer: "no process has it open" proves nothing there.
// · The file belongs to another user. An ordinary user may not see which files that user's programs have open
//   (proc_pid_fd(5)), and with hidepid not even that they run. Root sees all, unless a process refuses.
//   A file of our own user is written by our own programs: those are seen. Many root-owned processes are unreadable on
//   every desktop, so they cannot count, or every file would be slow.
// · Outtray runs in a PID namespace of its own (a container): what runs outside is not in its /proc. Files on the
//   container's own overlay are safe from that: nothing outside writes there.
// · The file lies on a drive that other machines write to.
import { readlinkSync, statfsSync, statSync } from 'node:fs';
import { disks, type Disks } from './disk.ts';
import { attempt } from './mappings.ts';

export type View = {
  /** `isAnyUnread`: a process did not show which files it has open. */
  hides(file: { uid: bigint; dev: bigint }, isAnyUnread: boolean): boolean;
};

/** PROC_PID_INIT_INO of include/linux/proc_ns.h: the namespace that sees all others. */
const firstPidNamespace = 'pid:[4026531836]';
const overlay = 0x794c7630;

export const viewOfProcesses = (
  options: { uid?: number; pidNamespace?: string | null; disks?: Pick<Disks, 'isShared'> } = {},
): View => {
  const { isShared } = options.disks ?? disks;
  const uid = options.uid ?? process.geteuid?.() ?? 0;
  /** Null where it cannot be read: an unknown namespace counts as a container. */
  const namespace = options.pidNamespace ?? attempt(() => readlinkSync('/proc/self/ns/pid'));
  const isContained = namespace !== firstPidNamespace;
  const ownDevice = isContained ? deviceOfOverlay() : null;

  return {
    hides: (file, isAnyUnread) =>
      (file.uid !== BigInt(uid) && (uid !== 0 || isAnyUnread)) ||
      (isContained && file.dev !== ownDevice) ||
      isShared(file.dev),
  };
};

const deviceOfOverlay = (): bigint | null =>
  attempt(() => (statfsSync('/').type === overlay ? statSync('/', { bigint: true }).dev : null));
