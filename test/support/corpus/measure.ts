// How many of the corpus' secrets are found, how many of its harmless files are taken for secrets, and the time per
// file.
import type { Inspect } from '../../../src-main/engine/ports/files.ts';
import { harmlessFiles } from './harmless.ts';
import { secretFiles, secretKinds } from './secrets.ts';
import type { CorpusFile } from './text.ts';

export type Measured = {
  secrets: number;
  kinds: number;
  harmless: number;
  /** Shares, 0 to 1. */
  found: number;
  alarms: number;
  /** What was missed or held by mistake, by name. */
  missed: string[];
  mistaken: string[];
  /** Milliseconds of each file, sorted. */
  tookMs: number[];
};

export const measureCorpus = async (inspect: Inspect): Promise<Measured> => {
  const tookMs: number[] = [];
  const isFound = async ({ content }: CorpusFile): Promise<boolean> => {
    const startMs = performance.now();
    const found = await inspect.findIn({ kind: 'text', bytes: Buffer.from(content, 'latin1') });
    tookMs.push(performance.now() - startMs);
    return found.length > 0;
  };
  const secrets = secretFiles();
  const harmless = harmlessFiles();
  const missed: string[] = [];
  const mistaken: string[] = [];
  for (const file of secrets) if (!(await isFound(file))) missed.push(file.name);
  for (const file of harmless) if (await isFound(file)) mistaken.push(file.name);
  return {
    secrets: secrets.length,
    kinds: secretKinds.length,
    harmless: harmless.length,
    found: 1 - missed.length / secrets.length,
    alarms: mistaken.length / harmless.length,
    missed,
    mistaken,
    tookMs: tookMs.sort((one, other) => one - other),
  };
};
