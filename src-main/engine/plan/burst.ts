// The answers that a person can give to a held burst, and the cost of each. Skipping all of it is always possible and
// costs nothing. Pure except for the forecast that it is given.
import type { BurstPlan } from '../../contract/answers.ts';
import type { Settings } from '../../contract/settings.ts';
import { zipFileName } from '../given/zip-name.ts';
import { refusal } from '../candidate/allowance.ts';
import { candidateOf, writtenPlace } from '../candidate/candidate.ts';
import type { Forecast } from '../limiter/forecast.ts';
import { commonFolder, splitPath } from '../shared/paths.ts';

/** `dirs`: the folders that its files lie in. */
export type PlannedBurst = {
  files: number;
  bytes: number;
  newest: { name: string; sizeBytes: number };
  dirs: readonly string[];
};

/** `mostBytes`: larger files were refused by the service; null: none was. `ahead` null: nothing may go. */
export const burstPlans = (
  { files, bytes, newest, dirs }: PlannedBurst,
  {
    settings,
    mostBytes,
    ahead,
  }: {
    settings: Settings;
    mostBytes: number | null;
    ahead: ((more: { files: number; bytes: number }) => Forecast) | null;
  },
): BurstPlan[] => {
  const planned = (
    plan: BurstPlan['plan'],
    name: string | null,
    sent: { files: number; bytes: number },
  ): BurstPlan => {
    const costs = { plan, uploads: sent.files, bytes: sent.bytes, name };
    if (ahead === null) return { ...costs, finishesAtMs: null, today: 0 };
    const { files: queued, allDoneAtMs, doneWithinDay } = ahead(sent);
    // Those that wait already go first.
    const today = Math.max(0, doneWithinDay - (queued - sent.files));
    return { ...costs, finishesAtMs: allDoneAtMs, today };
  };
  const all = planned('all', null, { files, bytes });
  if (files < 2) return [all];
  const zip = zipNameIn(dirs);
  const mayZip =
    settings.allowGivenFiles &&
    bytes <= (mostBytes ?? Infinity) &&
    refusal(candidateOf(writtenPlace(zip), bytes), {
      ...settings,
      allowedRoots: [],
      forbiddenRoots: [],
    }) === null;
  return [
    all,
    ...(mayZip ? [planned('zip', zip, { files: 1, bytes })] : []),
    planned('newest', newest.name, { files: 1, bytes: newest.sizeBytes }),
  ];
};

/** The folder that holds all of these; null: none does. */
export const folderOf = (dirs: readonly string[]): string | null =>
  dirs.reduce<string | null>(
    (folder, dir) => (folder === null ? null : commonFolder(folder, dir)),
    dirs[0] ?? null,
  );

/** A zip of files in these folders has the name of the folder that holds them. */
export const zipNameIn = (dirs: readonly string[]): string => {
  const folder = folderOf(dirs);
  const read = zipFileName(folder === null ? '' : splitPath(folder).name.replaceAll('\\', '_'));
  return read.ok ? read.name : 'files.zip';
};
