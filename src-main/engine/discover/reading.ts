// A folder that is read against the ledger. What its roll came to when it was last found as it is in the ledger is
// kept: as a rule it comes to the same, and none of its rows is read (100,000 rows are a sixth of a scan's time).
import type { Listing, Ports, Print, Roll } from '../ports.ts';
import { createKnown, type Rows } from './roll.ts';

/** A folder that is being listed, and the rows in it that have not been met unchanged. */
export type Reading = {
  dir: string;
  /** What its files shall come to. Then its roll is not known, and nothing is told of its files. */
  print: Print | null;
  roll: Roll;
  known: { rows(): Rows };
  listing: Promise<Listing>;
};

/**
 * Begins to read a folder. Of what the ledger knows of it, whatever has not changed is struck out as it is met; the
 * ledger is asked first, so that what is not found afterwards was there before.
 */
export const beginReading = (
  { files, ledger }: Pick<Ports, 'files' | 'ledger'>,
  { folderId, dir, print, again }: { folderId: number; dir: string; print: Print | null; again: boolean },
): Reading => {
  const roll = print === null ? ledger.uploads.rollOf(folderId, dir, again) : '';
  const known = createKnown(roll);
  const rows = roll === '' ? undefined : known;
  return { dir, print, roll, known, listing: files.list(dir, print === null ? rows : 'print') };
};

export type Prints = {
  /** This folder is as this roll says, and came to this. */
  met(folderId: number, dir: string, roll: Roll, print: Print): void;
  /** No more are met for now. */
  keep(): void;
};

/** In one transaction, which reads them once more: about five milliseconds. */
const mostLetters = 262_144;

export const createPrints = ({ ledger, log }: Pick<Ports, 'ledger' | 'log'>): Prints => {
  let met: Parameters<Prints['met']>[] = [];
  let letters = 0;

  const keep = (): void => {
    if (met.length === 0) return;
    const all = met;
    met = [];
    letters = 0;
    try {
      ledger.atomically(() => {
        for (const one of all) ledger.uploads.keepPrint(...one);
      });
    } catch (error) {
      // The next scan reads the rows again. A full disk is no reason not to scan.
      log.warn('prints not kept', { error });
    }
  };

  return {
    met(folderId, dir, roll, print) {
      met.push([folderId, dir, roll, print]);
      letters += roll.length;
      if (letters >= mostLetters) keep();
    },
    keep,
  };
};
