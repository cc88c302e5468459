// The gate to the service, a circuit breaker for two scopes: all requests (network, key, plan, address) and uploads only
// (limits, a block). While it is closed, one probe goes per back-off step, and its success opens the gate. The running
// engine stores both in the ledger: every process shows the same, and the next one obeys what this one has learned.
import type { Wording } from '../../contract/text/wording.ts';
import type { AppError } from '../../contract/errors.ts';
import type { StoredClosing } from '../../contract/facts.ts';
import type { QueueGate, WaitReason } from '../../contract/model.ts';
import type { Ports } from '../ports/ports.ts';
import type { Core } from '../state/core.ts';
import { planFault } from './forbidden.ts';
import {
  close,
  gateReasonOf,
  closedView,
  isTrouble,
  knownGate,
  passage,
  passed,
  probeNow,
  restored,
  scopeOf,
  tested,
  type Closed,
  type Gate,
  type Passage,
  type Scope,
} from './gate-rules.ts';

export type ServiceGate = {
  /** What closes uploads now: the reason for all requests, else the one for uploads. */
  now(): Gate;
  /** Whether an upload may go: freely, as the one probe, or not before a time. */
  passage(): Passage;
  /** All requests wait for a probe that is due, and uploads wait for longer: a request for the statistics is the probe. */
  isProbedAlone(): boolean;
  /** Requests other than uploads may go: nothing closes them, or a cheap request has succeeded since. */
  mayAsk(): boolean;
  /** Since when (monotonic) the gate is closed; null: it is open. */
  closedSinceMs(): number | null;
  /** How many times in a row the gate was closed for its reason. */
  streak(): number;
  /** The gate to show. If another process runs the engine, as that process stored it last. */
  view(): QueueGate;
  /** The engine starts here, with what an earlier one has learned. */
  begin(): void;
  /** `isAsked`: the request left although the gate was closed, so the wait begins anew. */
  shut(reason: WaitReason, error: { message: string; remedy: Wording }, isAsked?: boolean): void;
  /** A request was refused for a reason that concerns all requests. */
  refused(error: AppError): void;
  /** An upload that began at `begunMs` (monotonic) succeeded. */
  passed(begunMs: number): void;
  /** A cheap request that began at `begunMs` (monotonic) succeeded. `isEnough`: this shows that all requests may go. */
  tested(begunMs: number, isEnough: boolean): void;
  /** The reason of a 403 was asked for. `begunMs` (monotonic): when the statistics that answer began; null: none came. */
  known(begunMs: number | null): void;
  /** The limit concerned one file only, or may not exist. */
  lift(): void;
  /** The user acted (new key, new address, resume): one probe goes at once, also if no engine runs yet. */
  probeNow(): void;
  /** The listener is called after each change. */
  onChange(hear: () => void): void;
};

type GateCore = Pick<Core, 'feed' | 'work'> & { ports: Pick<Ports, 'clock' | 'chance' | 'ledger'> };

type Gates = Record<Scope, Gate>;

const scopes = ['all', 'uploads'] as const satisfies readonly Scope[];
const factOf = { all: 'closed-all', uploads: 'closed-uploads' } as const;

/** Whether people see no difference: same reason, same next try, same message. */
const isToldAlike = (now: Gate, before: Gate): boolean =>
  now === before ||
  (now !== null &&
    before !== null &&
    !isNews(now, before) &&
    now.untilMs === before.untilMs &&
    now.message === before.message);

/** True for another reason. In trouble also true for each new closing. */
const isNews = (now: Closed, before: Gate): boolean =>
  now.reason !== before?.reason || (isTrouble(now.reason) && now.sinceMs !== before.sinceMs);

/** The one that people see, and that says whether an upload may go. */
const strongest = ({ all, uploads }: Gates): Gate => all ?? uploads;

