// `login --key-file FILE`: for programs that cannot use standard input, such as the installed one on Windows.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey, type Place } from '../support/flow/place.ts';

const begin = async (): Promise<Place> => {
  const service = await ownService();
  const place = await ownPlace(service, { key: null });
  return place;
};

/** There is no keychain here: the complaint about it shows that a key was read and is right. */
const right = 'The key works';

test.each([
  ['with a line break and spaces', Buffer.from(`  ${apiKey}\r\n`)],
  ['as PowerShell writes it', Buffer.from(`\ufeff${apiKey}\r\n`, 'utf16le')],
  ['with the mark of UTF-8', Buffer.from(`\ufeff${apiKey}\n`)],
])('a key %s is read', async (_what, content) => {
  const place = await begin();
  const file = path.join(place.root, 'key');
  await writeFile(file, content, { mode: 0o600 });
  const ended = await place.run(['login', '--key-file', file]);
  expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(right) as unknown });
  expect(ended.stderr).not.toContain('chmod');
});

test('a file that others can read is used with a warning', async () => {
  const place = await begin();
  const file = path.join(place.root, 'key');
  await writeFile(file, apiKey, { mode: 0o644 });
  const { stderr } = await place.run(['login', '--key-file', file]);
  expect(stderr).toContain(`Other users can read ${file}; \`chmod 600\` changes that.`);
  expect(stderr).toContain(right);
});

test('a file that is not a key file is refused at once with the reason, and never quoted', async () => {
  const place = await begin();
  const named = (name: string) => path.join(place.root, name);
  await mkdir(named('a-folder'));
  execFileSync('mkfifo', [named('pipe')]);
  await writeFile(named('large'), 'k'.repeat(5000), { mode: 0o600 });
  await writeFile(named('prose'), 'this is prose', { mode: 0o600 });
  await writeFile(named('empty'), '', { mode: 0o600 });
  for (const [name, code, says] of [
    ['missing', 2, 'does not exist'],
    ['a-folder', 2, 'is not a regular file'],
    ['pipe', 2, 'is not a regular file'],
    ['large', 2, 'is too large for a key'],
    ['prose', 2, 'key'],
    ['empty', 3, 'No API key was given.'],
  ] as const) {
    const ended = await place.run(['login', '--key-file', named(name)]);
    expect({ name, ...ended }).toMatchObject({
      name,
      code,
      stderr: expect.stringContaining(says) as unknown,
    });
    expect(ended.stderr).not.toContain('this is prose');
  }
});
