// The ticket of a drop: which files got no link, why, and the remedy, at the place of the drop.
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, pressed, sayYes, setStage, type Stage, startWatching } from './stage.ts';

describe.skipIf(!canLaunch)('the ticket of a drop', () => {
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

  test('of twelve files one is refused and one is a secret: both are named with their reason and their action', async () => {
    stage.service.faults.add({
      match: { path: '/files/upload', filename: 'refused.exe' },
      fault: { kind: 'answer', status: 415 },
    });
    const names = [
      ...Array.from({ length: 10 }, (_, at) => `photo ${String(at)}.txt`),
      '.env',
      'refused.exe',
    ];
    await app.window.evaluate(() => {
      const seen = { told: new Set<string>(), badges: new Set<string>() };
      Object.assign(globalThis, { seen });
      globalThis.window.outtray.listen((change) => {
        if (change.kind !== 'status') return;
        const { counts, outside, work } = change.status;
        seen.told.add(`${work.needYou} = ${counts.held + outside.held + counts.failed + outside.failed}`);
      });
      new MutationObserver(() => {
        const badge =
          document.querySelector<HTMLElement>('nav .badge:not(.calm)')?.firstChild?.textContent ?? '';
        seen.badges.add(badge.trim());
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await app.dropFiles('main', await Promise.all(names.map(put)));
    await ticket().getByText('10 links copied').waitFor();
    await ticket().getByText('2 need you').waitFor();
    // The badge counts held and failed files, whatever else is uploaded or waits.
    const seen = () =>
      app.window.evaluate(() => {
        const { seen } = globalThis as unknown as { seen: { told: Set<string>; badges: Set<string> } };
        return { told: [...seen.told], badges: [...seen.badges] };
      });
    await eventually(async () => (await seen()).told).toContain('2 = 2');
    await eventually(async () => (await seen()).badges).toContain('2');
    const { told, badges } = await seen();
    expect(told.filter((one) => !['0 = 0', '1 = 1', '2 = 2'].includes(one))).toEqual([]);
    expect(badges.filter((one) => !['', '1', '2'].includes(one))).toEqual([]);
    const secret = ticket().getByRole('listitem').filter({ hasText: '.env' });
    expect(await secret.innerText()).toContain('looks like a secret · not public');
    expect(await secret.getByRole('button').allInnerTexts()).toEqual(['Keep private', 'Make public…']);
    const refused = ticket().getByRole('listitem').filter({ hasText: 'refused' });
    expect(await refused.getByRole('button').allInnerTexts()).toEqual(['Dismiss']);

    await secret.getByRole('button', { name: 'Keep private' }).click();
    await ticket().getByText('1 needs you').waitFor();
    await secret.getByRole('button', { name: /^Undo/ }).click();
    await secret.getByRole('button', { name: 'Make public…' }).waitFor();
    expect(stage.service.files()).toHaveLength(10);
  });

  test('every file without a link says why, with what can be done', async () => {
    const { window } = app;
    const desktop = path.join(stage.home, 'Desktop');
    const files = [await put('notes.txt'), await stage.put(path.join(desktop, 'empty.txt'), '')];
    await symlink(path.join(desktop, 'talk', 'slides.txt'), path.join(desktop, 'latest'));
    await stage.put(path.join(desktop, 'talk', 'slides.txt'), 'slides');
    await stage.put(path.join(desktop, 'talk', 'blank.txt'), '');
    await call(window, 'queue.pause', { untilMs: null });
    await app.dropFiles('main', [...files, path.join(desktop, 'latest')]);
    const line = (name: string) => ticket().getByRole('listitem').filter({ hasText: name });
    const tellsWhy = async (name: string, why: string, acts: readonly string[]): Promise<void> => {
      await line(name).locator('.reason', { hasText: why }).waitFor();
      expect(await line(name).getByRole('button').allInnerTexts()).toEqual(acts);
    };
    await tellsWhy('empty', 'empty', ['Upload anyway']);
    await tellsWhy('latest', 'is a link to talk/slides.txt', ['Upload that file']);
    await ticket().getByRole('button', { name: 'Cancel 1' }).click();
    await tellsWhy('notes', 'cancelled', ['Undo']);
    // From another view.
    await window.keyboard.press('Control+3');
    await window.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await window.keyboard.press('Control+z');
    await window.keyboard.press('Control+1');
    await line('notes').waitFor({ state: 'detached' });
    await pressed(app, 'queue.resume', {});
    await ticket().getByText('Link copied').waitFor();
    await tellsWhy('empty', 'empty', ['Upload anyway']);
    await expect(ticket().getByText('yet').count()).resolves.toBe(0);
    await sayYes(app);
    await line('empty').getByRole('button', { name: 'Upload anyway' }).click();
    await window
      .getByRole('region', { name: 'Becomes public' })
      .getByText(/becomes? public in 10/)
      .waitFor();
    // The ticket stays below it.
    await ticket().getByText('Link copied').waitFor();
  });

  test('where nothing got a link the title reports it', async () => {
    await app.dropFiles('main', [await put('.env'), await put('id_rsa')]);
    await ticket().getByText('No link: 2 need you').waitFor();
    await ticket()
      .getByRole('button', { name: /^Keep 2 private/ })
      .click();
    await eventually(async () => (await call(app.window, 'app.status', {})).work).toMatchObject({
      needYou: 0,
      leftOut: 2,
      total: 2,
    });
    expect(stage.service.files()).toEqual([]);
  });

  test('a filter that would hide a drop ends with it', async () => {
    const { window } = app;
    await stage.service.addFile({ filename: 'theirs.txt', content: 'x' });
    await call(window, 'files.refresh', {});
    await window.locator('.row', { hasText: 'theirs.txt' }).waitFor();
    const group = (name: RegExp) => window.getByRole('group', { name: 'Show' }).getByRole('button', { name });
    await group(/^Elsewhere/).click();
    await eventually(() => group(/^Elsewhere/).getAttribute('aria-pressed')).toBe('true');
    await app.dropFiles('main', [await put('mine.txt')]);
    await window.locator('.row', { hasText: 'mine.txt' }).waitFor();
    expect(await group(/^All/).getAttribute('aria-pressed')).toBe('true');
  });

  test('a search that would hide a drop ends with it; sixty waiting files are one row above the links, and no badge', async () => {
    const { window } = app;
    await app.dropFiles('main', [await put('first.txt')]);
    await ticket().getByText('Link copied').waitFor();
    await pressed(app, 'queue.pause', { untilMs: null });
    await window.getByRole('searchbox').fill('nothing has this name');
    await window.getByText('Nothing matches').waitFor();
    const names = Array.from({ length: 60 }, (_, at) => `later ${String(at)}.txt`);
    await app.dropFiles('main', await Promise.all(names.map(put)));
    const folded = window.getByRole('row').filter({ hasText: '60 waiting' });
    await folded.getByRole('button', { name: 'Show' }).waitFor();
    expect(await window.getByRole('searchbox').inputValue()).toBe('');
    expect(await window.locator('.flight').count()).toBe(0);
    expect(await window.locator('.badge.warn, .badge.bad').count()).toBe(0);
    await window.locator('.row', { hasText: 'first.txt' }).waitFor();
    await folded.getByRole('button', { name: 'Show' }).press('Enter');
    await window.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
    await pressed(app, 'queue.resume', {});
    await eventually(() => stage.service.files().length).toBe(61);
  });
});
