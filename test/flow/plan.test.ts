// The command `plan`, against the service: no request, no change of the ledger, and the exit codes.
import { utimes } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';

let place: Place;
const service = await ownService();

/** Every row of every table of the ledger. */
const contentOf = ({ home }: Place): unknown => {
  const database = new DatabaseSync(path.join(home, 'ledger.sqlite'), { readOnly: true });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all();
    return tables.map(({ name }) => {
      const rows = database.prepare(`SELECT * FROM "${String(name)}"`);
      rows.setReadBigInts(true);
      return [name, rows.all()];
    });
  } finally {
    database.close();
  }
};

test('a plan sends nothing and changes no row, and reports each file, the cost and exit code 8', async () => {
  place = await ownPlace(service);
  const file = await place.put('a.txt', 'a plan of this');
  const secret = await place.put('id_rsa', 'a key');
  // An existing row: the plan has something it could change.
  const earlier = await place.put('earlier.txt', 'up already');
  expect((await place.run(['upload', earlier])).code).toBe(0);
  const requests = service.requests().length;
  const before = contentOf(place);
  const { code, lines } = await place.json(['plan', file, secret]);
  expect(code).toBe(8);
  expect(lines).toMatchObject([
    { path: file, verdict: 'upload', sizeBytes: 14, expectedAt: expect.any(String) as string },
    { path: secret, verdict: 'held', reason: 'secret-name', sizeBytes: 5, expectedAt: null },
    { requests: 1, finishesAt: expect.any(String) as string, dailyUploadsLeft: 'unlimited' },
  ]);
  const said = await place.run(['plan', file]);
  expect({ code: said.code, text: said.stdout }).toMatchObject({
    code: 0,
    text: expect.stringMatching(
      /1 file would be uploaded with 1 request, done about .*\. The account has no daily limit on uploads\.\n$/,
    ) as string,
  });
  expect((await place.run(['plan', path.join(place.folder, 'none')])).code).toBe(5);
  expect((await place.run(['plan'])).code).toBe(2);
  expect(service.requests()).toHaveLength(requests);
  expect(contentOf(place)).toEqual(before);
});

test('for a burst that would be held, a plan lists what a person could do with it', async () => {
  place = await ownPlace(service, { settings: { burstFiles: 1 } });
  expect((await place.run(['watch', place.folder, '--once'])).code).toBe(0);
  for (const [at, name] of ['one.txt', 'two.txt', 'three.txt'].entries()) {
    const file = await place.put(name, name);
    await utimes(file, 1_700_000_000 + at, 1_700_000_000 + at);
  }
  const { code, lines } = await place.json(['plan', place.folder]);
  expect(code).toBe(8);
  const finishesAt = expect.any(String) as string;
  expect(lines.at(-1)).toMatchObject({
    requests: 0,
    finishesAt: null,
    burst: [
      { plan: 'all', uploads: 3, sizeBytes: 23, name: null, finishesAt, today: 3 },
      { plan: 'zip', uploads: 1, sizeBytes: 23, name: `${path.basename(place.folder)}.zip`, finishesAt },
      { plan: 'newest', uploads: 1, sizeBytes: 9, name: 'three.txt', finishesAt, today: 1 },
    ],
  });
  const said = await place.run(['plan', place.folder]);
  expect(said.stdout).toMatch(
    /^Held \(burst\): 3 files.*\n.*window:\n {2}all: 3 files.*\n {2}zip: .*\n {2}newest: three\.txt/m,
  );
});
