// The facts in a row of the table of calls, beside its input and answer: who may call, and what happens before the
// handler runs.
import type * as v from 'valibot';
import type { NamesWith } from './rows-with.ts';
import type { settingRows } from './settings.ts';

/** What an administrator may forbid the user; each is a setting. */
export type Right = NamesWith<typeof settingRows, { group: 'rights' }>;

// Which calls a page of the app may make. A page shows names that others chose. Whatever gets into the page that way
// must not reach the key, programs, records or guards by itself.

/**
 * `free`: it reads or restricts. `ids`: the same, with files by id, not by path. `hand`: it destroys, publishes or
 * loosens; one press of the user allows one call, else a dialog of the main process asks. `judged`: that depends on the
 * input (page-guard.ts). `never`: no page needs it.
 */
type PageRight = 'free' | 'ids' | 'hand' | 'judged' | 'never';

/**
 * `asKnown`: as the ledger knows the file, also from a row of an earlier version. `real`: as the disk spells it now,
 * because a file is read from there.
 */
export type Spells = 'asKnown' | 'real';

export type CallFacts = {
  /** `window`: the process that owns the window; the names of its calls begin with `window.`. */
  handledBy: 'engine' | 'window';
  page: PageRight;
  /** The popover of the tray may call it, too. */
  popover?: true;
  /** The call is refused while this right is forbidden. Where that depends on the input, the handler checks it. */
  right?: Right;
  /**
   * The process with the engine uploads what it decides, so it is refused beside one that has another address. `again`:
   * only with this choice.
   */
  sends?: 'always' | 'again';
  /** How its `path`, `paths` or `files` are spelled. */
  spells?: Spells;
  /**
   * A page may send more than 64 KiB: a drop of some thousand files, the thousand files shown of a folder. They are
   * checked again, path by path.
   */
  takesPaths?: true;
};

const rowsOf =
  <By extends CallFacts['handledBy']>(handledBy: By) =>
  <Answer>() =>
  <const Facts extends Omit<CallFacts, 'handledBy'>, Schema extends v.GenericSchema>(
    facts: Facts,
    schema: Schema,
  ): Facts & { handledBy: By; schema: Schema; answer?: Answer } => ({ ...facts, handledBy, schema });

/** A row: `command<Answer>()(facts, schema)`. */
export const command = rowsOf('engine');
export const windowCommand = rowsOf('window');
