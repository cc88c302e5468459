// The setting afterUpload with real programs: no shell, no key, every event at least once although Outtray is killed,
// and a program that hangs stops no upload.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey } from '../support/flow/place.ts';
import { eventually } from '../support/flow/poll.ts';
import { uploads } from '../support/flow/wire.ts';

/** A place whose program runs this code with `line`, what it got, and `log(text)`, which adds to a file. */
const begin = async (code: string) => {
  const service = await ownService();
  const place = await ownPlace(service, { processes: true });
  const told = path.join(place.root, 'told');
  const script = path.join(place.root, 'hear it.mjs');
  writeFileSync(told, '');
  writeFileSync(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs';
    const line = readFileSync(0, 'utf8');
    const log = (text) => appendFileSync(${JSON.stringify(told)}, text);
    ${code}`,
  );
  const set = await place.run([
    'settings',
    'set',
    'afterUpload',
    `${process.execPath} "${script}" "a b" $HOME;`,
  ]);
  expect(set).toMatchObject({ code: 0 });
  const lines = (): Record<string, unknown>[] =>
    readFileSync(told, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { service, place, lines };
};

test.runIf(process.platform !== 'win32')(
  'a file name is only a string, the words go unchanged, and the key is nowhere',
  async () => {
    const { place, lines } = await begin(
      'log(JSON.stringify({ ...JSON.parse(line), words: process.argv.slice(2), env: process.env }) + "\\n"); console.log("heard");',
    );
    const file = await place.put('$(touch x);-rf.txt', 'content');
    expect(await place.run(['upload', file])).toMatchObject({ code: 0 });
    const [event] = lines();
    expect(event).toMatchObject({ event: 'uploaded', path: file, words: ['a b', '$HOME;'] });
    expect(JSON.stringify(event)).not.toContain(apiKey);
    const log = readFileSync(path.join(place.home, 'log', 'outtray.log'), 'utf8');
    expect(log).toContain('heard');
    expect(log).not.toContain(apiKey);
    expect(await place.run(['recall', file])).toMatchObject({ code: 0 });
    expect(await place.run(['watch', '--once', place.folder])).toMatchObject({ code: 0 });
    expect(lines().map((one) => one['event'])).toEqual(['uploaded', 'recalled']);
  },
);

test('a program that fails is reported, and the upload is not touched', async () => {
  const { place } = await begin('process.exit(3)');
  const ended = await place.run(['upload', await place.put('a.txt', 'content')]);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http\S+\n$/) as string });
  expect(ended.stderr).toContain('the program of afterUpload failed: it ended with code 3.');
});

test('a program that hangs stops no upload; it is ended with all that it started', async () => {
  const { service, place } = await begin(
    'log(JSON.stringify(JSON.parse(line)) + "\\n"); setInterval(Date, 1e6);',
  );
  const running = place.start(['watch', place.folder]);
  await eventually('it watches', () => running.stderr().includes('Watching'));
  for (let n = 0; n < 6; n++) await place.put(`${n}.txt`, `content ${n}`);
  await eventually('all are uploaded', () => uploads(service).length === 6);
  // It does not wait for the minute of each program.
  expect(await running.stop('SIGINT')).toMatchObject({ code: 130 });
});

test('killed at ten points, each of 50 events arrives at least once, always with its id', async () => {
  const { service, place, lines } = await begin('log(line);');
  // A killed upload is looked for, and 50 files are more than a minute allows.
  for (const [name, value] of Object.entries({ reconcileAfterMs: '1000', requestsPerMinute: '1000' }))
    expect(await place.run(['settings', 'set', name, value])).toMatchObject({ code: 0 });
  const files: string[] = [];
  for (let n = 0; n < 50; n++) files.push(await place.put(`${n}.txt`, `content ${n}`));
  for (let kill = 1; kill <= 10; kill++) {
    const running = place.start(['upload', ...files]);
    await eventually(`kill ${kill}`, () => lines().length >= kill * 4);
    await running.stop('SIGKILL');
  }
  const isDone = async (): Promise<boolean> => (await place.run(['upload', ...files])).code === 0;
  await eventually('the last upload', isDone, 180_000);
  const told = lines().filter(({ event }) => event === 'uploaded');
  expect(new Set(told.map((one) => one['path'])).size).toBe(50);
  const ids = Map.groupBy(told, (one) => one['path']);
  expect([...ids.values()].every((same) => new Set(same.map(({ id }) => id)).size === 1)).toBe(true);
  expect(new Set(told.map(({ id }) => id)).size).toBe(50);
  expect(service.files()).toHaveLength(50);
}, 300_000);
