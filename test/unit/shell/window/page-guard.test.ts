// A compromised page: it calls everything, with every input, and the user says yes to nothing.
import type { GenericSchema } from 'valibot';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../../src-main/contract/commands.ts';
import type { JudgedName } from '../../../../src-main/shell/window/page-guard.ts';
import {
  defaultSettings,
  rowOf,
  settingNames,
  type SettingName,
  type Settings,
} from '../../../../src-main/contract/settings.ts';
import { other, proposed, offered, unguarded, uploads, world } from '../../../support/page-world.ts';
import { settingValues } from '../../../support/setting-values.ts';

const calls = Object.entries(commands);
const schemas: Record<string, GenericSchema> = Object.fromEntries(
  calls.map(([name, { schema }]) => [name, schema]),
);
const callsWith = (...pages: string[]): string[] =>
  calls.flatMap(([name, { page }]) => (pages.includes(page) ? [name] : []));

/** The names of all fields that an input may have. */
const fieldsOf = (schema: GenericSchema): string[] => {
  const {
    entries = {},
    options = [],
    item,
    wrapped,
  } = schema as {
    entries?: Record<string, GenericSchema>;
    options?: unknown[];
    item?: GenericSchema;
    wrapped?: GenericSchema;
  };
  const inner = [...options, item, wrapped].filter(
    (one): one is GenericSchema => typeof one === 'object' && one !== null,
  );
  return [
    ...Object.entries(entries).flatMap(([name, entry]) => [name, ...fieldsOf(entry)]),
    ...inner.flatMap(fieldsOf),
  ];
};

const alike = (kind: string, fate: string) => ({ alike: { kind, fate, asOfMs: Number.MAX_SAFE_INTEGER } });
const everyRow = Object.keys(uploads)
  .map(Number)
  .filter((id) => id !== unguarded);

/** An attacker's calls. A command that is judged and not listed here does not compile. */
const hostile: Record<Exclude<JudgedName, 'settings.set'>, unknown[]> = {
  'account.login': [
    { key: 'of-somebody-else' },
    { key: 'of-somebody-else', baseUrl: 'https://attacker.example/api' },
    { key: 'of-somebody-else', baseUrl: 'https://files.example.attacker.example/api' },
  ],
  'account.logout': [{}],
  'files.upload': [
    { paths: ['/home/ada/.ssh/id_rsa'] },
    { paths: ['/home/ada/dropped.txt'] },
    { paths: [offered] },
    { paths: ['row-1'] },
    { paths: ['row-99'] },
    { paths: ['row-0'] },
    { paths: ['row-1e0'] },
    { paths: ['row-9999999999999999'] },
    { paths: ['00000000-0000-0000-0000-000000000000'] },
    { paths: ['../.ssh/id_rsa'] },
    { paths: ['__proto__'] },
    { paths: ['/home/ada/a'], agent: { roots: ['/'], mayReopen: [1] } },
    { paths: ['/home/ada/a'], door: 'folder' },
    { paths: ['/home/ada/a'], door: 'command' },
  ],
  'window.chooseFiles': [{ near: '/home/ada/.ssh/id_rsa' }, { near: 'row-1' }],
  'files.bundle': [
    { paths: ['/home/ada/.ssh'] },
    { paths: ['row-1'] },
    { paths: ['/home/ada/.ssh'], agent: { roots: ['/'], mayReopen: [] } },
  ],
  'folder.inspect': [{ folder: '/home/ada' }, { folder: '/home/ada/Shared/../.ssh' }],
  'folder.choose': [
    { folder: '/home/ada', existing: 'skip' },
    { folder: '/home/ada/Shared', existing: 'upload' },
    { folder: '/home/ada/Shared', existing: ['/home/ada/Shared/a'] },
    { folder: '/home/ada/Shared', existing: { allBut: ['/home/ada/Shared/a'] } },
    { folder: proposed, existing: 'skip' },
  ],
  'folders.add': [
    { folder: { path: '/home/ada/Documents' } },
    { folder: { preset: 'screenshots' } },
    { folder: { path: '/home/ada/Shared' }, rules: { includeHidden: true } },
  ],
  'folders.set': [
    { folder: '/home/ada/Shared', name: 'includeHidden', value: true },
    { folder: '/home/ada/Shared', name: 'ignore', value: [] },
    { folder: '/home/ada/Shared', name: 'ignore', value: null },
    { folder: '/home/ada/Shared', name: 'graceSeconds', value: 0 },
  ],
  'queue.confirm': [
    ...everyRow.map((id) => ({ ids: [unguarded, id] })),
    { ids: [1], withoutLocation: true },
    alike('held', 'secret-name'),
    alike('held', 'burst'),
    { ...alike('held', 'secret-name'), withoutLocation: true },
  ],
  'queue.newest': [{ asOfMs: 0 }],
  'queue.zip': [{ asOfMs: 0 }],
  'queue.retry': [{ ids: [4] }, { ids: [unguarded, 5] }, alike('skipped', 'hidden')],
  'queue.resolve': [{ id: 8, choice: 'again' }],
  'window.askToPublish': [{ ids: [1] }, { ids: [99] }, { ids: everyRow }],
  'window.askToRecall': [{ fileIds: [7] }],
  'window.reset': [{ what: 'settings' }, { what: 'everything' }],
  'window.update': [{ act: 'load' }, { act: 'install' }],
};

