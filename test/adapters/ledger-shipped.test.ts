// Ledgers that earlier versions made, opened by this one: every promise is kept, also when the update is killed, finds no
// room, or is made by two processes at once.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger, type OpenLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { firstVersion, schemaVersion } from '../../src-main/adapters/ledger/migrations/migrations.ts';
import { isLongUpdate } from '../../src-main/adapters/ledger/update.ts';
import { AppError } from '../../src-main/contract/errors.ts';
import { statesWith } from '../../src-main/contract/model.ts';
import { answersOf, askedAtMs } from '../support/ledgers/answers.ts';
import { answersThen, shapeOf, shippedVersions, writeShipped } from '../support/ledgers/shape.ts';
import { errorOf, NOON_MS, openFor, temporaryFolder } from './ledger-fixtures.ts';

const updater = path.join(import.meta.dirname, 'ledger-updater.ts');

const nowMs = (): number => askedAtMs;

const shipped = (version: number): string => {
  const file = path.join(temporaryFolder(), 'ledger.sqlite');
  writeShipped(file, version);
  return file;
};

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Calls `hear` before and after each statement that may write; returns the undo. */
const aroundStatements = (hear: () => void): (() => void) => {
  const undo = [[DatabaseSync.prototype, 'exec'] as const, [StatementSync.prototype, 'run'] as const].map(
    ([of, name]) => {
      const known = Reflect.get(of, name) as Method;
      Reflect.set(of, name, function heard(this: unknown, ...values: unknown[]) {
        hear();
        const result = known.apply(this, values);
        hear();
        return result;
      });
      return () => Reflect.set(of, name, known);
    },
  );
  return () => undo.forEach((act) => act());
};

const reading = (file: string): DatabaseSync => {
  const sqlite = new DatabaseSync(file);
  onTestFinished(() => {
    if (sqlite.isOpen) sqlite.close();
  });
  return sqlite;
};

/** Like the JSON of the fixture: without undefined fields. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const expectKept = (ledger: OpenLedger, version: number): void => {
  // Later versions tell more.
  expect(asJson(answersOf(ledger))).toMatchObject(withoutWhatWent(answersThen(version)) as object);
};

type Told = {
  isWatched: boolean;
  told: string | null;
  checkedMs: number;
  isFirstTold: boolean;
  sinceMs: number;
};

/**
 * Links that were read again and again are not read any more, and both kinds of watched links have one shape. A
 * cancelled upload says so itself. Whether the link of a content is dead is one of three states now.
 */
const withoutWhatWent = (answers: Record<string, unknown>): unknown => {
  const [byId, , countWrong] = answers['proofs'] as [(Told | null)[], Told[], number];
  const uploads = answers['uploads'] as { uploadedAtMs: number }[];
  const proofs = byId.map((proof, at) => {
    if (proof === null || (proof.isWatched && proof.told === null)) return null;
    const { isWatched: _, ...rest } = proof;
    return { ...rest, sinceMs: uploads[at]?.uploadedAtMs };
  });
  const followed = (answers['followed'] as (Told & { isDoubted: boolean })[]).map(
    ({ checkedMs, isFirstTold, isDoubted, ...rest }) => ({
      ...rest,
      nextMs: checkedMs,
      tries: Number(isDoubted),
      toldAtMs: isFirstTold ? rest.sinceMs : null,
    }),
  );
  const [pause, , ...facts] = answers['facts'] as unknown[];
  const text = JSON.stringify({
    ...answers,
    facts: [pause, ...facts],
    followed,
    proofs: [proofs, countWrong],
  });
  return JSON.parse(text, (name, value: unknown) =>
    name === 'isWatched' || name === 'isProven' ? undefined : value,
  );
};

/** How many states there were, by version: later ones are in no ledger of it. */
const statesThen: Record<number, number> = { 22: 14 };

