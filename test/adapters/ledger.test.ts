import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { option, see, wording, type Wording } from '../../src-main/contract/text/wording.ts';
import type { ErrorCode } from '../../src-main/contract/errors.ts';
import {
  add,
  addUploaded,
  errorOf,
  memoryLedger,
  NOON_MS,
  openFor,
  stampOf,
  states,
  temporaryFolder,
  watched,
} from './ledger-fixtures.ts';

const codeOf = (act: () => unknown): ErrorCode => errorOf(act).code;

test('every state is read back as it was written', () => {
  const ledger = memoryLedger();
  states.forEach((state, at) => {
    const { id } = add(ledger, { name: `n${at}`, state });
    expect(ledger.uploads.byId(id)?.state).toEqual(state);
  });
});

test('an upload is read back with every field', () => {
  const ledger = memoryLedger();
  const folderId = watched(ledger);
  const { id } = add(ledger, {
    name: 'a',
    folderId,
    confirmed: true,
    wantsAnother: true,
    graceOver: true,
    door: 'agent',
    priority: 3,
    sameAsId: 9,
    sha256: 'ab',
  });
  const change = {
    sentName: 's',
    expireWish: { afterMs: 5 },
    wantedEnds: { atMs: 7, provenMs: 8 },
    remoteName: 'r',
    remoteSize: 2 ** 53 - 1,
    attempts: 2,
    stamp: { sizeBytes: 2 ** 53 - 1, key: 'k', inode: 'i', mtimeMs: 1.5, ctimeMs: 0.25 },
  };
  const after = ledger.uploads.update(id, change, NOON_MS + 1);
  expect(ledger.uploads.byId(id)).toEqual(after);
  expect(after).toMatchObject({
    ...change,
    folderId,
    confirmed: true,
    wantsAnother: true,
    graceOver: true,
    door: 'agent',
    priority: 3,
    sameAsId: 9,
    sha256: 'ab',
  });
  expect(after).toMatchObject({ createdAtMs: NOON_MS, changedAtMs: NOON_MS + 1, present: true });
});

test('a file that is read while a person is asked about it stays among the files shown', () => {
  const ledger = openFor(`${temporaryFolder()}/ledger.sqlite`);
  const { id } = add(ledger, { name: 'a.txt', state: { kind: 'held', reason: 'burst' } });
  const [shown] = ledger.views.alike('held');
  ledger.uploads.update(id, { sha256: 'ab' }, NOON_MS + 1000);
  expect(ledger.views.idsAlike({ kind: 'held', fate: 'burst', asOfMs: shown?.asOfMs ?? 0 })).toEqual([id]);
});

test('names that are not UTF-8 keep their escapes, and two of them stay distinct', () => {
  const folder = temporaryFolder();
  const ledger = openFor(`${folder}/ledger.sqlite`);
  const folderId = watched(ledger);
  const names = ['caf\0e9.txt', 'caf\0e8.txt', 'caf', '\0ff', 'line\nbreak', '\u202efdp.exe'];
  for (const name of names) add(ledger, { name, folderId, dir: '/tray/\0fe' });
  expect(new Set(ledger.uploads.stampsIn(folderId, '/tray/\0fe', false).keys())).toEqual(new Set(names));
  expect(ledger.uploads.presentDirs(folderId)).toEqual(['/tray/\0fe']);
  for (const name of names) expect(ledger.uploads.presentAt(folderId, '/tray/\0fe', name)?.name).toBe(name);
  expect(ledger.uploads.presentAt(folderId, '/tray/\0fe', 'caf\0e7.txt')).toBeNull();
});

test('a scan gets the stamps of one directory, and the files it has to judge again', () => {
  const ledger = memoryLedger();
  const folderId = watched(ledger);
  const stamp = (key: string) => ({ sizeBytes: 1, key, inode: key, mtimeMs: 0, ctimeMs: 0 });
  const skipped = { kind: 'skipped', rule: 'link' } as const;
  add(ledger, { folderId, name: 'done', stamp: stamp('1'), state: { kind: 'uploaded' } });
  add(ledger, { folderId, name: 'kept', stamp: stamp('2'), state: { kind: 'held', reason: 'burst' } });
  add(ledger, { folderId, name: 'link', stamp: null, state: skipped });
  add(ledger, { folderId, name: 'new', stamp: stamp('3'), state: { kind: 'settling' } });
  const gone = add(ledger, { folderId, name: 'gone', stamp: stamp('4'), state: { kind: 'uploaded' } });
  ledger.uploads.update(gone.id, { present: false }, NOON_MS);
  add(ledger, { folderId, name: 'below', dir: '/tray/below' });

  const stamps = (again: boolean) => Object.fromEntries(ledger.uploads.stampsIn(folderId, '/tray', again));
  expect(stamps(false)).toEqual({ done: '1', kept: '2', link: null, new: '' });
  expect(stamps(true)).toEqual({ done: '1', kept: '', link: '', new: '' });
  expect(ledger.uploads.presentIn(folderId, '/tray')).toHaveLength(4);
  expect(ledger.uploads.stampsIn(folderId, '/nowhere', false).size).toBe(0);
});

