// Tests that need features that Windows lacks. There they are skipped, and their titles give the reason.
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'vitest';

export const onWindows = process.platform === 'win32';

/** Whether a program of POSIX is there. Wine shows the files of the system below it, too. */
export const hasProgram = (file: string): boolean => !onWindows && existsSync(file);

/** Whether a link can lead to a folder. Wine cannot make one; Windows makes a junction. */
export const hasJunctions: boolean = (() => {
  const place = mkdtempSync(path.join(tmpdir(), 'outtray-links-'));
  try {
    symlinkSync(place, path.join(place, 'link'), 'junction');
    return realpathSync.native(path.join(place, 'link')) === realpathSync.native(place);
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
})();

/** `test`, but on Windows each is skipped with the reason in its title. */
export const posixTest = (reason: string): typeof test =>
  onWindows ? (skipped(test.skip as Skip, reason) as typeof test) : test;

type Skip = ((title: string, act: () => void) => void) & {
  each(cases: readonly unknown[]): (title: string, act: () => void) => void;
};

const skipped = (skip: Skip, reason: string): unknown => {
  const told = (title: string): string => `${title} (not on Windows: ${reason})`;
  return Object.assign((title: string) => skip(told(title), () => undefined), {
    each: (cases: readonly unknown[]) => (title: string) => skip.each(cases)(told(title), () => undefined),
  });
};
