// With a real keyring: two data folders do not share a key, and each keeps its own through login, logout and moves.
import { cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { createKeychain } from '../../src-main/adapters/keychain/keychain.ts';
import { parseSecret } from '../../src-main/adapters/secret.ts';
import { startService } from '../service/service.ts';
import { missingForKeyring, startBus } from '../support/keyring.ts';
import { hasTerminal, start } from '../support/flow/command.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const act of undo.splice(0).toReversed()) await act();
});

const missing = process.platform === 'linux' ? missingForKeyring() : 'only on Linux';

describe.skipIf(missing !== null)('with a real keyring', () => {
  const begin = async () => {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'outtray-keys-')));
    undo.push(() => rm(root, { recursive: true, force: true }));
    const service = await startService({
      accounts: ['first', 'second'].map((name) => ({
        name,
        key: `key-of-${name}`,
        maxFileSizeBytes: name === 'first' ? 1000 : 2000,
      })),
    });
    undo.push(() => service.close());
    const bus = await startBus({ keyring: 'unlocked' });
    undo.push(async () => await bus[Symbol.asyncDispose]());
    const run = (home: string | null, args: string[], stdin = '') =>
      start([...(home === null ? [] : [path.isAbsolute(home) ? '--home' : '--profile', home]), ...args], {
        env: { ...bus.env, HOME: root },
        stdin,
        process: true,
      }).ended;
    const login = (home: string | null, key: string) =>
      run(home, ['login', `--base-url=${service.baseUrl}`], key);
    /** The account that the key of this data folder belongs to. */
    const whose = async (home: string | null): Promise<string> => {
      const ended = await run(home, ['--json', 'stats']);
      if (ended.code !== 0) return String(ended.code);
      return ended.stdout.includes('"max_file_size":1000') ? 'first' : 'second';
    };
    const old = createKeychain({ env: { ...bus.env, HOME: root } });
    return { root, bus, service, run, login, whose, old, origin: new URL(service.baseUrl).origin };
  };

  test.each([
    ['data folders', (root: string) => path.join(root, 'work')],
    ['profiles', () => 'work'],
  ])('two %s at one address each keep their key through login and logout', async (_, workIn) => {
    const { root, run, login, whose } = await begin();
    const [work, own] = [workIn(root), null];
    expect((await login(work, 'key-of-first')).code).toBe(0);
    expect((await login(own, 'key-of-second')).code).toBe(0);
    expect([await whose(work), await whose(own)]).toEqual(['first', 'second']);
    expect((await run(own, ['logout'])).code).toBe(0);
    expect([await whose(work), await whose(own)]).toEqual(['first', '3']);
    expect((await login(own, 'key-of-second')).code).toBe(0);
    expect((await run(work, ['logout'])).code).toBe(0);
    expect([await whose(work), await whose(own)]).toEqual(['3', 'second']);
  });

  test('the key of an older version is taken over by the default data folder, and goes when it logs out', async () => {
    const { root, run, login, whose, service, old, origin } = await begin();
    await old.set(origin, parseSecret('key-of-first'));
    const other = path.join(root, 'other');
    for (const home of [null, other])
      expect((await run(home, ['settings', 'set', 'baseUrl', service.baseUrl])).code).toBe(0);
    // A data folder that has nothing of this account must not publish in it.
    expect([await whose(other), await whose(null)]).toEqual(['3', 'first']);
    expect((await login(other, 'key-of-second')).code).toBe(0);
    expect([await whose(other), await whose(null)]).toEqual(['second', 'first']);
    expect((await run(null, ['logout'])).code).toBe(0);
    expect([await whose(other), await whose(null)]).toEqual(['second', '3']);
    expect((await old.get(origin)).kind).toBe('absent');
  });

  test('a data folder that shared an entry with an older version takes it over, until it logs out', async () => {
    const { root, service, run, login, whose, old, origin } = await begin();
    const homes = ['mine', 'theirs', 'left'].map((name) => path.join(root, name)) as [string, string, string];
    const file = path.join(root, 'a.txt');
    for (const [at, home] of homes.entries()) {
      await writeFile(file, `content ${at}`);
      const key = at === 1 ? 'key-of-second' : 'key-of-first';
      expect((await login(home, key)).code).toBe(0);
      expect((await run(home, ['upload', file])).code).toBe(0);
      expect((await run(home, ['logout'])).code).toBe(0);
      // As the update of an older version leaves it.
      await rm(path.join(home, 'folder.json'));
      const ledger = new DatabaseSync(path.join(home, 'ledger.sqlite'));
      ledger.exec(`UPDATE accounts SET keys = '[]'; DELETE FROM facts WHERE name IN ('salt', 'logged-out')`);
      ledger.close();
    }
    await old.set(origin, parseSecret('key-of-first'));
    const [mine, theirs, left] = homes;
    expect((await run(left, ['logout'])).code).toBe(0);
    expect([await whose(mine), await whose(theirs), await whose(left)]).toEqual(['first', '2', '3']);
    expect((await run(theirs, ['upload', file])).code).toBe(3);
    expect(service.files().map(({ account }) => account)).toEqual(['first', 'second', 'first']);
    expect((await login(theirs, 'key-of-second')).code).toBe(0);
    expect([await whose(mine), await whose(theirs)]).toEqual(['first', 'second']);
    expect((await run(mine, ['logout'])).code).toBe(0);
    expect([await whose(mine), await whose(theirs)]).toEqual(['3', 'second']);
  });

  test.runIf(hasTerminal)('login on a terminal asks for the address, the key, and whose it is', async () => {
    const { root, bus, service, run, whose } = await begin();
    const file = path.join(root, 'a.txt');
    await writeFile(file, 'content');
    /** Types each answer after its question. */
    const answer = async (...dialog: [question: string, answer: string][]) => {
      const typed = new PassThrough();
      const env = { ...bus.env, HOME: root, TERM: 'xterm' };
      const running = start(['login'], { env, stdin: typed, columns: 80, process: true });
      for (const [question, text] of dialog) {
        await running.until(question, () => running.stdout().includes(question) || undefined);
        typed.write(`${text}\r`);
      }
      const ended = await running.ended;
      typed.end();
      return ended;
    };
    const address: [string, string] = ['Address of the service', service.baseUrl];
    expect((await answer(address, ['API key', 'key-of-first'])).code).toBe(0);
    expect(await whose(null)).toBe('first');
    expect((await run(null, ['upload', file])).code).toBe(0);
    const down = '\u001B[B';
    const ended = await answer(['API key', 'key-of-second'], ['Whose is it?', down]);
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('taken for one of another account') as string,
    });
    expect(await whose(null)).toBe('second');
    expect((await run(null, ['upload', file])).code).toBe(0);
    expect(service.files().map(({ account }) => account)).toEqual(['first', 'second']);
    // No person answers: nothing is decided.
    service.setKey('key-of-third', 'second');
    for (const { id } of service.files()) await service.removeFile(id);
    expect((await answer(['API key', 'key-of-third'], ['Whose is it?', '\u0003'])).code).toBe(2);
    expect((await run(null, ['status'])).stdout).toContain('does not show the files');
    const doctor = (await run(null, ['doctor'])).stdout;
    expect(doctor).toContain('✗ key: This key does not show the files');
    expect(doctor).toContain('✓ network: The service answers.');
  });

  test('a data folder that was moved keeps its key, a copy has none', async () => {
    const { root, login, whose } = await begin();
    const [first, moved, copy] = ['a', 'b', 'c'].map((name) => path.join(root, name)) as [
      string,
      string,
      string,
    ];
    expect((await login(first, 'key-of-first')).code).toBe(0);
    await rename(first, moved);
    expect(await whose(moved)).toBe('first');
    await cp(moved, copy, { recursive: true, preserveTimestamps: true });
    expect([await whose(copy), await whose(moved)]).toEqual(['3', 'first']);
    expect((await login(copy, 'key-of-second')).code).toBe(0);
    expect([await whose(copy), await whose(moved)]).toEqual(['second', 'first']);
  });

  test('login changes the address only after the key is stored', async () => {
    const { root, run, login, old, origin, service } = await begin();
    const home = path.join(root, 'd');
    await mkdir(home, { mode: 0o700 });
    await writeFile(path.join(home, 'settings.json'), '{"baseUrl":"https://old.example/api/v1"}', {
      mode: 0o600,
    });
    expect((await login(home, 'key-of-nobody')).code).toBe(3);
    expect((await run(home, ['settings', 'get', 'baseUrl'])).stdout).toContain('old.example');
    expect((await login(home, 'key-of-first')).code).toBe(0);
    expect((await run(home, ['settings', 'get', 'baseUrl'])).stdout).toContain(service.baseUrl);
    expect((await old.get(origin)).kind).toBe('absent');
  });
});
