// The security list of the app, as far as a page and its channel can show it.
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canLaunch, onRealElectron, type RunningApp } from '../support/app.ts';
import { insideThePage } from './inner-frame.ts';
import {
  call,
  eventually,
  pressed,
  reload,
  reply,
  setStage,
  untilStatus,
  type Stage,
  sayYes,
  watchFolder,
} from './stage.ts';

describe.skipIf(!canLaunch)('the window', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeAll(async () => {
    stage = await setStage();
    app = await stage.start();
    await pressed(app, 'account.login', { key: stage.service.key });
    await watchFolder(app, stage.folder);
    await reload(app);
  });
  afterAll(async () => {
    await app.quit();
    await stage[Symbol.asyncDispose]();
  });

  const isAlive = async (): Promise<boolean> => (await reply(app.window, 'app.status', {})).ok;

  test('chooses no program to run: a page cannot set the key command', async () => {
    const refused = await reply(app.window, 'settings.set', { name: 'keyCommand', value: 'touch /tmp/x' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'bad-use' } });
    const view = await call(app.window, 'settings.get', {});
    expect(view.find(({ name }) => name === 'keyCommand')).toMatchObject({ value: null, origin: 'default' });
  });

  test('runs no injected script, no inline handler, no eval, and connects to nobody', async () => {
    const ran = await app.window.evaluate(async () => {
      const seen: string[] = [];
      const refused: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'window.__ran = true';
      document.body.append(script);
      const image = document.createElement('img');
      image.setAttribute('onerror', 'window.__ran = true');
      image.src = 'data:,';
      document.body.append(image);
      const foreign = document.createElement('script');
      foreign.src = 'https://attacker.example/x.js';
      document.body.append(foreign);
      const frame = document.createElement('iframe');
      frame.src = 'https://attacker.example/';
      document.body.append(frame);
      await fetch('https://attacker.example/').catch(() => seen.push('fetch refused'));
      await new Promise((done) => setTimeout(done, 300));
      for (const element of [script, image, foreign, frame]) element.remove();
      if ('__ran' in window) seen.push('a script ran');
      return { seen, refused: [...new Set(refused)].sort() };
    });
    expect(ran.seen).toEqual(['fetch refused']);
    expect(ran.refused).toEqual(
      expect.arrayContaining(['connect-src', 'frame-src', 'script-src-attr', 'script-src-elem']),
    );
  });

  test('navigates nowhere else and opens no other window', async () => {
    const before = app.window.url();
    await app.window.evaluate(() => {
      window.location.href = 'https://attacker.example/';
    });
    await app.window.evaluate(() => {
      window.open('https://attacker.example/');
      const link = document.createElement('a');
      link.href = 'https://attacker.example/';
      link.target = '_blank';
      document.body.append(link);
      link.click();
      link.remove();
    });
    await new Promise((done) => setTimeout(done, 500));
    expect(app.window.url()).toBe(before);
    expect(app.electron.windows()).toHaveLength(1);
    expect(await app.opened()).toEqual([]);
    expect(await isAlive()).toBe(true);
  });

  test('is granted no permission', async () => {
    const states = await app.window.evaluate(async () => {
      const names = [
        'geolocation',
        'notifications',
        'camera',
        'microphone',
        'clipboard-read',
      ] as PermissionName[];
      const found: string[] = [];
      for (const name of names) found.push((await navigator.permissions.query({ name })).state);
      return found;
    });
    expect(states.filter((state) => state === 'granted')).toEqual([]);
  });

  test('is the only one that gets answers: another page with the same preload is refused', async () => {
    const preload = path.resolve(import.meta.dirname, '../../out/preload/preload.cjs');
    const answers = await app.electron.evaluate(
      async ({ BrowserWindow }, [script, url]) => {
        const found: unknown[] = [];
        for (const address of [url, 'data:text/html,<p>x</p>']) {
          const other = new BrowserWindow({
            show: false,
            webPreferences: { preload: script, sandbox: true },
          });
          await other.loadURL(address);
          found.push(await other.webContents.executeJavaScript("window.outtray.call('app.status', {})"));
          other.destroy();
        }
        return found;
      },
      [preload, 'outtray://app/index.html'] as const,
    );
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'bad-use' } });
  });

  // On Electron itself no test can reach the channel from a frame: there the preload is not in it at all.
  test.skipIf(onRealElectron)(
    'gets answers in its top frame only: a frame inside the page has no bridge, and its message is refused',
    async () => {
      const seen = await insideThePage(app.window, () => reload(app));
      expect(seen.foreign).toEqual([]);
      expect(seen.hasBridge).toBe(false);
      expect(seen.answers.length).toBeGreaterThan(0);
      for (const answer of seen.answers) {
        expect(answer).toContain('This frame may not ask.');
        expect(answer).not.toContain('counts');
      }
      expect(await isAlive()).toBe(true);
    },
  );

  test('cannot harm the main process with 10,000 messages of any kind', async () => {
    const names = [
      'app.status',
      'files.page',
      'files.links',
      'queue.confirm',
      'window.copyLinks',
      'window.openLink',
    ];
    const message = fc.record({
      name: fc.oneof(
        fc.constantFrom(...names, 'constructor', '__proto__', 'toString', ''),
        fc.string({ unit: 'binary', maxLength: 200 }),
      ),
      input: fc.oneof(
        fc.anything({ maxDepth: 3, maxKeys: 4, withNullPrototype: false }),
        fc.record({ uploadIds: fc.array(fc.oneof(fc.integer(), fc.string())), fileIds: fc.anything() }),
        fc.record({ file: fc.record({ uploadId: fc.anything() }) }),
      ),
    });
    const asText = (value: object): string =>
      JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
    const messages = fc.sample(message, { numRuns: 10_000, seed: 7 }).map((one) => asText(one));
    const odd = await app.window.evaluate(async (texts) => {
      let strange = 0;
      const ask = async (name: unknown, input: unknown): Promise<void> => {
        const answer: unknown = await window.outtray
          .call(name as string, input)
          .catch((cause: unknown) => cause);
        const isAnswer = typeof answer === 'object' && answer !== null && 'ok' in answer;
        if (!isAnswer) strange += 1;
      };
      for (let at = 0; at < texts.length; at += 200) {
        const bite = texts
          .slice(at, at + 200)
          .map((text) => JSON.parse(text) as { name: string; input?: unknown });
        await Promise.all(bite.map(({ name, input }) => ask(name, input)));
      }
      // Values that JSON cannot carry and a structured clone can.
      const sparse: unknown[] = [];
      sparse.length = 1_000_000;
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      const wild = [
        sparse,
        circle,
        new Map([[1, 2]]),
        new Date(),
        1n,
        NaN,
        new Uint8Array(1e6),
        'x'.repeat(70_000),
      ];
      for (const input of wild) {
        const answer = await window.outtray.call('app.status', input).catch(() => null);
        if (answer?.ok === true) strange += 1;
      }
      return strange;
    }, messages);
    expect(odd).toBe(0);
    expect(await isAlive()).toBe(true);
  });

  test('opens no link that is not the service’s own', async () => {
    stage.service.change({ linkHost: null });
    const hostile = [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://user:pass@127.0.0.1/download/x',
      'https://attacker.example/download/x',
      'http://attacker.example/download/x',
      `http://127.0.0.1:${stage.service.port}/download/\u202efdp.exe`,
      'smb://attacker.example/share',
    ];
    const ids: number[] = [];
    for (const [at, link] of hostile.entries()) {
      const { id } = await stage.service.addFile({ filename: `hostile-${at}.txt`, content: 'x' });
      stage.service.faults.add({
        match: { path: `/files/${id}` },
        fault: {
          kind: 'patch',
          fields: {
            file: { file_id: id, filename: `hostile-${at}.txt`, public_link: link },
            public_link: link,
          },
        },
      });
      await reply(app.window, 'files.info', { fileId: id });
      ids.push(id);
    }
    const answers = [];
    for (const fileId of ids) answers.push(await reply(app.window, 'window.openLink', { file: { fileId } }));
    for (const answer of answers) expect(answer).toMatchObject({ ok: true, answer: { kind: 'refused' } });
    await expect(
      call(app.window, 'window.copyLinks', { uploadIds: [], fileIds: [999_999], as: 'plain' }),
    ).rejects.toThrow('not-found');
    expect(await app.opened()).toEqual([]);
  });

  test('opens the service’s own link in the browser, and shows a file of the ledger in its folder', async () => {
    const file = await stage.put('open-me.txt');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    const { rows } = await call(app.window, 'files.page', { search: 'open-me' });
    const uploadId = rows[0]?.uploadId ?? 0;
    expect(await call(app.window, 'window.openLink', { file: { uploadId } })).toEqual({ kind: 'opened' });
    await call(app.window, 'window.showInFolder', { uploadId });
    expect(await app.opened()).toEqual([
      { how: 'openExternal', target: rows[0]?.publicLink },
      { how: 'showItemInFolder', target: file },
    ]);
    await expect(call(app.window, 'window.showInFolder', { uploadId: 999 })).rejects.toThrow('not-found');
  });

  test('never sees the key: not in an answer, an event, the bundle of diagnostics, or the page', async () => {
    const key = 'canary-Zk93hR0aQ5-key-of-the-test';
    stage.service.setKey(key);
    await app.window.evaluate(() => {
      const heard: unknown[] = [];
      Object.assign(window, { heard });
      window.outtray.listen((change) => heard.push(change));
    });
    const answers: unknown[] = [];
    // Refused once with a message that quotes the key, as a careless service might.
    stage.service.faults.add({
      match: { path: '/stats' },
      fault: { kind: 'answer', status: 401, body: { message: `Your key ${key} is not known` } },
    });
    await sayYes(app);
    answers.push(await reply(app.window, 'account.login', { key }));
    await sayYes(app);
    answers.push(await reply(app.window, 'account.login', { key }));
    stage.service.faults.add({
      match: { path: '/files/upload' },
      fault: { kind: 'answer', status: 415, body: { message: `Bearer ${key} may not` } },
    });
    await stage.put('refused.txt');
    await untilStatus(app.window, ({ counts }) => counts.failed === 1);
    for (const name of [
      'account.get',
      'settings.get',
      'queue.get',
      'stats.get',
      'app.doctor',
      'files.page',
    ]) {
      answers.push(await reply(app.window, name, {}));
    }
    answers.push(await reply(app.window, 'window.diagnostics', {}));
    answers.push(await app.window.evaluate(() => (window as unknown as { heard: unknown[] }).heard));
    answers.push(await app.window.content());
    const all = JSON.stringify(answers);
    expect(all).toContain('refused.txt');
    for (const form of [key, Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex')]) {
      expect(all).not.toContain(form);
    }
    await eventually(async () => JSON.stringify(await app.tray())).not.toContain(key);
  });
});
