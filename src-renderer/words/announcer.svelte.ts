// What the window announces to screen readers, in its one live region. The result of a user's action comes at once.
// News waits until ten seconds after the last sentence; each topic contributes its newest sentence.
import { untrack } from 'svelte';

const REPORT_MS = 10_000;
/** Reports that belong together arrive within this time. */
const SETTLE_MS = 500;

export type Topic = 'given' | 'recall' | 'standstill';

export class Announcer {
  spoken = $state('');
  #saidMs = -REPORT_MS;
  #reports: readonly { topic: Topic; text: string }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  answer(text: string): void {
    this.#saidMs = performance.now();
    // Screen readers repeat the same sentence only if the text changes. `untrack`: callers must not depend on it.
    const before = untrack(() => this.spoken);
    this.spoken = before === text ? `${text}\u00a0` : text;
  }

  /** What was announced holds no longer. A sentence that is new is still read. */
  forget(): void {
    const { spoken } = this;
    const leftMs = Math.max(0, this.#saidMs + SETTLE_MS - performance.now());
    setTimeout(() => {
      if (this.spoken === spoken) this.spoken = '';
    }, leftMs);
  }

  report(topic: Topic, text: string): void {
    this.#reports = [...this.#reports.filter((one) => one.topic !== topic), { topic, text }];
    if (this.#timer === undefined) this.#wait(SETTLE_MS);
  }

  /** Whether news of this topic waits for its turn. */
  waits(topic: Topic): boolean {
    return this.#reports.some((one) => one.topic === topic);
  }

  #wait(leastMs: number): void {
    const leftMs = (): number => Math.ceil(this.#saidMs + REPORT_MS - performance.now());
    const speak = (): void => {
      // Another sentence may have been announced meanwhile.
      if (leftMs() > 0) {
        this.#wait(0);
        return;
      }
      this.#timer = undefined;
      this.answer(this.#reports.map(({ text }) => text).join(' · '));
      this.#reports = [];
    };
    this.#timer = setTimeout(speak, Math.max(leastMs, leftMs()));
  }
}
