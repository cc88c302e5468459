// The real app with a compromised page: it calls everything, sets everything and names any path.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src-main/contract/commands.ts';
import { settingNames } from '../../src-main/contract/settings.ts';
import { canLaunch } from '../support/app.ts';
import { settingValues } from '../support/setting-values.ts';
import {
  call,
  chosen,
  eventually,
  reload,
  reply,
  sayYes,
  setStage,
  untilStatus,
  watchFolder,
} from './stage.ts';

/** It ends the app. */
const notTried = new Set(['window.quit']);
const calls = Object.entries(commands);
const byHand = calls.flatMap(([name, { page }]) => (page === 'hand' ? [name] : []));

test.skipIf(!canLaunch)('a page that requests every permission gets none that was not granted', async () => {
  await using stage = await setStage();
  const app = await stage.start({ apiKey: stage.service.key });
  // Programs that the app starts inherit this.
  expect(await app.electron.evaluate(() => JSON.stringify(process.env))).not.toContain(stage.service.key);
  await watchFolder(app, stage.folder);
  await untilStatus(app.window, ({ watch }) => watch === 'live');
  await stage.put('id_rsa', 'a secret by its name');
  await untilStatus(app.window, ({ counts }) => counts.held === 1);
  await stage.put('public.txt');
  await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
  const fileId = stage.service.files()[0]?.id ?? 0;
  await call(app.window, 'queue.pause', { untilMs: null });
  await app.electron.evaluate(({ clipboard }) => clipboard.writeText('copied by the user'));
  const secret = await stage.put(path.join(stage.home, 'elsewhere.txt'), 'nobody dropped it');
  const audit = path.join(stage.home, 'audit.jsonl');
  const { settings, key, folders } = await stateOf();

  async function stateOf() {
    const file = path.join(stage.home, 'outtray', 'settings.json');
    return {
      settings: JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>,
      key: (await call(app.window, 'account.get', {})).key,
      folders: (await call(app.window, 'app.status', {})).folders.map(({ folder }) => folder),
    };
  }

  // Each field that some input has, with an attacker's value.
  const [held] = await call(app.window, 'queue.held', {});
  const id = held?.id ?? 0;
  const alike = { kind: 'held', fate: 'secret-name', asOfMs: Date.now() + 1_000_000 };
  const inputs = [
    {},
    { what: 'everything' },
    { what: 'settings' },
    { key: 'of-an-attacker', baseUrl: 'https://attacker.example/api' },
    { key: 'of-an-attacker' },
    { paths: [secret] },
    { paths: ['00000000-0000-4000-8000-000000000000'] },
    { paths: [`row-${id}`] },
    { paths: [path.join(stage.folder, 'id_rsa')] },
    { paths: [path.join(stage.folder, 'id_rsa')], again: true },
    { path: secret },
    { name: 'another' },
    { files: [{ path: secret }] },
    { folder: stage.home },
    { folder: path.dirname(stage.home), existing: 'upload' },
    { folder: { path: path.join(stage.home, '.config') }, existing: 'upload' },
    { folder: stage.folder, existing: 'upload' },
    { folder: stage.folder, name: 'includeHidden', value: true },
    { folder: stage.folder, name: 'paused', value: null },
    { ids: [id] },
    { alike },
    { fileIds: [fileId] },
    { files: [{ fileId }] },
    { files: [{ fileId }], expire: { afterMs: 1_000 } },
    { is: 'same' },
    { name: 'nautilus', on: true },
    { act: 'load' },
    { act: 'install' },
  ];
  const codes = new Map<string, Set<string>>();
  for (const name of calls.map(([one]) => one)) {
    if (notTried.has(name)) continue;
    const told = await app.window.evaluate(
      async ([asked, tried]) => {
        const found: string[] = [];
        for (const input of tried) {
          const answer = await window.outtray.call(asked, input);
          found.push(answer.ok ? 'done' : answer.error.code);
        }
        return found;
      },
      [name, inputs] as const,
    );
    codes.set(name, new Set(told));
  }
  // Each had an input that reached the question.
  for (const name of [...byHand, 'window.update'])
    expect([name, ...(codes.get(name) ?? [])].toSorted()).toEqual(['aborted', 'bad-use', name].toSorted());
  for (const name of settingNames) {
    const values = name === 'auditFile' ? [audit, ...settingValues[name]] : settingValues[name];
    for (const value of [...values, null]) await reply(app.window, 'settings.set', { name, value });
  }

  const after = await stateOf();
  expect(after.key).toEqual(key);
  expect(after.folders).toEqual(folders);
  const guards = [
    'baseUrl',
    'proxy',
    'caFile',
    'auditFile',
    'afterUpload',
    'updateFeed',
    'keyCommand',
    'linkHosts',
  ];
  for (const name of guards) expect(after.settings[name]).toEqual(settings[name]);
  const changed = Object.keys(after.settings).filter(
    (name) => JSON.stringify(after.settings[name]) !== JSON.stringify(settings[name]),
  );
  const loose = [
    'holdSecrets',
    'lookInside',
    'photoLocation',
    'allowedRoots',
    'forbiddenTypes',
    'agentRoots',
  ];
  expect(changed.filter((name) => loose.includes(name) && after.settings[name] !== true)).toEqual([]);
  expect(existsSync(audit)).toBe(false);
  expect(stage.service.files().map(({ filename }) => filename)).toEqual(['public.txt']);
  expect((await call(app.window, 'app.status', {})).paused).toBe(true);
  // The system asked about each of them, and the answer was Cancel.
  const asked = (await app.asked()).filter(({ how }) => how === 'showMessageBox');
  expect(asked.length).toBeGreaterThan(10);
  for (const { options } of asked) expect(options).toMatchObject({ defaultId: 1, cancelId: 1 });
  await app.quit();
});

