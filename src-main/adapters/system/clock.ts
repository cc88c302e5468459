// Time from the system. On Linux a monotonic clock and its timers stand still while the machine sleeps; those of the
// port do not. The uptime counts sleep on every platform, so the difference between the two is the time slept. It is
// measured when the shell reports a resume and at the latest every quarter of an hour of a long wait.
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Clock } from '../../engine/ports/ports.ts';

/** Also keeps every delay far below 2^31 ms, where setTimeout would fire at once. Price: four wake-ups an hour. */
const maxNapMs = 15 * 60_000;
/** A smaller difference comes from the 10 ms grain of the uptime and small corrections of the clock. */
const minSleepMs = 1000;

export type SystemClock = Clock & {
  /** Call when the machine woke up: timers that came due during the sleep fire now. */
  resumed(): void;
};

type Timer = { dueMs: number; act: () => void; nap: NodeJS.Timeout | null };

/** `awakeMs` stops during sleep, `uptimeMs` does not; both only grow. Tests have clocks of their own. */
export const createClock = ({
  wallMs = Date.now,
  awakeMs = () => performance.now(),
  uptimeMs = () => uptime() * 1000,
  bootId = readBootId(),
  rate = 1,
}: {
  wallMs?: () => number;
  awakeMs?: () => number;
  uptimeMs?: () => number;
  bootId?: string | null;
  /** How many milliseconds of the given clocks pass in one millisecond of the system's timers. */
  rate?: number;
} = {}): SystemClock => {
  const timers = new Set<Timer>();
  let sleptMs = 0;
  let lagMs = uptimeMs() - awakeMs();

  const monoMs = () => awakeMs() + sleptMs;

  const measureSleep = () => {
    const nowLagMs = uptimeMs() - awakeMs();
    if (nowLagMs - lagMs >= minSleepMs) {
      sleptMs += nowLagMs - lagMs;
      lagMs = nowLagMs;
    }
  };

  const arm = (timer: Timer) => {
    // Rounded up, because setTimeout drops fractions and an early call would only be armed again.
    const leftMs = Math.ceil(Math.max(0, timer.dueMs - monoMs()));
    timer.nap = setTimeout(
      () => {
        timer.nap = null;
        measureSleep();
        if (timer.dueMs > monoMs()) return arm(timer);
        timers.delete(timer);
        timer.act();
      },
      Math.min(Math.ceil(leftMs / rate), maxNapMs),
    );
  };

  const disarm = (timer: Timer) => {
    if (timer.nap !== null) clearTimeout(timer.nap);
    timer.nap = null;
  };

  return {
    wallMs: () => wallMs(),
    monoMs,
    sinceBoot: () => (bootId === null ? null : { id: bootId, ms: uptimeMs() }),
    after(delayMs, act) {
      if (delayMs <= 0) {
        // setTimeout turns 0 ms into 1 ms; setImmediate calls as soon as the events that are already here are handled.
        const soon = setImmediate(act);
        return () => clearImmediate(soon);
      }
      const timer: Timer = { dueMs: monoMs() + Math.max(0, delayMs), act, nap: null };
      timers.add(timer);
      arm(timer);
      return () => {
        disarm(timer);
        timers.delete(timer);
      };
    },
    resumed() {
      measureSleep();
      for (const timer of timers) {
        disarm(timer);
        arm(timer);
      }
    },
  };
};

/** Linux has an id for each boot. */
const readBootId = (): string | null => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() || null;
  } catch {
    return null;
  }
};