describe('a compromised page', () => {
  test('passes no path, folder, setting, key or address to a command that is free', () => {
    const dangerous = [
      'path',
      'paths',
      'folder',
      'folders',
      'key',
      'baseUrl',
      'value',
      'rules',
      'agent',
      'door',
      'files',
    ];
    const found = callsWith('free').flatMap((name) => {
      const fields = schemas[name] === undefined ? [] : fieldsOf(schemas[name]);
      return fields.filter((field) => dangerous.includes(field)).map((field) => `${name} ${field}`);
    });
    // A filter of rows, a number of files in a folder that is watched, and folders that are watched or refused.
    expect(found).toEqual(['files.page folder', 'folders.ignored folder', 'window.openFolder folder']);
  });

  test.each(Object.entries(hostile).flatMap(([name, inputs]) => inputs.map((input) => ({ name, input }))))(
    'cannot call $name with $input',
    async ({ name, input }) => {
      const { ask, reached } = world();
      expect(await ask(name, input)).toMatchObject({ ok: false, error: { code: /^(aborted|bad-use)$/ } });
      expect(reached).toEqual([]);
    },
  );

  test.each(callsWith('never'))('cannot call %s at all', async (name) => {
    const { ask, asked, reached } = world();
    expect(await ask(name, { path: '/a', paths: ['/a'] })).toMatchObject({ ok: false });
    expect([...asked, ...reached]).toEqual([]);
  });

  test.each(['constructor', '__proto__', 'no.such', ''])('has no command %s', async (name) => {
    const { ask, reached } = world();
    expect(await ask(name, {})).toMatchObject({ ok: false, error: { code: 'bad-use' } });
    expect(reached).toEqual([]);
  });

  test.each(callsWith('ids', 'hand'))('identifies no file by its path in %s', async (name) => {
    const { ask, reached } = world({}, () => true);
    const files = [{ fileId: 1 }, { path: '/home/ada/a' }];
    const inputs = [{ files }, { files, expire: 'never' }, { path: '/home/ada/a' }];
    for (const input of inputs) {
      await ask(name, input);
    }
    const passed = reached.filter(({ input }) => JSON.stringify(input).includes('/home/ada/a'));
    // A call that the table refuses by its form is passed on to be refused there.
    expect(passed.every(({ input }) => !valid(name, input))).toBe(true);
  });

  test.each([{ queueId: 7 }, { link: 'https://files.example.com/d/7' }])(
    'names no file by %j, which a question could not show',
    async (file) => {
      const { ask, asked, reached } = world({}, () => true);
      const reply = await ask('files.expire', { files: [{ fileId: 1 }, file], expire: 'never' });
      expect([reply.ok, asked, reached]).toEqual([false, [], []]);
    },
  );

  test('cannot have a card verified', async () => {
    const { ask, reached } = world();
    const link = {
      fileId: null,
      sha256: 'a'.repeat(64),
      sizeBytes: null,
      publicLink: 'https://attacker.example/?it',
    };
    expect(await ask('files.verify', { card: [link] })).toMatchObject({ ok: false });
    expect(reached).toEqual([]);
  });

  test.each(settingNames)(
    'sets %s to no value that changes key, programs, records or guards',
    async (name) => {
      const { ask, asked, reached } = world(opposite(name));
      const values = [...settingValues[name], defaultSettings()[name]];
      for (const value of values) {
        const { page } = rowOf(name);
        const before = reached.length;
        const questions = asked.length;
        await ask('settings.set', { name, value });
        const isFree = page === 'any' || (Array.isArray(page) && page.includes(value));
        const isUnchanged = JSON.stringify(opposite(name)[name]) === JSON.stringify(value);
        if (name !== 'keyCommand') expect(reached.length - before).toBe(isFree || isUnchanged ? 1 : 0);
        if (name !== 'keyCommand') expect(asked.length - questions).toBe(isFree || isUnchanged ? 0 : 1);
      }
    },
  );

  test.each<[SettingName, now: unknown, next: unknown, message: string, told: string]>([
    ['burstBytes', 5e9, 7.5e9, 'Ask before more than', 'Now: 5 GB at once\nNew: 7.5 GB at once'],
    ['burstFiles', 200, 1000, 'Ask before more than', 'Now: 200 files at once\nNew: 1000 files at once'],
    ['agentShare', 0.25, 1, 'Share of agents', 'Now: 25 %\nNew: 100 %'],
    ['expireAfter', '7d', 'none', 'Links expire', 'Now: after 7 days\nNew: never'],
    ['caFile', '/a.pem', 'choose', 'Extra certificate authority', 'Now: /a.pem\nNew: choose'],
    ['linkHosts', [], ['hint'], 'Trusted link domains', 'Now: none\nNew: hint'],
  ])(
    'triggers a question about %s in the words of the window, with the value as it is',
    async (name, now, next, ...said) => {
      const { ask, asked } = world({ [name]: now });
      await ask('settings.set', { name, value: next });
      expect(asked[0]?.message).toContain(said[0]);
      expect(asked[0]?.detail).toBe(said[1]);
    },
  );

  test('triggers not even a question about a program that prints the key', async () => {
    const { ask, asked, reached } = world();
    for (const value of ['cat /etc/passwd', null])
      expect(await ask('settings.set', { name: 'keyCommand', value })).toMatchObject({
        ok: false,
        error: { code: 'bad-use', message: 'The window does not choose a program to run.' },
      });
    expect([...asked, ...reached]).toEqual([]);
  });

  test('cannot loosen a guard by its default', async () => {
    const { ask, reached } = world({ allowedRoots: ['/srv'], auditFile: '/srv/a.jsonl', burstFiles: 10 });
    for (const name of ['allowedRoots', 'auditFile', 'burstFiles'])
      expect(await ask('settings.set', { name, value: null })).toMatchObject({ error: { code: 'aborted' } });
    expect(reached).toEqual([]);
  });

  test('opens one dialog at a time', async () => {
    let say: (yes: boolean) => void = () => undefined;
    const { ask, asked } = world({}, () => new Promise((resolve) => (say = resolve)));
    const first = ask('window.reset', { what: 'settings' });
    expect(await ask('window.reset', { what: 'everything' })).toMatchObject({ error: { code: 'bad-use' } });
    say(true);
    expect(await first).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
  });
});