/** `owner`, `isAlive`: see createEngine. */
export const createGate = (
  { ports, feed, work }: GateCore,
  { owner, isAlive }: { owner: string; isAlive: (owner: string) => boolean | null },
): ServiceGate => {
  const { clock, chance, ledger } = ports;
  let gates: Gates = { all: null, uploads: null };
  const listeners: (() => void)[] = [];

  /** What another process stored. What closes all requests counts only while that process runs. */
  const stored = (scope: Scope): StoredClosing | null => {
    const fact = ledger.facts.get(factOf[scope])?.value ?? null;
    if (fact === null || isAlive(fact.owner) !== false) return fact;
    return scope === 'uploads' && (fact.untilMs ?? 0) > clock.wallMs() ? fact : null;
  };

  const view = (): QueueGate => {
    const closed = strongest(gates);
    if (work.isRunning())
      return closed === null ? { kind: 'open' } : closedView(closed, clock.monoMs(), clock.wallMs());
    const fact = stored('all') ?? stored('uploads');
    if (fact === null) return { kind: 'open' };
    const { reason, untilMs, message, remedy } = fact;
    return { kind: 'closed', reason, untilMs, message, remedy };
  };

  const store = (scope: Scope): void => {
    const closed = gates[scope];
    if (closed === null) ledger.facts.remove(factOf[scope]);
    else {
      const { kind: _, ...shown } = closedView(closed, clock.monoMs(), clock.wallMs());
      ledger.facts.set(factOf[scope], { owner, streak: closed.streak, ...shown }, clock.wallMs());
    }
  };

  const set = (next: Gates): void => {
    const before = gates;
    const changed = scopes.filter((scope) => next[scope] !== before[scope]);
    if (changed.length === 0) return;
    gates = next;
    for (const hear of listeners) hear();
    const [now, then] = [strongest(next), strongest(before)];
    const isSame = changed.every((scope) => isToldAlike(next[scope], before[scope]));
    if (isSame) return;
    ledger.atomically(() => {
      if (work.isRunning()) for (const scope of changed) store(scope);
      if (isToldAlike(now, then)) return;
      if (now !== null && isNews(now, then)) {
        const { kind: _, ...cause } = closedView(now, clock.monoMs(), clock.wallMs());
        feed.record(null, null, { kind: 'queue-closed', ...cause });
      } else if (now === null) feed.record(null, null, { kind: 'queue-opened' });
    });
  };
  const setBoth = (change: (gate: Gate) => Gate): void =>
    set({ all: change(gates.all), uploads: change(gates.uploads) });

  const shut: ServiceGate['shut'] = (reason, { message, remedy }, isAsked) => {
    const scope = scopeOf(reason);
    const closed = close(gates[scope], { reason, message, remedy }, clock.monoMs(), chance(), isAsked);
    // Who refuses uploads answers: the trouble is over.
    const isOver = scope === 'uploads' && isTrouble(gates.all?.reason ?? null);
    set({ ...gates, ...(isOver ? { all: null } : {}), [scope]: closed });
    feed.statusChanged();
  };

  return {
    now: () => strongest(gates),
    passage() {
      const [all, uploads] = scopes.map((scope) => passage(gates[scope], clock.monoMs()));
      if (all?.kind === 'probe' && uploads?.kind === 'closed') return uploads;
      return (all?.kind === 'open' ? uploads : all) ?? { kind: 'open' };
    },
    isProbedAlone: () =>
      passage(gates.all, clock.monoMs()).kind === 'probe' &&
      passage(gates.uploads, clock.monoMs()).kind === 'closed',
    mayAsk() {
      if (!work.isRunning()) return stored('all') === null;
      return gates.uploads?.isKnown !== false && gates.all?.isTested !== false;
    },
    closedSinceMs: () => strongest(gates)?.sinceMs ?? null,
    streak: () => (strongest(gates)?.streak ?? -1) + 1,
    view,
    begin() {
      for (const scope of scopes) {
        const fact = ledger.facts.get(factOf[scope])?.value ?? null;
        if (fact === null) continue;
        gates = { ...gates, [scope]: restored(fact, clock.monoMs(), clock.wallMs()) };
        store(scope);
      }
    },
    shut,
    refused(error) {
      const fault = planFault(error);
      shut(gateReasonOf(fault), fault);
    },
    passed: (begunMs) => setBoth((gate) => passed(gate, begunMs)),
    tested(begunMs, isEnough) {
      const all = isEnough ? passed(gates.all, begunMs) : tested(gates.all, begunMs);
      set({ all, uploads: tested(gates.uploads, begunMs) });
    },
    known: (begunMs) =>
      set({
        all: begunMs === null ? gates.all : passed(gates.all, begunMs),
        uploads: knownGate(gates.uploads),
      }),
    lift: () => set({ ...gates, uploads: null }),
    probeNow() {
      setBoth((gate) => probeNow(gate, clock.monoMs()));
      if (work.isRunning()) return;
      for (const scope of scopes) {
        const fact = ledger.facts.get(factOf[scope])?.value ?? null;
        if (fact !== null && isAlive(fact.owner) === false)
          ledger.facts.set(factOf[scope], { ...fact, untilMs: clock.wallMs() }, clock.wallMs());
      }
    },
    onChange: (hear) => void listeners.push(hear),
  };
};
