// The table of states and events, and what `next` makes of a row.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketOf, type StateKind, type UploadState } from '../../../../src-main/contract/model.ts';
import type { Upload } from '../../../../src-main/engine/ports.ts';
import type { EventKind, UploadEvent } from '../../../../src-main/engine/state/events.ts';
import { next } from '../../../../src-main/engine/state/next.ts';
import { table } from '../../../../src-main/engine/state/table.ts';

const stamp = { sizeBytes: 5, key: '5:1:1:9:7', inode: '7', mtimeMs: 1, ctimeMs: 1 };
const failure = { code: 'refused', message: 'The service refused it.', remedy: 'Change it.' };

const states: Record<StateKind, UploadState> = {
  settling: { kind: 'settling' },
  ready: { kind: 'ready' },
  sending: { kind: 'sending', attemptId: 3 },
  committing: { kind: 'committing', attemptId: 3 },
  uncertain: { kind: 'uncertain', attemptId: 3, looks: 0, absences: 0, nextLookAtMs: 9 },
  waiting: { kind: 'waiting', reason: 'locked', untilMs: 9 },
  uploaded: { kind: 'uploaded' },
  held: { kind: 'held', reason: 'burst' },
  skipped: { kind: 'skipped', rule: 'hidden' },
  failed: { kind: 'failed', ...failure },
  superseded: { kind: 'superseded', byId: 2 },
  recalling: { kind: 'recalling', nextAtMs: 9, tries: 0 },
  recalled: { kind: 'recalled', dead: true },
  gone: { kind: 'gone' },
};

const events: { [Kind in EventKind]: Extract<UploadEvent, { kind: Kind }> } = {
  'version-found': { kind: 'version-found', state: { kind: 'settling' }, stamp, wantsAnother: false },
  'version-kept-back': { kind: 'version-kept-back', stamp, wantsAnother: false },
  'kept-back': { kind: 'kept-back', state: { kind: 'skipped', rule: 'existing' }, stamp },
  replaced: { kind: 'replaced' },
  vanished: { kind: 'vanished', keptBy: null },
  reappeared: { kind: 'reappeared' },
  followed: {
    kind: 'followed',
    folderId: 1,
    dir: '/tray/new',
    name: 'b.txt',
    stamp,
    state: { kind: 'skipped', rule: 'existing' },
    isNews: false,
  },
  moved: { kind: 'moved', folderId: 1, dir: '/tray/new', name: 'b.txt', stamp, isNews: true },
  'folder-watched': { kind: 'folder-watched', folderId: 1 },
  touched: { kind: 'touched', stamp },
  checked: { kind: 'checked', stamp },
  locked: { kind: 'locked', untilMs: 10 },
  'folder-missing': { kind: 'folder-missing', untilMs: 10 },
  settled: { kind: 'settled', state: { kind: 'ready' }, stamp, sha256: null },
  merged: { kind: 'merged' },
  burst: { kind: 'burst' },
  superseded: { kind: 'superseded', byId: 2 },
  begun: { kind: 'begun', attemptId: 3, sentName: 'a.txt' },
  'tail-due': { kind: 'tail-due', attemptId: 3, sha256: 'a'.repeat(64) },
  uploaded: {
    kind: 'uploaded',
    receipt: { file_id: 8, public_link: 'https://files.example/8', size: 5, filename: 'a (1).txt' },
    sha256: 'a'.repeat(64),
    sentName: 'a.txt',
    atMs: 10,
    ends: { atMs: 20, provenMs: 20 },
  },
  returned: { kind: 'returned' },
  'sent-back': { kind: 'sent-back' },
  delayed: { kind: 'delayed', reason: 'service', untilMs: 10 },
  failed: { kind: 'failed', ...failure },
  cancelled: { kind: 'cancelled' },
  'answer-lost': {
    kind: 'answer-lost',
    attemptId: 3,
    lost: null,
    isQuick: false,
    nextLookAtMs: 10,
    message: 'The connection broke.',
  },
  'look-planned': { kind: 'look-planned', looks: 1, absences: 1, nextLookAtMs: 20 },
  undecided: { kind: 'undecided' },
  absent: { kind: 'absent', then: { kind: 'settling' } },
  hashed: { kind: 'hashed', sha256: 'a'.repeat(64) },
  doubted: { kind: 'doubted', then: { kind: 'held', reason: 'maybe-uploaded' } },
  'ledger-replaced': { kind: 'ledger-replaced' },
  replanned: { kind: 'replanned', untilMs: 10 },
  wanted: { kind: 'wanted', confirmed: true, wantsAnother: false },
  'left-out': { kind: 'left-out' },
  'put-back': {
    kind: 'put-back',
    state: { kind: 'held', reason: 'burst' },
    confirmed: false,
    wantsAnother: false,
    attempts: 1,
  },
  prioritized: { kind: 'prioritized', priority: 4 },
  expire: { kind: 'expire', wish: { afterMs: 20 }, ends: null },
  capped: { kind: 'capped', ends: { atMs: 20, provenMs: 20 } },
  recall: { kind: 'recall', nextAtMs: 10 },
  'recall-planned': { kind: 'recall-planned', nextAtMs: 20, tries: 1 },
  recalled: { kind: 'recalled', dead: true, downloads: 3, atMs: 10, lateMs: 5 },
};

