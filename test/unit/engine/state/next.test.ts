// The table of states and events, and how `next` changes a row.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdRows, skipRows } from '../../../../src-main/contract/catalogue/reasons.ts';
import { namesWith } from '../../../../src-main/contract/catalogue/rows-with.ts';
import { isUnwanted, mayGoUp, statesWith, type UploadState } from '../../../../src-main/contract/model.ts';
import { isHeldUncertain } from '../../../../src-main/engine/shared/same-content.ts';
import type { EventKind, UploadEvent } from '../../../../src-main/engine/state/events.ts';
import { next } from '../../../../src-main/engine/state/next.ts';
import { table } from '../../../../src-main/engine/state/table.ts';
import { isByAPerson } from '../../../../src-main/engine/state/unwanted.ts';
import { events, row, stamp, states } from '../../../support/row-events.ts';

const stateKinds = statesWith({});
const eventKinds = Object.keys(table) as EventKind[];

describe.each(eventKinds)('event %s', (event) => {
  test.each(stateKinds)('on a row that is %s does what the table says', (kind) => {
    const step = next(row(states[kind]), events[event]);
    const { from, to } = table[event];
    if (!from.includes(kind)) {
      expect(step).toBe('stale');
      return;
    }
    if (step === 'stale') throw new Error('The table says it applies.');
    const after = step.change.state?.kind ?? kind;
    if (to === 'same') expect(after).toBe(kind);
    else expect(to).toContain(after);
  });
});

const open = { kind: 'held', reason: 'uncertain' } as const;
const uncertain = { kind: 'uncertain', attemptId: 3, looks: 0, nextLookAtMs: 9 } as const;
/** What a state can be beside its one row above. */
const variants: UploadState[] = [
  { kind: 'sending', attemptId: 3, isUnwanted: true },
  { kind: 'committing', attemptId: 3, isUnwanted: true },
  { ...uncertain, isUnwanted: true },
  { ...uncertain, isUnwanted: true, before: open },
  { ...uncertain, isBusy: true },
  ...namesWith(holdRows, {}).map((reason) => ({ kind: 'held' as const, reason })),
  ...namesWith(skipRows, {}).map((rule) => ({ kind: 'skipped' as const, rule })),
  { kind: 'waiting', reason: 'grace', untilMs: 9, sinceMs: 1, since: null },
  { kind: 'recalling', nextAtMs: 9, tries: 1, isSent: true },
  { kind: 'recalling', nextAtMs: 9, tries: 1, isExpired: true, refusal: 'No.' },
  { kind: 'recalling', nextAtMs: 9, tries: 0, before: { kind: 'superseded', byId: 2 } },
  { kind: 'recalling', nextAtMs: 9, tries: 0, before: { kind: 'recalled', dead: false } },
  { kind: 'recalled', dead: false, nextAtMs: 9, tries: 1 },
];

test.each(variants.map((state) => [JSON.stringify(state), state] as const))(
  'on a row that is %s each event does what the table says, and only a person lifts a no',
  (_, state) => {
    for (const [event, present] of eventKinds.flatMap((kind) => [
      [kind, true] as const,
      [kind, false] as const,
    ])) {
      const step = next(row(state, { present }), events[event]);
      const { from, to } = table[event];
      if (!from.includes(state.kind)) expect(step, event).toBe('stale');
      if (step === 'stale') continue;
      const after = step.change.state ?? state;
      expect(to === 'same' ? [state.kind] : to, event).toContain(after.kind);
      const isKept =
        isUnwanted(after) || isHeldUncertain(after) || (!mayGoUp(after.kind) && after.kind !== 'uploaded');
      if (isUnwanted(state) && !isByAPerson.has(event)) expect([event, isKept]).toEqual([event, true]);
    }
  },
);

test('a row that nobody decides about passes through the states without losing its link or starting two attempts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...eventKinds), fc.boolean()), { maxLength: 60 }),
      (walk) => {
        let at = row({ kind: 'settling' });
        for (const [kind, present] of walk) {
          const step = next(present ? at : { ...at, present: false }, events[kind]);
          if (step === 'stale') continue;
          const after = { ...at, ...step.change };
          if (at.fileId !== null) {
            expect(after.fileId).toBe(at.fileId);
            expect(['uploaded', 'superseded', 'recalling', 'recalled']).toContain(after.state.kind);
          }
          // A file is sent only from `ready`, and its tail only after its attempt.
          if (after.state.kind === 'sending' && at.state.kind !== 'sending')
            expect(at.state.kind).toBe('ready');
          if (after.state.kind === 'committing' && at.state.kind !== 'committing')
            expect(at.state.kind).toBe('sending');
          at = after;
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('a file whose answer was lost is never sent again before the account list is read or a person decides', () => {
  const deciding: readonly EventKind[] = ['absent', 'uploaded', 'undecided', 'wanted'];
  for (const event of eventKinds) {
    const step = next(row(states.uncertain), events[event]);
    const after = step === 'stale' ? undefined : step.change.state?.kind;
    if (after !== undefined && after !== 'uncertain') expect(deciding).toContain(event);
  }
});

test('a file that disappears keeps its link, or the question whether it has one', () => {
  const kept: readonly UploadState[] = [
    states.uploaded,
    states.uncertain,
    { kind: 'held', reason: 'uncertain' },
  ];
  for (const state of kept)
    expect(next(row(state), events.vanished)).toMatchObject({ change: { present: false } });
  for (const state of kept)
    expect(next(row(state), events.vanished)).not.toMatchObject({ change: { state: { kind: 'gone' } } });
});

test('a row whose file is gone cannot be sent again: it ends as gone', () => {
  const absent = row(states.uncertain, { present: false });
  expect(next(absent, events.absent)).toMatchObject({ change: { state: { kind: 'gone' } } });
  const failed = row(states.failed, { present: false });
  expect(next(failed, events.wanted)).toMatchObject({ change: { state: { kind: 'gone' } } });
  for (const state of [states.sending, states.committing])
    for (const event of ['returned', 'sent-back', 'delayed'] as const)
      expect(next(row(state, { present: false }), events[event])).toMatchObject({
        change: { state: { kind: 'gone' } },
      });
});

test('a file that was left out gets back its state and its attempts, and no entry is written', () => {
  const step = next(row({ kind: 'skipped', rule: 'cancelled' }), events['put-back']);
  expect(step).toEqual({
    change: { state: states.held, confirmed: false, wantsAnother: false, attempts: 1 },
    entries: [],
  });
});

test('a hash is kept only with the version that was read', () => {
  const other = { ...stamp, key: '5:2:2:9:7' };
  const settled: UploadEvent = { ...events.settled, sha256: 'b'.repeat(64) };
  expect(next(row(states.settling), settled)).toMatchObject({ change: { sha256: 'b'.repeat(64) } });
  expect(next(row(states.settling, { stamp: other }), settled)).not.toHaveProperty('change.sha256');
});
