// A home that an earlier version wrote, with its own command, opened by this one: nothing is uploaded again, and every
// link, end, follow, hold and refusal is there.
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { stampKeyOf } from '../../src-main/adapters/files/stamps.ts';
import { schemaVersion } from '../../src-main/adapters/ledger/migrations/migrations.ts';
import type { Line } from '../support/flow/command.ts';
import { folderContent } from '../support/folder-content.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';
import { uploads } from '../support/flow/wire.ts';
import type { Service } from '../service/service.ts';
import { writeShipped } from '../support/ledgers/shape.ts';

/** Made once, by the command of that version. `stored`: what its account held, by id; null: it was deleted. */
type Home = {
  folder: string;
  files: Record<string, string>;
  ledger: string;
  settings: string;
  answers: Record<string, { code: number; lines: Line[] }>;
  stored?: Record<string, { filename: string; content: string } | null>;
};

const readHome = (version: number | string): Home =>
  JSON.parse(
    gunzipSync(
      readFileSync(path.join(import.meta.dirname, `../support/ledgers/home-${version}.json.gz`)),
    ).toString(),
  ) as Home;

/** Puts the home where `place` is. The files are new here, so the ledger gets their places and stamps. */
const putHome = async (home: Home, place: Place, baseUrl: string): Promise<void> => {
  for (const [name, content] of Object.entries(home.files)) await place.put(name, content);
  const file = path.join(place.home, 'ledger.sqlite');
  writeFileSync(file, Buffer.from(home.ledger, 'base64'), { mode: 0o600 });
  const settings = path.join(place.home, 'settings.json');
  const given = JSON.parse(readFileSync(settings, 'utf8')) as object;
  const kept = home.settings.replaceAll(path.dirname(home.folder), place.root);
  writeFileSync(
    settings,
    JSON.stringify({ ...(JSON.parse(kept) as object), ...given, folder: place.folder }),
  );
  const sqlite = new DatabaseSync(file);
  const moved = (text: string): string => text.replaceAll(path.dirname(home.folder), place.root);
  for (const { id, path: dir } of sqlite.prepare('SELECT id, path FROM dirs').all())
    sqlite.prepare('UPDATE dirs SET path = ? WHERE id = ?').run(moved(String(dir)), Number(id));
  sqlite.prepare('UPDATE bundled SET path = replace(path, ?, ?)').run(home.folder, place.folder);
  const { dev, ino, birthtimeNs } = lstatSync(place.folder, { bigint: true });
  sqlite
    .prepare('UPDATE folders SET path = ?, identity = ?')
    .run(place.folder, `${dev}:${ino}:${birthtimeNs}`);
  sqlite.prepare("UPDATE facts SET value = ? WHERE name = 'service'").run(JSON.stringify(baseUrl));
  for (const name of Object.keys(home.files)) {
    const stats = lstatSync(path.join(place.folder, name), { bigint: true });
    sqlite
      .prepare(
        `UPDATE uploads SET stamp_key = ?, inode = ?, mtime_ms = ?, ctime_ms = ?
         WHERE name = ? AND present = 1 AND dir_id IN (SELECT id FROM dirs WHERE path = ?)`,
      )
      .run(
        stampKeyOf(stats),
        String(stats.ino),
        Number(stats.mtimeMs),
        Number(stats.ctimeMs),
        path.basename(name),
        path.dirname(path.join(place.folder, name)),
      );
  }
  sqlite.close();
};

/** Commands that this version no longer has. */
const isGone = (asked: string): boolean => /^(exposure |verify --watch$)/.test(asked);

/** What stays the same: not the time of the call, budgets that a day frees, and words. */
const lasting = ({ lines }: { lines: Line[] }, folder: string): object[] =>
  JSON.parse(
    JSON.stringify(lines, (name, value: unknown) =>
      [
        'asOf',
        'budget',
        'event',
        'requestsPerDay',
        'dayLimit',
        'everySeconds',
        'outside',
        'work',
        'message',
        'remedy',
      ].includes(name)
        ? undefined
        : // An earlier version named the place in which a zip was packed.
          name === 'path' && String(value).includes('/spool/')
          ? null
          : name === 'sentence'
            ? String(value).replace(/:.*/s, '')
            : value,
    )
      .replaceAll(folder, 'FOLDER')
      // As the earlier version named them.
      .replaceAll(/"queueId":"q(\d+)"/g, '"id":$1')
      .replaceAll('"sizeBytes":', '"size":')
      .replaceAll(/No file called \S+ has/g, 'No file of this name has'),
  ) as object[];

