// Makes the fixture of a version that ships: a ledger with a row in every state and in every table, and beside it the
// answers of that version about it. Run it once, in the tree of that version: `node test/support/ledgers/make.ts`.
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { openLedger } from '../../../src-main/adapters/ledger/ledger.ts';
import type { RemoteFile, UploadState } from '../../../src-main/contract/model.ts';
import type { Ledger } from '../../../src-main/engine/ports/ledger.ts';
import type { Upload, UploadChange, UploadDraft } from '../../../src-main/engine/ports/uploads.ts';
import { answersOf, askedAtMs as atMs } from './answers.ts';

const dayMs = 86_400_000;

const inFinal: UploadState[] = [
  { kind: 'uploaded' },
  { kind: 'superseded', byId: 1 },
  { kind: 'recalling', nextAtMs: atMs + 5_000, tries: 2 },
  { kind: 'recalling', nextAtMs: atMs, tries: 0, isExpired: true },
  { kind: 'recalled', dead: true },
  { kind: 'recalled', dead: false, isExpired: true },
  { kind: 'gone' },
];
const inOther: UploadState[] = [
  { kind: 'settling' },
  { kind: 'ready' },
  { kind: 'sending', attemptId: 1 },
  { kind: 'committing', attemptId: 2 },
  {
    kind: 'uncertain',
    attemptId: 3,
    lost: { id: 'boot', ms: 7 },
    looks: 1,
    nextLookAtMs: atMs + 9,
  },
  { kind: 'waiting', reason: 'budget', untilMs: atMs + 60_000 },
  { kind: 'waiting', reason: 'grace', untilMs: atMs + 4, sinceMs: atMs, since: { id: 'boot', ms: 7 } },
  { kind: 'held', reason: 'burst' },
  { kind: 'held', reason: 'existing-changed' },
  { kind: 'held', reason: 'maybe-uploaded' },
  { kind: 'held', reason: 'uncertain' },
  { kind: 'skipped', rule: 'cancelled' },
  { kind: 'skipped', rule: 'recalled' },
  { kind: 'skipped', rule: 'ignored', pattern: '*.tmp' },
  { kind: 'failed', code: 'refused', message: 'No.', remedy: 'Ask.' },
  { kind: 'gone' },
];

const hash = (n: number): string => n.toString(16).padStart(64, '0');

