// The gate to the service, a circuit breaker. A refusal that concerns all requests closes it, because of the network,
// the key, the plan or a limit. While it is closed, one probe goes per back-off step, and its success opens the gate.
// The running engine stores the view of its gate in the ledger, so every process shows the same.
import type { Wording } from '../../contract/text/wording.ts';
import type { AppError } from '../../contract/errors.ts';
import type { QueueGate, WaitReason } from '../../contract/model.ts';
import type { Ports } from '../ports/ports.ts';
import type { Core } from '../state/core.ts';
import { planFault } from './forbidden.ts';
import {
  close,
  gateReasonOf,
  gateView,
  isTrouble,
  lifted,
  openGate,
  passage,
  passed,
  probeNow,
  tested,
  type Gate,
  type Passage,
} from './gate-rules.ts';

export type ServiceGate = {
  now(): Gate;
  /** Whether an upload may go: freely, as the one probe, or not before a time. */
  passage(): Passage;
  /** Other requests may go: the gate is open, or a cheap request has succeeded since it closed. */
  mayAsk(): boolean;
  /** Since when (monotonic) the gate is closed; null: it is open. */
  closedSinceMs(): number | null;
  /** How many times in a row the gate was closed for its reason. */
  streak(): number;
  /** The gate to show. If another process runs the engine, as that process stored it last. */
  view(): QueueGate;
  /** The engine starts here: the view that an earlier engine stored no longer holds. */
  begin(): void;
  shut(reason: WaitReason, error: { message: string; remedy: Wording }): void;
  /** A request was refused for a reason that concerns all requests. */
  refused(error: AppError): void;
  /** An upload that began at `begunMs` (monotonic) succeeded. */
  passed(begunMs: number): void;
  /** A cheap request that began at `begunMs` (monotonic) succeeded. */
  tested(begunMs: number): void;
  /** The limit concerned one file only, or may not exist. Any other reason still closes the gate. */
  lift(): void;
  /** The user acted (new key, new address, resume): one probe goes at once. */
  probeNow(): void;
  /** The listener is called after each change. */
  onChange(hear: () => void): void;
};

type GateCore = Pick<Core, 'feed' | 'work'> & { ports: Pick<Ports, 'clock' | 'chance' | 'ledger'> };

type Closed = NonNullable<Gate['closed']>;

/** Whether people see no difference: same reason, same next try, same message. */
const isToldAlike = (now: Closed | null, before: Closed | null): boolean =>
  now === before ||
  (now !== null &&
    before !== null &&
    !isNews(now, before) &&
    now.untilMs === before.untilMs &&
    now.message === before.message);

/** True for another reason. In trouble also true for each new closing. */
const isNews = (now: Closed, before: Closed | null): boolean =>
  now.reason !== before?.reason || (isTrouble(now.reason) && now.sinceMs !== before.sinceMs);

/** `owner`, `isAlive`: see createEngine. */
export const createGate = (
  { ports, feed, work }: GateCore,
  { owner, isAlive }: { owner: string; isAlive: (owner: string) => boolean | null },
): ServiceGate => {
  const { clock, chance, ledger } = ports;
  let gate: Gate = openGate();
  const listeners: (() => void)[] = [];

  const own = (): QueueGate => gateView(gate, clock.monoMs(), clock.wallMs());

  /** The view that the engine of another process stored. It counts only while that process runs. */
  const told = (): QueueGate => {
    const fact = ledger.facts.get('gate')?.value ?? null;
    if (fact === null || isAlive(fact.owner) === false) return { kind: 'open' };
    const { owner: _, ...closed } = fact;
    return { kind: 'closed', ...closed };
  };

  const tell = (shown: QueueGate): void => {
    if (!work.isRunning()) return;
    if (shown.kind === 'open') ledger.facts.remove('gate');
    else {
      const { kind: _, ...closed } = shown;
      ledger.facts.set('gate', { owner, ...closed }, clock.wallMs());
    }
  };

  const set = (next: Gate): void => {
    const before = gate.closed;
    if (next === gate) return;
    gate = next;
    for (const hear of listeners) hear();
    if (isToldAlike(next.closed, before)) return;
    const shown = own();
    ledger.atomically(() => {
      tell(shown);
      if (next.closed !== null && shown.kind === 'closed' && isNews(next.closed, before)) {
        const { kind: _, ...cause } = shown;
        feed.record(null, null, { kind: 'queue-closed', ...cause });
      } else if (next.closed === null && before !== null) {
        feed.record(null, null, { kind: 'queue-opened' });
      }
    });
  };

  const shut: ServiceGate['shut'] = (reason, { message, remedy }) => {
    set(close(gate, { reason, message, remedy }, clock.monoMs(), chance()));
    feed.statusChanged();
  };

  return {
    now: () => gate,
    passage: () => passage(gate, clock.monoMs()),
    mayAsk: () => gate.closed === null || gate.closed.isTested,
    closedSinceMs: () => gate.closed?.sinceMs ?? null,
    streak: () => (gate.closed === null ? 0 : gate.streak + 1),
    view: () => (work.isRunning() ? own() : told()),
    begin: () => ledger.facts.remove('gate'),
    shut,
    refused(error) {
      const fault = planFault(error);
      shut(gateReasonOf(fault), fault);
    },
    passed: (begunMs) => set(passed(gate, begunMs)),
    tested: (begunMs) => set(tested(gate, begunMs)),
    lift: () => set(lifted(gate)),
    probeNow: () => set(probeNow(gate, clock.monoMs())),
    onChange: (hear) => void listeners.push(hear),
  };
};
