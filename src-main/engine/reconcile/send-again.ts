// When an upload that the service does not have is sent again (design/upload-protocol.md). Pure.

/** The service clearly refused this request. It is useless to send it again. */
export const isFinalRefusal = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && ![408, 417, 421, 425, 429].includes(status);

const minuteMs = 60_000;
const mostTries = 4;
/** From the end of one attempt to the next. The waits are shorter if `reconcileAfterMs` is less than 15 min. */
const againAfterMinutes = [1, 5, 30, 120];

export type Again = { kind: 'now' } | { kind: 'wait'; waitMs: number } | { kind: 'hold' };

/**
 * When a file that the service does not have is sent again. `tries`: attempts of the last day that ended without a
 * usable answer. `sinceLastMs`: the time since the last of them ended. `isBusy`: the service was busy then, so no
 * person is asked.
 */
export const againAfter = (
  tries: number,
  { sinceLastMs, isBusy }: { sinceLastMs: number; isBusy: boolean },
  reconcileAfterMs: number,
): Again => {
  if (tries >= mostTries && !isBusy) return { kind: 'hold' };
  const unitMs = Math.min(minuteMs, reconcileAfterMs / 15);
  const step = Math.min(Math.max(1, tries), againAfterMinutes.length) - 1;
  const waitMs = (againAfterMinutes[step] ?? 0) * unitMs - sinceLastMs;
  return waitMs > 0 ? { kind: 'wait', waitMs } : { kind: 'now' };
};
