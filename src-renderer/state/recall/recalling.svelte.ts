// Links that a person takes back. The engine records all of them before it begins, so nothing is lost when the page goes.
// The results stay readable until the next recall, or until they are closed.
import type { DeleteResult } from '../../../src-main/contract/answers.ts';
import type { Entry, EntryBody } from '../../../src-main/contract/entries.ts';
import { linkStateOf, type LinkState } from '../../../src-main/contract/files/taken-back.ts';
import { toWire, type WireError } from '../../../src-main/contract/errors.ts';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { idsOf, type Deletable } from './deletion.ts';
import { bitesOf as inBites } from '../list/bites.ts';

/**
 * The state of the link of a deleted file. `gone`: deleted, its link was not checked. `later`: the engine continues by
 * itself. `kept`: undone before it was deleted.
 */
export type RecallEnd = LinkState | 'gone' | 'later' | 'failed' | 'kept';
/** `againAtMs`: when its link is checked again. */
export type Recalled = Told & { row: Deletable; atMs: number };
type Told = { end: RecallEnd; error: WireError | null; againAtMs?: number | undefined };

/** Those links of a recall that Outtray copied last, in the copy of this number. */
type Copied = { copied: readonly FileId[]; copy: number };

type Parts = {
  /** Null: the person declined. */
  ask: (fileIds: readonly FileId[]) => Promise<Copied | null>;
  remove: (fileIds: readonly FileId[]) => Promise<DeleteResult[]>;
  /** Answers with the ids of those whose deletion has not begun. */
  keep: (fileIds: readonly FileId[]) => Promise<readonly FileId[]>;
  clipboard: (copy: number, act: 'look' | 'clear') => Promise<boolean>;
  ended: (recalling: Recalling) => void;
};

/** The most ids of up to 20 digits, given twice, that a call can take in the pipe's 64 KiB. A system dialog asks for each. */
const FILE_BITE = 1_000;
const bitesOf = (rows: readonly Deletable[]): Deletable[][] => inBites(rows, FILE_BITE);

const endIn = (body: EntryBody): (Told & { fileId: FileId })[] => {
  if (body.kind === 'recalled')
    return [{ fileId: body.fileId, end: linkStateOf(body), error: null, againAtMs: body.againAtMs }];
  return body.kind === 'deleted' ? [{ fileId: body.fileId, end: 'gone', error: null }] : [];
};

const endOf = ({ linkState, deleted, goesOn, kept }: DeleteResult): RecallEnd => {
  if (kept === true) return 'kept';
  if (linkState !== null) return linkState;
  if (deleted) return 'gone';
  return goesOn ? 'later' : 'failed';
};

/** The engine checks the links of these again by itself. */
export const openEnds = ['answers', 'not-proven'] as const satisfies readonly LinkState[];
/** Nothing is left to do about these. */
const settled: ReadonlySet<RecallEnd> = new Set(['dead', 'gone', 'kept']);

export class Recalling {
  readonly #parts: Parts;
  /** Recalls under way. */
  #running = 0;
  /** Counts the accounts: what was asked about under one is nothing under the next. */
  #account = 0;
  #copies: readonly Copied[] = [];

  /** All rows of the dock; empty: there is no dock. */
  rows = $state.raw<readonly Deletable[]>([]);
  /** The results so far. */
  answers = $state.raw<readonly Recalled[]>([]);
  /** Links of the question that stay. */
  stay = $state.raw<readonly string[]>([]);
  isRunning = $state(false);
  /** The number of the copy if the clipboard still has one of these links; else null. */
  held = $state.raw<number | null>(null);
  isCleared = $state(false);

  readonly deadIds: ReadonlySet<FileId> = $derived(idsOf(this.of('dead', 'gone').map(({ row }) => row)));
  /** Nothing is left to do. */
  readonly isSettled: boolean = $derived(
    !this.isRunning && this.answers.every(({ end }) => settled.has(end)),
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
    const kept = idsOf(this.of('kept').map(({ row }) => row));
    const known = idsOf(this.isRunning ? this.rows.filter(({ fileId }) => !kept.has(fileId)) : []);
    const fresh = rows.filter(({ fileId }) => !known.has(fileId));
    const copies = await this.#agree(fresh);
    if (copies === null) return false;
    this.close();
    this.#copies = [...this.#copies, ...copies];
    // One that was kept is asked about again.
    const ids = idsOf(fresh);
    this.rows = [...this.rows.filter(({ fileId }) => !ids.has(fileId)), ...fresh];
    this.#reopen(fresh);
    this.stay = [...this.stay, ...stay];
    await this.#run(fresh);
    return true;
  }