const fill = (ledger: Ledger): void => {
  const folder = ledger.folders.insert({ path: '/srv/tray', identity: '2049:7:1', chosenAtMs: atMs - dayMs });
  ledger.folders.update(folder.id, {
    baselineDone: true,
    leftOutSubfolders: true,
    unreadable: ['/srv/tray/closed'],
    judgedBy: 'rules',
    own: { expireAfter: '1d', paused: true },
  });
  let made = 0;
  const add = (
    draft: Partial<UploadDraft> & Pick<UploadDraft, 'state'>,
    change: UploadChange = {},
  ): Upload => {
    made += 1;
    const inode = String(1000 + made);
    const upload = ledger.uploads.insert(
      {
        folderId: folder.id,
        dir: made % 2 === 0 ? '/srv/tray' : '/srv/tray/Größe',
        name: `${draft.state.kind}-${made}.PDF`,
        stamp: {
          sizeBytes: made * 100,
          key: `${made * 100}:1.5:2.5:${inode}`,
          inode,
          mtimeMs: 1.5,
          ctimeMs: 2.5,
        },
        ...draft,
      },
      atMs + made,
    );
    return Object.keys(change).length === 0 ? upload : ledger.uploads.update(upload.id, change, atMs + made);
  };
  for (const [at, state] of inOther.entries())
    add(
      { state, sha256: hash(500 + at), confirmed: at % 2 === 0 },
      state.kind === 'gone' ? { present: false, keptBy: 'cancelled' } : {},
    );
  const remote = (fileId: FileId, downloads: number): RemoteFile => ({
    file_id: fileId,
    filename: `stored-${fileId}.pdf`,
    size: 1,
    upload_date: '2026-11-25 12:00:00',
    download_count: downloads,
    public_link: `https://share.example/download/T${fileId}k`,
  });
  const shared = inFinal.map((state, at) => {
    const upload = add({ state: { kind: 'ready' }, expireWish: at === 0 ? { afterMs: dayMs } : null });
    const attempt = ledger.attempts.insert({
      uploadId: upload.id,
      permitId: ledger.permits.insert('upload', atMs + at, 'engine:4711:0a1b2c3d').id,
      sentName: upload.name,
      sizeBytes: 100,
      startedAtMs: atMs + at,
    });
    ledger.attempts.committing(attempt.id, atMs + at + 1);
    ledger.attempts.end(attempt.id, { atMs: atMs + at + 2, outcome: 'created', status: 201, evidence: null });
    ledger.permits.answer(attempt.permitId, atMs + at + 2);
    const fileId = 9_000 + at;
    ledger.remote.saw(1, [remote(fileId, 0)], atMs + at + 2);
    const done = ledger.uploads.update(
      upload.id,
      {
        state: { kind: 'uploaded' },
        fileId,
        publicLink: remote(fileId, 0).public_link ?? null,
        sha256: hash(100 + at),
        sent: at === 1 ? { sha256: hash(200), sizeBytes: 77 } : null,
        sentName: upload.name,
        remoteName: `stored-${fileId}.pdf`,
        remoteSize: 1,
        uploadedAtMs: atMs + at + 2,
        wantedEnds: at < 3 ? { atMs: atMs + dayMs * (at + 1), provenMs: atMs + dayMs * (at + 1) } : null,
      },
      atMs + at + 2,
    );
    ledger.entries.add(done.id, `${done.dir}/${done.name}`, { kind: 'queue-opened' }, atMs + at);
    return { id: done.id, state, fileId };
  });
  const [first, second, third] = shared.map(({ id }) => id);
  if (first === undefined || second === undefined || third === undefined) throw new Error('Too few uploads.');
  ledger.watched.add('downloads', first, { sinceMs: atMs, nextMs: atMs + 1 });
  ledger.watched.update('downloads', first, { toldAtMs: atMs });
  ledger.watched.add('content', first, { sinceMs: atMs, nextMs: atMs + 4 });
  ledger.watched.add('content', second, { sinceMs: atMs, nextMs: atMs + 5 });
  ledger.watched.update('content', second, { told: 'differs', toldAtMs: atMs + 6, tries: 1 });
  ledger.bundled.add(third, [
    { name: 'a.txt', path: '/srv/tray/a.txt', sizeBytes: 3, sha256: hash(301) },
    { name: 'b/c.txt', path: '/srv/tray/b/c.txt', sizeBytes: 4, sha256: hash(302) },
  ]);
  // Downloads were counted, one of them our own; a file from elsewhere; one that is gone.
  ledger.remote.readByUs(9_000);
  ledger.remote.saw(1, [remote(9_000, 4), remote(77, 2), remote(78, 1)], atMs + 60_000);
  ledger.remote.markGone(78);
  for (const { id, state } of shared)
    if (state.kind !== 'uploaded') {
      const present = state.kind === 'recalling';
      ledger.uploads.update(id, { state, present }, atMs + 70_000);
    }
  ledger.decisions.add(hash(401), 'burst', null);
  ledger.decisions.add(hash(402), 'without-location', null);
  // The last permit was pruned: its number must not be given again.
  const last = ledger.permits.insert('user', atMs + 1_000, 'guest:99:ffffffff');
  ledger.permits.answer(last.id, atMs - 2 * dayMs);
  ledger.permits.prune(atMs - dayMs);
  ledger.permits.insert('background', atMs + 2_000, 'engine:4711:0a1b2c3d');
  ledger.permits.remember({ offsetMs: 12, tight: true });
  ledger.facts.set('pause', { untilMs: null }, atMs);
  ledger.facts.set('audit', { ledger: 'ab12', seq: 3 }, atMs);
  ledger.facts.set('may-be-older', { sinceMs: 1, untilMs: 2 }, atMs);
  ledger.facts.set('expired', { files: 2, alive: 1, lateMs: 3 }, atMs);
};

if (process.argv[1] === import.meta.filename) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'outtray-fixture-')), 'ledger.sqlite');
  const ledger = openLedger({ file, nowMs: () => atMs });
  ledger.atomically(() => fill(ledger));
  const answers = JSON.stringify(answersOf(ledger), null, 1);
  ledger.close();
  const sqlite = new DatabaseSync(file);
  const version = Number(Object.values(sqlite.prepare('PRAGMA user_version').get() ?? {})[0]);
  sqlite.exec('VACUUM');
  sqlite.close();
  const out = path.join(import.meta.dirname, `ledger-${version}`);
  writeFileSync(`${out}.sqlite.gz`, gzipSync(readFileSync(file), { level: 9 }));
  writeFileSync(`${out}.json`, `${answers}\n`);
}
