// `upload -`: piped input is uploaded under a name, and nothing of it stays; incomplete input is never public.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { readHolder } from '../../src-main/adapters/system/lock.ts';
import type { Service } from '../service/service.ts';
import { posixTest } from '../support/posix.ts';
import { commandWords } from '../support/flow/command.ts';
import { eventually } from '../support/flow/poll.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;
beforeEach(async () => {
  service = await ownService();
  place = await ownPlace(service);
});

/** The files in the spool, with the mode of each. */
const spooled = async (): Promise<string[]> => {
  const folder = path.join(place.home, 'spool');
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = names.filter((name) => name.isFile());
  const told = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      // One that is removed meanwhile is not there.
      const found = await stat(path.join(parentPath, name)).catch(() => null);
      return found === null ? [] : [`${name} ${(found.mode & 0o777).toString(8)}`];
    }),
  );
  return told.flat();
};
const isEmpty = () => eventually('the spool is empty', async () => (await spooled()).length === 0);
const piped = (given: string, ...args: string[]) => place.json(['upload', '-', ...args], { stdin: given });
const errorOf = ({ code, lines }: Awaited<ReturnType<typeof piped>>) => [
  code,
  lines.find(({ error }) => error !== undefined)?.error?.message,
];

test('it is uploaded under its name, among files in their order, and leaves nothing on the disk', async () => {
  await place.put('../a.txt', 'a');
  await place.put('../z.txt', 'z');
  const ended = await place.run(['upload', 'a.txt', '-', 'z.txt', '--name', 'täxt.log'], {
    stdin: 'from a pipe',
  });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const names = ['a.txt', 'täxt.log', 'z.txt'];
  const links = names.map((name) => service.files().find(({ filename }) => filename === name)?.link);
  expect(ended.stdout).toBe(`${links.join('\n')}\n`);
  expect(await (await fetch(links[1] ?? '')).text()).toBe('from a pipe');
  await isEmpty();
  expect((await place.run(['link', 'täxt.log'])).stdout).toBe(`${links[1]}\n`);
  // The same input again already has the link; nothing is sent.
  const again = await place.run(['upload', '-', '--name', 'again.log'], { stdin: 'from a pipe' });
  expect(again.stdout).toBe(`${links[1]}\n`);
  expect(service.files()).toHaveLength(3);
  await isEmpty();
});

test('empty input, another size and another SHA-256 are refused, and leave nothing', async () => {
  const sha256 = createHash('sha256').update('whole').digest('hex');
  expect(errorOf(await piped('', '--name', 'a'))).toEqual([
    2,
    'Standard input was empty, so nothing is uploaded.',
  ]);
  expect(errorOf(await piped('who', '--name', 'a', '--size', '5'))).toEqual([
    8,
    'Standard input had 3 bytes, not the 5 of --size; nothing is uploaded.',
  ]);
  expect(errorOf(await piped('whol!', '--name', 'a', '--size', '5', '--sha256', sha256))).toEqual([
    8,
    'Standard input does not have the SHA-256 given by --sha256; nothing is uploaded.',
  ]);
  expect([service.requests(), await spooled(), (await place.json(['held'])).lines]).toEqual([[], [], []]);
  const whole = await piped('whole', '--name', 'a', '--size', '5', '--sha256', sha256.toUpperCase());
  expect(whole.code).toBe(0);
  expect(service.files()).toHaveLength(1);
});

test('wrong use is reported before anything is read', async () => {
  for (const args of [
    ['upload', '-'],
    ['upload', '-', '-', '--name', 'a'],
    ['upload', 'a.txt', '--name', 'a'],
    ['upload', '-', '--name', 'a', '--sha256', 'abc'],
    ['upload', '-', '--name', 'a', '--size', '1e3'],
    ['upload', '-', '--files-from', '-', '--name', 'a'],
    ['upload', '-', '--name', 'a', '--expire', 'soon'],
    ['upload', '-', '--name', 'a', '--format', 'none'],
  ]) {
    const running = place.start(['--json', ...args], { stdin: new PassThrough() });
    expect([args, (await running.ended).code]).toEqual([args, 2]);
  }
  for (const name of ['../a', 'a/b', '..', '', 'n'.repeat(256)])
    expect([name, (await piped('x', '--name', name)).code]).toEqual([name, 2]);
  expect(await spooled()).toEqual([]);
});

