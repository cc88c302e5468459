// The requests that an outage may cost (I17). From the first failed request until its end no other request can succeed.
// So each request is one too many unless its step of the back-off is due. The back-off restarts when a person acts, an
// engine starts, the machine wakes, or the service itself answers.
import type { Story } from './story.ts';

export type Waste = {
  /** A request begins. `outage`: the one that lasts now; null: none. */
  begins(outage: number | null): void;
  /** A request has failed because of that outage. */
  failed(outage: number | null): void;
  /** One try is allowed at once, and the back-off begins again. */
  restarts(): void;
};

const hourMs = 3_600_000;
const mostAnHour = 30;
/** As in design/upload-protocol.md. Jitter shortens each step by up to a quarter. */
const stepSeconds = [2, 4, 8, 16, 30, 30, 30, 60, 120, 240];
const lastStepSeconds = 300;
const leastOfStep = 0.75;
/** Tries that are due, or follow from requests under way, when the outage is noticed or the back-off restarts. */
const duringNotice = 2;
/** The maximum of the setting `concurrentUploads`. */
const mostTogether = 6;

export const createWaste = (nowMs: () => number, story: Story): Waste => {
  let now: number | null = null;
  let failedAtMs: number | null = null;
  let tries: number[] = [];
  let underWay = 0;
  let steps = 0;
  let budgetMs = 0;

  const forget = (outage: number | null): void => {
    now = outage;
    failedAtMs = null;
    tries = [];
    underWay = 0;
    steps = 0;
    budgetMs = 0;
  };

  return {
    begins(outage) {
      if (outage !== now) forget(outage);
      if (failedAtMs === null) return;
      tries.push(nowMs());
      const lastHour = tries.filter((atMs) => atMs > nowMs() - hourMs).length;
      story.bounded('requests in an hour of an outage', lastHour, Infinity);
      if (lastHour > mostAnHour)
        story.violated('I17', `${lastHour} requests in an hour of an outage; ${mostAnHour} are allowed`);
      // Uploads that begin together are one try: none of them can know of the outage.
      underWay += 1;
      if (underWay > 1 && underWay <= mostTogether) return;
      steps += 1;
      const step = steps - duringNotice;
      if (step <= 0) return;
      budgetMs += 1000 * (stepSeconds[step - 1] ?? lastStepSeconds) * leastOfStep;
      const agoMs = nowMs() - failedAtMs;
      if (agoMs < budgetMs) {
        story.violated(
          'I17',
          `try ${steps} comes ${(agoMs / 1000).toFixed(1)} s after an outage was noticed; ${(budgetMs / 1000).toFixed(1)} s have to pass`,
        );
      }
    },
    failed(outage) {
      if (outage === null || outage !== now) return;
      failedAtMs ??= nowMs();
      underWay = Math.max(0, underWay - 1);
    },
    restarts() {
      forget(now);
    },
  };
};