const row = (state: UploadState, change: Partial<Upload> = {}): Upload => ({
  id: 1,
  folderId: 1,
  dir: '/tray',
  name: 'a.txt',
  stamp,
  state,
  sentName: null,
  sent: null,
  sha256: null,
  fileId: null,
  publicLink: null,
  remoteSize: null,
  remoteName: null,
  uploadedAtMs: null,
  createdAtMs: 0,
  changedAtMs: 0,
  priority: 0,
  attempts: 2,
  confirmed: false,
  wantsAnother: false,
  sameAsId: null,
  expireWish: null,
  ends: null,
  graceOver: false,
  door: 'folder',
  present: true,
  keptBy: null,
  ...change,
});

const stateKinds = Object.keys(bucketOf) as StateKind[];
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

test('a row that nobody asks about walks through the states without losing its link or starting two attempts', () => {
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
          // A file goes only from `ready`, and its tail only after its attempt.
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

test('a file whose answer was lost is never sent again before the account list was read or a person decided', () => {
  const deciding: readonly EventKind[] = ['absent', 'uploaded', 'undecided', 'wanted', 'left-out'];
  for (const event of eventKinds) {
    const step = next(row(states.uncertain), events[event]);
    const after = step === 'stale' ? undefined : step.change.state?.kind;
    if (after !== undefined && after !== 'uncertain') expect(deciding).toContain(event);
  }
});

test('a file that vanishes keeps its link, or the question whether it has one', () => {
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

test('a row whose file has gone cannot go again: it ends as gone', () => {
  const absent = row(states.uncertain, { present: false });
  expect(next(absent, events.absent)).toMatchObject({ change: { state: { kind: 'gone' } } });
  const failed = row(states.failed, { present: false });
  expect(next(failed, events.wanted)).toMatchObject({ change: { state: { kind: 'gone' } } });
  const sending = row(states.sending, { present: false });
  expect(next(sending, events.returned)).toMatchObject({ change: { state: { kind: 'gone' } } });
});

test('what was left out is again what it was, with its attempts, and no entry is written', () => {
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

test('each step that a person sees has its entry', () => {
  const entry = (kind: StateKind, event: EventKind): unknown => {
    const step = next(row(states[kind]), events[event]);
    return step === 'stale' ? null : step.entries;
  };
  expect(entry('settling', 'settled')).toEqual([{ kind: 'queued', sizeBytes: 5 }]);
  expect(entry('ready', 'begun')).toEqual([{ kind: 'uploading' }]);
  expect(entry('sending', 'delayed')).toEqual([{ kind: 'waiting', reason: 'service', untilMs: 10 }]);
  expect(entry('committing', 'answer-lost')).toEqual([
    { kind: 'held', reason: 'uncertain', message: 'The connection broke.', untilMs: 10 },
  ]);
  expect(entry('committing', 'uploaded')).toMatchObject([{ kind: 'uploaded', fileId: 8 }]);
  expect(entry('held', 'left-out')).toEqual([{ kind: 'skipped', rule: 'cancelled' }]);
  expect(entry('uploaded', 'moved')).toEqual([{ kind: 'moved', from: '/tray/a.txt' }]);
  expect(entry('uploaded', 'vanished')).toEqual([{ kind: 'gone' }]);
});