test('while it is read no engine is held; after a stop or a kill nothing is public, and nothing stays for long', async () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const child = place.start(['upload', '-', '--name', 'half.bin'], { stdin: { open: true } });
    await eventually('it is being written', async () => (await spooled()).includes('half.bin 600'));
    expect(readHolder(place.home)).toBeNull();
    const ended = await child.stop(signal);
    expect(ended.code).toBe(signal === 'SIGINT' ? 130 : null);
  }
  expect(await spooled()).toEqual(['half.bin 600']);
  // The next run removes what the killed one left.
  await place.run(['watch', place.folder, '--once']);
  await isEmpty();
  expect(service.files()).toEqual([]);
});

test('input that cannot be read is reported', async () => {
  const shell = spawn('/bin/sh', ['-c', `"$@" upload - --name a < .`, 'sh', ...commandWords], {
    env: { ...place.env, PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  shell.stderr.on('data', (piece: Buffer) => (said += String(piece)));
  const code = await new Promise((resolve) => shell.once('close', resolve));
  expect([code, said]).toEqual([2, expect.stringMatching(/Standard input cannot be read/)]);
  expect(await spooled()).toEqual([]);
});

test('an input that is too large ends at once; a secret is kept for the decision, and removed when it is cancelled', async () => {
  await place.run(['settings', 'set', 'maxFileBytes', '5']);
  expect(errorOf(await piped('123456', '--name', 'a'))[0]).toBe(8);
  expect(await spooled()).toEqual([]);
  await place.run(['settings', 'set', 'maxFileBytes', 'default']);
  const held = await piped('x', '--name', 'id_rsa');
  expect(held.code).toBe(8);
  expect(await spooled()).toEqual(['id_rsa 600']);
  const { lines } = await place.json(['held']);
  await place.run(['cancel', String(lines[0]?.['queueId'])]);
  await place.run(['watch', place.folder, '--once']);
  await isEmpty();
  expect(service.files()).toEqual([]);
});

test('--detach returns once it is read', async () => {
  service.refuseConnections();
  const { code, lines } = await piped('later', '--name', 'later.txt', '--detach');
  expect([code, lines[0]?.event, lines[0]?.path]).toEqual([0, 'queued', null]);
  expect(await spooled()).toEqual(['later.txt 600']);
  await service.listen();
  await eventually('it is up', () => service.files().length === 1);
  await isEmpty();
  await eventually('no engine runs', () => readHolder(place.home) === null);
});

posixTest('a link')(
  'it waits, is sent and leaves nothing even where the data folder is behind a symbolic link',
  async () => {
    const link = path.join(place.root, 'link');
    await symlink(place.home, link);
    const env = { OUTTRAY_HOME: link };
    expect((await place.json(['upload', '-', '--name', 'id_rsa'], { stdin: 'later', env })).code).toBe(8);
    await place.run(['watch', place.folder, '--once'], { env });
    expect(await spooled()).toEqual(['id_rsa 600']);
    const { lines } = await place.json(['held'], { env });
    await place.run(['confirm', String(lines[0]?.['queueId'])], { env });
    await place.run(['watch', place.folder, '--once'], { env });
    await eventually('it is up', () => service.files().length === 1);
    await isEmpty();
  },
);

test('where only some folders are allowed it is refused before it is read, and the message names where to save it', async () => {
  const shared = path.join(place.root, 'shared');
  await place.run(['settings', 'set', 'allowedRoots', shared]);
  const piping = ['upload', '-', '--name', 'x.txt'];
  const { code, stdout, stderr } = await place.run(piping, { stdin: { open: true } });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`Only what is below ${shared} is shared`);
  expect(stderr).toContain('Save it there as a file');
  expect(await spooled()).toEqual([]);
});
