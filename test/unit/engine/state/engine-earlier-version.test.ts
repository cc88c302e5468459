// A ledger of an earlier version with every kind of row, opened by the engine of today: nothing that is not wanted goes
// up, nothing comes back, and every no, link and end is kept.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../../src-main/adapters/ledger/ledger.ts';
import { holdRows } from '../../../../src-main/contract/catalogue/reasons.ts';
import { namesWith } from '../../../../src-main/contract/catalogue/rows-with.ts';
import { bucketOf, type UploadState } from '../../../../src-main/contract/model.ts';
import type { FakeDisk } from '../../../support/fake-folder.ts';
import type { FakeService } from '../../../support/fake-service.ts';
import { createWorld, dayMs, hourMs } from '../../../support/fake-world.ts';
import type { MemoryLedger } from '../../../support/memory-ledger.ts';

const nowMs = Date.UTC(2030, 0, 15, 12);
const beforeMs = nowMs - hourMs;

/** `service`: it has the content, deleted or not. `attempt`: how the last one ended; null: it did not. */
type Case = {
  name: string;
  state: UploadState;
  service?: 'alive' | 'deleted';
  /** The row has its id and link. */
  isLinked?: true;
  attempt?: { outcome: 'uncertain' | 'created' | null; isSent: boolean };
  /** A person cancelled it while it was on its way. */
  isCancelled?: true;
  columns?: Record<string, string | number | null>;
  /** It is not on the disk any more. */
  isAway?: true;
  /** After three hours: its state, and whether the service serves it. */
  then: object;
  isPublic: boolean;
  goesUp?: true;
};

const lost = {
  kind: 'uncertain',
  attemptId: 0,
  lost: null,
  looks: 0,
  nextLookAtMs: nowMs,
} as const;
const kept = (name: string, state: UploadState, more: Partial<Case> = {}): Case => ({
  name,
  state,
  then: state,
  isPublic: false,
  ...more,
});
const linked = (name: string, state: UploadState, more: Partial<Case> = {}): Case =>
  kept(name, state, { service: 'alive', isLinked: true, isPublic: true, ...more });
const uncertain = { outcome: 'uncertain', isSent: true } as const;

const cases: Case[] = [
  ...namesWith(holdRows, {}).map((reason) => kept(`held for ${reason}`, { kind: 'held', reason })),
  ...(['existing', 'cancelled', 'recalled', 'expired', 'online-only'] as const).map((rule) =>
    kept(`skipped as ${rule}`, { kind: 'skipped', rule }),
  ),
  kept('.hidden', { kind: 'skipped', rule: 'hidden' }),
  kept('half.part', { kind: 'skipped', rule: 'partial', pattern: '*.part' }),
  kept('failed', { kind: 'failed', code: 'refused', message: 'No.', remedy: 'Ask.' }),
  linked('uploaded', { kind: 'uploaded' }),
  linked('followed', { kind: 'uploaded' }),
  linked('bundle.zip', { kind: 'uploaded' }, { columns: { door: 'zip' } }),
  linked(
    'to end later',
    { kind: 'uploaded' },
    { columns: { ends_at_ms: nowMs + 30 * dayMs, ends_proven_ms: nowMs + 30 * dayMs } },
  ),
  linked('earlier version', { kind: 'superseded', byId: 1 }, { isAway: true }),
  linked(
    'to end soon',
    { kind: 'uploaded' },
    {
      columns: { ends_at_ms: nowMs + hourMs / 2, ends_proven_ms: nowMs + hourMs / 2 },
      then: { kind: 'skipped', rule: 'expired' },
      isPublic: false,
    },
  ),
  linked(
    'being recalled',
    { kind: 'recalling', nextAtMs: nowMs, tries: 2 },
    {
      then: { kind: 'skipped', rule: 'recalled' },
      isPublic: false,
    },
  ),
  linked(
    'recalled and dead',
    { kind: 'recalled', dead: true },
    { service: 'deleted', isAway: true, isPublic: false },
  ),
  linked(
    'recalled, not dead',
    { kind: 'recalled', dead: false },
    {
      isAway: true,
      then: { kind: 'recalled', dead: true },
      isPublic: false,
    },
  ),
  kept('lost, and there', lost, {
    attempt: uncertain,
    service: 'alive',
    then: { kind: 'uploaded' },
    isPublic: true,
  }),
  kept('lost, and not there', lost, {
    attempt: uncertain,
    then: { kind: 'uploaded' },
    isPublic: true,
    goesUp: true,
  }),
  kept(
    'committing',
    { kind: 'committing', attemptId: 0 },
    {
      attempt: { outcome: null, isSent: true },
      service: 'alive',
      then: { kind: 'uploaded' },
      isPublic: true,
    },
  ),
  ...([false, true] as const).map((isSent) =>
    kept(
      `cancelled while ${isSent ? 'committing' : 'sending'}`,
      { kind: isSent ? 'committing' : 'sending', attemptId: 0 },
      {
        attempt: { outcome: null, isSent },
        isCancelled: true,
        ...(isSent ? { service: 'alive' as const } : {}),
        then: { kind: 'skipped' },
      },
    ),
  ),
  ...([false, true] as const).map((isAway) =>
    kept(
      `cancelled after its answer was lost${isAway ? ', and deleted here' : ''}`,
      isAway ? { kind: 'gone' } : { kind: 'skipped', rule: 'cancelled' },
      {
        ...(isAway ? { isAway, columns: { kept_by: 'cancelled' } } : {}),
        attempt: uncertain,
        service: 'alive',
        isPublic: true,
        then: { kind: 'held', reason: 'uncertain' },
      },
    ),
  ),
];

