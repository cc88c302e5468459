// What a row of the two tables of calls says beside its input and answer: who may call, and what is done before it is handled.
import type * as v from 'valibot';
import type { NamesWith } from './rows-with.ts';
import type { settingRows } from './settings.ts';

/** What an administrator may forbid the user, each a setting. */
export type Right = NamesWith<typeof settingRows, { group: 'rights' }>;

/**
 * What a page of the app may ask for. A page shows names that others chose: whatever gets into it must reach neither key,
 * programs, records nor guards by itself. `free`: it reads or narrows. `ids`: so it does, with files by id, not by path.
 * `hand`: it destroys, publishes or loosens: one press of the user is one call, else a dialog of the main process asks.
 * `judged`: that depends on the input (page-guard.ts). `never`: no page needs it.
 */
type PageRight = 'free' | 'ids' | 'hand' | 'judged' | 'never';

/** `asKnown`: as the ledger knows the file, also by a row of an earlier version. `real`: as the disk has it now: a file is taken from there. */
export type Spells = 'asKnown' | 'real';

export type CallFacts = {
  page: PageRight;
  /** The popover of the tray asks for it, too. */
  popover?: true;
  /** Refused where this is forbidden. Where it depends on the input, the handler asks. */
  right?: Right;
  /** How its `path`, `paths` or `files` are spelled. */
  spells?: Spells;
  /**
   * A page may give more than 64 KiB: a drop of some thousand files, the thousand files shown of a folder. They are
   * looked at again, path by path.
   */
  takesPaths?: true;
};

/** A row: `command<Answer>()(facts, schema)`. */
export const command =
  <Answer>() =>
  <const Facts extends CallFacts, Schema extends v.GenericSchema>(
    facts: Facts,
    schema: Schema,
  ): Facts & { schema: Schema; answer?: Answer } => ({ ...facts, schema });
