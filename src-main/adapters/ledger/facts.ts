// The ledger's table of facts: one value for each name, each with a schema of its own.
import * as v from 'valibot';
import { facts, unread, type Facts } from '../../contract/facts.ts';
import { toAppError, type AppError } from '../../contract/errors.ts';
import type { FactTable } from '../../engine/ports/ledger.ts';
import { number, readJson, type Cell, type Database, type Row } from './database.ts';

export const createFacts = (database: Database): FactTable => ({
  get: (name) => {
    const row = database.get('SELECT value, at_ms FROM facts WHERE name = ?', name);
    return row === undefined ? null : readFact(parsers[name], unread[name], row);
  },
  set: (name, value, atMs) => {
    database.run(
      `INSERT INTO facts (name, value, at_ms) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET value = excluded.value, at_ms = excluded.at_ms`,
      name,
      JSON.stringify(value),
      atMs,
    );
  },
  remove: (name) => {
    database.run('DELETE FROM facts WHERE name = ?', name);
  },
});

/** Facts are read many times for each file, so unchanged text is not parsed again. */
const parserOf = <T>(shape: v.GenericSchema<unknown, T>): Parser<T> => {
  let last: { text: Cell; value: T } | null = null;
  return (written) => {
    if (last?.text === written) return last;
    const parsed = v.safeParse(shape, readJson(written));
    return parsed.success ? (last = { text: written, value: parsed.output }) : null;
  };
};
type Parser<T> = (written: Cell) => { value: T } | null;

const shapes: { [Name in keyof Facts]: v.GenericSchema<unknown, Facts[Name]> } = facts;
// The type of a map over all names loses which schema belongs to which name.
const parsers = Object.fromEntries(
  Object.entries<v.GenericSchema<unknown, unknown>>(shapes).map(([name, shape]) => [name, parserOf(shape)]),
) as { [Name in keyof Facts]: Parser<Facts[Name]> };

const readFact = <T>(
  parse: Parser<T>,
  orElse: ((atMs: number) => T) | undefined,
  row: Row,
): { value: T; atMs: number } | null => {
  const atMs = number(row['at_ms']);
  const parsed = parse(row['value']);
  if (parsed !== null) return { value: parsed.value, atMs };
  return orElse === undefined ? null : { value: orElse(atMs), atMs };
};

type Told = { facts: FactTable; unwritable: AppError | null };

/** Records what a person was told. Where the disk takes no writes, nothing is recorded, and it is told again. */
export const recordTold = ({ facts, unwritable }: Told, write: (facts: FactTable) => void): void => {
  if (unwritable !== null) return;
  try {
    write(facts);
  } catch (error) {
    const { storage } = toAppError(error);
    if (storage !== 'full' && storage !== 'read-only') throw error;
  }
};

/** What an earlier version did with this ledger and this one does not, told once: by a command or by the window. */
export const takeFormer = (ledger: Told): string[] => {
  const links = ledger.facts.get('links-not-read-again')?.value;
  if (links === undefined || ledger.unwritable !== null) return [];
  recordTold(ledger, (facts) => facts.remove('links-not-read-again'));
  const which = links === 1 ? 'A link that was' : `${links} links that were`;
  return [`${which} read back regularly will not be read any more. A scheduled task can verify links.`];
};
