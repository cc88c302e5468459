// Settings decided by an administrator, from the place of the platform that only an administrator can write
// (security.md, Teams).
import { readLinuxPolicy } from './linux.ts';
import { noPolicy, type Policy } from './given.ts';

/** A platform that is not in the table has no managed settings yet. */
const readers: Partial<Record<NodeJS.Platform, () => Policy>> = {
  linux: readLinuxPolicy,
};

/** Throws `bad-setting` for a trustworthy policy that cannot be read: running without it would undo its locks. */
export const readPolicy = (platform: NodeJS.Platform = process.platform): Policy =>
  readers[platform]?.() ?? noPolicy;
