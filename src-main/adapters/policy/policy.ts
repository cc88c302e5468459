// Settings decided by an administrator, where the platform has a place that only an administrator can write
// (security.md, Teams). Here it is found out whether that place can be trusted; the values are checked by the
// settings like every other layer.
import { readLinuxPolicy } from './linux.ts';

export type Policy = {
  /** As written, unchecked. */
  values: Record<string, unknown>;
  /** Where they stand; empty when there is no policy. */
  source: string;
  /** What was ignored, as sentences. */
  warnings: readonly string[];
};

/** A platform that is not in the table has no managed settings yet. */
const readers: Partial<Record<NodeJS.Platform, () => Policy>> = {
  linux: readLinuxPolicy,
};

/** Throws `bad-setting` for a trustworthy policy that cannot be read: running without it would undo its locks. */
export const readPolicy = (platform: NodeJS.Platform = process.platform): Policy =>
  readers[platform]?.() ?? { values: {}, source: '', warnings: [] };
