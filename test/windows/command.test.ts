// A day of a user with the command on Windows.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lacks } from '../real/support/parts.ts';
import type { Service } from '../service/service.ts';
import { apiKey, openService } from '../support/flow/place.ts';
import { storedAs } from '../support/flow/wire.ts';
import { computer, inHome, outtray, put, watch } from './support/outtray.ts';

let service: Service;

const stored = (): string[] => service.files().map(({ filename }) => filename);

describe.skipIf(lacks('wine'))('the command on Windows', () => {
  beforeAll(async () => {
    service = await openService();
    rmSync(path.join(computer.home, 'AppData/Local/outtray'), { recursive: true, force: true });
  });
  afterAll(() => service.close());

  test('login keeps the key in the Credential Manager', async () => {
    put('.', { 'key.txt': `\ufeff${apiKey}\r\n` });
    const login = await outtray(['login', `--base-url=${service.baseUrl}`, '--key-file', 'key.txt']);
    expect(login).toMatchObject({ code: 0, stderr: '' });
    expect(login.stdout).toContain('The key is in the keychain.');
  });

  test('upload accepts names that are difficult on a command line', async () => {
    const names = ['a b & 100% ^x.txt', "it's %PATH% (1);=,!.txt", 'Zürich 合 😀.txt', '-v.txt'];
    put('given', Object.fromEntries(names.map((name) => [name, `of ${name}`])));
    const upload = await outtray(['upload', '--', ...names], {
      cwd: path.join(computer.home, 'given'),
    });
    expect(upload).toMatchObject({ code: 0, stderr: '' });
    expect(upload.stdout.trim().split('\n')).toEqual(
      names.map((name) => storedAs(service, `of ${name}`)[0]?.link),
    );
  });

  test.each(['utf8', 'utf16le'] as const)('a list that PowerShell writes in %s is read', async (encoding) => {
    const name = `Zoë 合 ${encoding}.txt`;
    put('lists', { [name]: name, list: Buffer.from(`\ufeff${inHome(`lists/${name}`)}\r\n`, encoding) });
    const upload = await outtray(['upload', '--files-from', 'lists\\list']);
    expect(upload).toMatchObject({ code: 0, stderr: '' });
    expect(stored()).toContain(name);
  });

  test('a watched folder: start, kill during an upload, restart, Ctrl-C', async () => {
    const folder = put('Outtray', { 'old.txt': 'old' });
    const first = watch(folder);
    await first.told('idle');
    put('Outtray', { 'on.txt': 'on' });
    await first.told('uploaded', 'on.txt');
    put('Outtray', { id_rsa: 'secret' });
    await first.told('held', 'id_rsa');
    put('Outtray', { 'big.bin': Buffer.alloc(150_000_000, 'large ') });
    await first.told('progress', 'big.bin');
    await first.kill();
    put('Outtray', { 'off.txt': 'off' });
    const second = watch(folder, { onConsole: true });
    await second.told('uploaded', 'off.txt');
    await second.told('uploaded', 'big.bin');
    await second.told('idle');
    expect(await second.pressCtrlC()).toMatchObject({ code: 130 });
    expect(stored().filter((name) => !name.endsWith('.txt'))).toEqual(['big.bin']);
    expect(stored()).not.toContain('old.txt');
  });

  test('several folders, a zip, a recalled link, and the removal of the key', async () => {
    const [one, two] = [put('one', {}), put('two', {})];
    await outtray(['settings', 'set', 'folder', 'default']);
    expect(await outtray(['folders', 'add', one, two.toUpperCase()])).toMatchObject({ code: 0 });
    const running = watch(null, { onConsole: true });
    await running.told('idle');
    put('one', { 'in one.txt': 'one' });
    await running.told('uploaded', 'in one.txt');
    put('two', { 'in two.txt': 'two' });
    const { path: written } = await running.told('uploaded', 'in two.txt');
    // The folder was added with other capitals.
    expect(written).toBe(inHome('two/in two.txt'));
    expect(await running.pressCtrlC()).toMatchObject({ code: 130 });
    const zip = await outtray(['upload', '--zip', '--name', 'both.zip', 'one', 'two']);
    expect(zip).toMatchObject({ code: 0 });
    expect(stored()).toContain('both.zip');
    const recalled = await outtray(['recall', 'one\\in one.txt', inHome('TWO/IN TWO.TXT')]);
    expect(recalled).toMatchObject({ code: 0 });
    expect(stored().filter((name) => name.startsWith('in '))).toEqual([]);
    expect(await outtray(['logout'])).toMatchObject({ code: 0 });
    expect(await outtray(['upload', 'key.txt'])).toMatchObject({ code: 3 });
  });

  test('integrate does not report success where PowerShell wrote nothing', async () => {
    const { code, stderr } = await outtray(['integrate']);
    expect(code).toBe(8);
    expect(stderr).toContain('Windows did not accept the entries');
  });
});
