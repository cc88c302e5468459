// Statistics on the running app: before a reading, after the first, after the second, and when one fails.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { eventually, leave, setStage, type Stage, startWatching, untilStatus } from './stage.ts';

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
    expect(told).toContain('of 4 links: 2 downloaded, 2 not yet');
    expect(told).toContain('When the trend begins');
    expect(told).toContain('3 files ·');
    expect(told).toMatch(/4 links/);
    expect(told).toMatch(/2 links never downloaded/);

    // Beside each other where there is room, below each other where there is not.
    const places = async () => {
      const left = await window.getByRole('table', { name: 'Downloads by file' }).boundingBox();
      const right = await window.getByRole('heading', { name: 'When the trend begins' }).boundingBox();
      if (left === null || right === null) return 'nowhere';
      return right.x > left.x + left.width ? 'beside' : right.y >= left.y + left.height ? 'below' : 'over';
    };
    await window.setViewportSize({ width: 960, height: 640 });
    await eventually(places).toBe('beside');
    await window.setViewportSize({ width: 699, height: 640 });
    await eventually(places).toBe('below');
    await window.setViewportSize({ width: 960, height: 640 });
    const byFile = window.getByRole('table', { name: 'Downloads by file' }).getByRole('row');
    await eventually(() =>
      byFile.allInnerTexts().then((all) => all.map((one) => one.replaceAll(/\s+/g, ' ').trim())),
    ).toEqual([
      expect.stringContaining('in all'),
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

  test('show changes from the second reading on, by arrow keys and as a table for readers; a failed one keeps the last', async () => {
    const { window } = app;
    for (const name of ['a.txt', 'b.txt']) await stage.put(name);
    await untilStatus(window, ({ counts }) => counts.uploaded === 2);
    await open('Statistics');
    await window.getByRole('button', { name: /^Read / }).click();
    await eventually(text).toContain('0 downloads so far');
    await download('b.txt', 5);
    await window.getByRole('button', { name: /^Read again/ }).click();
    await eventually(text).toContain('5 downloads in 7 days');
    expect(await text()).toContain('5 more than in the 7 days before');
    const bars = window.getByRole('slider', { name: /Downloads per day/ });
    await bars.focus();
    const today = await bars.getAttribute('aria-valuetext');
    expect(today).toMatch(/: 5$/);
    await window.keyboard.press('ArrowLeft');
    expect(await bars.getAttribute('aria-valuetext')).toMatch(/: 0$/);
    await window.keyboard.press('End');
    expect(await bars.getAttribute('aria-valuetext')).toBe(today);
    // The days of the big number, and the others.
    expect(await bars.locator('i.strong').count()).toBe(7);
    expect(await bars.locator('i').count()).toBeGreaterThan(28);

    const asOf = (): Promise<string> => window.locator('.view:not([hidden]) .as-of').innerText();
    const before = await asOf();
    expect(before).toMatch(/^as of /);
    await download('b.txt', 2);
    stage.service.faults.add({
      match: { path: '/stats' },
      times: null,
      fault: { kind: 'answer', status: 503, headers: {} },
    });
    await window.getByRole('button', { name: /^Read again/ }).click();
    await window.getByRole('alert').or(window.locator('[data-dock]')).first().waitFor();
    await eventually(text).toContain('5 downloads in 7 days');
    expect(await asOf()).toBe(before);

    const table = window.getByRole('table', { name: /Downloads per day/ });
    await table.getByRole('row').nth(1).getByText('5').waitFor();
    expect(await window.getByRole('tab').allInnerTexts()).toEqual(['Downloads', 'Uploads']);
    app.complaints.length = 0;
  });
});
