// How the command fails: the exit codes of README.md except 2 (bad-use.test.ts), with one sentence and its remedy.
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonLines } from '../support/flow/command.ts';
import { expectFailure } from '../support/flow/failure.ts';
import { eventually } from '../support/flow/poll.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { uploads } from '../support/flow/wire.ts';

let file: string;

const service = await ownService();
const place = await ownPlace(service, { rate: 10 });
beforeAll(async () => {
  file = path.join(place.root, 'given.txt');
  await place.put('../given.txt', 'given by hand');
});

const without = (name: string) => ({ env: { [name]: undefined } });

describe('an unusable key ends with 3', () => {
  const wrong = { env: { OUTTRAY_API_KEY: 'not-the-key' } };

  test.each([['list'], ['stats'], ['info', '1'], ['delete', '1']])(
    'when the service refuses it: %s',
    async (...args) => {
      await expectFailure(place, args, { exit: 3, code: 'key-refused' }, wrong);
    },
  );

  test('when the service refuses it: upload and watch, and the given files wait', async () => {
    const other = await ownPlace(service, { key: 'not-the-key', rate: 10 });
    await other.put('../given.txt', 'waits for a key');
    const given = await other.json(['upload', 'given.txt']);
    expect(given.code).toBe(3);
    expect(given.lines.at(-1)?.error?.code).toBe('key-refused');
    await other.put('new.txt', 'waits as well');
    const watched = await other.run(['watch', other.folder, '--once', '--existing', 'upload']);
    expect(watched.code).toBe(3);
    expect(watched.stderr).toMatch(/outtray: .*key.*\n$/);
    expect(await other.counts()).toMatchObject({ waiting: 1, failed: 0 });
  });

  test('when there is none, and no keychain on this machine', async () => {
    for (const args of [['list'], ['upload', file], ['watch', place.folder, '--once']]) {
      const onlyJson = args[0] !== 'list';
      await expectFailure(
        place,
        args,
        { exit: 3, code: 'keychain-unavailable', onlyJson },
        without('OUTTRAY_API_KEY'),
      );
    }
  });

  test('when it is right but there is no keychain to keep it in', async () => {
    const options = { ...without('OUTTRAY_API_KEY'), stdin: `${service.key}\n` };
    await expectFailure(
      place,
      ['login'],
      { exit: 3, code: 'keychain-unavailable', says: /key works/ },
      options,
    );
    // The key in use is that of the environment; the new one was not kept all the same.
    await expectFailure(
      place,
      ['login'],
      { exit: 3, code: 'keychain-unavailable', says: /key works/ },
      { stdin: `${service.key}\n` },
    );
  });

  test('when login is given a wrong one, or none', async () => {
    const none = without('OUTTRAY_API_KEY');
    await expectFailure(place, ['login'], { exit: 3, code: 'key-refused' }, { ...none, stdin: 'wrong\n' });
    await expectFailure(place, ['login'], { exit: 3, code: 'key-missing' }, { ...none, stdin: '\n' });
  });

  test('when logout finds no keychain', async () => {
    await expectFailure(
      place,
      ['logout'],
      { exit: 3, code: 'keychain-unavailable' },
      without('OUTTRAY_API_KEY'),
    );
  });
});

describe('a plan without the API ends with 4', () => {
  test('for every command that sends a request, and an upload waits', async () => {
    const free = await ownService({ plan: 'Free' });
    const other = await ownPlace(free);
    await other.put('../given.txt', 'not on this plan');
    for (const args of [['stats'], ['upload', 'given.txt']]) {
      await expectFailure(other, args, { exit: 4, code: 'plan', onlyJson: args[0] === 'upload' });
    }
    await expectFailure(other, ['list'], { exit: 4, code: 'plan' });
    await expectFailure(other, ['login'], { exit: 4, code: 'plan' }, { stdin: free.key });
    expect(await other.counts()).toMatchObject({ failed: 0 });
  });
});

test('an unknown id ends with 5', async () => {
  await expectFailure(place, ['info', '4711'], { exit: 5, code: 'not-found' });
  await expectFailure(place, ['delete', '4711'], { exit: 5, code: 'not-found' });
  for (const name of ['confirm', 'retry', 'cancel']) {
    await expectFailure(place, [name, 'q4711'], { exit: 5, code: 'not-found', onlyJson: true });
  }
  await expectFailure(place, ['why', path.join(place.root, 'nowhere.txt')], { exit: 5, code: 'not-found' });
});

describe('a service that cannot be reached or understood ends with 7', () => {
  test('a dead address, within seconds, for every command that sends a request', async () => {
    const dead = { env: { OUTTRAY_BASE_URL: 'http://127.0.0.1:9/api/v1' } };
    const ends = await Promise.all([
      expectFailure(place, ['list'], { exit: 7, code: 'offline' }, dead),
      expectFailure(place, ['stats'], { exit: 7, code: 'offline' }, dead),
    ]);
    const given = await expectFailure(
      await ownPlace(service, { rate: 10 }),
      ['upload', file],
      { exit: 7, code: 'offline', onlyJson: true },
      dead,
    );
    for (const { tookMs } of [...ends, given]) expect(tookMs).toBeLessThan(20_000);
    const other = await ownPlace(service, { rate: 10 });
    await other.put('new.txt', 'for nobody');
    const watched = await other.run(['watch', other.folder, '--once', '--existing', 'upload'], dead);
    expect(watched.code).toBe(7);
  });
});

