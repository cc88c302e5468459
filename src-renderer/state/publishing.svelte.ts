// Files that a person makes public although a rule or a person kept them back. The system's dialog names them first;
// then the user has ten seconds to undo it. The engine is called only after that, so a window that closes publishes
// nothing.
import type { FilesAlike } from '../../src-main/contract/answers.ts';
import type { UploadView } from '../../src-main/contract/model.ts';
import { bitesOf } from './list/bites.ts';

export const UNDO_SECONDS = 10;

/** `asOfMs`: if a file has changed since then, the person has not agreed to its new version. */
export type Publication = FilesAlike;

type Parts = {
  /** Counts the accounts: what a person agreed to under one is nothing under the next. */
  account: () => number;
  /** False: the person keeps them private. */
  ask: (ids: number[]) => Promise<boolean>;
  publish: (ids: number[], asOfMs: number) => Promise<unknown>;
};

export class Publishing {
  readonly #parts: Parts;
  #agreed = $state.raw<readonly Publication[]>([]);
  #timer: ReturnType<typeof setInterval> | undefined;

  secondsLeft = $state(0);
  /** The number of files that become public when the seconds are over, and the first of them. */
  readonly count: number = $derived(this.#agreed.reduce((sum, { ids }) => sum + ids.length, 0));
  readonly uploads: readonly UploadView[] = $derived(this.#agreed.flatMap(({ uploads }) => uploads));

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** For all of them as long as the account stays. False: it changed, or the answer to some of them is no. */
  async #inBites(ids: readonly number[], act: (ids: number[]) => Promise<unknown>): Promise<boolean> {
    const account = this.#parts.account();
    for (const bite of bitesOf(ids))
      if ((await act(bite)) === false || account !== this.#parts.account()) return false;
    return true;
  }

  /** Adding more files restarts the seconds for all of them. */
  async begin(agreed: Publication): Promise<void> {
    if (agreed.ids.length === 0 || !(await this.#inBites(agreed.ids, this.#parts.ask))) return;
    this.keep(agreed.ids);
    this.#agreed = [...this.#agreed, agreed];
    this.secondsLeft = UNDO_SECONDS;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      this.secondsLeft -= 1;
      if (this.secondsLeft === 0) void this.#go();
    }, 1_000);
  }

  /** These of the waiting files stay private. */
  keep(ids: readonly number[]): void {
    const kept = Object.fromEntries(ids.map((id) => [id, true]));
    this.#agreed = this.#agreed
      .map((one) => ({
        ...one,
        ids: one.ids.filter((id) => !(id in kept)),
        uploads: one.uploads.filter(({ id }) => !(id in kept)),
      }))
      .filter((one) => one.ids.length > 0);
    if (this.#agreed.length === 0) this.undo();
  }

  undo(): void {
    clearInterval(this.#timer);
    this.#agreed = [];
  }

  async #go(): Promise<void> {
    const agreed = this.#agreed;
    this.undo();
    for (const { ids, asOfMs } of agreed)
      if (!(await this.#inBites(ids, (some) => this.#parts.publish(some, asOfMs)))) return;
  }
}
