// One engine per data folder (invariant I13). The lock is an exclusive transaction on a small SQLite file, held for the
// life of the process: on all three systems the operating system frees it when the process dies, however it dies, so
// nothing depends on a process id. `engine.json` beside it names the holder, and is only believed while the lock is
// held.
import { option, wording } from '../../contract/text/wording.ts';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import {
  fromFileSystem,
  handlesFault,
  holdLocks,
  keepsLocks,
  lockOn,
  probeFolder,
  withoutLocks,
} from './storage.ts';

/**
 * `isBrief`: it ends by itself, so who must have the engine waits for it. The app and a watch stay. `address`: the base
 * address that it uploads to.
 */
export type Holder = { pid: number; who: string; sinceMs: number; isBrief?: boolean; address?: string };

/** It does what is due, now and later. A brief holder may do its own work only; `pid` 0 may be one. */
export const isStaying = (holder: Holder | null): boolean =>
  holder !== null && holder.pid !== 0 && holder.isBrief !== true;

/** The part of a process: `either` has the engine only if it is free. */
type LockRole = { kind: 'engine' | 'either'; who: string; isBrief?: boolean } | { kind: 'guest' };

export type EngineLock = {
  /** Writes the address of the holder if it has changed. Throws errors of the file system. */
  setAddress(address: string | null): void;
  /** Idempotent. */
  release(): void;
};

/** `readHolder` elsewhere touches the lock for an instant; that must not look like a second engine. */
const PATIENCE_MS = 250;

const lockFile = (folder: string) => join(folder, 'engine.lock');
const holderFile = (folder: string) => join(folder, 'engine.json');

/**
 * Takes the lock of this (existing) data folder; `who` names the taker in a sentence, "the Outtray app" or
 * "outtray watch". Throws `engine-taken`, `ledger` when the folder cannot be written, `disk`.
 */
export const takeEngineLock = (options: {
  folder: string;
  who: string;
  isBrief?: boolean | undefined;
  address?: string | null;
  nowMs?: () => number;
}): EngineLock => {
  const { folder, who, isBrief = false, nowMs = Date.now } = options;
  const sqlite = seize(folder, PATIENCE_MS);
  if (sqlite === null) throw keepsLocks(folder) ? engineTaken(readHolder(folder)) : withoutLocks();
  const releaseLocks = holdLocks(lockFile(folder));
  const close = (): void => {
    sqlite.close();
    releaseLocks();
  };
  const holder: Holder = { pid: process.pid, who, sinceMs: nowMs(), ...(isBrief ? { isBrief } : {}) };
  let written: string | null = null;
  const write = (address: string | null): void => {
    writeHolder(folder, address === null ? holder : { ...holder, address });
    written = address;
  };
  try {
    write(options.address ?? null);
  } catch (error) {
    close();
    throw cannotLock(folder, error);
  }
  return {
    setAddress(address) {
      if (sqlite.isOpen && address !== written) write(address);
    },
    release: () => {
      if (!sqlite.isOpen) return;
      try {
        // Another data folder may be at this path now, with its own engine.
        if (readSidecar(folder)?.pid === process.pid) rmSync(holderFile(folder), { force: true });
      } catch {
        // On a disk that failed; the file is only believed while the lock is held.
      }
      close();
    },
  };
};

/**
 * Who runs the engine of this data folder; null when no process does. Asks with a shared lock: two processes that ask
 * at the same time must not take each other for an engine.
 */
export const readHolder = (folder: string): Holder | null => {
  if (!existsSync(lockFile(folder))) return null;
  const sqlite = open(folder, 0, 'BEGIN; SELECT 1 FROM sqlite_schema');
  if (sqlite !== null) {
    sqlite.close();
    return null;
  }
  const holder = readSidecar(folder);
  if (holder !== null) return holder;
  return keepsLocks(folder) ? { pid: 0, who: 'another Outtray', sinceMs: 0 } : null;
};