test('a path has one present row, in a folder and given by path; a row that left makes room', () => {
  const ledger = memoryLedger();
  const folderId = watched(ledger);
  for (const owner of [folderId, null]) {
    const first = add(ledger, { name: 'a', folderId: owner });
    expect(codeOf(() => add(ledger, { name: 'a', folderId: owner }))).toBe('internal');
    ledger.uploads.update(first.id, { present: false, state: { kind: 'gone' } }, NOON_MS);
    const second = add(ledger, { name: 'a', folderId: owner });
    expect(ledger.uploads.presentAt(owner, '/tray', 'a')?.id).toBe(second.id);
  }
});

test('a link ends once its time is over by the clock and proven by the machine', () => {
  const ledger = memoryLedger();
  const { id } = addUploaded(ledger, { name: 'a', fileId: 7 });
  ledger.uploads.update(id, { wantedEnds: { atMs: 50, provenMs: 40 } }, NOON_MS);
  const idsEnded = (atMs: number, provenMs: number) =>
    ledger.uploads.ended({ atMs, provenMs }, 9).map((upload) => upload.id);
  expect(idsEnded(50, 40)).toEqual([id]);
  expect(idsEnded(49, 40)).toEqual([]);
  expect(idsEnded(50, 39)).toEqual([]);
  expect(ledger.uploads.nextEndMs({ atMs: 49, provenMs: 0 })).toBe(1);
  expect(ledger.uploads.nextEndMs({ atMs: 50, provenMs: 38 })).toBe(2);
  expect(ledger.uploads.nextEndMs({ atMs: 50, provenMs: 40 })).toBe(0);
});

test('links of another account that are over hide no end of this one', () => {
  const ledger = memoryLedger();
  const [theirs, ours] = [ledger.accounts.add(), ledger.accounts.add()];
  ledger.accounts.become(theirs);
  for (let at = 1; at <= 1001; at += 1) {
    const { id } = addUploaded(ledger, { name: `old ${at}`, fileId: at });
    ledger.uploads.update(id, { wantedEnds: { atMs: 1, provenMs: 1 } }, NOON_MS);
  }
  ledger.accounts.become(ours);
  const { id } = addUploaded(ledger, { name: 'a', fileId: 7 });
  ledger.uploads.update(id, { wantedEnds: { atMs: 50, provenMs: 60 } }, NOON_MS);
  expect(ledger.uploads.nextEndMs({ atMs: 50, provenMs: 50 })).toBe(10);
});

test('the error for a broken rule names the rule', () => {
  const ledger = memoryLedger();
  addUploaded(ledger, { name: 'a', fileId: 7 });
  expect(() => addUploaded(ledger, { name: 'b', fileId: 7 })).toThrow(/uploads\.file_id/);
  expect(ledger.uploads.byFileId(7)?.name).toBe('a');
});

test('an outcome is final: link, id and hash stay, and the row only changes to superseded or gone', () => {
  const ledger = memoryLedger();
  const { id } = addUploaded(ledger, { name: 'a', fileId: 7 });
  const refused = [
    { fileId: 8 },
    { fileId: null },
    { publicLink: 'https://share.example/download/other' },
    { sha256: 'ff' },
    { state: { kind: 'ready' } },
    { state: { kind: 'failed', code: 'x', message: '', remedy: '' } },
  ] as const;
  for (const change of refused) {
    expect(codeOf(() => ledger.uploads.update(id, change, NOON_MS))).toBe('internal');
  }
  ledger.uploads.update(id, { state: { kind: 'superseded', byId: 2 }, present: false }, NOON_MS);
  expect(codeOf(() => ledger.uploads.update(id, { state: { kind: 'ready' } }, NOON_MS))).toBe('internal');
  expect(ledger.uploads.byId(id)).toMatchObject({ fileId: 7, state: { kind: 'superseded', byId: 2 } });
});

