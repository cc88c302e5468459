import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { AppError, type ErrorCode } from '../../src-main/contract/errors.ts';
import {
  add,
  addUploaded,
  errorOf,
  memoryLedger,
  NOON_MS,
  openFor,
  stampOf,
  temporaryFolder,
} from './ledger-fixtures.ts';

const codeOf = (act: () => unknown): ErrorCode => errorOf(act).code;
test('attempts without an outcome are those that a crash interrupted', () => {
  const ledger = memoryLedger();
  const { id: uploadId } = add(ledger, { name: 'a' });
  const begin = () =>
    ledger.attempts.insert({ uploadId, sentName: 'a', sizeBytes: 1, permitId: 1, startedAtMs: NOON_MS });
  const [first, second] = [begin(), begin()];
  ledger.attempts.committing(second.id, NOON_MS + 5);
  ledger.attempts.end(first.id, { atMs: NOON_MS + 6, outcome: 'not-created', status: null, evidence: 'x' });
  expect(ledger.attempts.open()).toEqual([{ ...second, committingAtMs: NOON_MS + 5 }]);
  expect(ledger.attempts.ofUpload(uploadId)).toHaveLength(2);
  expect(ledger.attempts.committedSince(NOON_MS + 5)).toBe(1);
  expect(ledger.attempts.committedSince(NOON_MS + 6)).toBe(0);
  expect(codeOf(() => ledger.attempts.committing(99, NOON_MS))).toBe('internal');
});

test('the uploads of a day are those to the present account', () => {
  const ledger = memoryLedger();
  const { accounts, attempts } = ledger;
  const commit = (name: string) => {
    const { id: uploadId } = add(ledger, {
      name,
      state: { kind: 'uploaded' },
      fileId: 7,
      publicLink: 'https://files.example/7',
    });
    const attempt = { uploadId, sentName: name, sizeBytes: 1, permitId: 1, startedAtMs: NOON_MS };
    attempts.committing(attempts.insert(attempt).id, NOON_MS);
  };
  commit('a');
  const first = accounts.present();
  accounts.become(accounts.add());
  expect(attempts.committedSince(NOON_MS)).toBe(0);
  commit('b');
  expect(attempts.committedSince(NOON_MS)).toBe(1);
  accounts.become(first);
  expect(attempts.committedSince(NOON_MS)).toBe(1);
});

test('the earliest start among the attempts since a permit is known, even when the clock was set back meanwhile', () => {
  const ledger = memoryLedger();
  const { attempts } = ledger;
  const { id: uploadId } = add(ledger, { name: 'a' });
  const begin = (permitId: number, startedAtMs: number) =>
    attempts.insert({ uploadId, sentName: 'a', sizeBytes: 1, permitId, startedAtMs });
  begin(1, 100);
  const { id } = begin(2, 500);
  begin(3, 900);
  expect([1, 2, 3, 4].map(attempts.earliestSince)).toEqual([100, 500, 900, null]);
  attempts.committing(id, 450);
  expect(attempts.earliestSince(2)).toBe(450);
  attempts.end(id, { atMs: 400, outcome: 'created', status: 200, evidence: null });
  expect(attempts.earliestSince(2)).toBe(400);
});

test('permits count while recently spent or answered, and for ever while outstanding', () => {
  const ledger = memoryLedger();
  const { permits } = ledger;
  const old = permits.insert('upload', 100, 'a');
  const late = permits.insert('user', 200, 'a');
  const open = permits.insert('background', 50, 'b');
  permits.answer(old.id, 150);
  permits.answer(late.id, 900);
  const ids = (found: { id: number }[]) => found.map(({ id }) => id);
  expect(ids(permits.since(500))).toEqual([late.id, open.id]);
  expect(ids(permits.after(old.id))).toEqual([late.id, open.id]);
  expect(ids(permits.outstanding())).toEqual([open.id]);
  permits.answerAllOf('b', 950);
  expect(permits.outstanding()).toEqual([]);
  expect(permits.prune(900)).toBe(1);
  expect(permits.prune(10_000)).toBe(2);
  expect(permits.insert('user', 1_000, 'a').id).toBe(open.id + 1);
  expect(permits.memory()).toBeNull();
  permits.remember({ rate: 0.5 });
  permits.remember({ rate: 0.7 });
  expect(permits.memory()).toEqual({ rate: 0.7 });
});

test('entries are numbered without gaps, pruned from the oldest, and never renumbered', () => {
  const { entries } = memoryLedger();
  for (let turn = 1; turn <= 5; turn += 1) entries.add(turn % 2, '/a', { kind: 'gone' }, turn);
  expect(entries.after(2, 2).map(({ seq }) => seq)).toEqual([3, 4]);
  expect(entries.ofUpload(1, 2).map(({ seq }) => seq)).toEqual([3, 5]);
  entries.prune(2);
  expect(entries.after(0, 10).map(({ seq }) => seq)).toEqual([4, 5]);
  entries.prune(0);
  expect(entries.add(null, null, { kind: 'queue-opened' }, 6).seq).toBe(6);
  expect(entries.lastSeq()).toBe(6);
});

