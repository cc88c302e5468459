// When two stamps, or two folder identities, mean the same thing. The number of a device is no identity: on btrfs,
// network and removable drives it may change with a reboot, and a whole folder would look new.

/** Same size, mtime, ctime and inode; the device may have another number. */
export const isSameVersion = (a: string | null, b: string | null): boolean => {
  if (a === b) return true;
  if (a === null || b === null) return false;
  return withoutDevice(a, 3) === withoutDevice(b, 3);
};

/** `device:inode:birth time`: without a birth time (0) only the device tells two roots apart. */
export const isSameFolder = (a: string, b: string): boolean => {
  if (a === b) return true;
  const born = a.split(':')[2] ?? '0';
  return born !== '0' && withoutDevice(a, 0) === withoutDevice(b, 0);
};

const withoutDevice = (key: string, at: number): string => key.split(':').toSpliced(at, 1).join(':');
