/** Describes a folder on a drive that other machines write to; `minutes`: between two scans. */
export const sharedDriveText = (minutes: number): string =>
  `a network drive: looked at every ${minutes === 1 ? 'minute' : `${minutes} minutes`}`;
