// Settings decided by an administrator, from the place of the platform that only an administrator can write
// (security.md, Teams).
import { noPolicy, type Policy } from './given.ts';
import { fileMark } from './file-mark.ts';
import { linuxFiles, readLinuxPolicy } from './linux.ts';
import { macFiles, readMacPolicy } from './mac.ts';
import { createWindowsMark, readWindowsPolicy } from './windows.ts';

/** A platform that is not in the table has no managed settings. */
const readers: Partial<Record<NodeJS.Platform, () => Policy>> = {
  linux: () => readLinuxPolicy(),
  darwin: () => readMacPolicy(),
  win32: () => readWindowsPolicy(),
};

/** Throws `bad-setting` for a policy that cannot be trusted or read: running without it would undo its locks. */
export const readPolicy = (platform: NodeJS.Platform = process.platform): Policy =>
  readers[platform]?.() ?? noPolicy;

/** A text that changes when the policy does, cheap to get; null when it cannot be determined now. */
const marks: Partial<Record<NodeJS.Platform, () => string | Promise<string | null>>> = {
  linux: () => fileMark(linuxFiles()),
  darwin: () => fileMark(macFiles()),
  win32: createWindowsMark(process.env),
};

/** A change takes effect within five seconds, the time to read it included. */
const lookEveryMs = 3000;

/**
 * Calls `look` when the policy may have changed since it was read, and on every check while `isUnusable`. It keeps no
 * process running. Returns a function that ends it. What `look` throws goes to `failed`, and it is called again with the
 * next check.
 */
export const watchPolicy = (
  look: () => void,
  isUnusable: () => boolean,
  failed: (error: unknown) => void,
  mark: (() => string | Promise<string | null>) | undefined = marks[process.platform],
): (() => void) => {
  if (mark === undefined) return () => undefined;
  let before: string | null = null;
  let isAsking = false;
  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      const now = await Promise.resolve()
        .then(mark)
        .catch(() => null);
      // The first check cannot know which policy was read at the start, so that policy is read once more.
      const isNews = now !== null && now !== before;
      if (isNews || isUnusable()) look();
      before = now ?? before;
    } finally {
      isAsking = false;
    }
  };
  // A policy that could not be taken over, for example because of a full disk, is read again with the next check.
  const timer = setInterval(() => void ask().catch(failed), lookEveryMs);
  timer.unref();
  return () => clearInterval(timer);
};
