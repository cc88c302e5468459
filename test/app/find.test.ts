// Files at rest in the running app: the search, the order of names, and what a click and a double click open.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, setStage, type Stage, startWatching, untilStatus } from './stage.ts';

describe.skipIf(!canLaunch)('Files at rest', () => {
  let stage: Stage;
  let app: RunningApp;

  const names = [
    'doc 2.pdf',
    'doc 10.pdf',
    'doc 20.pdf',
    'doc 21.pdf',
    'my doc 2.pdf',
    'how to download.txt',
  ];

  beforeEach(async () => {
    stage = await setStage({ notify: false });
    app = await startWatching(stage);
    for (const name of names) await stage.put(name);
    await untilStatus(app.window, ({ counts }) => counts.uploaded === names.length, 60_000);
    await app.window
      .locator('.row')
      .nth(names.length - 1)
      .waitFor();
  });
  afterEach(() => leave(stage, app));

  const linkOf = (name: string): string =>
    stage.service.files().find(({ filename }) => filename === name)?.link ?? `no ${name}`;
  const shown = (): Promise<string[]> => app.window.locator('.row bdi .unseen').allTextContents();

  test('Enter copies the best match and the window names it; text that all links share finds nothing', async () => {
    const { window } = app;
    await window.getByLabel('Order').selectOption('Name A–Z');
    await eventually(shown).toEqual([
      'doc 2.pdf',
      'doc 10.pdf',
      'doc 20.pdf',
      'doc 21.pdf',
      names[5],
      names[4],
    ]);

    const search = window.getByRole('searchbox');
    await search.fill('doc 2');
    await search.press('Enter');
    await window.getByText('Link copied: doc 2.pdf').first().waitFor();
    expect(await app.clipboardText()).toBe(linkOf('doc 2.pdf'));
    // After these come those whose id contains a 2.
    const best = async (): Promise<string[]> => (await shown()).slice(0, 4);
    await eventually(best).toEqual(['doc 2.pdf', 'doc 20.pdf', 'doc 21.pdf', 'my doc 2.pdf']);
    expect(await window.locator('.row').nth(1).locator('bdi b').allTextContents()).toEqual(['doc', '2']);
    await window
      .getByText(`${String((await shown()).length)} of 6`)
      .first()
      .waitFor();

    // Each link contains it in its path.
    expect(linkOf('doc 2.pdf')).toContain('/download/');
    await search.fill('download');
    await eventually(shown).toEqual(['how to download.txt']);
    await search.press('ArrowDown');
    expect(await window.getByRole('grid').evaluate((grid) => grid === document.activeElement)).toBe(true);
    await search.focus();
    await search.press('Escape');
    await eventually(shown).toHaveLength(names.length);
  });

  test('one click opens the details, beside the list from 900 px on and over it below; a double click opens the link only', async () => {
    const { window } = app;
    const name = (of: string) => window.locator('.row', { hasText: of }).locator('.name');
    const pane = window.getByRole('complementary', { name: 'Details' });
    await window.setViewportSize({ width: 960, height: 640 });

    await name('doc 20.pdf').dblclick();
    await eventually(() => app.opened()).toEqual([{ how: 'openExternal', target: linkOf('doc 20.pdf') }]);
    // Longer than a click waits for a second one.
    await window.waitForTimeout(600);
    expect([await pane.count(), await window.getByRole('dialog').count()]).toEqual([0, 0]);

    await name('my doc 2.pdf').click();
    await pane.getByRole('heading', { name: 'my doc 2.pdf' }).waitFor();
    expect(await window.evaluate(() => document.documentElement.scrollWidth)).toBe(960);
    await name('doc 10.pdf').click();
    await pane.getByRole('heading', { name: 'doc 10.pdf' }).waitFor();

    await window.setViewportSize({ width: 900, height: 640 });
    await name('my doc 2.pdf').click();
    await pane.getByRole('heading', { name: 'my doc 2.pdf' }).waitFor();
    await window.setViewportSize({ width: 899, height: 640 });
    await pane.waitFor({ state: 'detached' });
    await name('doc 21.pdf').click();
    await window.getByRole('dialog', { name: 'doc 21.pdf' }).waitFor();
    await window.keyboard.press('Escape');
    expect(await app.opened()).toHaveLength(1);
    await call(app.window, 'app.status', {});
  });
});
