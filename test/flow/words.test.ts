// Files whose names look like ids, links or nothing: no command takes one file for another.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isDeep } from '../support/deep.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { storedAs } from '../support/flow/wire.ts';

/** Where the odd files lie; they are not shared. */
let here: string;
let link: string;

const service = await ownService({ firstFileId: 1025 });
const place = await ownPlace(service);
beforeAll(async () => {
  // The ids 1025 to 1028, and q1 to q4.
  for (const name of ['one.txt', 'two.txt', 'three.txt', 'same.txt'])
    expect(await place.run(['upload', await place.put(name, `content of ${name}`)])).toMatchObject({
      code: 0,
    });
  link = storedAs(service, 'content of two.txt')[0]?.link ?? '';
  here = path.join(place.root, 'odd');
  await mkdir(here);
  for (const name of ['1', '1025', 'q1', 'q2', '-', 'id:1025', 'same.txt'])
    await writeFile(path.join(here, name), name);
  const linkAsPath = path.join(here, link.replace('//', '/'));
  await mkdir(path.dirname(linkAsPath), { recursive: true });
  await writeFile(linkAsPath, 'a link');
});

const words = (): string[] => ['1', '1025', 'q1', 'q2', '-', 'id:1025', 'same.txt', link];
const ofLink = ['link', 'info', 'recall', 'delete', 'follow', 'verify', 'card'];
const ofQueue = ['confirm', 'cancel', 'retry', 'resolve'];
const argumentsOf = (command: string, given: string[]): string[] =>
  command === 'expire'
    ? [command, ...given, '7d']
    : command === 'recall' || command === 'delete'
      ? [command, '--yes', ...given]
      : [command, ...given];
const links = (): string[] =>
  ['one.txt', 'two.txt', 'three.txt', 'same.txt'].map(
    (name) => storedAs(service, `content of ${name}`)[0]?.link ?? '',
  );

/** Nothing was deleted or asked, nothing has an end, and no link was printed but in a refusal. */
const demandNothingDone = async (before: number): Promise<void> => {
  expect(service.requests().slice(before)).toEqual([]);
  expect(links().filter((one) => one !== '')).toHaveLength(4);
  const ends = (await place.json(['export'])).lines.map((line) => line['expiresAt'] ?? null);
  expect(ends).toEqual([null, null, null, null]);
};

const commands = [...ofLink, ...ofQueue, 'expire', 'why'];

describe.each(commands)('%s', (command) => {
  test('takes no file here for another one', async () => {
    const before = service.requests().length;
    // In the fast ring each command takes half of the words, and the next one the other half.
    const half = commands.indexOf(command) % 2;
    for (const word of words().filter((_, at) => isDeep || at % 2 === half)) {
      const ended = await place.run(argumentsOf(command, [word]), { cwd: here });
      // A path that is no id of anything known is that path alone.
      const isOnlyPath =
        word === '1' ||
        word === '-' ||
        word === 'same.txt' ||
        (ofQueue.includes(command) && /1025/.test(word));
      expect([word, ended.code]).toEqual([word, isOnlyPath ? (command === 'why' ? 0 : 5) : 2]);
      for (const one of links()) expect(ended.stdout).not.toContain(one);
    }
    await demandNothingDone(before);
  });

  test('refuses all words where one is ambiguous', async () => {
    if (command === 'link' || command === 'info' || command === 'why' || command === 'resolve') return;
    const before = service.requests().length;
    const others = ofQueue.includes(command)
      ? []
      : [path.join(place.folder, 'one.txt'), path.join(place.folder, 'three.txt')];
    expect(await place.run(argumentsOf(command, [...others, 'q2']), { cwd: here })).toMatchObject({
      code: 2,
    });
    await demandNothingDone(before);
  });
});

test('both are named, with the way to write each', async () => {
  const ended = await place.run(['link', '1025'], { cwd: here });
  expect(ended.stderr).toContain(
    `1025 is the file ${path.join(here, '1025')}, and also ${path.join(place.folder, 'one.txt')} (1025, ${links()[0] ?? ''})`,
  );
  expect(ended.stderr).toContain('Write ./1025 for the first, id:1025 for the second.');
  expect((await place.run(['link', 'id:q2'], { cwd: here })).stdout).toBe(`${links()[1] ?? ''}\n`);
  expect((await place.run(['link', './1025'], { cwd: here })).code).toBe(5);
  expect((await place.run(['link', 'id:1025'])).stdout).toBe(`${links()[0] ?? ''}\n`);
  expect((await place.run(['why', '1'], { cwd: here })).stdout).not.toContain('one.txt');
});

test('an id and a name of another file are refused as well', async () => {
  const other = await ownPlace(service);
  // One after the other: the second gets the id that is the first one's name.
  for (const [name, content] of [
    ['1030', 'first'],
    ['b.txt', 'second'],
    ['q1', 'third'],
  ] as const)
    await other.run(['upload', await other.put(name, content)]);
  const before = service.requests().length;
  expect(storedAs(service, 'second')[0]?.id).toBe(1030);
  for (const command of ['link', 'recall', 'delete', 'expire', 'follow'])
    for (const word of ['1030', 'q1'])
      expect([command, word, (await other.run(argumentsOf(command, [word]))).code]).toEqual([
        command,
        word,
        2,
      ]);
  expect(service.requests().slice(before)).toEqual([]);
});
