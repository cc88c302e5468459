// The present moment as a value to derive from. A clock ticks only while a part on screen reads it, and not while the
// window is hidden: an idle window does no work.
import { createSubscriber } from 'svelte/reactivity';

const createClock = (everyMs: number): (() => number) => {
  const subscribe = createSubscriber((update) => {
    const timer = setInterval(() => {
      if (!document.hidden) update();
    }, everyMs);
    document.addEventListener('visibilitychange', update);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', update);
    };
  });
  return () => {
    subscribe();
    return Date.now();
  };
};

/** For "12 min ago" and "as of 14:02". */
export const minuteClock = createClock(30_000);
/** For countdowns; read it only while something counts down. */
export const secondClock = createClock(1_000);
