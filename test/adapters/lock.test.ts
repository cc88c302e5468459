import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import {
  isStaying,
  readHolder,
  takeEngineLock,
  takeRole,
  type EngineLock,
} from '../../src-main/adapters/system/lock.ts';
import { createAudit } from '../../src-main/adapters/audit/audit.ts';
import { texts } from '../../src-main/adapters/drives/texts.ts';
import { createFiles } from '../../src-main/adapters/files/files.ts';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { errorOf } from './ledger-fixtures.ts';

const temporaryFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-lock-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
};

const startHolder = async (folder: string) => {
  const script = path.join(import.meta.dirname, 'lock-holder.ts');
  const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const refusal: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => refusal.push(text));
  await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
  return { child, refusal: () => refusal.join('') };
};

const taken: unknown = expect.objectContaining({ code: 'engine-taken' });

test('one engine at a time: the second learns who holds the lock', () => {
  const folder = temporaryFolder();
  expect(readHolder(folder)).toBeNull();
  const lock = takeEngineLock({ folder, who: 'the Outtray app', nowMs: () => 5 });
  expect(readHolder(folder)).toEqual({ pid: process.pid, who: 'the Outtray app', sinceMs: 5 });
  expect(() => takeEngineLock({ folder, who: 'outtray watch' })).toThrow(taken);
  expect(() => takeEngineLock({ folder, who: 'outtray watch' })).toThrow(
    `The Outtray app (process ${process.pid})`,
  );
  lock.release();
  lock.release();
  expect(readHolder(folder)).toBeNull();
  takeEngineLock({ folder, who: 'outtray watch' }).release();
});

test('the lock of a killed process is free at once, and its recorded holder is no longer believed', async () => {
  const folder = temporaryFolder();
  const { child } = await startHolder(folder);
  expect(readHolder(folder)).toMatchObject({ pid: child.pid, who: 'the holder' });
  expect(() => takeEngineLock({ folder, who: 'me' })).toThrow(taken);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(readHolder(folder)).toBeNull();
  const lock = takeEngineLock({ folder, who: 'me' });
  expect(readHolder(folder)?.who).toBe('me');
  lock.release();
});

test('asking who holds the lock, in the process that holds it, does not release it', async () => {
  const folder = temporaryFolder();
  const lock = takeEngineLock({ folder, who: 'me' });
  for (let time = 0; time < 3; time += 1) readHolder(folder);
  expect(() => takeEngineLock({ folder, who: 'again' })).toThrow(taken);
  const { refusal } = await startHolder(folder);
  expect(refusal()).toContain('engine-taken');
  lock.release();
});

test('a file that has locks of this process is not read in it, by whichever name: closing it would free them', async () => {
  const folder = temporaryFolder();
  const ledgerFile = path.join(folder, 'ledger.sqlite');
  const ledger = openLedger({ file: ledgerFile, nowMs: Date.now });
  const lock = takeEngineLock({ folder, who: 'me' });
  linkSync(path.join(folder, 'engine.lock'), path.join(folder, 'another name'));
  const files = createFiles();
  const open = async (name: string): Promise<string> => {
    const file = await files.open(path.join(folder, name), null).catch((error: unknown) => error);
    if (file instanceof Error) return 'refused';
    await (file as Awaited<ReturnType<typeof files.open>>).close();
    return 'open';
  };
  for (const name of [
    'engine.lock',
    'another name',
    'ledger.sqlite',
    'ledger.sqlite-wal',
    'ledger.sqlite-shm',
  ])
    expect([name, await open(name)]).toEqual([name, 'refused']);
  const audit = createAudit({ nowMs: Date.now });
  symlinkSync(path.join(folder, 'engine.lock'), path.join(folder, 'a link'));
  for (const name of ['engine.lock', 'another name', 'a link', 'ledger.sqlite']) {
    const file = path.join(folder, name);
    await expect(texts.read(file, 1024)).rejects.toMatchObject({ code: 'own-data' });
    await expect(texts.create(file, true)).rejects.toMatchObject({ code: 'own-data' });
    expect(() => audit.demandOurs(file)).toThrow(/cannot be the audit file/);
    expect(() => audit.lastSeq(file, 'ledger')).toThrow(/cannot be written/);
  }
  const { refusal } = await startHolder(folder);
  expect(refusal()).toContain('engine-taken');
  expect(await open('engine.json')).toBe('open');
  lock.release();
  ledger.close();
  for (const name of ['engine.lock', 'ledger.sqlite'])
    expect([name, await open(name)]).toEqual([name, 'open']);
});

