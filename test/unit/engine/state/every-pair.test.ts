// What each event does in each state, pair by pair: a pair that is not named is stale, and changes nothing.
import { expect, test } from 'vitest';
import { isUnwanted, type UploadState } from '../../../../src-main/contract/model.ts';
import type { EventKind } from '../../../../src-main/engine/state/events.ts';
import { next } from '../../../../src-main/engine/state/next.ts';
import { events, row, states } from '../../../support/row-events.ts';

/** By event: the states before it, and what becomes of them. */
const wanted: Record<EventKind, string> = {
  'version-found': 'settling stays, ready waiting held skipped failed gone → settling',
  'version-kept-back': 'held skipped stays',
  'kept-back': 'settling waiting → skipped',
  replaced: 'sending committing uncertain uploaded held recalling stays',
  vanished: 'settling ready waiting held skipped failed → gone, uncertain uploaded recalling stays',
  reappeared: 'gone stays',
  followed: 'held gone → skipped, skipped stays',
  moved: 'uncertain uploaded held stays',
  'folder-changed':
    'settling ready sending committing uncertain waiting uploaded held skipped failed recalling stays',
  touched: 'settling stays',
  checked: 'settling stays, waiting → settling',
  locked: 'settling → waiting, waiting stays',
  'folder-missing': 'settling → waiting, waiting stays',
  settled: 'settling → ready',
  merged: 'settling → gone',
  burst: 'settling ready waiting → held',
  superseded: 'uploaded → superseded',
  begun: 'ready → sending',
  'tail-due': 'sending → committing',
  uploaded: 'ready committing uncertain held → uploaded',
  returned: 'ready stays, sending committing → ready',
  'sent-back': 'ready sending committing → settling',
  delayed: 'ready sending committing → waiting',
  failed: 'ready sending committing → failed',
  ended: 'ready → skipped',
  'answer-lost': 'sending committing → uncertain',
  'look-planned': 'uncertain stays',
  undecided: 'uncertain → held',
  absent: 'uncertain → settling',
  hashed: 'ready held skipped stays',
  doubted: 'ready → held',
  'ledger-replaced': 'settling ready waiting → held',
  replanned: 'waiting stays',
  wanted: 'uncertain waiting held skipped failed → settling',
  'left-out': 'settling ready waiting held failed → skipped, sending committing uncertain skipped stays',
  'put-back': 'sending committing uncertain held stays, skipped → held',
  prioritized:
    'settling ready sending committing uncertain waiting uploaded held skipped failed superseded gone stays',
  expire: 'settling ready sending committing uncertain waiting uploaded held skipped failed superseded stays',
  recall: 'sending committing uncertain stays, uploaded superseded recalled → recalling, held → uncertain',
  'delete-due': 'recalling recalled stays',
  kept: 'sending committing uncertain stays, recalling → uploaded',
  'recall-planned': 'recalling recalled stays',
  recalled: 'recalling → recalled, recalled stays',
  served: 'uploaded superseded recalling recalled stays',
};

/** The same for an upload that may be on the service and that a person does not want. */
const unwanted: Record<EventKind, string> = {
  'version-found': '',
  'version-kept-back': '',
  'kept-back': '',
  replaced: 'sending committing uncertain stays',
  vanished: 'uncertain stays',
  reappeared: '',
  followed: '',
  moved: 'uncertain stays',
  'folder-changed': 'sending committing uncertain stays',
  touched: '',
  checked: '',
  locked: '',
  'folder-missing': '',
  settled: '',
  merged: '',
  burst: '',
  superseded: '',
  begun: '',
  'tail-due': 'sending → committing',
  uploaded: 'committing uncertain → recalling',
  returned: 'sending committing → skipped',
  'sent-back': 'sending committing → skipped',
  delayed: 'sending committing → skipped',
  failed: 'sending committing → skipped',
  ended: '',
  'answer-lost': 'sending committing → uncertain',
  'look-planned': 'uncertain stays',
  undecided: 'uncertain → held',
  absent: 'uncertain → skipped',
  hashed: '',
  doubted: '',
  'ledger-replaced': '',
  replanned: '',
  wanted: 'uncertain → settling',
  'left-out': 'sending committing uncertain stays',
  'put-back': 'sending committing uncertain → held',
  prioritized: 'sending committing uncertain stays',
  expire: 'sending committing uncertain stays',
  recall: 'sending committing uncertain stays',
  'delete-due': '',
  kept: 'sending committing uncertain stays wanted',
  'recall-planned': '',
  recalled: '',
  served: '',
};

const outcomes = (event: EventKind, before: readonly UploadState[]): string => {
  const byOutcome = new Map<string, string[]>();
  for (const state of before) {
    const step = next(row(state), events[event]);
    if (step === 'stale') continue;
    const after = step.change.state ?? state;
    const isLifted = after.kind === state.kind && isUnwanted(state) && !isUnwanted(after);
    const to = after.kind !== state.kind ? `→ ${after.kind}` : isLifted ? 'stays wanted' : 'stays';
    byOutcome.set(to, [...(byOutcome.get(to) ?? []), state.kind]);
  }
  return [...byOutcome].map(([to, kinds]) => `${kinds.join(' ')} ${to}`).join(', ');
};

const eventKinds = Object.keys(events) as EventKind[];
test.each(eventKinds)('%s', (event) => {
  expect(outcomes(event, Object.values(states))).toBe(wanted[event]);
});
test.each(eventKinds)('%s, of what a person does not want', (event) => {
  const { sending, committing, uncertain } = states;
  const before = [sending, committing, uncertain].map((state) => ({ ...state, isUnwanted: true }));
  expect(outcomes(event, before as UploadState[])).toBe(unwanted[event]);
});