  /** Tries again with the links that are not known to be dead. */
  async again(): Promise<void> {
    const rows = this.of(...openEnds, 'failed').map(({ row }) => row);
    const copies = this.isRunning ? null : await this.#agree(rows);
    if (copies === null) return;
    this.#copies = [...this.#copies, ...copies];
    this.#reopen(rows);
    await this.#run(rows);
  }

  /** They have no result any more. */
  #reopen(rows: readonly Deletable[]): void {
    const ids = idsOf(rows);
    this.answers = this.answers.filter(({ row }) => !ids.has(row.fileId));
  }

  /** Those that wait. */
  readonly undoable: readonly Deletable[] = $derived.by(() => {
    const ended = idsOf(this.answers.filter(({ end }) => end !== 'later').map(({ row }) => row));
    return this.rows.filter(({ fileId }) => !ended.has(fileId));
  });

  /** What the service was told to delete already goes on. */
  async undo(): Promise<void> {
    for (const bite of bitesOf(this.undoable)) {
      const kept = await this.#parts.keep(bite.map(({ fileId }) => fileId));
      const rows = bite.filter(({ fileId }) => kept.includes(fileId));
      this.#answer(rows.map((row) => ({ row, end: 'kept', error: null })));
    }
  }

  /** Null: the person declined. */
  async #agree(rows: readonly Deletable[]): Promise<readonly Copied[] | null> {
    if (rows.length === 0) return null;
    const account = this.#account;
    const copies: Copied[] = [];
    for (const bite of bitesOf(rows)) {
      const copied = await this.#parts.ask(bite.map(({ fileId }) => fileId));
      if (copied === null || account !== this.#account) return null;
      copies.push(copied);
    }
    return copies;
  }

  async #run(rows: readonly Deletable[]): Promise<void> {
    const account = this.#account;
    this.isRunning = true;
    this.#running += 1;
    await Promise.all(bitesOf(rows).map((bite) => this.#remove(bite)));
    if (account !== this.#account) return;
    this.#running -= 1;
    if (this.#running === 0) await this.#end();
  }

  async #remove(rows: readonly Deletable[]): Promise<void> {
    const account = this.#account;
    const results = await this.#parts.remove(rows.map(({ fileId }) => fileId)).catch(toWire);
    if (account !== this.#account) return;
    const failed = { end: 'failed' as const, error: Array.isArray(results) ? null : results };
    this.#answer(
      rows.map((row) => {
        const result = Array.isArray(results)
          ? results.find(({ fileId }) => fileId === row.fileId)
          : undefined;
        return {
          row,
          ...(result === undefined
            ? failed
            : { end: endOf(result), error: result.error, againAtMs: result.againAtMs }),
        };
      }),
    );
  }

  /** What is done is shown before the call is answered. */
  hear(entries: readonly Entry[]): void {
    // Once all are answered, some still go on.
    const rows = this.isRunning ? this.rows : this.of('later', ...openEnds).map(({ row }) => row);
    const ends = entries.flatMap(({ body }) => endIn(body));
    this.#answer(
      rows.flatMap((row) => {
        const told = ends.findLast(({ fileId }) => fileId === row.fileId);
        return told === undefined ? [] : [{ ...told, row }];
      }),
    );
  }

  #answer(results: readonly Omit<Recalled, 'atMs'>[]): void {
    if (results.length === 0) return;
    const ids = idsOf(results.map(({ row }) => row));
    const atMs = Date.now();
    this.answers = [
      ...this.answers.filter(({ row }) => !ids.has(row.fileId)),
      ...results.map((one) => ({ ...one, atMs })),
    ];
  }

  /** The clipboard may be slow to answer, so the results do not wait for it. */
  async #end(): Promise<void> {
    this.isRunning = false;
    this.#parts.ended(this);
    const copies = this.#copies;
    const dead = copies.filter(({ copied }) => copied.some((fileId) => this.deadIds.has(fileId)));
    for (const { copy } of dead)
      if ((await this.#parts.clipboard(copy, 'look')) && this.#copies === copies) this.held = copy;
  }

  async clearClipboard(): Promise<void> {
    const copy = this.held;
    if (copy === null) return;
    this.held = null;
    this.isCleared = await this.#parts.clipboard(copy, 'clear');
  }

  /** The ids are those of other files in another account. What is under way there goes on unseen. */
  leaveAccount(): void {
    this.#account += 1;
    this.#running = 0;
    this.isRunning = false;
    this.close();
  }

  close(): void {
    if (this.isRunning) return;
    this.rows = [];
    this.stay = [];
    this.#copies = [];
    this.answers = [];
    this.held = null;
    this.isCleared = false;
  }
}