test('two processes that ask at the same instant who holds the lock do not take each other for an engine', () => {
  const folder = temporaryFolder();
  takeEngineLock({ folder, who: 'me' }).release();
  const asking = new DatabaseSync(path.join(folder, 'engine.lock'));
  asking.exec('BEGIN; SELECT 1 FROM sqlite_schema');
  expect(readHolder(folder)).toBeNull();
  asking.close();
});

test.each([
  ['no process', null, false],
  ['the app', { pid: 7 }, true],
  ['one that ends by itself', { pid: 7, isBrief: true }, false],
  ['one that has not written its record', { pid: 0 }, false],
])('who does what is due later: %s', (who, holder, stays) => {
  expect(isStaying(holder && { who, sinceMs: 0, ...holder })).toBe(stays);
});

test('whoever asks for the holder learns the address that it has now', () => {
  const folder = temporaryFolder();
  const take = (address: string | null) => takeEngineLock({ folder, who: 'outtray watch', address });
  const first = take('https://one.example/api');
  expect(readHolder(folder)?.address).toBe('https://one.example/api');
  first.setAddress('https://two.example/api');
  expect(readHolder(folder)?.address).toBe('https://two.example/api');
  first.setAddress(null);
  expect(readHolder(folder)).not.toHaveProperty('address');
  first.setAddress('https://one.example/api');
  first.release();
  const second = take(null);
  first.setAddress('https://late.example/api');
  expect(readHolder(folder)).not.toHaveProperty('address');
  second.release();
});

test('two data folders have two engines', () => {
  const [one, two] = [temporaryFolder(), temporaryFolder()].map((folder) =>
    takeEngineLock({ folder, who: 'me' }),
  );
  one?.release();
  two?.release();
});

test('the files of the lock are private and leave no draft', () => {
  const folder = temporaryFolder();
  const lock = takeEngineLock({ folder, who: 'me' });
  expect(readdirSync(folder).sort()).toEqual(['engine.json', 'engine.lock']);
  if (process.platform !== 'win32') {
    for (const name of readdirSync(folder))
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  }
  lock.release();
});

test('a holder whose record cannot be read is still a holder', () => {
  const folder = temporaryFolder();
  const lock = takeEngineLock({ folder, who: 'me' });
  writeFileSync(path.join(folder, 'engine.json'), '{"pid":');
  expect(readHolder(folder)).toEqual({ pid: 0, who: 'another Outtray', sinceMs: 0 });
  expect(() => takeEngineLock({ folder, who: 'x' })).toThrow('Another Outtray is already using this');
  lock.release();
});

test('a folder that cannot be locked is an error with a remedy', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'engine.lock'), 'not a lock'.repeat(100));
  expect(() => takeEngineLock({ folder, who: 'me' })).toThrow(expect.objectContaining({ code: 'ledger' }));
  const fault = errorOf(() => takeEngineLock({ folder: path.join(folder, 'none'), who: 'me' }));
  expect(fault.code).toBe('ledger');
  expect(fault.remedy).toMatch(/writable/);
});

test.each([true, false])(
  'who must have the engine waits up to five seconds for one that is brief: %s',
  async (isBrief) => {
    const folder = temporaryFolder();
    let nowMs = 0;
    const lock: EngineLock = takeEngineLock({ folder, who: 'me', isBrief });
    let freeAtMs = Infinity;
    const clock = {
      monoMs: () => nowMs,
      after(ms: number, act: () => void) {
        nowMs += ms;
        if (nowMs >= freeAtMs) lock.release();
        queueMicrotask(act);
        return () => undefined;
      },
    };
    const take = (kind: 'engine' | 'either', signal?: AbortSignal) =>
      takeRole(
        { kind, who: 'outtray watch' },
        folder,
        { error: () => undefined },
        { clock, signal, address: null },
      );

    expect(await take('either')).toBeNull();
    await expect(take('engine', AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
    expect(nowMs).toBe(0);
    await expect(take('engine')).rejects.toThrow(taken);
    expect(nowMs).toBe(isBrief ? 5000 : 0);
    freeAtMs = nowMs + 300;
    if (isBrief) {
      (await take('engine'))?.release();
      expect(nowMs).toBe(5300);
    }
    lock.release();
  },
);
