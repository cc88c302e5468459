// The window at 200 % of 960 × 640, with reduced motion: what is needed is visible, and nothing moves.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, setStage, type Stage, startWatching } from './stage.ts';

describe.skipIf(!canLaunch)('in the running app', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
    await call(app.window, 'settings.set', { name: 'notify', value: false });
  });
  afterEach(() => leave(stage, app));

  const ticket = () => app.window.getByRole('region', { name: 'Files you added' });
  const put = (name: string): Promise<string> => stage.put(path.join(stage.home, 'Desktop', name));

  test('at 200 % and with reduced motion two links and the ticket’s sentence are visible, nothing scrolls sideways, and no animation lasts', async () => {
    const { window } = app;
    await window.emulateMedia({ reducedMotion: 'reduce' });
    await window.setViewportSize({ width: 480, height: 320 });
    // There is no keychain here; the notice about it is dismissed first.
    await window.getByText('Outtray found no keychain on this computer.').first().waitFor();
    await window.getByRole('button', { name: 'Dismiss' }).click();
    // Anything that moves for a moment between two checks.
    await window.evaluate(() => {
      const moved = new Set<string>();
      Object.assign(globalThis, { moved });
      const look = (): void => {
        for (const one of document.getAnimations()) {
          const { target } = one.effect as KeyframeEffect;
          if (Number(one.effect?.getComputedTiming().duration) > 0) moved.add(target?.className ?? '');
        }
        requestAnimationFrame(look);
      };
      look();
    });
    const moved = () => window.evaluate(() => [...(globalThis as unknown as { moved: Set<string> }).moved]);
    const names = ['one.txt', 'two.txt', 'three.txt'];
    await app.dropFiles('main', await Promise.all(names.map((name) => put(name))));
    const isCalm = async (): Promise<void> => {
      const seen = await window.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        long: document
          .getAnimations()
          .map((one) => Number(one.effect?.getComputedTiming().duration))
          .filter((ms) => ms > 0),
        rows: [...document.querySelectorAll('.row')].filter((row) => {
          const { top, bottom } = row.getBoundingClientRect();
          const dockTop = document.querySelector('[data-dock]')?.getBoundingClientRect().top ?? 0;
          return top >= 0 && bottom <= dockTop;
        }).length,
        dock: document.querySelector('[data-dock]')?.getBoundingClientRect().height ?? 0,
      }));
      expect(seen).toMatchObject({ wide: 480, long: [] });
      expect(seen.rows).toBeGreaterThanOrEqual(2);
      expect(seen.dock).toBeLessThanOrEqual(41.5);
    };
    await ticket().getByText('3 links copied').waitFor();
    await eventually(() => window.locator('.row').count()).toBe(3);
    await eventually(() => isCalm().then(() => 'calm', String)).toBe('calm');
    await ticket().getByText('3 links copied').waitFor();

    // The dock folds and disappears, a link is struck out and leaves, the views change.
    await window.keyboard.press('Escape');
    await window.keyboard.press('Escape');
    await ticket().waitFor({ state: 'detached' });
    await window.getByRole('grid').focus();
    for (const key of ['Home', 'Delete']) await window.keyboard.press(key);
    await window.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
    await window.getByRole('region', { name: 'Recall' }).getByText('Link dead').first().waitFor();
    for (const view of ['2', '3', '4', '1']) await window.keyboard.press(`Control+${view}`);
    await eventually(() => window.locator('.row').count()).toBe(2);
    expect(await moved()).toEqual([]);
  });
});
