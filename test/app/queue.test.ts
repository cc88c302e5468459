// The queue of the running app: a burst, what was left out by mistake, a 429, and files from outside the folder.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import {
  call,
  chosen,
  eventually,
  leave,
  sayYes,
  setStage,
  type Stage,
  startWatching,
  untilStatus,
} from './stage.ts';

describe.skipIf(!canLaunch)('the queue', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
  });
  afterEach(() => leave(stage, app));

  const open = async (view: string): Promise<void> => {
    await app.window.getByRole('navigation').getByRole('button', { name: view }).click();
    await app.window.getByRole('heading', { level: 1, name: view }).waitFor();
  };
  const button = (name: string | RegExp) => app.window.getByRole('button', { name });
  const live = () => app.window.getByRole('region', { name: 'Status' }).innerText();
  const sum = async (): Promise<string> =>
    (await app.window.getByRole('group', { name: 'Files by outcome' }).innerText()).replaceAll(/\s+/g, ' ');

  test('all of a burst are uploaded, and meanwhile the foot shows an estimated end', async () => {
    await call(app.window, 'settings.set', { name: 'requestsPerMinute', value: 1500 });
    await mkdir(path.join(stage.folder, 'scans'));
    const names = Array.from({ length: 260 }, (_, at) => `scan${String(at)}.tif`);
    await Promise.all(names.map((name) => writeFile(path.join(stage.folder, 'scans', name), name)));
    await untilStatus(app.window, ({ counts }) => counts.held === 260, 60_000);
    await open('Queue');
    await button('Skip 260').click();
    await button('Undo').click();
    await untilStatus(app.window, ({ counts }) => counts.held === 260);
    expect(stage.service.files()).toEqual([]);

    await sayYes(app);
    await button('Upload 260').click();
    const seen: string[] = [];
    await eventually(async () => {
      const text = (await live()).replaceAll(/\s+/g, ' ');
      const { counts } = await call(app.window, 'app.status', {});
      if (counts.uploaded > 20 && counts.uploaded < 240) seen.push(text);
      return counts.uploaded;
    }, 150_000).toBe(260);
    expect(seen.length).toBeGreaterThan(0);
    for (const text of seen) expect(text).toMatch(/^\d+ of 260 ready all done about/);
    await eventually(sum).toBe('260 ready + 0 uploading + 0 waiting + 0 need you = 260');
  });

  test('skipped files are listed by rule, and uploaded on request', async () => {
    await stage.put('empty.txt', '');
    await untilStatus(app.window, ({ counts }) => counts.skipped === 1);
    await open('Queue');
    await button(/^Skipped/).click();
    await sayYes(app);
    await button('Upload anyway: empty').click();
    await app.window.getByText('“empty.txt” becomes public in').first().waitFor();
    // Without the ten seconds. The question was answered, so there is none.
    const [skipped] = (await call(app.window, 'queue.get', {})).skipped;
    await call(app.window, 'queue.confirm', { ids: [skipped?.id ?? 0] });
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    await eventually(sum).toBe('1 ready + 0 uploading + 0 waiting + 0 need you = 1');
  });

  test('a 429 is explained, without mentioning the plan, and no upload is expected before its end', async () => {
    stage.service.faults.add({
      match: { path: '/files/upload' },
      times: null,
      fault: { kind: 'answer', status: 429, at: 'headers', headers: { 'retry-after': '900' } },
    });
    // Slow enough that the answer comes before the tail. After it a 429 proves nothing.
    await call(app.window, 'settings.set', { name: 'bandwidthBytesPerSecond', value: 50_000 });
    await stage.put('later.txt', 'x'.repeat(200_000));
    await untilStatus(app.window, ({ limit }) => limit?.reason === 'rate');
    await app.window
      .getByText(/^The service asked us to wait. Uploads continue/)
      .first()
      .waitFor();
    await open('Queue');
    const header = app.window.locator('header p');
    await eventually(() => header.innerText()).toMatch(/^The service asked us to wait · until /);
    const { waiting, status } = await call(app.window, 'queue.get', {});
    expect(waiting[0]?.expectedAtMs).toBeGreaterThan(status.limit?.untilMs ?? Infinity);
    const refused = await app.window.evaluate(() => window.outtray.call('stats.get', { refresh: true }));
    expect(refused).toMatchObject({ ok: false, error: { code: 'rate' } });
    expect(JSON.stringify(refused)).not.toContain('requestsPerDay');

    const asked = () => stage.service.requests().length;
    const before = asked();
    await button('Try now').click();
    await eventually(asked).toBe(before + 1);
    await eventually(async () => (await call(app.window, 'app.status', {})).limit?.reason).toBe('rate');
    expect(asked()).toBe(before + 1);
    stage.service.faults.clear();
    await button('Try now').click();
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    await button('Try now').waitFor({ state: 'detached' });
  });

  test('a button that is disabled while it works keeps the focus', async () => {
    await stage.put('first.txt', 'first');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    stage.service.faults.add({ match: { path: '/files' }, times: null, fault: { kind: 'delay', ms: 700 } });
    const refresh = button('Refresh');
    await refresh.focus();
    const focused = () => app.window.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    const name = await focused();
    await app.window.keyboard.press('Enter');
    await eventually(() => refresh.getAttribute('aria-disabled')).toBe('true');
    expect(await focused()).toBe(name);
    const asked = stage.service.requests().length;
    await app.window.keyboard.press('Enter');
    await eventually(() => refresh.getAttribute('aria-disabled')).toBe(null);
    expect(await focused()).toBe(name);
    expect(stage.service.requests().length - asked).toBeLessThanOrEqual(1);
  });

  test('a file from outside the folder counts during its upload and after a failure', async () => {
    const file = path.join(stage.home, 'outside.exe');
    await writeFile(file, 'outside');
    stage.service.faults.add({ match: { path: '/files/upload' }, fault: { kind: 'answer', status: 415 } });
    const texts: string[] = [];
    await call(app.window, 'files.upload', { paths: await chosen(app, file) });
    await eventually(async () => {
      texts.push(await live());
      return (await call(app.window, 'app.status', {})).outside.failed;
    }).toBe(1);
    expect(texts.filter((text) => text.includes('of 0'))).toEqual([]);
    await eventually(live).toContain('1 file failed');
    const queue = app.window.getByRole('navigation').getByRole('button', { name: 'Queue' });
    await eventually(() => queue.innerText()).toMatch(/1/);
    await open('Queue');
    // The ticket of the drop can dismiss it, too.
    await app.window
      .getByRole('region', { name: 'Failed' })
      .getByRole('button', { name: 'Dismiss: outside.exe' })
      .click();
    await eventually(sum).toBe('0 ready + 0 uploading + 0 waiting + 0 need you + 1 left out = 1');
    // The status may come before the answer, and with that comes what can be undone.
    await button('Undo').first().waitFor();
    await app.window.keyboard.press('Control+z');
    await eventually(sum).toBe('0 ready + 0 uploading + 0 waiting + 1 needs you = 1');
  });
});