/** The home of each version, and the settings in it that this version no longer has. */
test.each([
  [22, ['(a link)']],
  [26, ['(a link)', 'auditSystemLog', 'releaseWatch']],
])(
  'a home of version %i keeps every link, end, follow, hold and refusal; it reports once which settings left, and that a link is not read again, and uploads nothing again',
  async (version, former) => {
    const home = readHome(version);
    const service = await ownService();
    const place = await ownPlace(service);
    await putHome(home, place, service.baseUrl);
    const copies = (): string[] => readdirSync(place.home).filter((name) => name.includes('.version-'));
    // A command updates the ledger but is no engine: the copy stays until an engine has ended in good order.
    const leaving = ({ stderr }: { stderr: string }): string[] =>
      [...stderr.matchAll(/no longer has the setting (\w+)\.|A link that was read back/g)].map(
        ([, name = '(a link)']) => name,
      );
    expect(leaving(await place.run(['status'])).toSorted()).toEqual(former);
    expect(leaving(await place.run(['status']))).toEqual([]);
    expect(copies()).toEqual([`ledger.sqlite.version-${version}`]);
    expect((await place.run(['watch', '--once'])).code).toBe(8);
    expect(copies()).toEqual([]);
    const ledger = new DatabaseSync(path.join(place.home, 'ledger.sqlite'));
    expect(ledger.prepare('PRAGMA user_version').get()).toEqual({ user_version: schemaVersion });
    expect(ledger.prepare('SELECT count(*) AS ends FROM uploads WHERE ends_at_ms IS NOT NULL').get()).toEqual(
      {
        ends: 1,
      },
    );
    ledger.close();
    for (const [asked, answer] of Object.entries(home.answers)) {
      if (isGone(asked)) continue;
      const args = asked.replaceAll('FOLDER', place.folder);
      const now = await place.json(splitAsked(args, place.folder));
      // The earlier version reported less about each file.
      expect(lasting(now, place.folder), asked).toMatchObject(lasting(answer, home.folder));
    }
    expect(uploads(service)).toEqual([]);
  },
);

/** The account of the home, with its ids and links at this service. */
const fillAccount = async ({ stored = {} }: Home, service: Service, home: string): Promise<void> => {
  for (const [id, file] of Object.entries(stored)) {
    const put = await service.addFile(file ?? { filename: 'deleted', content: 'deleted' });
    expect(String(put.id)).toBe(id);
    if (file === null) await service.removeFile(put.id);
  }
  const sqlite = new DatabaseSync(path.join(home, 'ledger.sqlite'));
  for (const table of ['uploads', 'remote_files']) {
    const links = sqlite
      .prepare(`SELECT public_link AS link FROM ${table} WHERE public_link IS NOT NULL`)
      .all();
    for (const { link } of links) {
      const here = new URL(String(link)).pathname;
      const moved = new URL(here, service.baseUrl).href;
      sqlite.prepare(`UPDATE ${table} SET public_link = ? WHERE public_link = ?`).run(moved, String(link));
    }
  }
  sqlite.close();
};

const rowsOf = (home: string) => {
  const sqlite = new DatabaseSync(path.join(home, 'ledger.sqlite'), { readOnly: true });
  const rows = sqlite.prepare('SELECT * FROM uploads ORDER BY id').all();
  sqlite.close();
  return rows;
};

/** What becomes of each file; where it has several rows, of each. */
const kinds: Record<string, string[]> = {
  'existing changed.txt': ['held existing-changed'],
  'existing.txt': ['skipped existing'],
  // The service was not heard about its link: it is asked now, and the link is dead.
  'alive.txt': ['recalled dead', 'skipped recalled'],
  'changed.txt': ['superseded', 'uploaded'],
  'ends.txt': ['uploaded'],
  'expired.txt': ['recalled dead', 'skipped expired'],
  'followed.txt': ['uploaded'],
  id_rsa: ['held secret-name'],
  'ignored.part': ['skipped partial'],
  'let go.pem': ['uploaded'],
  'monitored.txt': ['uploaded'],
  'old.pem': ['skipped cancelled'],
  'plain.txt': ['uploaded'],
  'recalled.txt': ['recalled dead', 'skipped recalled'],
  // The service refused to delete it, which that version did not notice: it is tried again.
  'refused.txt': ['recalled again', 'skipped recalled'],
  'Q3.csv': ['uploaded'],
  'copy.txt': ['skipped already-shared'],
  'failed.txt': ['failed refused'],
  'both.zip': ['uploaded'],
  'lost.txt': ['uploaded'],
  // That version forgot the no once the answer was lost: a person is asked.
  'lost and cancelled.txt': ['held uncertain'],
};