test('a fact that another process writes is read with its new value', () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const [one, other] = [openFor(file), openFor(file)];
  other.facts.set('pause', { untilMs: 5 }, 1);
  expect(one.facts.get('pause')).toEqual({ value: { untilMs: 5 }, atMs: 1 });
  other.facts.set('pause', { untilMs: 6 }, 2);
  expect(one.facts.get('pause')).toEqual({ value: { untilMs: 6 }, atMs: 2 });
  other.facts.set('pause', { untilMs: 6 }, 3);
  expect(one.facts.get('pause')).toEqual({ value: { untilMs: 6 }, atMs: 3 });
  other.facts.remove('pause');
  expect(one.facts.get('pause')).toBeNull();
});

test('links are brought forward without a write when none is due later: another process may be writing', () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const { watched } = openFor(file);
  const writer = new DatabaseSync(file);
  onTestFinished(() => writer.close());
  writer.exec('BEGIN IMMEDIATE');
  expect(() => watched.hasten('downloads', NOON_MS)).not.toThrow();
});

test('facts are replaced and removed by name', () => {
  const { facts } = memoryLedger();
  facts.set('pause', { untilMs: 5 }, 1);
  facts.set('pause', { untilMs: null }, 2);
  expect(facts.get('pause')).toEqual({ value: { untilMs: null }, atMs: 2 });
  facts.remove('pause');
  expect(facts.get('pause')).toBeNull();
});

test('a remote file keeps fields that a later page leaves out, and records when it was first seen', () => {
  const { remote } = memoryLedger();
  remote.saw(1, [{ file_id: 5, filename: 'a', size: 3, download_count: 1 }, { filename: 'no id' }], 100);
  remote.saw(1, [{ file_id: 5, download_count: 4 }], 200);
  expect(remote.byId(5)).toEqual({
    file_id: 5,
    filename: 'a',
    size: 3,
    download_count: 4,
    firstSeenAtMs: 100,
    seenAtMs: 200,
    gone: false,
    readByUs: 0,
    sha256: null,
    sizeBytes: null,
  });
  expect(remote.count()).toBe(1);
});

test('a complete pass finds missing files, even those of uploads that no list has shown', () => {
  const ledger = memoryLedger();
  addUploaded(ledger, { name: 'ours', fileId: 1, atMs: 1_000 });
  addUploaded(ledger, { name: 'fresh', fileId: 2, atMs: 5_000 });
  ledger.remote.saw(1, [{ file_id: 3 }, { file_id: 4 }], 1_000);
  ledger.remote.saw(1, [{ file_id: 3 }], 3_000);
  const unseen = ledger.remote.unseen(2_000);
  expect(unseen.toSorted()).toEqual([1, 4]);
  for (const fileId of unseen) ledger.remote.markGone(fileId);
  expect(ledger.remote.unseen(2_000)).toEqual([]);
  expect(ledger.remote.byId(1)?.gone).toBe(true);
  expect(ledger.remote.byId(2)).toBeNull();
  expect(ledger.remote.byId(4)?.gone).toBe(true);
  ledger.remote.saw(1, [{ file_id: 4 }], 4_000);
  expect(ledger.remote.byId(4)?.gone).toBe(false);
});

test('uploads are counted per local day, days without any included', () => {
  const ledger = memoryLedger();
  const dayMs = 86_400_000;
  addUploaded(ledger, { name: 'a', fileId: 1, atMs: NOON_MS - 2 * dayMs, stamp: stampOf(5) });
  addUploaded(ledger, { name: 'b', fileId: 2, atMs: NOON_MS, stamp: stampOf(6) });
  addUploaded(ledger, { name: 'c', fileId: 3, atMs: NOON_MS, stamp: stampOf(7) });
  ledger.remote.saw(1, [{ file_id: 9, upload_date: '2026-03-10 12:00:00', size: 1_000 }], NOON_MS);
  const found = ledger.views.perDay(NOON_MS - 2 * dayMs);
  expect(found.map(({ uploads, bytes }) => [uploads, bytes])).toEqual([
    [1, 5],
    [0, 0],
    [2, 13],
  ]);
  expect(new Set(found.map(({ day }) => day)).size).toBe(3);
});

test('a throw inside a transaction undoes everything, nested calls included', () => {
  const ledger = memoryLedger();
  const stop = new Error('stop');
  expect(() =>
    ledger.atomically(() => {
      add(ledger, { name: 'a' });
      ledger.atomically(() => add(ledger, { name: 'b' }));
      throw stop;
    }),
  ).toThrow(stop);
  expect(ledger.uploads.countInState('ready')).toBe(0);
});

test('a nested failure that its caller swallows still undoes everything', () => {
  const ledger = memoryLedger();
  expect(() =>
    ledger.atomically(() => {
      add(ledger, { name: 'a' });
      try {
        add(ledger, { name: 'a' });
      } catch {
        // Continuing here would keep only half of a group.
      }
    }),
  ).toThrow(AppError);
  expect(ledger.uploads.countInState('ready')).toBe(0);
  add(ledger, { name: 'a' });
  expect(ledger.uploads.countInState('ready')).toBe(1);
});

test('a transaction that would wait is refused and undone', () => {
  const ledger = memoryLedger();
  expect(codeOf(() => ledger.atomically(async () => add(ledger, { name: 'a' })))).toBe('internal');
  expect(ledger.uploads.countInState('ready')).toBe(0);
});

test('closing twice is closing once', () => {
  const ledger = memoryLedger();
  ledger.close();
  ledger.close();
});