test('a moved file keeps its row and is found at its new place', () => {
  const ledger = memoryLedger();
  const folderId = watched(ledger);
  const { id } = add(ledger, { name: 'a', folderId });
  ledger.uploads.update(id, { dir: '/tray/deep', name: 'b' }, NOON_MS);
  expect(ledger.uploads.presentAt(folderId, '/tray', 'a')).toBeNull();
  expect(ledger.uploads.presentAt(folderId, '/tray/deep', 'b')?.id).toBe(id);
  expect(ledger.uploads.presentDirs(folderId)).toEqual(['/tray/deep']);
});

test('the queue is read by priority, then in the requested order', () => {
  const ledger = memoryLedger();
  const sizes = [30, 10, 20, 10];
  sizes.forEach((size, at) =>
    add(ledger, { name: `n${at}`, stamp: stampOf(size), priority: at === 2 ? 5 : 0 }),
  );
  const names = (order: 'arrival' | 'newest' | 'smallest') =>
    ledger.uploads.inState('ready', 10, order).map(({ name }) => name);
  expect(names('arrival')).toEqual(['n2', 'n0', 'n1', 'n3']);
  expect(names('newest')).toEqual(['n2', 'n3', 'n1', 'n0']);
  expect(names('smallest')).toEqual(['n2', 'n1', 'n3', 'n0']);
  expect(ledger.uploads.inState('ready', 2)).toHaveLength(2);
  expect(ledger.uploads.backlog()).toEqual({ files: 4, bytes: 70 });
  expect(ledger.uploads.countInState('ready')).toBe(4);
});

test('waiting rows come due by their time, those without one never', () => {
  const ledger = memoryLedger();
  const at = (untilMs: number | null, name: string) =>
    add(ledger, { name, state: { kind: 'waiting', reason: 'budget', untilMs } });
  at(NOON_MS + 20, 'later');
  at(NOON_MS + 10, 'sooner');
  at(null, 'never');
  expect(ledger.uploads.nextWaitingAtMs()).toBe(NOON_MS + 10);
  expect(ledger.uploads.dueWaiting(NOON_MS + 9, 10)).toEqual([]);
  expect(ledger.uploads.dueWaiting(NOON_MS + 20, 10).map(({ name }) => name)).toEqual(['sooner', 'later']);
});

test('what is asked at each turn reads only what it gives, and is compiled once', () => {
  const asked: string[] = [];
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql: string) {
    asked.push(sql);
    return prepare.call(this, sql);
  };
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  try {
    const { uploads, attempts } = openFor(file);
    asked.length = 0;
    for (const { kind } of states) {
      for (const order of ['arrival', 'newest', 'smallest'] as const) uploads.inState(kind, 1, order);
      uploads.countInState(kind);
    }
    uploads.dueWaiting(1, 1);
    uploads.nextWaitingAtMs();
    uploads.settlingIn(1, 1, 1);
    uploads.bySha('held', 'ab');
    attempts.latestUnknownMs();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
  }
  expect(asked.length).toBeGreaterThan(5);
  const raw = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => raw.close());
  for (const sql of asked) {
    const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const waste = plan
      .map(({ detail }) => String(detail))
      .filter((step) => /^SCAN (?!CONSTANT)|^SEARCH \w+$|TEMP B-TREE/.test(step));
    // SQLite compiles a statement again for each value that it compares with the condition of an index.
    expect({ sql, waste, isBound: /\bstate = \?/.test(sql) }).toEqual({ sql, waste: [], isBound: false });
  }
});

test('the rows that settle in a folder are found however many settle in others', () => {
  const ledger = memoryLedger();
  const [other, folderId] = [watched(ledger, '/other'), watched(ledger)];
  const wait = (untilMs: number) => ({ kind: 'waiting', reason: 'folder', untilMs }) as const;
  for (let at = 0; at < 3; at += 1)
    add(ledger, { name: `o${at}`, dir: '/other', folderId: other, state: { kind: 'settling' } });
  add(ledger, { name: 'by hand', state: { kind: 'settling' } });
  add(ledger, { name: 'settles', folderId, state: { kind: 'settling' } });
  add(ledger, { name: 'due', folderId, state: wait(NOON_MS) });
  add(ledger, { name: 'later', folderId, state: wait(NOON_MS + 1) });
  add(ledger, { name: 'paused', folderId, state: { kind: 'waiting', reason: 'paused', untilMs: NOON_MS } });
  add(ledger, { name: 'ready', folderId });
  add(ledger, { name: 'again', folderId, state: { kind: 'settling' } });
  const names = (limit: number) =>
    ledger.uploads.settlingIn(folderId, NOON_MS, limit).map(({ name }) => name);
  expect(names(9)).toEqual(['settles', 'due', 'again']);
  expect(names(2)).toEqual(['settles', 'due']);
});

