// Links that are recalled in the window and from the tray: after a question, dead afterwards, the file stays and is not
// sent again.
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, onRealElectron, type RunningApp } from '../support/app.ts';
import { isDeep } from '../support/deep.ts';
import {
  call,
  desktopPath,
  eventually,
  leave,
  reload,
  setStage,
  startWatching,
  untilStatus,
  type Stage,
  watchFolder,
} from './stage.ts';

describe.skipIf(!canLaunch || onRealElectron)('a link is recalled', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    const env = { PATH: await desktopPath(stage.home) };
    app = await stage.start({ apiKey: stage.service.key, env });
    await watchFolder(app, stage.folder);
    await untilStatus(app.window, ({ watch }) => watch === 'live');
    await reload(app);
  });
  afterEach(() => leave(stage, app));

  const put = async (name: string): Promise<{ file: string; link: string }> => {
    const file = await stage.put(name);
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    return { file, link: stage.service.files()[0]?.link ?? 'none' };
  };
  const dialog = (): Locator => app.window.getByRole('dialog');
  const agree = async (link: string): Promise<void> => {
    await dialog().waitFor();
    // Nothing is deleted before it is confirmed.
    expect((await fetch(link)).status).toBe(200);
    await dialog().getByRole('button', { name: 'Recall', exact: true }).click();
    await app.window.getByText('Link dead').first().waitFor();
  };
  const expectTakenBack = async (file: string, link: string): Promise<void> => {
    expect((await fetch(link)).status).toBe(404);
    await access(file);
    await call(app.window, 'folder.scan', {});
    await untilStatus(app.window, ({ watch }) => watch === 'live');
    expect(stage.service.files()).toEqual([]);
    await eventually(async () => (await app.tray())?.items.map(({ label }) => label).join()).not.toContain(
      path.basename(file),
    );
  };

  test.runIf(isDeep)('from the menu of its row', async () => {
    const { file, link } = await put('row.txt');
    await app.window.locator('.row', { hasText: 'row.txt' }).click({ button: 'right' });
    await app.window.getByRole('menuitem', { name: 'Recall…' }).click();
    await agree(link);
    await app.window.locator('.row', { hasText: 'row.txt' }).waitFor({ state: 'detached' });
    await expectTakenBack(file, link);
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 0 && counts.skipped === 1);
  });

  test('from the card after an upload', async () => {
    const file = await stage.put(path.join(stage.home, 'Desktop', 'card.txt'));
    await app.dropFiles('main', [file]);
    const card = app.window.getByRole('region', { name: 'Files you added' });
    await card.getByText('Link copied').waitFor();
    const link = stage.service.files()[0]?.link ?? 'none';
    await card.getByRole('button', { name: 'Recall' }).click();
    await agree(link);
    await expectTakenBack(file, link);
  });

  test.runIf(isDeep)('from the tray', async () => {
    const { file, link } = await put('tray.txt');
    const entry = async (): Promise<string> =>
      (await app.tray())?.items.find(({ label }) => label.includes('tray.txt'))?.label ?? '';
    await eventually(entry).not.toBe('');
    await app.clickTray(await entry(), 'Recall…');
    await agree(link);
    await expectTakenBack(file, link);
  });

  test.runIf(isDeep)('and stays alive: this is reported', async () => {
    const { link } = await put('lives.txt');
    // The service says that it deleted the file, and still serves it.
    stage.service.faults.add({
      match: { method: 'DELETE' },
      fault: { kind: 'answer', status: 200, body: { success: true, message: 'File deleted' } },
    });
    await app.window.locator('.row', { hasText: 'lives.txt' }).click({ button: 'right' });
    await app.window.getByRole('menuitem', { name: 'Recall…' }).click();
    await dialog().getByRole('button', { name: 'Recall', exact: true }).click();
    await app.window.getByText('1 still answers').first().waitFor();
    expect((await fetch(link)).status).toBe(200);
    const row = app.window.locator('.row', { hasText: 'lives.txt' });
    await row.getByText('recalled, still answers').waitFor();
    expect(await row.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
    stage.service.faults.clear();
  });
});

test.runIf(isDeep && canLaunch && !onRealElectron)(
  'links whose host is out of reach are neither dead nor alive, and are dead without a press once it is back',
  async () => {
    // Nothing listens there yet.
    const host = createServer((_, response) => response.writeHead(404).end());
    const listen = (port: number) => once(host.listen(port, '127.0.0.1'), 'listening');
    await listen(0);
    const { port } = host.address() as AddressInfo;
    await new Promise((closed) => host.close(closed));
    await using stage = await setStage({ linkHosts: [`127.0.0.1:${port}`] });
    stage.service.change({ linkHost: `http://127.0.0.1:${port}` });
    const app = await startWatching(stage);
    /** As after a sleep of this length: what is due then is done now. */
    const pass = (ms: number): Promise<void> =>
      app.electron.evaluate(({ powerMonitor }, passed) => {
        const now = performance.now.bind(performance);
        performance.now = () => now() + passed;
        powerMonitor.emit('resume');
      }, ms);
    const names = ['a.txt', 'b.txt', 'c.txt'];
    const files = await Promise.all(names.map((name) => stage.put(path.join(stage.home, 'Desktop', name))));
    await app.dropFiles('main', files);
    const card = app.window.getByRole('region', { name: 'Files you added' });
    await eventually(() => card.innerText()).toMatch(/3 links copied/);
    await card.getByRole('button', { name: 'Recall' }).click();
    await app.window.getByRole('dialog').getByRole('button', { name: 'Recall 3 links' }).click();

    const dock = app.window.getByRole('region', { name: 'Recall', exact: true });
    const text = async (afterMs: number): Promise<string> => {
      await pass(afterMs);
      return (await dock.textContent()) ?? '';
    };
    await eventually(() => text(8000)).toMatch(/3 not proven/);
    expect(await dock.textContent()).not.toMatch(/dead|still answers/);
    expect(await dock.getByText(/^Could not be checked · checked again by itself/).count()).toBe(3);
    for (const name of names) {
      const row = app.window.locator('.row:not(.struck)', { hasText: name });
      await row.getByText('recalled, not proven').waitFor();
      expect(await row.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
    }

    await listen(port);
    await eventually(() => text(31_000)).toMatch(/3 links dead/);
    await app.window.locator('.row').first().waitFor({ state: 'detached' });
    await new Promise((closed) => host.close(closed));
  },
);