describe('a used-up budget', () => {
  test('ends upload --no-wait with 6, without a request', async () => {
    const tight = await ownPlace(service, { settings: { requestsPerMinute: 2, requestsPerDay: 5000 } });
    const files = ['1.txt', '2.txt', '3.txt', '4.txt'];
    for (const name of files) await tight.put(`../${name}`, `tight ${name}`);
    const { code, lines } = await tight.json(['upload', '--no-wait', ...files]);
    expect({ code, error: lines.at(-1)?.error?.code }).toEqual({ code: 6, error: 'budget' });
    expect(lines.filter((line) => line.error !== undefined)).toHaveLength(1);
    const before = uploads(service).length;
    const text = await tight.run(['upload', '--no-wait', ...files]);
    expect(text.code).toBe(6);
    expect(text.stderr).toMatch(/^outtray: The request budget is used up until .*\n$/m);
    expect(uploads(service).length).toBe(before);
  });
});

test('when some files failed or are held while others are uploaded, the exit code is 8', async () => {
  const other = await ownPlace(service, { rate: 10 });
  for (const name of ['good.txt', 'id_rsa', 'empty.txt']) {
    await other.put(`../${name}`, name === 'empty.txt' ? '' : `some ${name} ${String(process.pid)}`);
  }
  const { code, lines } = await other.json(['upload', 'good.txt', 'missing.txt', '.', 'id_rsa', 'empty.txt']);
  expect(code).toBe(8);
  const last = new Map(
    lines
      .filter((line) => typeof line.path === 'string')
      .map((line) => [path.basename(line.path ?? ''), line]),
  );
  expect(last.get('good.txt')?.event).toBe('uploaded');
  expect(last.get('missing.txt')).toMatchObject({ event: 'failed', code: 'gone' });
  expect(last.get('id_rsa')).toMatchObject({ event: 'held', reason: 'secret-name' });
  expect(last.get('empty.txt')).toMatchObject({ event: 'skipped', rule: 'empty' });
  expect(lines.at(-1)).toMatchObject({
    event: 'idle',
    uploaded: 1,
    held: 1,
    skipped: 1,
    failed: 2,
    waiting: 0,
  });

  const text = await other.run(['upload', 'good.txt', 'missing.txt', 'id_rsa']);
  expect(text.code).toBe(8);
  expect(text.stdout).toBe(`${service.files().find((one) => one.filename === 'good.txt')?.link ?? ''}\n`);
  expect(text.stderr).toMatch(/missing\.txt: There is no such file\. Check the path\.\n/);
  expect(text.stderr).toMatch(/id_rsa: Held: .*outtray confirm q\d+/);
});

describe('an interruption ends with 130', () => {
  test('after it has printed the links of files that are public, also behind one that waits', async () => {
    const other = await ownPlace(service, { rate: 10 });
    const first = await other.put('first.txt', 'still written');
    const writing = await open(first, 'a');
    const second = await other.put('second.txt', 'public already');
    const running = other.start(['upload', first, second]);
    const link = await eventually('the second is public', async () => {
      const { stdout } = await other.run(['why', second]);
      return /^Uploaded: (\S+)/.exec(stdout)?.[1];
    });
    const ended = await running.stop('SIGINT');
    await writing.close();
    expect(ended).toMatchObject({ code: 130, stdout: `${link}\n` });
  });

  test('while watching, and while it uploads', async () => {
    const other = await ownPlace(service, { rate: 10 });
    const watching = other.start(['--json', 'watch', other.folder]);
    await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
    expect((await watching.stop('SIGTERM')).code).toBe(130);

    await other.put('../slow.bin', Buffer.alloc(16_000_000, 7));
    service.faults.add({
      match: { path: '/files/upload' },
      fault: { kind: 'drip-read', bytesPerSecond: 1_000_000 },
    });
    const sending = other.start(['upload', 'slow.bin', '--no-progress']);
    await eventually('bytes arrive', () => (uploads(service).at(-1)?.bytes ?? 0) > 100_000);
    const ended = await sending.stop();
    expect(ended.code).toBe(130);
    expect(ended.stderr).toBe('outtray: Interrupted. Everything is recorded. Run it again to continue.\n');
    const again = await other.json(['upload', 'slow.bin']);
    expect(again.code).toBe(0);
    expect(service.files().filter((one) => one.filename === 'slow.bin')).toHaveLength(1);
  });

  test('while login waits for a key', async () => {
    const fresh = await ownPlace(service, { rate: 10 });
    const login = fresh.start(['--json', 'login'], { stdin: { open: true } });
    await eventually(
      'it has begun',
      () =>
        existsSync(path.join(fresh.home, 'log/outtray.log')) ||
        existsSync(path.join(fresh.home, 'ledger.sqlite')),
    );
    const ended = await login.stop();
    expect({ code: ended.code, signal: ended.signal }).toEqual({ code: 130, signal: null });
  });
});

test('whatever fails, JSON mode prints JSON lines only, wherever --json is placed', async () => {
  const ended = await place.run(['list', '--page', 'x', '--json']);
  expect(ended.stderr).toBe('');
  expect(jsonLines(ended)).toHaveLength(1);
});