test('recalls and looks of the present account come by their next attempt, however many others wait', () => {
  const ledger = memoryLedger();
  const recalling = (name: string, nextAtMs: number) => {
    const { id } = add(ledger, { name, state: { kind: 'recalling', nextAtMs, tries: 0 } });
    ledger.uploads.update(id, { publicLink: `https://share.example/download/${id}` }, NOON_MS);
  };
  const uncertain = (name: string, nextLookAtMs: number) =>
    add(ledger, { name, state: { kind: 'uncertain', attemptId: 1, looks: 0, nextLookAtMs } });
  for (let at = 0; at < 5; at += 1) {
    recalling(`other ${at}`, at);
    uncertain(`other look ${at}`, at);
  }
  ledger.accounts.become(ledger.accounts.add());
  recalling('late', 90);
  recalling('soon', 20);
  add(ledger, { name: 'answering', state: { kind: 'recalled', dead: false, nextAtMs: 30, tries: 1 } });
  add(ledger, { name: 'dead', state: { kind: 'recalled', dead: true } });
  uncertain('later look', 7);
  uncertain('first look', 5);
  const names = (what: 'recall' | 'look', limit: number) =>
    ledger.uploads.nextOf(what, limit).map(({ name }) => name);
  expect(names('recall', 10)).toEqual(['soon', 'answering', 'late']);
  expect(names('recall', 2)).toEqual(['soon', 'answering']);
  expect(names('look', 10)).toEqual(['first look', 'later look']);
  expect(names('look', 1)).toEqual(['first look']);
});

test('a size is known when an upload of that size exists or may exist', () => {
  const ledger = memoryLedger();
  const stamp = stampOf(77);
  const upload = add(ledger, { name: 'a', stamp, state: { kind: 'ready' } });
  expect(ledger.uploads.knowsSize(77)).toBe(false);
  const permit = ledger.permits.insert('upload', NOON_MS, 'me');
  const attempt = ledger.attempts.insert({
    uploadId: upload.id,
    sentName: 'a',
    sizeBytes: 77,
    permitId: permit.id,
    startedAtMs: NOON_MS,
  });
  ledger.uploads.update(upload.id, { state: { kind: 'committing', attemptId: attempt.id } }, NOON_MS);
  expect(ledger.uploads.knowsSize(77)).toBe(true);
  ledger.uploads.update(upload.id, { state: { kind: 'held', reason: 'uncertain' } }, NOON_MS);
  expect(ledger.uploads.knowsSize(77)).toBe(false);
  ledger.attempts.end(attempt.id, { atMs: NOON_MS, outcome: 'uncertain', status: null, evidence: 'reset' });
  expect(ledger.uploads.knowsSize(77)).toBe(true);
});

test('content is found by hash, newest first, only while it is uploaded', () => {
  const ledger = memoryLedger();
  const uploads = [1, 2, 3].map((fileId) => add(ledger, { name: `n${fileId}`, sha256: 'same' }));
  uploads.forEach(({ id }, at) =>
    ledger.uploads.update(
      id,
      { state: { kind: 'uploaded' }, fileId: at + 1, publicLink: 'https://x/y' },
      NOON_MS,
    ),
  );
  const [first] = uploads;
  ledger.uploads.update(first?.id ?? 0, { state: { kind: 'superseded', byId: null } }, NOON_MS);
  expect(ledger.uploads.uploadedBySha('same').map(({ name }) => name)).toEqual(['n3', 'n2']);
});

test.each<[string, Wording]>([
  ['plain words', 'Ask your administrator.'],
  ['a call of the command', see('settings', 'get baseUrl')],
  ['an option', wording`Give it with ${option('--home')}.`],
])('the closed gate keeps a remedy of %s', (_, remedy) => {
  const ledger = memoryLedger();
  const told = { reason: 'key', untilMs: null, message: 'No key.', remedy } as const;
  const gate = { owner: 'engine:1:a', streak: 0, ...told };
  ledger.facts.set('closed-all', gate, NOON_MS);
  expect(ledger.facts.get('closed-all')?.value).toEqual(gate);
});