const kindOf = ({ state, detail }: ReturnType<typeof rowsOf>[number]): string => {
  const { reason, rule, dead, nextAtMs, code } = JSON.parse(
    typeof detail === 'string' ? detail : '{}',
  ) as Record<string, unknown>;
  const more = [reason, rule, code, dead === true && 'dead', Number(nextAtMs) > Date.now() && 'again'];
  return [state, ...more.filter(Boolean)].join(' ');
};

test('a home of version 26 with a row of every kind: nothing goes up, nothing comes back, and each no, link and end is kept', async () => {
  const home = readHome('26-kinds');
  const service = await ownService();
  const place = await ownPlace(service);
  await putHome(home, place, service.baseUrl);
  await fillAccount(home, service, place.home);
  const stored = service.files();
  const before = rowsOf(place.home);
  const lost = stored.find(({ id }) => id === 1014)?.link ?? '';
  expect(await place.run(['watch', '--once'])).toMatchObject({ code: 8, stdout: `${lost}\n` });
  expect((await place.run(['list', '--all'])).code).toBe(0);
  const rows = rowsOf(place.home);
  const found = Object.groupBy(rows, ({ name }) => String(name));
  expect(
    Object.fromEntries(Object.entries(found).map(([name, some = []]) => [name, some.map(kindOf)])),
  ).toEqual(kinds);
  for (const row of before) {
    const { file_id, public_link, ends_at_ms, expire_wish, present, door } = row;
    if (row['name'] === 'lost.txt') expect(row['state']).toBe('uncertain');
    const link = row['name'] === 'lost.txt' ? { file_id: 1014, public_link: lost } : { file_id, public_link };
    expect(rows.find(({ id }) => id === row['id'])).toMatchObject({
      ...link,
      ...{ ends_at_ms, expire_wish, present, door },
    });
  }
  expect((await place.json(['follow'])).lines[0]).toMatchObject({ filename: 'followed.txt' });
  expect(uploads(service)).toEqual([]);
  expect(service.files().map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
});

test('before a long update the command explains it, once', async () => {
  const place = await ownPlace(null);
  const ledger = path.join(place.home, 'ledger.sqlite');
  const age = (): void => {
    writeShipped(ledger, 22);
    const sqlite = new DatabaseSync(ledger);
    // What an earlier version read again and again is another message.
    sqlite.exec('UPDATE proofs SET is_watched = 0');
    sqlite.exec(
      'CREATE TABLE blobs (bytes); INSERT INTO blobs VALUES (zeroblob(41000000)); DROP TABLE blobs',
    );
    sqlite.close();
  };
  age();
  const first = await place.run(['status']);
  expect(first.stderr).toMatch(/^Updating the ledger for this version of Outtray: [^\n]+\n$/);
  expect((await place.run(['status'])).stderr).toBe('');
  age();
  expect((await place.run(['--quiet', 'status'])).stderr).toBe('');
});

test.each([
  ['status', []],
  ['list', []],
  ['export', []],
  ['upload', ['FILE']],
  ['watch', ['FOLDER', '--once', '--existing=upload']],
])(
  '%s of an older Outtray leaves a newer ledger as it is, reports it and sends nothing',
  async (command, given) => {
    const service = await ownService();
    const place = await ownPlace(service);
    const file = await place.put('a.txt', 'a');
    expect((await place.run(['watch', place.folder, '--once'])).code).toBe(0);
    const ledger = new DatabaseSync(path.join(place.home, 'ledger.sqlite'));
    ledger.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
    ledger.close();
    const before = [folderContent(place.home), service.requests().length];
    const args = given.map((one) => one.replace('FILE', file).replace('FOLDER', place.folder));
    const ended = await place.run([command, ...args]);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^[^\n]*written by a newer version of Outtray[^\n]*export the list with the newer one[^\n]*\n$/,
    );
    expect([folderContent(place.home), service.requests().length]).toEqual(before);
  },
);

/** A name may have a blank in it: what begins with the folder, and what follows `link`, is one word. */
const splitAsked = (asked: string, folder: string): string[] => {
  const [command = ''] = asked.split(' ', 1);
  const rest = asked.slice(command.length + 1);
  return rest === ''
    ? [command]
    : rest.startsWith(folder) || command === 'link'
      ? [command, rest]
      : asked.split(' ');
};
