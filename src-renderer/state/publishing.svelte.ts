// Files that a person makes public although a rule or a person kept them back. They are named first, and then there are ten
// seconds in which it can be undone. The engine hears of it when they are over, so a window that closes publishes nothing.
import type { SkipRule, UploadView } from '../../src-main/contract/model.ts';

export const UNDO_SECONDS = 10;

/** `asOfMs`: a file that has changed since then is another one than the person was asked about. */
export type Publication = { uploads: readonly UploadView[]; asOfMs: number };

/** These are left out because there is nothing to share, or all of it is shared: no one meant to keep them private. */
const harmless: ReadonlySet<SkipRule> = new Set(['empty', 'already-shared', 'online-only', 'existing']);

/** Whether a skipped file is named once more before it becomes public. */
export const isKeptBack = ({ state }: Pick<UploadView, 'state'>): boolean =>
  state.kind === 'skipped' && !harmless.has(state.rule);

export class Publishing {
  readonly #publish: (one: Publication) => Promise<unknown>;
  #agreed = $state.raw<readonly Publication[]>([]);
  #timer: ReturnType<typeof setInterval> | undefined;

  /** What the person is asked about. */
  question = $state.raw<Publication | null>(null);
  secondsLeft = $state(0);
  /** What becomes public when the seconds are over. */
  readonly uploads: readonly UploadView[] = $derived(this.#agreed.flatMap(({ uploads }) => uploads));

  constructor(publish: (one: Publication) => Promise<unknown>) {
    this.#publish = publish;
  }

  ask(question: Publication): void {
    this.question = question;
  }

  /** `agreed` null: the person keeps them private. More files begin the seconds again, for all of them. */
  answer(agreed: Publication | null): void {
    this.question = null;
    if (agreed === null || agreed.uploads.length === 0) return;
    this.keep(agreed.uploads.map(({ id }) => id));
    this.#agreed = [...this.#agreed, agreed];
    this.secondsLeft = UNDO_SECONDS;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      this.secondsLeft -= 1;
      if (this.secondsLeft === 0) void this.#go();
    }, 1_000);
  }

  /** Of what waits, these stay private. */
  keep(ids: readonly number[]): void {
    this.#agreed = this.#agreed
      .map((one) => ({ ...one, uploads: one.uploads.filter(({ id }) => !ids.includes(id)) }))
      .filter(({ uploads }) => uploads.length > 0);
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
