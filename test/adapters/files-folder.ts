// A temporary folder for the tests of the folder adapters, removed after each test.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const temporaryFolder = (): string => {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'outtray-files-')));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};
