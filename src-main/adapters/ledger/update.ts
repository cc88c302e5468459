// Updates a ledger of an earlier version: only while no older Outtray is using it, and with a copy.
import { statSync } from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import { lookInto, openDatabase, type Database } from './database.ts';
import { toLedgerError } from './faults.ts';
import { keepCopy } from './kept-copy.ts';
import { isOlderSchema, migrate, versionOf } from './migrate.ts';

/** 100,000 files are 88 MB and take 1.9 s on two busy cores. */
const longUpdateBytes = 40_000_000;

/** Whether opening this ledger updates it, and may take longer than a second. False when that is unclear. */
export const isLongUpdate = (file: string): boolean => {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= longUpdateBytes) return false;
  let database: Database | null = null;
  try {
    database = lookInto(file, toLedgerError);
    return isOlderSchema(versionOf(database));
  } catch {
    // Opening the ledger reports what is wrong.
    return false;
  } finally {
    database?.close();
  }
};

/** Together with the lock's own wait over ten seconds: what another process of this version does to the file is over. */
const mostTurns = 40;

export type TakeTurn = (() => () => void) | undefined;

/**
 * Waits until no other process has the engine, and runs `act` if it is still needed then. Null: it was not needed. Throws
 * the error of `refused` when another process keeps the engine.
 */
export const inTurn = <T>(
  takeTurn: TakeTurn,
  step: { isNeeded: () => boolean; act: () => T; refused: (taken: AppError) => AppError },
): T | null => {
  for (let turns = 1; step.isNeeded(); turns += 1) {
    let done: (() => void) | undefined;
    try {
      done = takeTurn?.();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'engine-taken')) throw error;
      if (turns < mostTurns) continue;
      throw step.refused(error);
    }
    try {
      // Another process may have done it before this one's turn came.
      return takeTurn === undefined || step.isNeeded() ? step.act() : null;
    } finally {
      done?.();
    }
  }
  return null;
};

/** Returns the version from which it updated; null: it did not. Throws `engine-taken` while an older Outtray runs. */
export const updateInTurn = (
  database: Database,
  options: { file: string; explain: (error: unknown) => AppError; takeTurn: TakeTurn },
): number | null =>
  inTurn(options.takeTurn, {
    isNeeded: () => isOlderSchema(versionOf(database)),
    act: () => migrate(database, keeperOf(options.file, options.explain)),
    refused: (taken) =>
      new AppError(
        'engine-taken',
        `The ledger is from an earlier version of Outtray, and cannot be updated now. ${taken.message}`,
        'Quit the other Outtray, and start it again if it is this version.',
        { cause: taken },
      ),
  });

/** Writes the copy through a connection of its own: the other one is in the transaction of the update. */
const keeperOf =
  (file: string, explain: (error: unknown) => AppError) =>
  (version: number): string => {
    const reader = openDatabase(file, explain);
    try {
      return keepCopy(reader, file, version);
    } catch (error) {
      throw explain(error);
    } finally {
      reader.close();
    }
  };
