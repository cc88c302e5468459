// The list of Files: pages from the ledger, read for the part on screen, and which rows are selected.
import type { FileGroup } from '../../src-main/contract/answers.ts';
import { toAppError, type AppError } from '../../src-main/contract/errors.ts';
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import type { FileRow } from '../../src-main/contract/model.ts';
import { searchWords } from '../../src-main/contract/search.ts';
import { arrivals, noArrivals } from './list/arrivals.ts';
import {
  emptyList,
  FIRST_PAGE,
  inGroups,
  keeping,
  missing,
  narrowed,
  placesOf,
  withPage,
  type FileList,
  type Query,
  type Slots,
} from './list/file-list.ts';
import { callForAll } from './actions.ts';
import { listRequests } from './login.ts';
import { noSelection, select, selectAll, selectNone, type Reach, type Selection } from './list/selection.ts';
import type { Session } from './session.svelte.ts';

/** A burst of entries becomes one read of the ledger; the longer a read takes, the longer is the pause after it. */
const SETTLE_MS = 120;
/** Rows of recalled links are struck through for a moment, and leave together. */
const STRUCK_MS = 2_000;
const PAUSE_PER_READ = 4;

/**
 * Known rows that do not fill the screen are shown only if the rest of the answer takes this long. Usually the rest
 * arrives with the next frame, and a list that becomes short for one frame costs more of it than the ledger does.
 */
const PATIENCE_MS = 50;

/** How long a new row that the user did not ask for is tinted. */
const ARRIVAL_MS = 2_000;

const everything: Query = { search: '', place: 'all', folder: null, sort: 'uploaded', descending: true };

/** The order of a search, unless the user chooses another. */
const bestMatch: Pick<Query, 'sort' | 'descending'> = { sort: 'match', descending: false };

/** The ids of rows whose link no longer works. */
export const goneIds = (rows: readonly FileRow[]): FileId[] =>
  rows.flatMap((row) => (row.fileId !== null && row.place === 'gone-from-service' ? [row.fileId] : []));

export class Files {
  readonly #session: Session;
  /** What has been read, with its own query: until the next answer arrives, that is not `query` yet. */
  #list: FileList = emptyList(everything);
  #generation = 0;
  /** The generation that the ledger was asked for, or is about to be. */
  #asked = 0;
  #reading: Promise<void> | null = null;
  #isWelcoming = false;
  #somethingHappened = false;
  /** The order of the list to return to after a search, which has its own order. */
  #order: Pick<Query, 'sort' | 'descending'> = everything;
  #impatient: ReturnType<typeof setTimeout> | undefined;
  #later: ReturnType<typeof setTimeout> | undefined;

  /** The rows on screen. */
  looked = { from: 0, to: 0 };
  query = $state.raw<Query>(everything);
  /** As long as the whole list; rows that were not read yet are null. */
  slots = $state.raw<Slots>([]);
  /** The shown rows are the right first ones; the number of all is not known yet. */
  partial = $state(false);
  asOfMs = $state<number | null>(null);
  /** How many files each group has, independent of the search. */
  counts = $state.raw<Record<FileGroup, number> | null>(null);
  /** How many of each group the search found; null without one, and when they are too many to be counted. */
  matches = $state.raw<Record<FileGroup, number> | null>(null);
  phase = $state<'loading' | 'ready' | 'failed'>('loading');
  error = $state.raw<AppError | null>(null);
  refreshing = $state(false);
  /** Keys of the rows that have just arrived, without a question of the user. */
  arrived = $state.raw<ReadonlySet<string>>(noArrivals);
  selection = $state.raw<Selection>(noSelection);

  /** The words of the search, highlighted in the names. */
  readonly words = $derived(searchWords(this.query.search));

  readonly total: number = $derived(this.slots.length);

