// The setting keyCommand: a program prints the key; no shell runs it, and only its success or failure is reported.
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keyFromCommand } from '../../src-main/adapters/keychain/key-command.ts';
import { eventually } from '../support/flow/poll.ts';
import type { Service } from '../service/service.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey, type Place } from '../support/flow/place.ts';

let service: Service;
const begin = async (settings: Record<string, unknown>): Promise<Place> => {
  service = await ownService();
  const place = await ownPlace(service, { key: null, settings });
  return place;
};

test('provides the key, before the keychain and after OUTTRAY_API_KEY', async () => {
  const place = await begin({ keyCommand: `printf '${apiKey}\\n'` });
  expect(await place.run(['stats'])).toMatchObject({ code: 0 });
  expect((await place.run(['doctor'])).stdout).toContain('The key comes from the key command');
  expect(await place.run(['stats'], { env: { OUTTRAY_API_KEY: 'another-key' } })).toMatchObject({ code: 3 });
});

test('a process that stays asks the command once, whatever the commands beside it do', async () => {
  const place = await begin({});
  const asked = path.join(place.root, 'asked');
  const script = path.join(place.root, 'key.sh');
  await writeFile(script, `echo "$PPID" >> '${asked}'; printf '${apiKey}'`);
  await place.run(['settings', 'set', 'keyCommand', `sh '${script}'`]);
  const watching = place.start(['--json', 'watch', place.folder]);
  await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
  const before = await readFile(asked, 'utf8');
  for (const words of [['pause'], ['resume'], ['retry'], ['settings', 'set', 'bandwidthBytesPerSecond', '0']])
    expect(await place.run(words)).toMatchObject({ code: 0 });
  await place.put('again.txt', 'again');
  await watching.until('uploaded', (lines) => lines.find((line) => line.event === 'uploaded'));
  expect(await readFile(asked, 'utf8')).toBe(before);
  await watching.stop();
});

test('`resume` makes a process that stays ask the command again once its key was refused', async () => {
  const place = await begin({});
  const key = path.join(place.root, 'the-key');
  await writeFile(key, 'a-wrong-key');
  await place.run(['settings', 'set', 'keyCommand', `cat '${key}'`]);
  await place.put('a.txt', 'with the right key');
  const watching = place.start(['--json', 'watch', place.folder, '--existing', 'upload']);
  const refusals = (count: number) =>
    eventually(
      `${count} refusals`,
      () => service.requests().filter(({ status }) => status === 401).length >= count,
    );
  await refusals(1);
  // It reads the key again by itself once.
  await place.run(['resume']);
  await refusals(2);
  await writeFile(key, apiKey);
  await place.run(['resume']);
  await watching.until('uploaded', (lines) => lines.find((line) => line.event === 'uploaded'));
  await watching.stop();
});

test('a command that fails is reported with its reason, never with its text or its output', async () => {
  const place = await begin({ keyCommand: 'cat /nonexistent/hidden-name' });
  const ended = await place.run(['stats']);
  expect(ended.code).toBe(3);
  expect(ended.stderr).toContain('The key command gave no key: it ended with code 1.');
  expect(ended.stderr).not.toContain('hidden-name');
});

test.each([
  ['cannot be started', '/nonexistent/program', 'it cannot be started'],
  ['prints too much', `'${process.execPath}' -e "console.log('k'.repeat(9999))"`, 'it prints too much'],
  ['prints prose', 'echo two words', 'what it prints is no key'],
  ['prints nothing', 'true', 'what it prints is no key'],
  ['does not end', `'${process.execPath}' -e "setInterval(Date, 1e6)"`, 'it did not end within 0.5 s'],
])('a command that %s provides no key', async (_what, command, why) => {
  await expect(
    keyFromCommand(command, { PATH: process.env['PATH'] }, 500 * (why.includes('0.5') ? 1 : 40)),
  ).rejects.toMatchObject({
    code: 'key-missing',
    message: `The key command gave no key: ${why}.`,
  });
});

test('a text that is not a command stops the start and reports what it must be', async () => {
  const place = await begin({});
  await writeFile(path.join(place.home, 'settings.json'), JSON.stringify({ keyCommand: 'pass "show' }));
  const ended = await place.run(['stats']);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain('keyCommand must be a program with its arguments');
});

test('a program that the command left behind does not keep a process that waits for the key no longer', () => {
  const module = path.resolve('src-main/adapters/keychain/key-command.ts');
  const code = `import { keyFromCommand } from ${JSON.stringify(module)};
    keyFromCommand('sh -c "sleep 30 & sleep 30"', process.env, 200).catch(({ code }) => console.log(code));`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(ended).toMatchObject({ status: 0, stdout: 'key-missing\n' });
});
