// What joins engine and adapters: what it refuses beside another process, and what it leaves behind when it fails.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { compose, type ComposedEngine, type Role } from '../../src-main/compose.ts';
import { takeEngineLock } from '../../src-main/adapters/system/lock.ts';
import { storageError } from '../../src-main/adapters/system/storage.ts';
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { AppError } from '../../src-main/contract/errors.ts';
import { commands, type EngineCommandName } from '../../src-main/contract/commands.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'outtray-compose-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const [mine, other] = ['https://mine.example/api', 'https://other.example/api'];

const open = async (baseUrl: string, role: Role) => {
  const composed = await compose({ home, role, env: {}, apiKey: 'k', overrides: { baseUrl } });
  onTestFinished(() => composed.close());
  return composed;
};

const app = { kind: 'either', who: 'the Outtray app', orRead: true } as const;

/** A call that a running Outtray would answer with an upload, for each row that says so. */
const sending: Partial<Record<EngineCommandName, unknown>> = {
  'files.upload': { paths: ['/x'] },
  'files.bundle': { paths: ['/x'] },
  'queue.confirm': { ids: [1] },
  'queue.newest': { asOfMs: 1 },
  'queue.zip': { asOfMs: 1 },
  'queue.retry': {},
  'queue.undo': {},
  'queue.resolve': { id: 1, choice: 'again' },
  'folder.choose': { folder: '/x', existing: 'upload' },
  'folders.add': { folder: { path: '/x' } },
};

test('the calls that send are those of this table', () => {
  const rows = Object.entries(commands).flatMap(([name, row]) => ('sends' in row ? [name] : []));
  expect(rows.toSorted()).toEqual(Object.keys(sending).toSorted());
});

const refusal = async ({ transport }: ComposedEngine, name: string, input: unknown): Promise<string> => {
  const reply = await transport.call(name, input);
  return reply.ok ? '' : reply.error.message;
};

/** Sooner than the first look at the policy, which reads all settings again. */
const beforePolicy = { timeout: 2000 };

test('a setting that the app beside it writes by itself, without a call, is heard', async () => {
  const watching = await open(mine, { kind: 'engine', who: 'outtray watch' });
  const beside = await open(mine, app);
  await beside.settings.set('linkHosts', ['links.example']);
  await vi.waitFor(
    () => expect(watching.settings.current().linkHosts).toEqual(['links.example']),
    beforePolicy,
  );
});

test('a setting is set and heard also while the ledger cannot tell whether the key has changed', async () => {
  const watching = await open(mine, { kind: 'engine', who: 'outtray watch' });
  const beside = await open(mine, app);
  const { facts } = watching.ledger;
  const { get } = facts;
  vi.spyOn(facts, 'get').mockImplementation((name) => {
    if (name === 'key-changes') throw storageError('locked');
    return get(name);
  });
  await beside.settings.set('lookInside', false);
  await vi.waitFor(() => expect(watching.settings.current().lookInside).toBe(false), beforePolicy);
  await watching.settings.set('lookInside', true);
});

test('a key that is met while the ledger cannot be written is looked for once it can', async () => {
  const { ledger, keys } = await open(mine, { kind: 'engine', who: 'outtray watch' });
  const { facts } = ledger;
  const meet = () => keys.tryOut('a-key-that-is-new', null);
  for (const failing of ['looks-inside', 'looked-with'] as const) {
    const { set } = facts;
    const broken = vi.spyOn(facts, 'set').mockImplementation((name, ...given) => {
      if (name === failing) throw storageError('full');
      set(name, ...given);
    });
    expect(meet).toThrow();
    broken.mockRestore();
    facts.set('looks-inside', 'true ask', 0);
  }
  meet();
  expect(facts.get('looks-inside')?.value).toBe('');
});

test('beside an Outtray with another address no call sends, by whichever door; what takes back goes on', async () => {
  const watching = await open(mine, { kind: 'engine', who: 'outtray watch' });
  const beside = await open(other, app);
  for (const [name, input] of Object.entries(sending))
    expect([name, await refusal(beside, name, input)]).toEqual([
      name,
      `Outtray runs and uploads to ${mine}, not to ${other}. Nothing is uploaded.`,
    ]);
  for (const [name, input] of [
    ['queue.cancel', { ids: [1] }],
    ['queue.resolve', { id: 1, choice: 'leave' }],
    ['queue.pause', {}],
  ] as const)
    expect(await refusal(beside, name, input)).not.toContain('uploads to');
  const same = await open(mine, app);
  expect(await refusal(same, 'queue.retry', {})).toBe('');
  // Once that one has ended, the next upload is this process's own.
  await watching.close();
  expect(await refusal(beside, 'queue.retry', {})).toBe('');
});

test('beside a process that ends by itself an upload to another address is queued', async () => {
  await open(mine, { kind: 'engine', who: 'outtray upload', isBrief: true });
  const beside = await open(other, app);
  expect(await refusal(beside, 'queue.retry', {})).toBe('');
});

test('an app beside a watch hears settings that another process changes', async () => {
  await open(mine, { kind: 'engine', who: 'outtray watch' });
  const beside = await open(mine, app);
  const other = await open(mine, { kind: 'guest' });
  const heard: string[] = [];
  beside.settings.onChange(({ language }) => void heard.push(language));
  // The first check of the policy reads the settings again, too, once.
  for (const value of ['de', 'es', 'de']) {
    await other.client.call('settings.set', { name: 'language', value });
    await vi.waitFor(() => expect(heard.at(-1)).toBe(value), { timeout: 20_000 });
  }
});

test('the address that counts is that of the Outtray that runs, not of one before it', async () => {
  const before = await open(other, { kind: 'engine', who: 'outtray watch' });
  await before.close();
  const watching = await compose({
    home,
    role: { kind: 'engine', who: 'outtray watch' },
    env: {},
    apiKey: 'k',
  });
  onTestFinished(() => watching.close());
  const beside = await open(mine, app);
  expect(await refusal(beside, 'queue.retry', {})).toBe('');
  await watching.client.call('settings.set', { name: 'baseUrl', value: other });
  expect(await refusal(beside, 'queue.retry', {})).toContain(`uploads to ${other}`);
  await watching.client.call('settings.set', { name: 'baseUrl', value: null });
  expect(await refusal(beside, 'queue.retry', {})).toBe('');
});

test('a start that fails says why, also where something else fails while it ends', async () => {
  const failed = compose({
    home,
    role: { kind: 'engine', who: 'outtray watch' },
    env: {},
    apiKey: '',
    inspect: {
      ...createInspect(),
      close() {
        throw new Error('not closed');
      },
    },
    get isUnsandboxed(): never {
      throw new AppError('disk', 'late');
    },
  });
  await expect(failed).rejects.toMatchObject({ code: 'disk', message: 'late' });
  takeEngineLock({ folder: home, who: 'the next start' }).release();
});

test('a start that fails late leaves neither lock nor ledger open', async () => {
  const failed = compose({
    home,
    role: { kind: 'engine', who: 'outtray watch' },
    env: {},
    apiKey: '',
    get isUnsandboxed(): never {
      throw new Error('late');
    },
  });
  await expect(failed).rejects.toThrow('late');
  takeEngineLock({ folder: home, who: 'the next start' }).release();
});
