// On some days a proxy is in front of the service. It buffers a whole request before it forwards it. In outages of the
// origin it answers by itself, cuts the connection, or times out while the origin continues. At other times the origin
// answers too late, or the proxy sends an upload twice. Its limits are in design/upload-protocol.md.
import type { Dice } from './dice.ts';

/** The outcome of an upload whose last byte has reached the proxy, or of a request without a body. */
export type Met = {
  /** The name under which it is counted. */
  kind: ProxyFault;
  /** 0: no answer; the connection is cut. */
  status: number;
  headers?: Record<string, string>;
  /** The time from the last byte to that answer; Infinity: the client gives up first. */
  afterMs: number;
  /** How long after the last byte the origin stores the file: once, not at all, or twice. */
  storedAfterMs: readonly number[];
};

/** The origin is down: every request meets the same fault. `-stored`: the origin still stores uploads. */
const outages = [
  'outage-502',
  'outage-502-stored',
  'outage-503',
  'outage-503-retry-after',
  'outage-504',
  'outage-504-stored',
  'outage-cut',
  'outage-cut-stored',
  'outage-silent',
] as const;
/** Faults of single uploads. `late-…`: the origin stores it after the proxy or the client has given up. */
const singles = [
  'late-502',
  'late-504',
  'late-cut',
  'late-silent',
  'never-answered',
  'repeated',
  'repeated-400',
  'repeated-429',
  'repeated-500',
  'repeated-502-twice',
] as const;

export type ProxyFault = (typeof outages)[number] | (typeof singles)[number];
export const proxyFaults: readonly ProxyFault[] = [...outages, ...singles];

export type Proxy = {
  /** The number of the present outage, in which no request can succeed; null: none. */
  downNow(): number | null;
  /** The fault that a request without a body meets; null: none. */
  asks(): Met | null;
  /** The fault of an upload that the proxy has received completely; null: none. */
  takes(): Met | null;
  /** The times from now at which its outages begin and end. */
  outagesInMs(): number[];
  /** From now on everything is forwarded and answered. */
  clear(): void;
};

const minuteMs = 60_000;
/** An upload that was under way when the origin went down: the origin may have stored it. */
const edgeMs = 5000;
/** A refusal that takes longer may be a timeout (upload-protocol.md, After the tail). */
const promptMs = 9000;

export const createProxy = (dice: Dice, nowMs: () => number, dayMs: number): Proxy => {
  const startMs = nowMs();
  const isThere = dice.happens(0.5);
  const intensity = isThere ? dice.pick([0, 0.02, 0.1, 0.3]) : 0;
  const spells = Array.from({ length: isThere ? dice.whole(0, 4) : 0 }, () => {
    const fromMs = startMs + dice.chance() * dayMs;
    const longestMs = dice.pick([2, 360]) * minuteMs;
    const toMs = fromMs + dice.spread(minuteMs / 2, longestMs);
    return { fromMs, toMs, kind: dice.pick(outages), isOfAll: dice.happens(0.8) };
  });
  let isClear = false;
  const spellNow = (): number =>
    isClear ? -1 : spells.findIndex(({ fromMs, toMs }) => fromMs <= nowMs() && nowMs() < toMs);

  const promptly = (): number => dice.spread(5, promptMs);
  const inTime = (): number => dice.spread(5000, 60_000);
  const late = (): number => dice.spread(1000, 20 * minuteMs);

  const inOutage = (kind: (typeof outages)[number], isAtItsEdge: boolean): Met => {
    const before = isAtItsEdge && dice.happens(0.5) ? [0] : [];
    switch (kind) {
      case 'outage-502':
        return { kind, status: 502, afterMs: promptly(), storedAfterMs: before };
      // Some proxies answer 502 after a timeout.
      case 'outage-502-stored':
        return { kind, status: 502, afterMs: dice.spread(20_000, 60_000), storedAfterMs: [late()] };
      case 'outage-503':
        return { kind, status: 503, afterMs: promptly(), storedAfterMs: before };
      case 'outage-503-retry-after': {
        const headers = { 'retry-after': dice.pick(['5', '120', '3600']) };
        return { kind, status: 503, headers, afterMs: promptly(), storedAfterMs: before };
      }
      case 'outage-504':
        return { kind, status: 504, afterMs: inTime(), storedAfterMs: before };
      case 'outage-504-stored':
        return { kind, status: 504, afterMs: inTime(), storedAfterMs: [late()] };
      case 'outage-cut':
        return { kind, status: 0, afterMs: inTime(), storedAfterMs: before };
      case 'outage-cut-stored':
        return { kind, status: 0, afterMs: inTime(), storedAfterMs: [late()] };
      case 'outage-silent':
        return { kind, status: 0, afterMs: Infinity, storedAfterMs: before };
    }
  };

  const single = (kind: (typeof singles)[number]): Met => {
    switch (kind) {
      case 'late-502':
        return { kind, status: 502, afterMs: dice.spread(30_000, 120_000), storedAfterMs: [late()] };
      case 'late-504':
        return { kind, status: 504, afterMs: inTime(), storedAfterMs: [late()] };
      case 'late-cut':
        return { kind, status: 0, afterMs: inTime(), storedAfterMs: [late()] };
      case 'late-silent':
        return { kind, status: 0, afterMs: Infinity, storedAfterMs: [late()] };
      case 'never-answered':
        return { kind, status: 0, afterMs: Infinity, storedAfterMs: [] };
      case 'repeated':
        return { kind, status: 200, afterMs: promptly(), storedAfterMs: [0, 0] };
      case 'repeated-400':
        return { kind, status: 400, afterMs: promptly(), storedAfterMs: [0] };
      case 'repeated-429':
        return { kind, status: 429, afterMs: promptly(), storedAfterMs: [0] };
      case 'repeated-500':
        return { kind, status: 500, afterMs: promptly(), storedAfterMs: [0] };
      case 'repeated-502-twice':
        return { kind, status: 502, afterMs: promptly(), storedAfterMs: [0, 0] };
    }
  };

  const meets = (): Met | null => {
    const spell = spells[spellNow()];
    return spell === undefined ? null : inOutage(spell.kind, nowMs() < spell.fromMs + edgeMs);
  };
  return {
    downNow() {
      const index = spellNow();
      return spells[index]?.isOfAll === true ? index : null;
    },
    asks() {
      return spells[spellNow()]?.isOfAll === true ? meets() : null;
    },
    takes() {
      const met = meets();
      if (met !== null || isClear || intensity === 0 || !dice.happens(intensity)) return met;
      return single(dice.pick(singles));
    },
    outagesInMs: () => spells.flatMap(({ fromMs, toMs }) => [fromMs - nowMs(), toMs - nowMs()]),
    clear() {
      isClear = true;
    },
  };
};
