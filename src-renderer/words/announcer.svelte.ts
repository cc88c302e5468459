// What screen readers hear of the window, in its one live region. What the user did is answered at once. News waits until
// ten seconds after the last sentence; of one topic the newest is said, of several each.
import { untrack } from 'svelte';

const REPORT_MS = 10_000;
/** What belongs together comes within this time. */
const SETTLE_MS = 500;

export type Topic = 'given' | 'recall' | 'standstill';

export class Announcer {
  spoken = $state('');
  #saidMs = -REPORT_MS;
  #reports: readonly { topic: Topic; text: string }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  answer(text: string): void {
    this.#saidMs = performance.now();
    // The same sentence twice is said twice only when the text changes in between. Who says it does not depend on it.
    const before = untrack(() => this.spoken);
    this.spoken = before === text ? `${text}\u00a0` : text;
  }

  report(topic: Topic, text: string): void {
    this.#reports = [...this.#reports.filter((one) => one.topic !== topic), { topic, text }];
    if (this.#timer === undefined) this.#wait(SETTLE_MS);
  }

  #wait(leastMs: number): void {
    const leftMs = (): number => Math.ceil(this.#saidMs + REPORT_MS - performance.now());
    const speak = (): void => {
      // Something may have been answered meanwhile.
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
