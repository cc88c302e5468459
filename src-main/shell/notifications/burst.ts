// Bundles what happens in quick succession, so that a drop of twelve files is one notification and one copy. A burst
// ends when the queue has been quiet for a while; a longer one is reported in part once early and then rarely.

export type After = (delayMs: number, act: () => void) => () => void;

/** How long a burst may last before its first partial report, and the interval of the later ones. */
export type BurstLimits = { firstMs: number; laterMs: number };

/** Longer than the interval of requests within a burst (1.25 s), so that its uploads count as one. */
const quietMs = 2_000;

export type Burst<Thing> = {
  add(things: readonly Thing[]): void;
  /** Ends the burst and reports what it has, if anything. */
  flush(): void;
  stop(): void;
};

/** `goesOn`: more of the same is about to come. `tell` gets everything since its last call. */
export const createBurst = <Thing>(options: {
  after: After;
  goesOn: () => boolean;
  /** null: reported only when it has ended. */
  limits: BurstLimits | null;
  /** While true, no partial report is made, however long the burst lasts. */
  isOne?: () => boolean;
  tell: (things: Thing[]) => void;
}): Burst<Thing> => {
  const { after, limits } = options;
  let things: Thing[] = [];
  let toldOnce = false;
  let disarmQuiet: (() => void) | null = null;
  let disarmLimit: (() => void) | null = null;

  const tell = (): void => {
    disarmLimit?.();
    disarmLimit = null;
    const collected = things;
    things = [];
    if (collected.length > 0) options.tell(collected);
  };

  const end = (): void => {
    disarmQuiet?.();
    disarmQuiet = null;
    toldOnce = false;
    tell();
  };

  const armLimit = (): void => {
    if (limits === null) return;
    disarmLimit ??= after(toldOnce ? limits.laterMs : limits.firstMs, () => {
      disarmLimit = null;
      if (options.isOne?.() === true) {
        armLimit();
        return;
      }
      toldOnce = true;
      tell();
    });
  };

  const armQuiet = (): void => {
    disarmQuiet?.();
    disarmQuiet = after(quietMs, () => {
      if (options.goesOn()) armQuiet();
      else end();
    });
  };

  return {
    add(more) {
      if (more.length === 0) return;
      things.push(...more);
      armQuiet();
      armLimit();
    },
    flush: end,
    stop() {
      disarmQuiet?.();
      disarmLimit?.();
      things = [];
    },
  };
};