describe('an action of the user in the window', () => {
  const quiet: [what: string, name: string, input: unknown][] = [
    ['what was on its way', 'queue.confirm', { ids: [unguarded] }],
    ['an answer that was lost', 'queue.resolve', { id: 8, choice: 'leave' }],
    ['a photo without its location', 'queue.confirm', { ids: [3], withoutLocation: true }],
    [
      'photos without their location',
      'queue.confirm',
      { ...alike('held', 'location'), withoutLocation: true },
    ],
    ['all that failed', 'queue.retry', {}],
    ['a pause of a folder', 'folders.set', { folder: '/home/ada/Shared', name: 'paused', value: true }],
    ['a guard that is switched on', 'settings.set', { name: 'holdSecrets', value: true }],
    ['the language', 'settings.set', { name: 'language', value: 'de' }],
    ['a folder that is watched', 'folders.add', { folder: { path: '/home/ada/Shared' } }],
    ['a look for an update', 'window.update', { act: 'check' }],
  ];
  test.each(quiet)('triggers no question for %s', async (_what, name, input) => {
    const { ask, asked, reached } = world();
    expect(await ask(name, input)).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    expect(reached).toHaveLength(1);
  });

  test('triggers a question with the setting, its old and its new value, and proceeds after yes', async () => {
    const { ask, asked, reached } = world({ proxy: 'system' }, () => true);
    await ask('settings.set', { name: 'proxy', value: 'http://proxy.example:3128' });
    await ask('settings.set', { name: 'allowedRoots', value: ['/srv/a', '/srv/b'] });
    await ask('settings.set', { name: 'holdSecrets', value: false });
    expect(asked).toEqual([
      {
        message: 'Change “Proxy”?',
        detail: 'Now: Same as the system\nNew: http://proxy.example:3128',
        act: 'Change',
      },
      { message: 'Change “allowedRoots”?', detail: 'Now: none\nNew: /srv/a, /srv/b', act: 'Change' },
      {
        message: 'Change “Hold files whose names look like secrets”?',
        detail: 'Now: yes\nNew: no',
        act: 'Change',
      },
    ]);
    expect(reached[0]).toEqual({
      name: 'settings.set',
      input: { name: 'proxy', value: 'http://proxy.example:3128' },
    });
  });

  test('triggers a question about files that were kept back, by name', async () => {
    const { ask, asked, reached } = world({}, () => true);
    await ask('queue.confirm', { ids: [1, unguarded, 2] });
    expect(asked).toEqual([
      {
        message: 'Make these 2 files public?',
        detail: expect.stringContaining('id_rsa\nnotes.txt') as string,
        act: 'Upload',
      },
    ]);
    await ask('queue.confirm', alike('held', 'secret-name'));
    expect(asked[1]?.message).toBe('Make these 3 files public?');
    // A file that is held while the dialog is open is not included.
    const { alike: sent } = reached[1]?.input as ReturnType<typeof alike>;
    expect(sent.asOfMs).toBeLessThanOrEqual(Date.now());
    expect(asked[1]?.detail).toMatch(/\n\nsecret-name 0\n…$/);
    await ask('queue.newest', { asOfMs: 1 });
    expect(asked[2]).toMatchObject({
      message: 'Make this file public?',
      detail: expect.stringContaining('newest.txt') as string,
    });
  });

  test.each([
    ['held', 'burst', 'burst 1\nburst 2\n…'],
    ['skipped', 'hidden', '.hidden'],
  ])('triggers a question about all that are %s as %s by name, too', async (kind, fate, names) => {
    const { ask, asked } = world({}, () => true);
    await ask('queue.confirm', alike(kind, fate));
    expect(asked[0]?.detail.split('\n\n').at(-1)).toBe(names);
  });

  test('triggers one question before the seconds in which it can be undone', async () => {
    const { ask, asked, changed, guard, reached } = world({}, ({ message }) => message.startsWith('Make “'));
    await ask('window.askToPublish', { ids: [1] });
    expect(asked).toEqual([
      {
        message: 'Make “id_rsa” public?',
        detail: expect.stringContaining('10 seconds') as string,
        act: 'Make public',
      },
    ]);
    const confirmed = { ids: [1], asOfMs: Number.MAX_SAFE_INTEGER };
    expect(await ask('queue.confirm', confirmed)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    // The engine refuses what changes from now on.
    const { asOfMs } = reached.at(-1)?.input as { asOfMs: number };
    expect(asOfMs).toBeLessThanOrEqual(Date.now());
    expect(await ask('queue.confirm', { ids: [1, 2] })).toMatchObject({ ok: false });
    expect(await guard('queue.confirm', confirmed, other)).toMatchObject({ ok: false });
    changed.ms = Date.now() + 1;
    expect(await ask('queue.confirm', confirmed)).toMatchObject({ ok: false });
    expect(asked).toHaveLength(4);
  });

  test('triggers no second question about a folder of the system’s dialog, but one about its content', async () => {
    const { ask, asked, guard, reached } = world();
    const choice = { folder: '/home/ada/Chosen', existing: 'skip' };
    expect(await ask('folder.choose', choice)).toMatchObject({ ok: false });
    await ask('window.chooseFolder', {});
    expect(await ask('folder.inspect', { folder: '/home/ada/Chosen' })).toMatchObject({ ok: true });
    expect(await ask('folder.choose', choice)).toMatchObject({ ok: true });
    expect(await ask('folder.choose', { ...choice, existing: 'upload' })).toMatchObject({ ok: false });
    expect(await guard('folder.choose', choice, other)).toMatchObject({ ok: false });
    // Only about a folder that was chosen.
    expect(asked).toHaveLength(1);
    expect(reached.filter(({ name }) => name === 'folder.choose')).toHaveLength(1);
  });

  test('passes files to one load of a page as tokens', async () => {
    const { ask, asked, dropped, elsewhere, reached } = world();
    const chosen = (await ask('window.chooseFiles', {})) as { answer: { paths: string[] } };
    expect(JSON.stringify(chosen)).not.toContain('/home');
    const paths = [dropped, ...chosen.answer.paths];
    expect(await ask('files.upload', { paths })).toMatchObject({ ok: true });
    expect(reached.at(-1)?.input).toMatchObject({ paths: ['/home/ada/dropped.txt', '/home/ada/chosen.txt'] });
    expect(asked).toEqual([]);
    for (const wrong of [[elsewhere], [dropped, elsewhere], [dropped, '/home/ada/.ssh']])
      for (const name of ['files.upload', 'files.bundle'])
        expect(await ask(name, { paths: wrong })).toMatchObject({ ok: false, error: { code: 'bad-use' } });
    expect(await ask('files.upload', { paths: [dropped], again: true })).toMatchObject({
      error: { code: 'aborted' },
    });
    expect(reached).toHaveLength(2);
  });

  test('triggers a question about the file of a row by its path', async () => {
    const { ask, asked, reached } = world({}, () => true);
    await ask('files.bundle', { paths: ['row-7'] });
    expect(asked).toEqual([
      { message: 'Upload this file?', detail: '/home/ada/Shared/old.txt', act: 'Upload' },
    ]);
    expect(reached.at(-1)?.input).toMatchObject({ paths: ['/home/ada/Shared/old.txt'] });
  });

  test('uploads what a drop left out with a press, and chooses again beside it', async () => {
    const { ask, press, reached } = world();
    press();
    expect(await ask('files.upload', { paths: [offered] })).toMatchObject({ ok: true });
    expect(reached.at(-1)?.input).toMatchObject({ paths: ['/home/ada/.left-out'] });
    await ask('window.chooseFiles', { near: offered });
    expect(reached.at(-1)?.input).toEqual({ near: '/home/ada/.left-out' });
  });

  test('uploads with a press at most 20 files that a drop left out', async () => {
    const { ask, asked, press } = world();
    const paths = Array.from({ length: 21 }, (_, at) => `${offered}${at}`);
    press();
    expect(await ask('files.upload', { paths: paths.slice(1) })).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    press();
    expect(await ask('files.upload', { paths })).toMatchObject({ ok: false });
    expect(asked).toHaveLength(1);
  });

  test('triggers no question about the proposed folder where it is newly made', async () => {
    const { ask, asked, isThere } = world();
    isThere.proposed = false;
    expect(await ask('folder.choose', { folder: proposed, existing: 'skip' })).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
  });

  test('signs in for the first time with a press and no question, but not at another address', async () => {
    const { ask, asked, known, press } = world();
    known['account.get'] = { baseUrl: 'https://files.example/api', key: { kind: 'absent' } };
    press();
    expect(await ask('account.login', { key: 'mine' })).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    expect(await ask('account.login', { key: 'of-somebody-else' })).toMatchObject({ ok: false });
    expect(asked.pop()?.message).toBe('Allow “Sign in”?');
    const elsewhere = { key: 'mine', baseUrl: 'https://attacker.example/api' };
    expect(await ask('account.login', elsewhere)).toMatchObject({ ok: false });
    expect(asked[0]?.message).toBe('Sign in at https://attacker.example/api?');
  });
});

const valid = (name: string, input: unknown): boolean =>
  schemas[name]?.['~run']({ value: input }, {}).issues === undefined;

/** A value from which each of the tried ones differs as far as it can. */
const opposite = (name: SettingName): Partial<Settings> => ({ [name]: settingValues[name][0] });