/** The held lock, or null when another process has it. */
const seize = (folder: string, patienceMs: number): DatabaseSync | null =>
  open(folder, patienceMs, 'BEGIN EXCLUSIVE');

const open = (folder: string, patienceMs: number, begin: string): DatabaseSync | null => {
  try {
    return lockOn(lockFile(folder), patienceMs, begin);
  } catch (error) {
    throw cannotLock(folder, error);
  }
};

/** SQLite reports "cannot open" for a full disk and for too few file handles as well, so the folder is probed. */
const cannotLock = (folder: string, cause: unknown): AppError => {
  const below = fromFileSystem(cause) ?? probeFolder(folder) ?? handlesFault(folder);
  if (below !== null && below.storage !== 'refused' && below.storage !== 'gone') return below;
  const said = cause instanceof Error ? cause.message : String(cause);
  return new AppError(
    'ledger',
    `The data folder ${folder} cannot be locked (${said}).`,
    'Make the folder writable for your account, on a local disk; if it is, delete engine.lock in it.',
    { cause },
  );
};

export const engineTaken = (holder: Holder | null): AppError =>
  new AppError(
    'engine-taken',
    holder === null || holder.pid === 0
      ? 'Another Outtray is already using this data folder.'
      : `${capital(holder.who)} (process ${holder.pid}) is already using this data folder.`,
    wording`Quit it first, or use another data folder with ${option('--home')}.`,
  );

const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

const writeHolder = (folder: string, holder: Holder): void => {
  // Only the lock's holder writes: the name of the draft need not be unique.
  const draft = `${holderFile(folder)}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, holderFile(folder));
};

const readSidecar = (folder: string): Holder | null => {
  try {
    const found: unknown = JSON.parse(readFileSync(holderFile(folder), 'utf8'));
    if (typeof found !== 'object' || found === null) return null;
    const { pid, who, sinceMs, isBrief, address } = found as Partial<Record<keyof Holder, unknown>>;
    if (typeof pid !== 'number' || typeof who !== 'string' || typeof sinceMs !== 'number') return null;
    return {
      ...{ pid, who, sinceMs },
      ...(isBrief === true && { isBrief }),
      ...(typeof address === 'string' && { address }),
    };
  } catch {
    return null;
  }
};

const wait = { mostMs: 5000, againMs: 100 };

/**
 * Null for a guest: of a role that may be one, also where another process has the engine. Throws as `takeEngineLock`,
 * where a brief holder has the engine only after some seconds.
 */
export const takeRole = async (
  role: LockRole,
  folder: string,
  log: { error(event: string, fields: Record<string, unknown>): void },
  options: {
    clock: Pick<Clock, 'monoMs' | 'after'>;
    signal?: AbortSignal | undefined;
    address: string | null;
  },
): Promise<EngineLock | null> => {
  if (role.kind === 'guest') return null;
  const { clock, signal, address } = options;
  const untilMs = clock.monoMs() + wait.mostMs;
  const mayWait = (holder: Holder | null): boolean =>
    !isStaying(holder) && signal?.aborted !== true && clock.monoMs() < untilMs;
  for (;;) {
    try {
      return takeEngineLock({ folder, who: role.who, isBrief: role.isBrief, address });
    } catch (error) {
      const isTaken = error instanceof AppError && error.code === 'engine-taken';
      if (role.kind === 'either' && isTaken) return null;
      if (isTaken && signal?.aborted === true)
        throw new AppError('aborted', 'Interrupted. Nothing was begun.', '', { cause: error });
      if (!isTaken || !mayWait(readHolder(folder))) {
        log.error('engine not taken', { error });
        throw error;
      }
    }
    let holder: Holder | null;
    do {
      await new Promise<void>((next) => {
        clock.after(wait.againMs, next);
      });
      holder = readHolder(folder);
    } while (holder !== null && mayWait(holder));
  }
};