  /** The index of the file that the keyboard is on; -1: none, or it is not in the list. */
  readonly cursor: number = $derived(this.#placeOf(this.selection.active, this.slots));

  /** The index of the file where a range begins. */
  get anchor(): number {
    return this.#placeOf(this.selection.anchor, this.slots);
  }

  readonly chosen: readonly FileRow[] = $derived.by(() => {
    const { keys } = this.selection;
    return keys.size === 0 ? [] : this.slots.filter((row) => row !== null).filter((row) => keys.has(row.key));
  });

  constructor(session: Session) {
    this.#session = session;
    session.onEntries(() => {
      this.#welcomeSoon();
    });
    session.onSignedIn(() => {
      if (listRequests(session.account?.files ?? null) > 0) void this.refresh();
    });
  }

  /**
   * Asks a new question, from the top. The known part of its answer is shown, at once if it fills the screen, and the
   * rest is read from the ledger; the old rows stay until there is something to show.
   */
  async ask(change: Partial<Query>): Promise<void> {
    this.query = { ...this.query, ...this.#orderFor(change), ...change };
    // The cursor stays on its file. If the answer does not have that file, the next step starts at the top.
    if (change.sort === undefined) this.selection = { ...this.selection, at: -1 };
    const isAnswered = this.#showNarrowed();
    // A read under way may bring rows that are not known here, but it answers the old question, so we ask again.
    if (isAnswered && this.#reading === null) this.#generation += 1;
    else await this.reload(FIRST_PAGE);
  }

  #orderFor({ search }: Partial<Query>): Partial<Query> {
    const { sort, descending } = this.query;
    if (search === undefined || (search === '') === (this.query.search === '')) return {};
    if (search === '') return sort === 'match' ? this.#order : {};
    this.#order = { sort, descending };
    return bestMatch;
  }

  /** Waits for the answer to the current question and returns its first row. Null: there is none. */
  async first(): Promise<FileRow | null> {
    while (this.#reading !== null) await this.#reading;
    return this.phase === 'ready' ? (this.slots[0] ?? null) : null;
  }

  /** Shows the known part of the answer. True when nothing is left to ask. */
  #showNarrowed(): boolean {
    clearTimeout(this.#impatient);
    const known = this.phase === 'ready' ? narrowed(this.#list, this.query) : null;
    if (known === null) return false;
    const show = (): void => {
      this.#show(known.rows);
      this.partial = !known.whole;
      if (known.whole) this.matches = inGroups(known.rows);
    };
    if (known.whole || this.partial || known.rows.length >= FIRST_PAGE) show();
    else if (known.rows.length > 0) this.#impatient = setTimeout(show, PATIENCE_MS);
    // The counts of the other groups are not known here.
    return known.whole && this.query.place === 'all';
  }

  /** Reads the answer to the same question again, as far as it was read from the top, and shows it in one step. */
  async reload(atLeast = this.#readFromTop()): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    this.#asked = generation;
    await this.#inTurn(generation, () => this.#reload(generation, atLeast));
  }

  /** One question at a time: of the waiting ones only the newest is asked. */
  async #inTurn(generation: number, work: () => Promise<void>): Promise<void> {
    while (this.#reading !== null) await this.#reading;
    if (generation !== this.#generation) return;
    const reading = work().finally(() => (this.#reading = null));
    this.#reading = reading;
    await reading;
  }

  #readFromTop(): number {
    const gap = this.slots.indexOf(null);
    return Math.max(FIRST_PAGE, gap === -1 ? this.slots.length : gap);
  }

  #welcomeSoon(): void {
    this.#somethingHappened = true;
    if (this.#isWelcoming) return;
    this.#isWelcoming = true;
    setTimeout(() => void this.#welcomeNow(), this.#session.recalling.isRunning ? STRUCK_MS : SETTLE_MS);
  }

  async #welcomeNow(): Promise<void> {
    this.#somethingHappened = false;
    const beganMs = performance.now();
    await this.#welcome();
    const pauseMs = (performance.now() - beganMs) * PAUSE_PER_READ;
    setTimeout(() => {
      this.#isWelcoming = false;
      if (this.#somethingHappened) this.#welcomeSoon();
    }, pauseMs);
  }

  /** Reads again because something happened; new rows are tinted for a moment. */
  async #welcome(): Promise<void> {
    const { query, phase, slots } = this;
    await this.reload();
    if (phase !== 'ready' || query !== this.query) return;
    const arrived = arrivals(slots, this.slots.slice(0, FIRST_PAGE));
    if (arrived.size > 0) this.#tint(arrived);
  }

  async #reload(generation: number, atLeast: number): Promise<void> {
    try {
      const first = { from: 0, after: null, limit: Math.min(atLeast, 500) };
      let list = await this.#readPage(emptyList(this.query), first);
      let read = first.limit;
      for (;;) {
        if (generation !== this.#generation) {
          this.#lateAnswer(list);
          return;
        }
        const ask = missing(list, read, atLeast - 1);
        if (ask === null) break;
        list = await this.#readPage(list, ask);
        read = ask.from + ask.limit;
      }
      // Rows on screen far below are read as well, so that they do not vanish for a moment. New rows are above them.
      const { from, to } = this.looked;
      const isKnown = this.slots.length > 0 && this.#list.query === list.query;
      const shift = Math.max(0, list.slots.length - this.slots.length);
      for (let ask = isKnown ? missing(list, from + shift, to + shift) : null; ask !== null;) {
        list = await this.#readPage(list, ask);
        if (generation !== this.#generation) return;
        ask = missing(list, ask.from + ask.limit, to + shift);
      }
      this.#put(keeping(this.slots, list));
      this.error = null;
      this.phase = 'ready';
    } catch (error) {
      if (generation !== this.#generation) return;
      clearTimeout(this.#impatient);
      this.error = toAppError(error);
      this.phase = 'failed';
    }
  }

  /** This answer is too late for its own question, but useful while the next one waits. */
  #lateAnswer(list: FileList): void {
    if (this.#asked !== this.#generation || narrowed(list, this.query) === null) return;
    this.#list = list;
    this.#showNarrowed();
  }

  async #readPage(list: FileList, ask: NonNullable<ReturnType<typeof missing>>): Promise<FileList> {
    const { from, ...page } = ask;
    const answer = await this.#session.client.call('files.page', { ...list.query, ...page });
    this.asOfMs = answer.asOfMs;
    if (this.#session.listed(answer.accountId)) this.selection = noSelection;
    this.counts = answer.counts ?? this.counts;
    this.matches = answer.matches;
    return withPage(list, from, answer);
  }

  #put(list: FileList): void {
    clearTimeout(this.#impatient);
    this.#list = list;
    this.#show(list.slots);
    this.partial = false;
  }

  #show(slots: Slots): void {
    this.slots = slots;
    const at = this.#placeOf(this.selection.active, slots);
    if (at !== -1 && at !== this.selection.at) this.selection = { ...this.selection, at };
  }

  /** Looks first where the file was last: a list may have 100,000 rows. */
  #placeOf(key: string | null, slots: Slots): number {
    if (key === null) return -1;
    const { at } = this.selection;
    return slots[at]?.key === key ? at : slots.findIndex((row) => row?.key === key);
  }

  /** Whether all rows between these two, in either order, have been read. */
  has(from: number, to: number): boolean {
    return this.#reading === null && missing(this.#list, Math.min(from, to), Math.max(from, to)) === null;
  }

  /** Reads the missing rows between these two. */
  async need(one: number, other: number): Promise<void> {
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    const generation = this.#generation;
    const readOn = async (): Promise<void> => {
      // Shown once, at the end: a list of 100,000 that changes 200 times is 200 layouts.
      let list = this.#list;
      // Always forward, even if rows behind have moved.
      for (let ask = missing(list, from, to); ask !== null; ask = missing(list, ask.from + ask.limit, to)) {
        list = await this.#readPage(list, ask);
        if (generation !== this.#generation) return;
      }
      if (list !== this.#list) this.#put(list);
    };
    await this.#inTurn(generation, () => this.#session.attempt(readOn).then(() => undefined));
  }

  /** Asks the service for the account's list; returns the number of requests it took. */
  async refresh(): Promise<{ requests: number; total: number } | undefined> {
    this.refreshing = true;
    const answer = await this.#session.attempt(() => this.#session.client.call('files.refresh', {}));
    if (answer !== undefined) this.#session.recovered();
    await this.reload();
    this.refreshing = false;
    return answer;
  }

  markOf({ key, fileId }: FileRow): 'arrived' | 'struck' | '' {
    if (fileId !== null && this.#session.recalling.deadIds.has(fileId)) return 'struck';
    return this.arrived.has(key) ? 'arrived' : '';
  }

  /** The index of the row with this upload's link, as far as the list was read; -1: not there. */
  indexOf(uploadId: number): number {
    return this.slots.findIndex((row) => row?.uploadId === uploadId);
  }

  /** Whether the rows with the links of all these uploads were read. */
  hasUploads(uploadIds: readonly number[]): boolean {
    return placesOf(this.slots, uploadIds).length >= uploadIds.length;
  }

  /** Removes those of these rows from the list that are gone from the service. */
  async remove(rows: readonly FileRow[]): Promise<void> {
    await callForAll(
      this.#session,
      rows.filter(({ place }) => place === 'gone-from-service'),
      (files) => this.#session.client.call('files.remove', { fileIds: files.map(({ fileId }) => fileId) }),
    );
    this.chooseNone();
    await this.reload();
  }

  choose(index: number, reach: Reach): void {
    const anchorAt = reach === 'range' ? this.anchor : -1;
    this.selection = select(this.selection, index, reach, (at) => this.slots[at]?.key, anchorAt);
  }

  /** Tints this row for a moment, without choosing it. */
  tint(row: FileRow): void {
    this.#tint(arrivals([], [row]));
  }

  #tint(keys: ReadonlySet<string>): void {
    this.arrived = keys;
    clearTimeout(this.#later);
    if (keys.size > 0) this.#later = setTimeout(() => (this.arrived = noArrivals), ARRIVAL_MS);
  }

  /** Selects the rows with the links of these uploads, as far as the list was read. Null: it has none of them. */
  chooseUploads(uploadIds: readonly number[]): { first: number; last: number } | null {
    const places = placesOf(this.slots, uploadIds);
    const [first] = places;
    const last = places.at(-1);
    if (first === undefined || last === undefined) return null;
    const keys = places.flatMap((at) => this.slots[at]?.key ?? []);
    const active = keys[0] ?? null;
    this.selection = { ...selectAll(noSelection, keys), active, at: first };
    return { first, last };
  }

  async chooseAll(): Promise<void> {
    // The next key may come before the rest of the list is read: it applies to the rows that were.
    const chosen = this.#chooseRead();
    await this.need(0, Infinity);
    if (this.selection === chosen) this.#chooseRead();
  }

  #chooseRead(): Selection {
    const keys = this.slots.filter((row) => row !== null).map((row) => row.key);
    this.selection = selectAll(this.selection, keys);
    return this.selection;
  }

  chooseNone(): void {
    this.selection = selectNone(this.selection);
  }
}
