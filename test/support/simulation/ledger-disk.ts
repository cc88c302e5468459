// The ledger and the disk under it: what survives a kill, and what survives a power cut. With synchronous=FULL every
// commit survives both. With less (a seeded bug, or on request) a power cut loses the commits since the last sync. The
// mode is read from the statements that the adapter sends to SQLite, not from what it should send.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLedger } from '../../../src-main/adapters/ledger/ledger.ts';
import { takeEngineLock, type EngineLock } from '../../../src-main/adapters/system/lock.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import type { Ledger } from '../../../src-main/engine/ports/ledger.ts';

export type LedgerDisk = {
  /** The engine lock of this data folder. Throws `engine-taken`. */
  lock(): EngineLock;
  ledger(): Ledger;
  /** The process died: the next one opens the data folder as it is, or the copy that `restoreNext` asked for. */
  afterKill(): void;
  /** A person copies the whole data folder. */
  backUp(): void;
  /** A person restores the last copy once the process has died. False when there is no copy. */
  restoreNext(): boolean;
  afterPowerCut(): void;
  /** The state that a power cut leaves when commits are not synced. */
  sync(): void;
  isDurable(): boolean;
  close(): void;
};

/** A file system in memory where the system has one: nothing here must survive the simulation. */
const scratch = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const createLedgerDisk = (options: { inMemory: boolean; nowMs: () => number }): LedgerDisk => {
  const { inMemory, nowMs } = options;
  const folder = inMemory ? null : mkdtempSync(path.join(scratch, 'outtray-simulation-'));
  let generation = 0;
  let isDurable = true;
  const fileOf = (number: number): string =>
    folder === null ? ':memory:' : path.join(folder, `ledger-${number}.db`);
  const copy = (from: string, to: string): void => {
    for (const end of ['', '-wal']) {
      if (existsSync(from + end)) copyFileSync(from + end, to + end);
      else rmSync(to + end, { force: true });
    }
  };
  const open = (): Ledger => {
    const heard = listenToPragmas();
    try {
      return openLedger({ file: fileOf(generation), nowMs });
    } finally {
      isDurable = heard.stop() !== 'NORMAL' && heard.stop() !== 'OFF';
    }
  };
  let ledger = open();

  const reopenFrom = (file: string): void => {
    const before = ledger;
    generation += 1;
    copy(file, fileOf(generation));
    ledger = open();
    // Closing writes only to its own file, and no process reads that file any more.
    before.close();
    rmSync(fileOf(generation - 1), { force: true });
  };
  const synced = (): string => (folder === null ? '' : path.join(folder, 'synced.db'));
  const copied = (): string => (folder === null ? '' : path.join(folder, 'copied.db'));
  let isRestoring = false;
  const sync = (): void => {
    if (folder !== null && !isDurable) copy(fileOf(generation), synced());
  };
  sync();
  let isLocked = false;
  return {
    lock() {
      if (folder !== null) return takeEngineLock({ folder, who: 'the simulation', nowMs });
      if (isLocked) throw new AppError('engine-taken', 'Another one is at work on this data folder.');
      isLocked = true;
      return {
        setAddress: () => undefined,
        release() {
          isLocked = false;
        },
      };
    },
    ledger: () => ledger,
    afterKill() {
      if (folder !== null) reopenFrom(isRestoring ? copied() : fileOf(generation));
      isRestoring = false;
    },
    backUp() {
      if (folder !== null) copy(fileOf(generation), copied());
    },
    restoreNext() {
      isRestoring = existsSync(copied());
      return isRestoring;
    },
    afterPowerCut() {
      if (folder !== null) reopenFrom(isDurable ? fileOf(generation) : synced());
      sync();
    },
    sync,
    isDurable: () => isDurable,
    close() {
      ledger.close();
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The last `synchronous` that was set. */
const listenToPragmas = (): { stop(): string | null } => {
  const { exec } = DatabaseSync.prototype;
  let last: string | null = null;
  DatabaseSync.prototype.exec = function heard(this: DatabaseSync, sql: string): void {
    last = /synchronous\s*=\s*(\w+)/i.exec(sql)?.[1]?.toUpperCase() ?? last;
    exec.call(this, sql);
  };
  return {
    stop() {
      DatabaseSync.prototype.exec = exec;
      return last;
    },
  };
};