describe.each(shippedVersions)('a ledger of version %i', (version) => {
  test('has a row in every state of its version and in every table', () => {
    const sqlite = reading(shipped(version));
    const states = sqlite
      .prepare('SELECT DISTINCT state FROM uploads')
      .all()
      .map(({ state }) => state);
    expect(states).toHaveLength(statesThen[version] ?? 0);
    expect(statesWith({})).toEqual(expect.arrayContaining(states));
    const tables = sqlite
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'files_text_%'")
      .all()
      .map(({ name }) => String(name));
    const empty = tables.filter((name) => sqlite.prepare(`SELECT 1 FROM ${name}`).get() === undefined);
    expect(empty).toEqual([]);
  });

  test('keeps every link, end, follow, proof, hold, refusal, zip, permit and entry', () => {
    const file = shipped(version);
    const ledger = openFor(file, nowMs);
    expect(ledger.updatedFrom).toBe(version === schemaVersion ? null : version);
    expectKept(ledger, version);
    expect(ledger.facts.get('rebuilt')).toBeNull();
    // A number that was used before its permit was pruned is not used again.
    const last = Number(
      reading(file).prepare("SELECT seq FROM sqlite_sequence WHERE name = 'permits'").get()?.['seq'],
    );
    expect(ledger.permits.insert('user', NOON_MS, 'me').id).toBe(last + 1);
  });

  test('keeps working: its triggers, searches and indices are those of a new one', () => {
    const ledger = openFor(shipped(version), nowMs);
    const [followed] = ledger.watched.all('downloads');
    if (followed === undefined) throw new Error('Nothing is followed.');
    ledger.uploads.update(
      followed.uploadId,
      { state: { kind: 'recalling', nextAtMs: 1, tries: 0 } },
      NOON_MS,
    );
    expect(ledger.watched.byId('downloads', followed.uploadId)).toBeNull();
    expect(ledger.watched.byId('content', followed.uploadId)).toBeNull();
  });

  test('is the old or the new one after a kill around any statement of the update', () => {
    const file = shipped(version);
    // A killed process leaves the files as they are at that moment. Most statements write none: each state is tried once.
    const left = new Map<string, string>();
    const folder = temporaryFolder();
    let moments = 0;
    const undo = aroundStatements(() => {
      moments += 1;
      const names = readdirSync(path.dirname(file));
      const parts = names.map((name) => [name, readFileSync(path.join(path.dirname(file), name))] as const);
      const hash = createHash('sha256');
      for (const [name, bytes] of parts) hash.update(name).update(name.endsWith('-shm') ? '' : bytes);
      const state = hash.digest('hex');
      if (left.has(state)) return;
      left.set(state, path.join(folder, String(moments)));
      mkdirSync(path.join(folder, String(moments)));
      // The index of the log is made anew from it.
      for (const [name, bytes] of parts)
        if (!name.endsWith('-shm')) writeFileSync(path.join(folder, String(moments), name), bytes);
    });
    try {
      openFor(file, nowMs);
    } finally {
      undo();
    }
    for (const killed of left.values()) {
      const ledger = openFor(path.join(killed, 'ledger.sqlite'), nowMs);
      expectKept(ledger, version);
      expect(ledger.facts.get('rebuilt')).toBeNull();
      ledger.close();
    }
    expect(moments).toBeGreaterThan(40);
    // Before the copy, within it, after it, after the commit.
    expect(left.size).toBeGreaterThanOrEqual(4);
  });

  test('is unchanged when the disk has no room for the update, and is updated when it has', () => {
    const file = shipped(version);
    const pages = Number(reading(file).prepare('PRAGMA page_count').get()?.['page_count']);
    const before = shapeOf(reading(file));
    const error = errorOf(() => openLedger({ file, nowMs, pragma: `PRAGMA max_page_count = ${pages}` }));
    expect(error).toMatchObject({ code: 'disk', storage: 'full' });
    expect(error.remedy).toContain(`${file}.version-${version}`);
    expect(shapeOf(reading(file))).toEqual(before);
    expectKept(openFor(file, nowMs), version);
  });

  test('is updated once by processes that open it at the same moment', async () => {
    const file = shipped(version);
    const children = [1, 2, 3].map(() =>
      spawn(process.execPath, [updater, file], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    const said = children.map((child) => child.stdout.setEncoding('utf8').toArray());
    const ended = await Promise.all(children.map((child) => once(child, 'close')));
    expect(ended.map(([code]) => code as number)).toEqual([0, 0, 0]);
    const updates = (await Promise.all(said)).map((text) => text.join('').trim());
    expect(updates.sort()).toEqual([String(version), 'null', 'null'].sort());
    expectKept(openFor(file, nowMs), version);
  });
});

describe('beside another process', () => {
  const [version = 0] = shippedVersions;
  const taken = new AppError('engine-taken', 'The Outtray app (process 7) is already at work.');

  test('a ledger is not updated while an older Outtray is using it', () => {
    const file = shipped(version);
    const takeTurn = (): never => {
      throw taken;
    };
    const error = errorOf(() => openLedger({ file, nowMs, takeTurn }));
    expect(error).toMatchObject({ code: 'engine-taken' });
    expect(error.message).toMatch(/earlier version.*process 7/);
    expect(reading(file).prepare('PRAGMA user_version').get()).toEqual({ user_version: version });
    expectKept(openFor(file, nowMs), version);
  });

  test('a ledger that another process updates meanwhile is opened without an update of its own', () => {
    const file = shipped(version);
    const ledger = openLedger({
      file,
      nowMs,
      takeTurn: () => {
        openFor(file, nowMs);
        throw taken;
      },
    });
    expect(ledger.updatedFrom).toBeNull();
    expectKept(ledger, version);
    ledger.close();
  });

  test('the turn is released, after a failed update as well', () => {
    const calls: string[] = [];
    const file = shipped(version);
    const open = (pragma: string): OpenLedger =>
      openLedger({
        file,
        nowMs,
        pragma,
        takeTurn: () => {
          calls.push('taken');
          return () => calls.push('given back');
        },
      });
    const pages = Number(reading(file).prepare('PRAGMA page_count').get()?.['page_count']);
    expect(errorOf(() => open(`PRAGMA max_page_count = ${pages}`)).storage).toBe('full');
    open('').close();
    open('').close();
    expect(calls).toEqual(['taken', 'given back', 'taken', 'given back']);
  });
});

describe('an update counts as long', () => {
  const large = (version: number): string => {
    const file = path.join(temporaryFolder(), 'ledger.sqlite');
    const sqlite = reading(file);
    // Pages that are free count for the file's size, and are not copied.
    sqlite.exec(`CREATE TABLE blobs (bytes); INSERT INTO blobs VALUES (zeroblob(41000000)); DROP TABLE blobs;
      PRAGMA user_version = ${version}`);
    sqlite.close();
    return file;
  };

  test('when the ledger is large and of an earlier version', () => {
    expect(isLongUpdate(large(firstVersion))).toBe(true);
  });

  test.each([
    ['is of this version', () => large(schemaVersion)],
    ['is of a newer version', () => large(schemaVersion + 1)],
    ['is small', () => shipped(firstVersion)],
    ['is not there', () => path.join(temporaryFolder(), 'ledger.sqlite')],
    [
      'is damaged',
      () => {
        const file = path.join(temporaryFolder(), 'ledger.sqlite');
        writeFileSync(file, 'x');
        truncateSync(file, 41_000_000);
        return file;
      },
    ],
  ])('but not when it %s', (_, made) => {
    expect(isLongUpdate(made())).toBe(false);
  });
});

test('a kept copy that is restored is an older ledger: waiting uploads are held', () => {
  const [version] = shippedVersions;
  if (version === undefined) throw new Error('There is no fixture.');
  const file = shipped(version);
  const ledger = openFor(file, nowMs);
  ledger.permits.insert('upload', NOON_MS, 'me');
  ledger.close();
  copyFileSync(`${file}.version-${version}`, file);
  const restored = openFor(file, nowMs);
  expect(restored.updatedFrom).toBe(version);
  expect(restored.facts.get('hold-waiting')).not.toBeNull();
});
