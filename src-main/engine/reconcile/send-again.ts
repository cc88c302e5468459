// When an upload goes again that the service turned out not to have (design/decisions/after-the-tail.md). Pure.

/** The service does not want this request, and said so; it is of no use to send it again. */
export const isFinalRefusal = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && ![408, 417, 421, 425, 429].includes(status);

const minuteMs = 60_000;
const mostTries = 4;
/** From the end of one attempt to the next; shorter where even lists are waited for less than usual. */
const againAfterMinutes = [1, 5, 30, 120];

export type Again = { kind: 'now' } | { kind: 'wait'; waitMs: number } | { kind: 'hold' };

/**
 * When a file goes up again that the service turned out not to have. `tries`: attempts of the last day that ended
 * without a usable answer; `sinceLastMs`: since the last of them ended.
 */
export const againAfter = (tries: number, sinceLastMs: number, reconcileAfterMs: number): Again => {
  if (tries >= mostTries) return { kind: 'hold' };
  const unitMs = Math.min(minuteMs, reconcileAfterMs / 15);
  const waitMs = (againAfterMinutes[Math.max(0, tries - 1)] ?? 0) * unitMs - sinceLastMs;
  return waitMs > 0 ? { kind: 'wait', waitMs } : { kind: 'now' };
};
