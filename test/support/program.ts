// The program of the packages, built when its sources are newer: 5 s, so only the tests that ask for it pay.
import { existsSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildProgram, programFile } from '../../resources/build/program/build.ts';
import buildWhenStale from './build.ts';

const root = path.resolve(import.meta.dirname, '../..');
const bundle = path.join(root, 'out/cli/cli.cjs');
/** One build at a time; a lock that was left behind is ignored. */
const lock = path.join(root, 'node_modules/.outtray-program');
const longestMs = 120_000;

const isFresh = (): boolean =>
  existsSync(programFile()) && statSync(programFile()).mtimeMs >= statSync(bundle).mtimeMs;

/** Returns its path. */
export const builtProgram = async (): Promise<string> => {
  await buildWhenStale();
  for (let waitedMs = 0; !isFresh(); waitedMs += 200) {
    if (waitedMs > longestMs) await rm(lock, { recursive: true, force: true });
    try {
      await mkdir(lock);
    } catch {
      await sleep(200);
      continue;
    }
    try {
      if (!isFresh()) buildProgram();
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
  return programFile();
};
