// Files that a person makes public although a rule or a person kept them back. The system's dialog names them first;
// then the user has ten seconds to undo it. The engine is called only after that, so a window that closes publishes
// nothing.
import type { FilesAlike } from '../../src-main/contract/answers.ts';
import type { UploadView } from '../../src-main/contract/model.ts';

export const UNDO_SECONDS = 10;

/** `asOfMs`: if a file has changed since then, the person has not agreed to its new version. */
export type Publication = FilesAlike;

export class Publishing {
  readonly #ask: (ids: readonly number[]) => Promise<boolean>;
  readonly #publish: (one: Publication) => Promise<unknown>;
  #agreed = $state.raw<readonly Publication[]>([]);
  #timer: ReturnType<typeof setInterval> | undefined;

  secondsLeft = $state(0);
  /** The number of files that become public when the seconds are over, and the first of them. */
  readonly count: number = $derived(this.#agreed.reduce((sum, { ids }) => sum + ids.length, 0));
  readonly uploads: readonly UploadView[] = $derived(this.#agreed.flatMap(({ uploads }) => uploads));

  /** `ask` returns false when the person keeps them private. */
  constructor(
    ask: (ids: readonly number[]) => Promise<boolean>,
    publish: (one: Publication) => Promise<unknown>,
  ) {
    this.#ask = ask;
    this.#publish = publish;
  }

  /** Adding more files restarts the seconds for all of them. */
  async begin(agreed: Publication): Promise<void> {
    if (agreed.ids.length === 0 || !(await this.#ask(agreed.ids))) return;
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
    for (const one of agreed) await this.#publish(one);
  }
}
