// The audit file of the command, against the service: its lines across a restart, and the report while it cannot be written.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

let place: Place;
const service = await ownService();

const audited = async (): Promise<string> => {
  place = await ownPlace(service);
  const folder = path.join(path.dirname(place.folder), 'record');
  mkdirSync(folder);
  const file = path.join(folder, 'audit.jsonl');
  expect((await place.run(['settings', 'set', 'auditFile', file])).code).toBe(0);
  return file;
};
const linesIn = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('while the file cannot be written nothing is uploaded, and doctor, status and the run give the reason', async () => {
  const file = await audited();
  rmSync(path.dirname(file), { recursive: true });
  const two = await place.put('two.txt', 'two without a record');
  const before = uploads(service).length;
  const { code, lines } = await place.json(['upload', '--no-wait', two]);
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatchObject({ error: { code: 'audit' } });
  expect(uploads(service)).toHaveLength(before);
  expect((await place.json(['status'])).lines[0]).toMatchObject({ waiting: { reason: 'audit' } });
  const checks = (await place.json(['doctor'])).lines;
  expect(JSON.stringify(checks)).toContain('cannot be written');
  mkdirSync(path.dirname(file));
  expect((await place.run(['upload', two])).code).toBe(0);
  expect(storedAs(service, 'two without a record')).toHaveLength(1);
  expect(linesIn(file)).toHaveLength(1);
});

test('a watch and commands beside it write at the same time: each line once, in order, and none with the key', async () => {
  const file = await audited();
  const paths = await Promise.all(
    Array.from({ length: 12 }, (_, at) => place.put(`together ${at}.txt`, `together ${at}`)),
  );
  const first = paths.slice(0, 4);
  expect((await place.run(['upload', ...first])).code).toBe(0);
  const watch = place.start(['watch', place.folder, '--existing', 'upload']);
  const commands = first.map((one, at) => place.run(at % 2 === 0 ? ['expire', one, '7d'] : ['recall', one]));
  for (const { code } of await Promise.all(commands)) expect(code).toBe(0);
  await expect.poll(() => uploads(service).length).toBeGreaterThanOrEqual(12);
  await expect.poll(() => linesIn(file).filter(({ event }) => event === 'public')).toHaveLength(12);
  await watch.stop('SIGINT');
  const lines = linesIn(file);
  const seqs = lines.map(({ seq }) => Number(seq));
  expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  expect(new Set(lines.map(({ ledger }) => ledger)).size).toBe(1);
  // A link that is slow to die has one line more, before it is dead.
  const count = (wanted: string) =>
    lines.filter(({ event, dead }) => event === wanted && dead !== false).length;
  expect({ public: count('public'), expiry: count('expiry'), recalled: count('recalled') }).toEqual({
    public: 12,
    expiry: 2,
    recalled: 2,
  });
  expect(readFileSync(file, 'utf8')).not.toContain(place.env['OUTTRAY_API_KEY']);
});
