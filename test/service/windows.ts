// The ways a service may count requests in a window (section 8 of service.md names the limits, not the model). Checking
// for room, counting and refusing are separate, so that it can be decided later what counts.

export const windowModels = [
  'fixed',
  'sliding',
  'sliding-with-rejects',
  'bucket',
  'bucket10',
  'two-bucket',
] as const;
export type WindowModel = (typeof windowModels)[number];

export type RateWindow = {
  hasRoom(atMs: number): boolean;
  count(atMs: number): void;
  /** A refused request; only `sliding-with-rejects` counts it. */
  refuse(atMs: number): void;
  /** How many requests the model holds against the client now. */
  level(atMs: number): number;
  /** How long until one more request would find room. */
  waitMs(atMs: number): number;
};

export type WindowOptions = { model: WindowModel; limit: number | null; widthMs: number; phaseMs: number };

export function createWindow({ model, limit, widthMs, phaseMs }: WindowOptions): RateWindow {
  const most = limit ?? Infinity;
  switch (model) {
    case 'fixed':
      return fixed(most, widthMs, phaseMs);
    case 'sliding':
      return sliding(most, widthMs, false);
    case 'sliding-with-rejects':
      return sliding(most, widthMs, true);
    case 'bucket':
      return bucket(most, widthMs, most);
    case 'bucket10':
      return bucket(most, widthMs, Math.min(10, most));
    case 'two-bucket':
      return twoBucket(most, widthMs, phaseMs);
  }
}

function fixed(limit: number, widthMs: number, phaseMs: number): RateWindow {
  let index = NaN;
  let used = 0;
  const turn = (atMs: number) => {
    const now = Math.floor((atMs + phaseMs) / widthMs);
    if (now === index) return;
    index = now;
    used = 0;
  };
  return {
    hasRoom: (atMs) => (turn(atMs), used < limit),
    count: (atMs) => {
      turn(atMs);
      used += 1;
    },
    refuse: () => {},
    level: (atMs) => (turn(atMs), used),
    waitMs: (atMs) => (turn(atMs), used < limit ? 0 : (index + 1) * widthMs - phaseMs - atMs),
  };
}

function sliding(limit: number, widthMs: number, countsRefused: boolean): RateWindow {
  let stamps: number[] = [];
  let head = 0;
  const forget = (atMs: number) => {
    while (head < stamps.length && (stamps[head] ?? 0) <= atMs - widthMs) head += 1;
    if (head > 4096 && head * 2 > stamps.length) {
      stamps = stamps.slice(head);
      head = 0;
    }
  };
  const level = (atMs: number) => {
    forget(atMs);
    return stamps.length - head;
  };
  return {
    hasRoom: (atMs) => level(atMs) < limit,
    count: (atMs) => void stamps.push(atMs),
    refuse: (atMs) => {
      if (countsRefused) stamps.push(atMs);
    },
    level,
    waitMs: (atMs) => {
      if (level(atMs) < limit) return 0;
      return (stamps[stamps.length - limit] ?? atMs) + widthMs - atMs;
    },
  };
}

function bucket(limit: number, widthMs: number, size: number): RateWindow {
  let left = size;
  let lastMs: number | null = null;
  const tokens = (atMs: number) => {
    if (size === Infinity) return Infinity;
    return lastMs === null ? left : Math.min(size, left + (Math.max(0, atMs - lastMs) * limit) / widthMs);
  };
  // A tiny tolerance: refills are fractions and may add up to 0.9999….
  const enough = 1 - 1e-9;
  return {
    hasRoom: (atMs) => tokens(atMs) >= enough,
    count: (atMs) => {
      left = tokens(atMs) - 1;
      lastMs = atMs;
    },
    refuse: () => {},
    level: (atMs) => (size === Infinity ? 0 : Math.ceil(size - tokens(atMs))),
    waitMs: (atMs) => (tokens(atMs) >= enough ? 0 : ((1 - tokens(atMs)) * widthMs) / limit),
  };
}

/** The last fixed window counts by the share of it that still lies inside the sliding one. */
function twoBucket(limit: number, widthMs: number, phaseMs: number): RateWindow {
  let index = NaN;
  let used = 0;
  let before = 0;
  const estimate = (atMs: number) => {
    const place = (atMs + phaseMs) / widthMs;
    const now = Math.floor(place);
    if (now !== index) {
      before = now === index + 1 ? used : 0;
      used = 0;
      index = now;
    }
    return before * (1 - (place - now)) + used;
  };
  const hasRoom = (atMs: number) => estimate(atMs) + 1 <= limit + 1e-9;
  return {
    hasRoom,
    count: (atMs) => {
      estimate(atMs);
      used += 1;
    },
    refuse: () => {},
    level: (atMs) => Math.ceil(estimate(atMs) - 1e-9),
    waitMs: (atMs) => {
      if (hasRoom(atMs)) return 0;
      if (used + 1 <= limit) return ((estimate(atMs) + 1 - limit) / before) * widthMs;
      // This window is full: the next one has room when enough of it has passed.
      const nextBorderMs = (index + 1) * widthMs - phaseMs - atMs;
      return nextBorderMs + Math.max(0, 1 - (limit - 1) / used) * widthMs;
    },
  };
}
