// The script of faults: what goes wrong, with which request, how often. Plain data, so that it can be sent by HTTP as
// well. It only chooses the faults; `exchange.ts` executes them.
import { basePath } from './base-path.ts';
import { createChance } from './chance.ts';
import type { JsonObject } from './answers.ts';
import type { RequestRecord } from './request-log.ts';

/** How far a request gets: nothing of the body read · within it · all read, nothing done · done, not answered. */
export type Stage = 'headers' | 'body' | 'read' | 'done';

export type Fault =
  | { kind: 'reset'; at: Stage; afterBytes?: number }
  /** Stops reading and never answers, until the client leaves. */
  | { kind: 'stall'; at: Stage; afterBytes?: number }
  | {
      kind: 'answer';
      at?: Exclude<Stage, 'body'>;
      status: number;
      headers?: Record<string, string>;
      body?: JsonObject | string;
    }
  | { kind: 'redirect'; at?: Exclude<Stage, 'body'>; status?: number; location: string }
  // These change the real answer, after the work was done.
  | { kind: 'truncate'; atByte: number }
  | { kind: 'malformed' }
  | { kind: 'wrong-types' }
  | { kind: 'huge'; bytes: number }
  | { kind: 'success-false' }
  | { kind: 'foreign-id'; fileId?: number }
  | { kind: 'patch'; fields: JsonObject }
  // These only change the manner and go together with one of the others.
  /** At `read` the work itself is slow, and goes on when the client has left: a proxy may have given up by then. */
  | { kind: 'delay'; ms: number; at?: Exclude<Stage, 'body'> }
  | { kind: 'drip-read'; bytesPerSecond: number };

export type FaultMatch = {
  method?: string;
  /** The path below the base address (`/files/upload`) or the whole one (`/download/…`); `*` at its end: any rest. */
  path?: string;
  filename?: string;
  /** Only the n-th request that matches the other fields, from 1. */
  nth?: number;
};

export type FaultRule = {
  match?: FaultMatch;
  /** In the same process only: any other condition. */
  when?: (record: RequestRecord) => boolean;
  /** How often; default once, or without end when there is a `chance`. `null` is without end. */
  times?: number | null;
  chance?: number;
  fault: Fault;
};

export type Faults = {
  add(...rules: FaultRule[]): void;
  clear(): void;
  /** Called at the headers (`filename: null`), then when the file's name is known; takes only rules for that moment. */
  take(record: RequestRecord, filename: string | null, hasOutcome: boolean): Fault[];
};

const manners: readonly Fault['kind'][] = ['delay', 'drip-read'];

/** A request has at most one outcome; manners may be combined with it and with each other. */
export function isManner(fault: Fault): boolean {
  return manners.includes(fault.kind);
}

export function createFaults(seed: number): Faults {
  const chance = createChance(seed);
  let script: { rule: FaultRule; left: number; seen: number }[] = [];
  const isTurn = (entry: (typeof script)[number]) => {
    entry.seen += 1;
    const nth = entry.rule.match?.nth;
    return nth === undefined || nth === entry.seen;
  };
  const isChosen = ({ chance: share }: FaultRule) => share === undefined || chance() < share;
  const spend = (entry: (typeof script)[number]) => {
    entry.left -= 1;
    if (entry.left <= 0) script = script.filter((each) => each !== entry);
  };

  return {
    add: (...rules) => {
      for (const rule of rules) {
        const times = rule.times === undefined ? (rule.chance === undefined ? 1 : null) : rule.times;
        script.push({ rule, left: times ?? Infinity, seen: 0 });
      }
    },
    clear: () => {
      script = [];
    },
    take: (record, filename, hasOutcome) => {
      const taken: Fault[] = [];
      let full = hasOutcome;
      for (const entry of [...script]) {
        const { rule } = entry;
        const { fault } = rule;
        if (!fits(rule, record, filename) || !isTurn(entry)) continue;
        if ((full && !isManner(fault)) || !isChosen(rule)) continue;
        spend(entry);
        taken.push(fault);
        full ||= !isManner(fault);
      }
      return taken;
    },
  };
}

function fits({ match = {}, when }: FaultRule, record: RequestRecord, filename: string | null): boolean {
  if (match.method !== undefined && match.method !== record.method) return false;
  if (match.path !== undefined && !pathFits(match.path, record.path)) return false;
  return (match.filename ?? null) === filename && (when === undefined || when(record));
}

function pathFits(wanted: string, path: string): boolean {
  const below = path.startsWith(basePath) ? path.slice(basePath.length) : path;
  if (!wanted.endsWith('*')) return wanted === path || wanted === below;
  const start = wanted.slice(0, -1);
  return path.startsWith(start) || below.startsWith(start);
}
