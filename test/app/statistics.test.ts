// Statistics on the running app: before a reading, after the first, after the second, and when one fails.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, setStage, type Stage, startWatching, untilStatus } from './stage.ts';

describe.skipIf(!canLaunch)('statistics', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage({ notify: false });
    app = await startWatching(stage);
  });
  afterEach(() => leave(stage, app));

  const download = async (name: string, times: number): Promise<void> => {
    const link = stage.service.files().find(({ filename }) => filename === name)?.link ?? '';
    for (let at = 0; at < times; at += 1) await (await fetch(link)).arrayBuffer();
  };
  const open = async (view: string): Promise<void> => {
    await app.window.getByRole('navigation').getByRole('button', { name: view }).click();
    await app.window.getByRole('heading', { level: 1, name: view }).waitFor();
  };
  const text = async (): Promise<string> =>
    (await app.window.getByRole('region', { name: 'Statistics' }).innerText()).replaceAll(/\s+/g, ' ');

  test('are never blank, and after one reading their numbers match Files', async () => {
    const { window } = app;
    await open('Statistics');
    expect(await text()).toContain('Your uploads, 30 days 0 files');
    await window.getByRole('button', { name: 'Read (1 request)' }).waitFor();

    for (const name of ['a.txt', 'b.txt', 'c.txt']) await stage.put(name);
    await stage.service.addFile({ filename: 'theirs.zip', content: 'x' });
    await untilStatus(window, ({ counts }) => counts.uploaded === 3);
    await eventually(text).toContain('3 files ·');
    const bars = window.getByRole('slider', { name: /Uploads per day/ });
    expect(await bars.getAttribute('aria-valuetext')).toMatch(/: 3$/);

    await download('a.txt', 4);
    await download('theirs.zip', 2);
    await window.getByRole('button', { name: /^Read \(\d requests?\)$/ }).click();
    await eventually(text).toContain('6 downloads so far');
    const told = await text();
    expect(told).toContain('4 links now: 2 downloaded, 2 not yet');
    expect(told).toMatch(/4 links/);
    expect(told).toMatch(/2 links never downloaded/);

    const byFile = window.getByRole('table', { name: 'Most downloaded' }).getByRole('row');
    await eventually(() =>
      byFile.allInnerTexts().then((all) => all.map((one) => one.replaceAll(/\s+/g, ' ').trim())),
    ).toEqual([
      expect.stringContaining('so far'),
      expect.stringMatching(/\.txt 4\b/),
      expect.stringMatching(/\.zip 2\b/),
    ]);
    await open('Files');
    const shown = await window
      .locator('.row')
      .evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector('bdi .unseen')?.textContent,
          row.querySelector('.downloads')?.firstChild?.textContent?.trim(),
        ]),
      );
    expect(new Map(shown as [string, string][])).toEqual(
      new Map([
        ['a.txt', '4'],
        ['b.txt', '0'],
        ['c.txt', '0'],
        ['theirs.zip', '2'],
      ]),
    );
  });

  test('after a second reading on the same day compare nothing, call unread days unknown, and never count fewer', async () => {
    const { window } = app;
    for (const name of ['a.txt', 'b.txt']) await stage.put(name);
    await untilStatus(window, ({ counts }) => counts.uploaded === 2);
    await open('Statistics');
    await window.getByRole('button', { name: /^Read / }).click();
    await eventually(text).toContain('0 downloads so far');
    await download('a.txt', 1);
    await download('b.txt', 5);
    const again = window.getByRole('button', { name: /^Read again/ });
    await again.click();
    await eventually(text).toMatch(/6 downloads so far\s+2 links now: 2 downloaded, 0 not yet/);
    expect(await text()).not.toMatch(/since|7 days|more than|fewer|as many/);
    const bars = window.getByRole('slider', { name: /Downloads per day/ });
    expect(await bars.getAttribute('aria-valuetext')).toMatch(/: unknown$/);
    const table = window.getByRole('table', { name: /Downloads per day/ }).getByRole('row');
    expect((await table.allInnerTexts()).slice(1)).toEqual([expect.stringMatching(/unknown$/)]);
    await window.getByText('The first bar comes with a reading on another day').waitFor();

    // The arrow keys step through bars: the uploads of each day are known.
    await window.getByRole('tab', { name: 'Uploads' }).click();
    const uploads = window.getByRole('slider', { name: /Uploads per day/ });
    await uploads.focus();
    const today = await uploads.getAttribute('aria-valuetext');
    expect(today).toMatch(/: 2$/);
    await window.keyboard.press('ArrowLeft');
    expect(await uploads.getAttribute('aria-valuetext')).toMatch(/: 0$/);
    await window.keyboard.press('End');
    expect(await uploads.getAttribute('aria-valuetext')).toBe(today);

    // What is recalled was downloaded nevertheless.
    const fileId = stage.service.files().find(({ filename }) => filename === 'b.txt')?.id ?? 0;
    await call(window, 'files.delete', { fileIds: [fileId] });
    await eventually(text).toMatch(/6 downloads so far\s+1 link now: 1 downloaded, 0 not yet/);
    expect(await text()).toContain('the service reports 1 now: 1 file recalled or deleted');

    const asOf = (): Promise<string> => window.locator('.view:not([hidden]) .as-of').innerText();
    const before = await asOf();
    expect(before).toMatch(/^as of /);
    await download('a.txt', 2);
    stage.service.faults.add({
      match: { path: '/stats' },
      times: null,
      fault: { kind: 'answer', status: 503, headers: {} },
    });
    await again.click();
    await window.getByRole('alert').or(window.locator('[data-dock]')).first().waitFor();
    await eventually(text).toContain('6 downloads so far');
    expect(await asOf()).toBe(before);
    app.complaints.length = 0;
  });
});
