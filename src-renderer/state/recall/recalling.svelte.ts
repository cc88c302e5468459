// Links that a person takes back: one call for each, so that the count moves and the rest can be stopped. The results
// stay readable until the next recall, or until they are closed.
import type { DeleteResult } from '../../../src-main/contract/answers.ts';
import { isAboutOneFile, toWire, type WireError } from '../../../src-main/contract/errors.ts';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { idsOf, type Deletable } from './deletion.ts';

/**
 * `dead`: deleted, and a check found that its link no longer answers. `gone`: deleted, its link was not checked.
 * `alive`: its link still answers. `later`: the engine continues by itself. `left`: it was not begun.
 */
export type RecallEnd = 'dead' | 'gone' | 'alive' | 'later' | 'failed' | 'left';
export type Recalled = { row: Deletable; end: RecallEnd; error: WireError | null; atMs: number };

/** Those links of a recall that Outtray copied last, in the copy of this number. */
type Copied = { copied: readonly FileId[]; copy: number };

type Parts = {
  /** Null: the person declined. */
  ask: (fileIds: readonly FileId[]) => Promise<Copied | null>;
  remove: (fileId: FileId) => Promise<DeleteResult[]>;
  clipboard: (copy: number, act: 'look' | 'clear') => Promise<boolean>;
  ended: (recalling: Recalling) => void;
};

/** The most ids of up to 20 digits that one call can take in the pipe's 64 KiB. For each call a system dialog asks. */
const FILE_BITE = 2_000;
/** The calls at once: a link that a cache still serves is checked for ten seconds, and others need not wait for it. */
const AT_ONCE = 4;

const endOf = ({ dead, deleted, goesOn }: DeleteResult): RecallEnd => {
  if (dead !== null) return dead ? 'dead' : 'alive';
  if (deleted) return 'gone';
  return goesOn ? 'later' : 'failed';
};

export class Recalling {
  readonly #parts: Parts;
  readonly #next: Deletable[] = [];
  #working: Promise<unknown> | null = null;
  #copies: readonly Copied[] = [];

  /** All rows of the dock; empty: there is no dock. */
  rows = $state.raw<readonly Deletable[]>([]);
  /** How many were begun. */
  begun = $state(0);
  /** The results so far. */
  answers = $state.raw<readonly Recalled[]>([]);
  /** Links of the question that stay. */
  stay = $state.raw<readonly string[]>([]);
  isRunning = $state(false);
  /** A person stopped it: links that were not begun stay. */
  isStopped = $state(false);
  /** The number of the copy if the clipboard still has one of these links; else null. */
  held = $state.raw<number | null>(null);
  isCleared = $state(false);

  readonly deadIds: ReadonlySet<FileId> = $derived(idsOf(this.of('dead', 'gone').map(({ row }) => row)));
  /** Nothing is left to do. */
  readonly isSettled: boolean = $derived(
    !this.isRunning && this.answers.every(({ end }) => end === 'dead' || end === 'gone'),
  );

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The results with these ends, in this order. */
  of(...ends: readonly RecallEnd[]): Recalled[] {
    return ends.flatMap((end) => this.answers.filter((one) => one.end === end));
  }

  /** False: the person declined. Resolves when all are answered. More links join a recall that is under way. */
  async begin(rows: readonly Deletable[], stay: readonly string[] = []): Promise<boolean> {
    const known = idsOf(this.isRunning ? this.rows : []);
    const fresh = rows.filter(({ fileId }) => !known.has(fileId));
    const copies = await this.#agree(fresh);
    if (copies === null) return false;
    this.close();
    this.#copies = [...this.#copies, ...copies];
    this.rows = [...this.rows, ...fresh];
    this.stay = [...this.stay, ...stay];
    await this.#run(fresh);
    return true;
  }

  /** Tries again with the links that were not proven dead. */
  async again(): Promise<void> {
    const rows = this.of('alive', 'failed', 'left').map(({ row }) => row);
    const copies = this.isRunning ? null : await this.#agree(rows);
    if (copies === null) return;
    this.#copies = [...this.#copies, ...copies];
    const ids = idsOf(rows);
    this.answers = this.answers.filter(({ row }) => !ids.has(row.fileId));
    this.begun = this.answers.length;
    this.isStopped = false;
    await this.#run(rows);
  }

  /** Null: the person declined. */
  async #agree(rows: readonly Deletable[]): Promise<readonly Copied[] | null> {
    if (rows.length === 0) return null;
    const copies: Copied[] = [];
    for (let at = 0; at < rows.length; at += FILE_BITE) {
      const copied = await this.#parts.ask(rows.slice(at, at + FILE_BITE).map(({ fileId }) => fileId));
      if (copied === null) return null;
      copies.push(copied);
    }
    return copies;
  }

  async #run(rows: readonly Deletable[]): Promise<void> {
    this.#next.push(...rows);
    if (this.#working === null) {
      this.isRunning = true;
      this.#working = Promise.all(Array.from({ length: AT_ONCE }, () => this.#work())).finally(() => {
        this.#working = null;
      });
      await this.#working;
      await this.#end();
    } else await this.#working;
  }

  async #work(): Promise<void> {
    for (let row = this.#next.shift(); row !== undefined; row = this.#next.shift()) {
      this.begun += 1;
      const { end, error } = await this.#remove(row);
      this.answers = [...this.answers, { row, end, error, atMs: Date.now() }];
      // A problem of the key, the plan or the network affects the rest, too.
      if (error !== null && !isAboutOneFile(error.code)) this.#leaveRest();
    }
  }

  async #remove({ fileId }: Deletable): Promise<Pick<Recalled, 'end' | 'error'>> {
    try {
      const [result] = await this.#parts.remove(fileId);
      return result === undefined
        ? { end: 'left', error: null }
        : { end: endOf(result), error: result.error };
    } catch (caught) {
      return { end: 'failed', error: toWire(caught) };
    }
  }

  stop(): void {
    this.isStopped = true;
    this.#leaveRest();
  }

  #leaveRest(): void {
    const rest = this.#next
      .splice(0)
      .map((row) => ({ row, end: 'left' as const, error: null, atMs: Date.now() }));
    this.answers = [...this.answers, ...rest];
  }

  async #end(): Promise<void> {
    const copied = this.#copies.filter((one) => one.copied.some((fileId) => this.deadIds.has(fileId)));
    for (const { copy } of copied) if (await this.#parts.clipboard(copy, 'look')) this.held = copy;
    // More may have been begun meanwhile.
    if (this.#working !== null) return;
    this.isRunning = false;
    this.#parts.ended(this);
  }

  async clearClipboard(): Promise<void> {
    const copy = this.held;
    if (copy === null) return;
    this.held = null;
    this.isCleared = await this.#parts.clipboard(copy, 'clear');
  }

  close(): void {
    if (this.isRunning) return;
    this.rows = [];
    this.stay = [];
    this.#copies = [];
    this.answers = [];
    this.begun = 0;
    this.held = null;
    this.isStopped = false;
    this.isCleared = false;
  }
}