test.skipIf(!canLaunch)(
  'one press of the user allows one call, and an event that a page dispatches does not count',
  async () => {
    await using stage = await setStage();
    const app = await stage.start({ apiKey: stage.service.key });
    await watchFolder(app, stage.folder);
    await reload(app);
    for (const name of ['one.txt', 'two.txt']) await stage.put(name);
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 2);
    const [one = 0, two = 0] = stage.service.files().map(({ id }) => id);
    const remove = (fileId: number) => reply(app.window, 'files.delete', { fileIds: [fileId] });
    const refused = { ok: false, error: { code: 'aborted' } };

    await app.window.evaluate(() => {
      const button = document.querySelector('button');
      button?.focus();
      for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        button?.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
      for (const kind of ['keydown', 'keyup'])
        document.body.dispatchEvent(new KeyboardEvent(kind, { key: 'Shift', bubbles: true }));
      const label = document.body.appendChild(document.createElement('label'));
      label.click();
      label.remove();
    });
    expect(await remove(one)).toMatchObject(refused);
    await app.window.keyboard.press('Shift');
    expect(await remove(one)).toMatchObject({ ok: true });
    expect(await remove(two)).toMatchObject(refused);

    await app.window.keyboard.press('Shift');
    await reload(app);
    expect(await remove(two)).toMatchObject(refused);
    await sayYes(app);
    expect(await remove(two)).toMatchObject({ ok: true });
    expect(stage.service.files()).toEqual([]);
    await app.quit();
  },
);

test.skipIf(!canLaunch)('a page cannot create a File with a path, and its tokens end with it', async () => {
  await using stage = await setStage();
  const app = await stage.start({ apiKey: stage.service.key });
  await watchFolder(app, stage.folder);
  await reload(app);
  const file = await stage.put(path.join(stage.home, 'given.txt'), 'chosen by the user');
  const tokensOf = (input: string | null) =>
    app.window.evaluate(
      async ([selector, named]) => {
        const field = selector === null ? null : document.querySelector<HTMLInputElement>(selector);
        const list = new DataTransfer();
        list.items.add(new File(['x'], named));
        const getters = Object.create(File.prototype, {
          path: { enumerable: true, get: () => named },
          name: { enumerable: true, get: () => named },
        }) as unknown;
        const forged = [
          list.files[0],
          new File(['x'], named),
          new Blob(['x']),
          getters,
          { path: named },
          named,
        ];
        return await window.outtray.tokensOf?.(field === null ? forged : [...(field.files ?? [])]);
      },
      [input, file] as const,
    );
  expect(await tokensOf(null)).toEqual(['', '', '', '', '', '']);

  await app.window.evaluate(() => {
    const field = document.createElement('input');
    field.type = 'file';
    field.id = 'chosen';
    document.body.append(field);
  });
  await app.window.locator('#chosen').setInputFiles(file);
  const [token = ''] = (await tokensOf('#chosen')) ?? [];
  expect(token).not.toBe('');
  expect(token).not.toContain('given.txt');
  await reload(app);
  expect(await reply(app.window, 'files.upload', { paths: [token] })).toMatchObject({
    ok: false,
    error: { code: 'bad-use' },
  });
  const paths = await chosen(app, file);
  expect(await reply(app.window, 'files.upload', { paths })).toMatchObject({ ok: true });
  await eventually(() => stage.service.files().map(({ filename }) => filename)).toEqual(['given.txt']);
  await app.quit();
});
