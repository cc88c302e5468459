// The list of Files: pages from the ledger, read as the list is scrolled, and which rows are chosen.
import type { FilesPage, filePlaces, fileSorts } from '../../src-main/contract/commands.ts';
import { toAppError, type AppError } from '../../src-main/contract/errors.ts';
import type { FileRow } from '../../src-main/contract/model.ts';
import { arrivals, noArrivals } from './arrivals.ts';
import { noSelection, select, selectAll, selectNone, type Reach, type Selection } from './selection.ts';
import type { Session } from './session.svelte.ts';

export type Place = (typeof filePlaces)[number];
export type Sort = (typeof fileSorts)[number];
export type Query = { search: string; place: Place; sort: Sort; descending: boolean };

const FIRST_PAGE = 100;
const NEXT_PAGE = 500;
/** A burst of entries becomes one look at the ledger. */
const SETTLE_MS = 120;

/** What a column is first sorted by when clicked: names upwards, numbers and dates from the top. */
const startsDescending: Record<Sort, boolean> = {
  uploaded: true,
  name: false,
  size: true,
  downloads: true,
};

/** A little longer than its animation (`--arrive`). */
const ARRIVAL_MS = 400;

/** A search is counted up to a bound only: while there is more to read, the list is longer than what was read. */
const atLeastSoMany = (total: number, rows: readonly FileRow[], next: string | null): number =>
  next === null ? total : Math.max(total, rows.length + 1);

export class Files {
  readonly #session: Session;
  #generation = 0;
  #next: string | null = null;
  #reading: Promise<void> | null = null;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #later: ReturnType<typeof setTimeout> | undefined;

  query = $state.raw<Query>({ search: '', place: 'all', sort: 'uploaded', descending: true });
  rows = $state.raw<readonly FileRow[]>([]);
  total = $state(0);
  asOfMs = $state<number | null>(null);
  phase = $state<'loading' | 'ready' | 'failed'>('loading');
  error = $state.raw<AppError | null>(null);
  refreshing = $state(false);
  /** Keys of the rows that came by themselves just now. */
  arrived = $state.raw<ReadonlySet<string>>(noArrivals);
  selection = $state.raw<Selection>(noSelection);

  /** As long as the whole list; what has not been read yet is null. */
  readonly slots: readonly (FileRow | null)[] = $derived.by(() => {
    const slots: (FileRow | null)[] = this.rows.slice(0, this.total);
    while (slots.length < this.total) slots.push(null);
    return slots;
  });

  readonly chosen: readonly FileRow[] = $derived(
    this.selection.keys.size === 0 ? [] : this.rows.filter((row) => this.selection.keys.has(row.key)),
  );

  constructor(session: Session) {
    this.#session = session;
    session.onEntries(() => {
      clearTimeout(this.#soon);
      this.#soon = setTimeout(() => void this.#welcome(), SETTLE_MS);
    });
  }

  /** A new question: starts from the top, the old rows stay on screen until the answer is there. */
  async ask(change: Partial<Query>): Promise<void> {
    this.query = { ...this.query, ...change };
    this.selection = { ...noSelection, keys: this.selection.keys };
    await this.reload(FIRST_PAGE);
  }

  async sortBy(sort: Sort): Promise<void> {
    const { query } = this;
    const descending = query.sort === sort ? !query.descending : startsDescending[sort];
    await this.ask({ sort, descending });
  }

  /** Reads the same question again, as far as it had been read, and puts it in place at once. */
  async reload(atLeast = Math.max(FIRST_PAGE, this.rows.length)): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    const reading = this.#reload(generation, atLeast);
    this.#reading = reading;
    await reading;
    if (this.#reading === reading) this.#reading = null;
  }

  /** Reads again because something happened; what is new is pointed out for a moment. */
  async #welcome(): Promise<void> {
    const { query, phase, rows } = this;
    await this.reload();
    if (phase !== 'ready' || query !== this.query) return;
    this.arrived = arrivals(rows, this.rows.slice(0, FIRST_PAGE));
    clearTimeout(this.#later);
    // A row that is scrolled out and in again does not arrive once more.
    if (this.arrived.size > 0) this.#later = setTimeout(() => (this.arrived = noArrivals), ARRIVAL_MS);
  }

  async #reload(generation: number, atLeast: number): Promise<void> {
    try {
      const rows: FileRow[] = [];
      let after: string | null = null;
      do {
        const limit: number = atLeast - rows.length > FIRST_PAGE ? NEXT_PAGE : FIRST_PAGE;
        const page: FilesPage = await this.#session.client.call('files.page', {
          ...this.query,
          after,
          limit,
        });
        if (generation !== this.#generation) return;
        rows.push(...page.rows);
        after = page.next;
        this.total = atLeastSoMany(page.total, rows, after);
        this.asOfMs = page.asOfMs;
      } while (after !== null && rows.length < atLeast);
      this.rows = rows;
      this.#next = after;
      this.error = null;
      this.phase = 'ready';
    } catch (error) {
      if (generation !== this.#generation) return;
      this.error = toAppError(error);
      this.phase = 'failed';
    }
  }

  /** The list is shown down to this index: reads on until it is there. */
  async need(index: number): Promise<void> {
    if (this.#reading !== null) await this.#reading;
    const generation = this.#generation;
    const readOn = async (): Promise<void> => {
      // Put in place once, at the end: a list of 100,000 that changes 200 times is 200 layouts.
      const rows = [...this.rows];
      while (rows.length <= index && this.#next !== null) {
        const page = await this.#session.client.call('files.page', {
          ...this.query,
          after: this.#next,
          limit: NEXT_PAGE,
        });
        if (generation !== this.#generation) return;
        this.#next = page.next;
        rows.push(...page.rows);
      }
      this.rows = rows;
      this.total = this.#next === null ? rows.length : atLeastSoMany(this.total, rows, this.#next);
    };
    if (this.rows.length > index || this.#next === null) return;
    const reading = this.#session.attempt(readOn).then(() => undefined);
    this.#reading = reading;
    await reading;
    if (this.#reading === reading) this.#reading = null;
  }

  /** Asks the service for the account's list; the answer is the number of requests it took. */
  async refresh(): Promise<{ requests: number; total: number } | undefined> {
    this.refreshing = true;
    const answer = await this.#session.attempt(() => this.#session.client.call('files.refresh', {}));
    await this.reload();
    this.refreshing = false;
    return answer;
  }

  choose(index: number, reach: Reach): void {
    this.selection = select(this.selection, index, reach, (at) => this.rows[at]?.key);
  }

  async chooseAll(): Promise<void> {
    await this.need(Infinity);
    this.selection = selectAll(
      this.selection,
      this.rows.map((row) => row.key),
    );
  }

  chooseNone(): void {
    this.selection = selectNone(this.selection);
  }
}
