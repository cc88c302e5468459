// Everyday use: files dropped and put into the folder, links in tray, notification and clipboard, the queue's controls.
import { appendFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import {
  agreed,
  call,
  eventually,
  leave,
  lookAway,
  sayYes,
  setStage,
  type Stage,
  startWatching,
  untilStatus,
} from './stage.ts';

describe.skipIf(!canLaunch)('with a key and an empty folder', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
    await lookAway(app);
  });
  afterEach(() => leave(stage, app));

  const trayLinks = async (): Promise<string[]> => {
    const items = (await app.tray())?.items ?? [];
    const from = items.findIndex(({ label }) => label === 'Newest links');
    const after = items.slice(from + 1);
    return from === -1
      ? []
      : after
          .slice(
            0,
            after.findIndex(({ type }) => type === 'separator'),
          )
          .map(({ label }) => label)
          .filter((label) => label !== 'Copy newest links');
  };
  const linkOf = (name: string): string =>
    stage.service.files().find(({ filename }) => filename === name)?.link ?? `no ${name}`;

  test('twelve files dropped at once are twelve links, one notification and one copy; the tray has the ten newest', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `drop-${String(at + 1).padStart(2, '0')}.txt`);
    const files = [];
    for (const name of names) files.push(await stage.put(path.join(stage.home, 'Desktop', name)));
    // At a pace: there are gaps between them.
    await call(app.window, 'settings.set', { name: 'requestsPerMinute', value: 150 });
    await app.dropFiles('main', files);

    await eventually(() => stage.service.files().length, 60_000).toBe(12);
    await eventually(async () => (await app.clipboardText()).split('\n').length).toBe(12);
    expect((await app.clipboardText()).split('\n')).toEqual(names.map(linkOf));
    await eventually(() => app.notifications()).toEqual([
      { title: '12 links ready', body: 'The links are on the clipboard.' },
    ]);
    await eventually(async () => (await trayLinks()).length).toBe(10);
    // Each label is a name and an age.
    const nameIn = (label: string): string => label.split('   ')[0] ?? '';
    expect((await trayLinks()).every((label) => names.includes(nameIn(label)))).toBe(true);

    const last = (await trayLinks()).find((label) => nameIn(label) === 'drop-12.txt') ?? '';
    await app.clickTray(last, 'Copy link');
    await eventually(() => app.clipboardText()).toBe(linkOf('drop-12.txt'));
  });

  test('while the window has the focus it shows new links, and no notification does', async () => {
    const front = await app.frame();
    await front.evaluate((frame) => frame.focus());
    await stage.put('seen.txt');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    await app.window.locator('.row', { hasText: 'seen.txt' }).waitFor();
    // Events within two seconds are announced together: after the next one nothing of this one can be pending.
    const tells = performance.now() + 3_000;
    await eventually(() => performance.now() > tells).toBe(true);
    expect(await app.notifications()).toEqual([]);
    await lookAway(app);
    await stage.put('unseen.txt');
    await eventually(() => app.notifications()).toEqual([
      { title: 'Link ready: unseen.txt', body: 'Click to copy the link.' },
    ]);
  });

  test('a file put into the folder is announced in a notification, and a click on it copies the link', async () => {
    await stage.put('report.pdf');
    await eventually(() => app.notifications()).toEqual([
      { title: 'Link ready: report.pdf', body: 'Click to copy the link.' },
    ]);
    expect(await app.clipboardText()).toBe('');
    await app.clickNotification();
    await eventually(() => app.clipboardText()).toBe(linkOf('report.pdf'));
  });

  test('an hour of pause from the tray holds everything back until it is resumed there', async () => {
    await app.clickTray('Pause', 'For 1 hour');
    const { pausedUntilMs } = await untilStatus(app.window, ({ paused }) => paused);
    expect(Math.abs((pausedUntilMs ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    await stage.put('later.txt');
    await untilStatus(app.window, ({ counts }) => counts.waiting === 1);
    await eventually(async () => (await app.tray())?.items[0]?.label).toMatch(/^Paused until/);
    expect(stage.service.files()).toEqual([]);

    await eventually(async () => (await app.tray())?.items.map(({ label }) => label)).toContain('Resume');
    await app.clickTray('Resume');
    await eventually(() => stage.service.files().length).toBe(1);
  });

  test('a name that looks like a secret is held and shown, and uploaded only when it is confirmed', async () => {
    await stage.put('.keep', '');
    await stage.put('id_rsa.pem', 'not really a key');
    await untilStatus(app.window, ({ counts }) => counts.held === 1);
    await eventually(() => app.notifications()).toEqual([{ title: 'id_rsa.pem needs you', body: '' }]);
    expect(stage.service.files()).toEqual([]);

    await app.clickNotification();
    await app.window.getByText('1 file looks like a secret').waitFor();
    await sayYes(app);
    await app.window.getByRole('button', { name: 'Make public…' }).click();
    await app.window.getByText('“id_rsa.pem” becomes public in').first().waitFor();
    expect(stage.service.files()).toEqual([]);
    await eventually(() => stage.service.files().map(({ filename }) => filename)).toEqual(['id_rsa.pem']);
  });

  test('a revoked key stops everything with a sentence, and its replacement resumes it', async () => {
    stage.service.revokeKey();
    await stage.put('one.txt');
    const { gate } = await untilStatus(app.window, (status) => status.gate.kind === 'closed');
    expect(gate).toMatchObject({ reason: 'key' });
    await app.window
      .getByText(/does not accept the API key/)
      .first()
      .waitFor();
    await eventually(async () => (await app.notifications()).map(({ title }) => title)).toContain(
      'Uploads have stopped',
    );
    await eventually(async () => (await app.tray())?.items[0]?.label).toMatch(/^API key refused/);

    stage.service.setKey('another-key-0123456789');
    await agreed(app, 'account.login', { key: 'another-key-0123456789' });
    await eventually(() => stage.service.files().length).toBe(1);
    await untilStatus(app.window, ({ counts, gate: now }) => counts.uploaded === 1 && now.kind === 'open');
  });

  test('an outage behind a proxy is shown in the window within three seconds, with the time of the next try', async () => {
    await stage.put('before.txt');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    const fault = { kind: 'answer' as const, status: 502 };
    stage.service.faults.add(
      { match: { path: '/files/upload' }, times: null, fault: { ...fault, at: 'read' } },
      { match: { path: '/stats' }, times: null, fault },
      { match: { path: '/files' }, times: null, fault },
    );
    await stage.put('lost.txt');
    await eventually(
      () => stage.service.requests().filter((one) => one.path.endsWith('/files/upload')).length,
    ).toBe(2);
    const beganMs = performance.now();
    await app.window
      .getByText(/The service has problems\. Next try/)
      .first()
      .waitFor();
    expect(performance.now() - beganMs).toBeLessThan(3000);
    stage.service.faults.clear();
    await stage.put('after.txt');
    await eventually(() => stage.service.files().map(({ filename }) => filename)).toContain('after.txt');
  });

  test('a folder that disappears loses nothing, and is watched again when it is back', async () => {
    await stage.put('before.txt');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    await rename(stage.folder, `${stage.folder}-away`);
    await call(app.window, 'folder.scan', {});
    await untilStatus(app.window, ({ folderAvailable }) => !folderAvailable, 40_000);
    await app.window
      .getByText(/is missing or replaced/)
      .first()
      .waitFor();

    await rename(`${stage.folder}-away`, stage.folder);
    // It is checked every 30 s (engine-folder.test.ts), and at once when the machine wakes up.
    await app.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
    await untilStatus(app.window, ({ folderAvailable }) => folderAvailable);
    await stage.put('after.txt');
    const { counts } = await untilStatus(app.window, (status) => status.counts.uploaded === 2);
    expect(counts).toEqual({ uploaded: 2, waiting: 0, held: 0, skipped: 0, failed: 0 });
    expect(
      stage.service
        .files()
        .map(({ filename }) => filename)
        .sort(),
    ).toEqual(['after.txt', 'before.txt']);
  });

  test('without the service everything waits, and resumes by itself when it is back', async () => {
    stage.service.refuseConnections();
    await stage.put('patient.txt');
    await untilStatus(app.window, ({ gate }) => gate.kind === 'closed' && gate.reason === 'network');
    await eventually(async () => (await app.tray())?.items[0]?.label).toMatch(/^Offline/);
    await stage.service.listen();
    await call(app.window, 'queue.retry', {});
    await eventually(() => stage.service.files().length, 60_000).toBe(1);
  });

  test('a link is deleted only after confirmation, and the local file stays', async () => {
    const file = await stage.put('gone.txt');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    const { window } = app;
    await window.locator('.row', { hasText: 'gone.txt' }).click();
    await window.keyboard.press('Delete');
    await window.getByRole('dialog').waitFor();
    expect(stage.service.files()).toHaveLength(1);
    await window.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
    await eventually(() => stage.service.files()).toEqual([]);
    await appendFile(file, 'still there');
  });
});
