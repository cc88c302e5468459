// Settings decided by an administrator, from the place of the platform that only an administrator can write
// (security.md, Teams).
import { noPolicy, type Policy } from './given.ts';
import { readLinuxPolicy } from './linux.ts';
import { readMacPolicy } from './mac.ts';
import { readWindowsPolicy } from './windows.ts';

/** A platform that is not in the table has no managed settings. */
const readers: Partial<Record<NodeJS.Platform, () => Policy>> = {
  linux: () => readLinuxPolicy(),
  darwin: () => readMacPolicy(),
  win32: () => readWindowsPolicy(),
};

/** Throws `bad-setting` for a policy that cannot be trusted or read: running without it would undo its locks. */
export const readPolicy = (platform: NodeJS.Platform = process.platform): Policy =>
  readers[platform]?.() ?? noPolicy;
