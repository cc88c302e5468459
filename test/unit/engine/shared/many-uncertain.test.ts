// Uploads without an answer are compared however many there are: those of another account stay for ever.
import { expect, test } from 'vitest';
import { firstSeenAtMs } from '../../../../src-main/engine/account/copies/first-seen.ts';
import { compareContent } from '../../../../src-main/engine/candidate/dedupe.ts';
import { isUndecidedElsewhere } from '../../../../src-main/engine/shared/same-content.ts';
import type { Upload } from '../../../../src-main/engine/ports/uploads.ts';
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
