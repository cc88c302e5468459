// Uploads without an answer are compared however many there are: those of another account stay for ever.
import { describe, expect, test } from 'vitest';
import type { RemoteFile } from '../../../../src-main/contract/model.ts';
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { firstSeenAtMs } from '../../../../src-main/engine/account/copies/first-seen.ts';
import { compareContent } from '../../../../src-main/engine/candidate/dedupe.ts';
import { isUndecidedElsewhere } from '../../../../src-main/engine/shared/same-content.ts';
import type { Ports } from '../../../../src-main/engine/ports/ports.ts';
import type { Upload } from '../../../../src-main/engine/ports/uploads.ts';
import { createCandidates } from '../../../../src-main/engine/reconcile/candidates.ts';
import type { Case } from '../../../../src-main/engine/reconcile/conclude.ts';
import type { Asking } from '../../../../src-main/engine/reconcile/ids-again.ts';
import { add, memoryLedger, NOON_MS, stampOf } from '../../../adapters/ledger-fixtures.ts';
import { createFakeDisk } from '../../../support/fake-folder.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const many = 1200;
const state = { kind: 'uncertain', attemptId: 99, looks: 0, nextLookAtMs: NOON_MS } as const;

/** The last row is the one that counts; the others come before it in the order of the queue. */
const withMany = (last: { startedAtMs?: number; sha256: string; name: string }) => {
  const ledger = memoryLedger();
  ledger.atomically(() => {
    for (let at = 0; at < many; at += 1) add(ledger, { name: `other ${at}`, state, sha256: `other ${at}` });
  });
  const { startedAtMs = NOON_MS, sha256, name } = last;
  const { id } = add(ledger, { name, sha256 });
  const permit = ledger.permits.insert('user', NOON_MS, 'engine:1');
  const started = { uploadId: id, sentName: name, sizeBytes: 10, permitId: permit.id, startedAtMs };
  const attempt = ledger.attempts.insert(started);
  ledger.attempts.end(attempt.id, { atMs: startedAtMs, outcome: 'uncertain', status: null, evidence: null });
  ledger.uploads.update(id, { state: { ...state, attemptId: attempt.id } }, NOON_MS);
  return { ledger, id };
};

test('the same content is not sent while the answer to one of them may come', () => {
  const { ledger, id } = withMany({ name: 'a.txt', sha256: 'ab' });
  const accountId = ledger.accounts.present();
  expect(isUndecidedElsewhere(ledger, { id: id + 1, accountId }, 'ab')).toBe(true);
  expect(isUndecidedElsewhere(ledger, { id, accountId }, 'ab')).toBe(false);
  ledger.uploads.update(id, { sent: { sha256: 'cd', sizeBytes: 1 } }, NOON_MS);
  expect(isUndecidedElsewhere(ledger, { id: id + 1, accountId }, 'ab')).toBe(false);
  expect(isUndecidedElsewhere(ledger, { id: id + 1, accountId }, 'cd')).toBe(true);
});

test('a file counts as first seen no earlier than the start of any of them', () => {
  const startedAtMs = NOON_MS + 5000;
  const { ledger } = withMany({ name: 'a.txt', sha256: 'ab', startedAtMs });
  expect(firstSeenAtMs({ ledger, clock: { ...createVirtualClock(), wallMs: () => NOON_MS } })).toBe(
    startedAtMs,
  );
});

test('a file that was only touched is the file of one of them', async () => {
  const { ledger, id } = withMany({ name: 'a.txt', sha256: 'ab' });
  const { files } = createFakeDisk(createVirtualClock());
  const touched = { ...(ledger.uploads.byId(id) as Upload), id: id + 1, stamp: stampOf(10, 'touched') };
  const compared = await compareContent({ files, ledger }, touched, new AbortController().signal);
  expect(compared).toMatchObject({ kind: 'same-file', twin: { id }, isMoved: false });
});

describe('a list of many files is compared with many of them', () => {
  const most = 600;
  const ofFile = (at: number) => ({ name: `${at}.bin`, sizeBytes: 100_000 + at * 1013 });
  const compared = (entryOf: (file: { name: string; sizeBytes: number }) => RemoteFile) => {
    const ledger = memoryLedger();
    const rows = ledger.atomically(() =>
      Array.from({ length: most }, (_, at) => {
        const { name, sizeBytes } = ofFile(at);
        return add(ledger, { name, state, stamp: stampOf(sizeBytes, name) });
      }),
    );
    let looks = 0;
    const files = rows.map((_, at): RemoteFile => {
      const { filename, size, ...entry } = entryOf(ofFile(at));
      const look = <T>(value: T) => ({ get: () => ((looks += 1), value) });
      return Object.defineProperties(
        { file_id: 5000 + at, ...entry },
        { filename: look(filename), size: look(size) },
      );
    });
    const asked: FileId[] = [];
    const info = (fileId: FileId) => Promise.resolve((asked.push(fileId), { file_id: fileId }));
    const settings = { current: () => ({ reconcileAfterMs: 900_000 }) };
    const ports = { ledger, api: { info }, clock: createVirtualClock(), settings } as unknown as Ports;
    const cases = rows.map((row): Case => ({ row, state, attempt: null }));
    const pass = { accountId: ledger.accounts.present(), files, total: most, requests: 1, isComplete: true };
    return { ledger, asked, entries: createCandidates(ports, () => 0), cases, pass, looks: () => looks };
  };

  test.each<[string, Parameters<typeof compared>[0]]>([
    ['with name and size', ({ name, sizeBytes }) => ({ filename: name, size: sizeBytes })],
    ['with its size alone', ({ sizeBytes }) => ({ filename: 'renamed', size: sizeBytes })],
    ['with its name alone, and a size of no unit', ({ name }) => ({ filename: name, size: 7 })],
    [
      'with name, and size in kilobytes',
      ({ name, sizeBytes }) => ({ filename: name, size: sizeBytes / 1000 }),
    ],
  ])('each finds its own %s, and no entry is looked at for all of them', (_, entryOf) => {
    const { entries, cases, pass, looks } = compared(entryOf);
    const found = entries.candidatesIn(pass, cases);
    for (const [at, files] of found.entries()) expect(files.map((file) => file.file_id)).toContain(5000 + at);
    expect(looks()).toBeLessThan(30 * most);
  });

  test('whose ids are known and which shows no links: the same', async () => {
    const { ledger, asked, entries, cases, pass, looks } = compared(({ name, sizeBytes }) => ({
      filename: name,
      size: sizeBytes,
    }));
    const known = pass.files.map((file) => ({
      ...file,
      public_link: `https://files.example/${file.file_id ?? ''}`,
    }));
    ledger.remote.saw(pass.accountId, known, 0, 0);
    const before = looks();
    const { accountId } = pass;
    const ask: Asking['ask'] = (_lane, stop, act) => act(stop, { accountId, mark: '' });
    const { signal } = new AbortController();
    const doubtful = await entries.askKnownIds(pass, cases, { ask, lane: 'background', signal, most: 5 });
    expect(asked).toEqual([5000, 5001, 5002, 5003, 5004]);
    // Those that are left for a later look, too.
    expect(doubtful).toHaveLength(most);
    expect(looks() - before).toBeLessThan(60 * most);
  });
});
