// A witness beside the ledger that records how far the ledger had come. A ledger that was restored from a copy, or
// deleted, does not know what was uploaded since; without a witness all of that would be uploaded again, in a mass.
//
// The witness is the number of the last permit, and permits are never numbered twice. It is written after the ledger is
// durable and never flushed itself: it may lag behind, after a power cut by some seconds, and never runs ahead. So a
// ledger behind its witness is an older one, whatever crashed when. Price: one small write per request. A witness
// cannot detect that the whole data folder was restored to an earlier day: engine/reconcile/older-ledger.ts does.
import { closeSync, constants, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { tellsBirth } from '../system/birth.ts';
import { fromFileSystem, storageError } from '../system/storage.ts';

export type WitnessFile = {
  /** The last permit it knows of; 0 when there is none, or it cannot be read. */
  lastPermit: number;
  /** Records this permit as the last one. */
  note(permit: number): void;
  /**
   * Throws `ledger` when the file was deleted or replaced under the open ledger: what is recorded then is lost. Throws
   * `disk` when the disk cannot even report that.
   */
  assertInPlace(): void;
  close(): void;
};

/** Room for any number; always the same length, so that a write never leaves half of an older one. */
const widthBytes = 20;

/** Read it before the ledger: another process may be noting permits. */
export const openWitness = (ledgerFile: string): WitnessFile => {
  // Not the ledger's full name: a user who deletes `ledger.sqlite*` deletes three files that belong together, not this.
  const file = `${ledgerFile.replace(/\.sqlite$/, '')}.witness`;
  let handle: number | null = null;
  let opened: string | null = null;

  return {
    lastPermit: read(file),
    note(permit) {
      try {
        handle ??= openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
        writeSync(handle, `${permit}\n`.padStart(widthBytes), 0);
      } catch {
        // The ledger itself was just written: a fault of the witness is no reason to stop.
      }
    },
    assertInPlace() {
      const now = identityOf(ledgerFile);
      opened ??= now;
      if (now === null || now !== opened) throw storageError('gone');
    },
    close() {
      const closing = handle;
      handle = null;
      if (closing !== null) closeSync(closing);
    },
  };
};

const read = (file: string): number => {
  try {
    const permit = Number(readFileSync(file, 'latin1').slice(0, widthBytes));
    return Number.isSafeInteger(permit) && permit > 0 ? permit : 0;
  } catch {
    return 0;
  }
};

/** A system may reuse an inode number; with the time of birth it identifies the file. Null: there is no file. */
const identityOf = (file: string): string | null => {
  try {
    const stats = statSync(file, { bigint: true });
    return `${stats.dev}:${stats.ino}:${tellsBirth(stats) ? stats.birthtimeNs : 0n}`;
  } catch (error) {
    const fault = fromFileSystem(error);
    if (fault?.storage === 'failed' || fault?.storage === 'handles') throw fault;
    return null;
  }
};
