// The files that a person gave, as the shell reports them: the progress of each group, and the links of the one that
// was ready last. Nothing closes that card but its user, the next drop, and the end of its links; one with an open
// question stays as a line.
import { SvelteSet } from 'svelte/reactivity';
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import type { GivenGroup, LostFiles } from '../../src-main/contract/window.ts';
import { shareOf } from '../../src-main/contract/live.ts';
import { sentOf, type Paces } from './pace.ts';

export const isReady = (group: GivenGroup): boolean => group.going === 0;
/** Nothing of it is on its way, and it asks nothing. */
const isOver = (group: GivenGroup): boolean => isReady(group) && group.needYou.length === 0;
/** False: each link of the group was there before, or there is none. */
export const bringsLinks = ({ rows }: GivenGroup): boolean => rows.some(({ isNew }) => isNew);

/** It has files that got no link of their own. */
export const hasUnlinked = ({ needYou, without, lost, rows }: GivenGroup): boolean =>
  needYou.length + without.length + lost.length > 0 || rows.some(({ isNew }) => !isNew);

/** How far a group is: as the run that it is part of (contract/live.ts). */
export const sentShare = ({ total, goingIds }: GivenGroup, paces: Paces): number => {
  const parts = goingIds.reduce((sum, id) => sum + sentOf(paces.get(id)), 0);
  return shareOf(total - goingIds.length + parts, total);
};

/** What the line of these files is called. Several renamed files have a line each. */
export const lostKey = ({ why, files }: LostFiles): string =>
  why === 'renamed' ? `lost ${why} ${files[0]?.path ?? ''}` : `lost ${why}`;

export class Given {
  #groups = $state.raw<readonly GivenGroup[]>([]);
  /** Groups whose cards were shown and closed. */
  #gone: readonly number[] = [];
  #announced: readonly number[] = [];
  readonly #window: { isAway(): boolean; isLow(): boolean };
  /** Lines that the user dismissed, each after the id of its group. */
  readonly hidden = new SvelteSet<string>();
  /** The user folded the card to one line, or unfolded it; null: neither. */
  folded = $state<boolean | null>(null);
  /** One line: the user folded it, the window is low, or shows another view. */
  readonly isFolded = $derived.by(() => this.#window.isAway() || (this.folded ?? this.#window.isLow()));

  /** The one that the user unfolded among those before the newest. */
  #front = $state<number | null>(null);
  /** The newest first: it always shows; the others have a line each. */
  readonly cards: readonly GivenGroup[] = $derived(
    this.#groups.toSorted(
      (a, b) => Number(b.id === this.#front) - Number(a.id === this.#front) || b.id - a.id,
    ),
  );
  readonly shown: GivenGroup | null = $derived(this.cards[0] ?? null);

  constructor(window: { isAway(): boolean; isLow(): boolean }) {
    this.#window = window;
  }

  hear(group: GivenGroup): void {
    // A file of a closed card was brought back: its drop is on its way again.
    if (!isReady(group)) this.#gone = this.#gone.filter((id) => id !== group.id);
    if (this.#gone.includes(group.id)) return;
    const before = this.#groups.find(({ id }) => id === group.id);
    if (before === undefined) {
      this.folded = null;
      this.#front = null;
      this.#close(isOver);
    }
    this.#groups = [...this.#groups.filter(({ id }) => id !== group.id), group];
    if (!isReady(group)) return;
    const isNewest = !this.#groups.some(({ id }) => id > group.id);
    // It is ready after older ones, and the clipboard has its links; or the question of a line was answered.
    if (before === undefined || !isReady(before)) this.#close((one) => one.id < group.id && isOver(one));
    else if (!isNewest && !isOver(before)) this.#close((one) => one === group && isOver(one));
  }

  /** True once for each ready group: it is announced as it is then. */
  isNews({ id }: GivenGroup): boolean {
    if (this.#announced.includes(id)) return false;
    this.#announced = [...this.#announced, id];
    return true;
  }

  #close(isToClose: (group: GivenGroup) => boolean): void {
    this.#gone = [...this.#gone, ...this.#groups.filter(isToClose).map(({ id }) => id)];
    this.#groups = this.#groups.filter((one) => !isToClose(one));
  }

  /** Shows the card of a drop before the newest one. */
  unfold(id: number): void {
    this.folded = false;
    this.#front = id;
  }

  /** The user did something else: the card becomes its line. */
  retire(): void {
    if (this.shown !== null && isReady(this.shown)) this.folded = true;
  }

  /** Those that are still being uploaded. */
  goingOf(uploadIds: readonly number[]): number[] {
    const going = this.#groups.flatMap(({ goingIds }) => goingIds);
    return uploadIds.filter((id) => going.includes(id));
  }

  /** Whether the card has a line, or will have one, for each of these. */
  names(uploadIds: readonly number[]): boolean {
    if (this.isFolded || this.shown === null) return false;
    const { needYou, goingIds, without } = this.shown;
    const named = [...needYou, ...goingIds, ...without];
    return uploadIds.every((id) => named.includes(id));
  }

  /** Folds the card. A folded one closes, unless its files are still being uploaded. */
  foldOrDismiss(): void {
    if (!this.isFolded) this.folded = true;
    else if (this.shown !== null) this.dismiss(this.shown.id);
  }

  /** Files were deleted from the account: a card with their links closes at once. */
  deleted(fileIds: readonly FileId[]): void {
    const before = this.#groups;
    this.#close((one) => isReady(one) && one.rows.some(({ fileId }) => fileIds.includes(fileId)));
    if (this.#groups.length === before.length) this.retire();
  }

  /** The list is that of this account: cards of others close. */
  keepOf(accountId: number): void {
    this.#close((one) => one.accountId !== accountId);
  }

  /** Closes the card or line of one, or all that are ready. */
  dismiss(only?: number): void {
    this.#close((one) => isReady(one) && (only === undefined || one.id === only));
  }
}