const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex');

/** The ledger of a home of that version, with these rows instead of its own. */
const fill = (file: string, version: number, disk: FakeDisk, service: FakeService): void => {
  const home = path.join(import.meta.dirname, `../../../support/ledgers/home-${version}.json.gz`);
  const { ledger } = JSON.parse(gunzipSync(readFileSync(home)).toString()) as { ledger: string };
  writeFileSync(file, Buffer.from(ledger, 'base64'));
  const sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  const insert = (table: string, row: Record<string, string | number | null>): void => {
    const names = Object.keys(row);
    const sql = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`;
    sqlite.prepare(sql).run(...Object.values(row));
  };
  for (const table of [
    'entries',
    'followed',
    'proofs',
    'bundled',
    'attempts',
    'permits',
    'remote_files',
    'uploads',
    'facts',
  ])
    sqlite.exec(`DELETE FROM ${table}`);
  sqlite.exec(`UPDATE folders SET path = '/tray', identity = 'disk', chosen_at_ms = ${beforeMs}, baseline_last_id = 0;
    DELETE FROM dirs; INSERT INTO dirs (id, folder, path) VALUES (1, 1, '/tray')`);
  insert('permits', {
    id: 1,
    lane: 'upload',
    owner: 'engine:1:0',
    spent_at_ms: beforeMs,
    answered_at_ms: beforeMs,
  });
  const cancelled: number[] = [];
  for (const [at, one] of cases.entries()) {
    const { name, state, attempt, isAway = false, columns = {} } = one;
    const id = at + 1;
    const content = `the content of ${name}`;
    if (!isAway) disk.write(`/tray/${name}`, content);
    const stored = one.service === undefined ? null : service.addForeign(name, content);
    if (stored !== null) stored.deleted = one.service === 'deleted';
    const sizeBytes = content.length;
    const { kind, ...detail } =
      attempt === undefined || !('attemptId' in state) ? state : { ...state, attemptId: id };
    const inode = isAway ? String(9000 + id) : disk.inode(`/tray/${name}`);
    insert('uploads', {
      ...{
        id,
        folder: 1,
        dir_id: 1,
        present: isAway ? 0 : 1,
        state: kind,
        bucket: bucketOf(state),
        priority: 0,
        name,
      },
      ...{
        name_key: name.toLowerCase(),
        stamp_key: `${sizeBytes}:${nowMs}.0:${nowMs}:1:${inode}`,
        size_bytes: sizeBytes,
      },
      ...{
        mtime_ms: nowMs,
        ctime_ms: nowMs,
        inode,
        detail: Object.keys(detail).length === 0 ? null : JSON.stringify(detail),
      },
      ...{
        attempts: 0,
        confirmed: 0,
        grace_over: 0,
        door: 'folder',
        created_at_ms: beforeMs,
        changed_at_ms: beforeMs,
      },
      ...{
        sha256: sha256Of(content),
        sent_name: attempt === undefined && one.isLinked === undefined ? null : name,
      },
      ...(one.isLinked === undefined || stored === null
        ? {}
        : {
            file_id: stored.fileId,
            public_link: stored.link,
            remote_size: sizeBytes,
            uploaded_at_ms: beforeMs,
          }),
      ...columns,
    });
    if (attempt !== undefined)
      insert('attempts', {
        ...{
          id,
          upload_id: id,
          permit_id: 1,
          sent_name: name,
          size_bytes: sizeBytes,
          started_at_ms: beforeMs,
        },
        ...{ committing_at_ms: attempt.isSent ? beforeMs : null, outcome: attempt.outcome },
        ended_at_ms: attempt.outcome === null ? null : beforeMs,
      });
    if (one.isCancelled === true) cancelled.push(id);
    if (name === 'followed')
      insert('followed', { upload_id: id, since_ms: beforeMs, checked_ms: beforeMs, told: 0 });
    if (name === 'bundle.zip')
      insert('bundled', {
        upload_id: id,
        name: 'a',
        path: '/tray/uploaded',
        size_bytes: 1,
        sha256: sha256Of('a'),
      });
  }
  // The tables beside it are filled when a state is written.
  sqlite.exec('UPDATE uploads SET state = state');
  insert('facts', { name: 'cancel', value: JSON.stringify(cancelled), at_ms: beforeMs });
  insert('facts', { name: 'service', value: '"https://files.example/api/v1"', at_ms: beforeMs });
  sqlite.close();
};

const open =
  (version: number) =>
  (disk: FakeDisk, service: FakeService): MemoryLedger => {
    const folder = mkdtempSync(path.join(tmpdir(), 'outtray-earlier-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'ledger.sqlite');
    disk.identify('disk');
    fill(file, version, disk, service);
    let asked = 0;
    return { ...openLedger({ file, nowMs: () => nowMs }), writes: () => (asked += 1) };
  };

describe.each([22, 26])('a ledger of version %i', (version) => {
  test('keeps what was wanted of every kind of row, its links and their ends', async () => {
    const world = createWorld({ ledger: open(version) });
    const run = await world.start();
    await world.clock.advance(3 * hourMs);
    const { service, ledger } = world;
    const storedAs = (name: string) => service.stored.findLast((one) => one.name === name);
    const told = cases.map(({ name }) => {
      const isPublic = service.stored.some((one) => one.name === name && !one.deleted);
      return { name, state: world.row(name).state, isPublic };
    });
    expect(told).toMatchObject(cases.map(({ name, then: state, isPublic }) => ({ name, state, isPublic })));
    expect(service.count('upload')).toBe(cases.filter(({ goesUp }) => goesUp === true).length);
    const shown = new Map(
      (await run.call('files.page', { limit: 100 })).rows.map(({ name, publicLink }) => [name, publicLink]),
    );
    for (const { name } of cases.filter(({ isPublic }) => isPublic))
      expect(shown.get(name)).toBe(storedAs(name)?.link);
    expect(world.row('to end later').ends?.atMs).toBe(nowMs + 30 * dayMs);
    expect(ledger.watched.byId('downloads', world.row('followed').id)).not.toBeNull();
    expect(ledger.bundled.inside(world.row('bundle.zip').id, 9)).toMatchObject({ total: 1 });
    expect(ledger.entries.after(0, 500).filter(({ body }) => body.kind === 'lost')).toEqual([]);
  });
});
