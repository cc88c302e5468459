// The user's answers in the running app: what becomes public, what is recalled, what returns; and what needs no answer.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, sayYes, setStage, type Stage, startWatching } from './stage.ts';

describe.skipIf(!canLaunch)('answers', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
    await call(app.window, 'settings.set', { name: 'notify', value: false });
  });
  afterEach(() => leave(stage, app));

  const ticket = () => app.window.getByRole('region', { name: 'Files you added' });
  const soon = () => app.window.getByRole('region', { name: 'Becomes public' });
  const put = (name: string, content?: string): Promise<string> =>
    stage.put(path.join(stage.home, 'Desktop', name), content);
  const work = async () => (await call(app.window, 'app.status', {})).work;
  const uploads = (): number =>
    stage.service.requests().filter(({ path: asked }) => asked.endsWith('/files/upload')).length;
  const focused = (): Promise<string | undefined> =>
    app.window.evaluate(() => document.activeElement?.tagName);

  test('a secret is public after ten seconds at the earliest: at the ninth it stays private, and its value is nowhere', async () => {
    const { window } = app;
    const value = ['ghp', 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5'].join('_');
    await window.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      self.outtray.listen((change) => heard.push(JSON.stringify(change)));
    });
    await app.dropFiles('main', [await put('.env', 'A=1'), await put('notes.txt', `token = ${value}\n`)]);
    await ticket().getByText('No link: 2 need you').waitFor();
    await window.clock.install();
    const publish = async (): Promise<void> => {
      await sayYes(app);
      await ticket()
        .getByRole('button', { name: /^Make public…/ })
        .first()
        .click();
      await soon()
        .getByText(/becomes? public in 10/)
        .waitFor();
      // It is above the ticket, which stays.
      expect(await ticket().count()).toBe(1);
    };
    await publish();
    await window.clock.runFor(9_000);
    await soon()
      .getByText(/becomes? public in 1 s/)
      .waitFor();
    expect(uploads()).toBe(0);
    await window.keyboard.press('Control+z');
    await soon().waitFor({ state: 'detached' });
    await window.clock.runFor(20_000);
    await eventually(() => window.locator('[data-dock]').allInnerTexts()).toEqual([
      expect.stringContaining('No link: 2 need you') as string,
    ]);
    expect(uploads()).toBe(0);
    expect(await focused()).not.toBe('BODY');
    expect(await work()).toMatchObject({ needYou: 2, total: 2 });

    // Neither the page, nor its messages, nor a log has the value, or its length.
    await window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await window.getByRole('checkbox', { name: 'notes.txt' }).waitFor();
    await window.getByText(/Line 1 looks like a secret/).waitFor();
    const told = await window.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.join('\n'));
    const queued = await call(window, 'queue.get', {});
    const excerpts = await Promise.all(queued.held.map(({ id }) => call(window, 'queue.excerpt', { id })));
    const answers = JSON.stringify([queued, excerpts]);
    // Eight dots, however long it is.
    expect(excerpts.map(({ excerpt }) => excerpt ?? '').join('')).toMatch(/^token = .*(?<!•)•{8}(?!•)/);
    const logs = path.join(stage.home, 'outtray/logs');
    const logged = await Promise.all(
      (await readdir(logs).catch(() => [])).map((name) => readFile(path.join(logs, name), 'utf8')),
    );
    for (const text of [await window.content(), told, answers, ...logged]) {
      expect(text).not.toContain(value.slice(4, 14));
      expect(text).not.toMatch(/•{9,}|\*{9,}/);
    }
  });

  test('of twelve new links and an old one exactly the ticked ones are recalled, and the dialog names them', async () => {
    const { window } = app;
    const old = await put('old.txt');
    await app.dropFiles('main', [old]);
    await ticket().getByText('Link copied').waitFor();
    const names = Array.from({ length: 12 }, (_, at) => `new ${String(at + 1)}.txt`);
    await app.dropFiles('main', [old, ...(await Promise.all(names.map((name) => put(name))))]);
    await ticket().getByText('13 links copied').waitFor();
    await ticket().getByRole('button', { name: 'Recall…' }).click();
    const dialog = window.getByRole('dialog', { name: 'Recall 12 links?' });
    await dialog.waitFor();
    await expect.poll(() => window.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
    for (const name of [...names, 'old.txt'])
      await dialog
        .getByRole('checkbox', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor({ state: 'attached' });
    expect(await dialog.getByRole('checkbox', { name: /^old\.txt/ }).isChecked()).toBe(false);
    await dialog.getByRole('checkbox', { name: 'new 3.txt', exact: true }).press('Space');
    const ids = stage.service
      .files()
      .filter(({ filename }) => !['old.txt', 'new 3.txt'].includes(filename))
      .map(({ id }) => String(id));
    await window.getByRole('dialog').getByRole('button', { name: 'Recall 11' }).click();
    await eventually(() =>
      stage.service
        .files()
        .map(({ filename }) => filename)
        .toSorted(),
    ).toEqual(['new 3.txt', 'old.txt']);
    const deleted = stage.service
      .requests()
      .filter(({ method }) => method === 'DELETE')
      .map(({ path: asked }) => asked.split('/').at(-1) ?? '');
    expect(deleted.toSorted()).toEqual(ids.toSorted());
    await window
      .getByRole('region', { name: 'Recall' })
      .getByText(/^11 links dead · were public for /)
      .waitFor();
  });

  test('cancelled, kept private and dismissed files return exactly as they were', async () => {
    const { window } = app;
    const undo = async (act: () => Promise<void>, meanwhile: object): Promise<void> => {
      const states = async (): Promise<string> => {
        const { held, failed, waiting } = await call(window, 'queue.get', {});
        return JSON.stringify([...held, ...failed, ...waiting].map(({ id, state }) => [id, state]).sort());
      };
      // A settling file moves on by itself.
      await eventually(states).not.toContain('settling');
      const before = { work: await work(), states: await states() };
      const isBack = () =>
        eventually(async () => ({ work: await work(), states: await states() })).toEqual(before);
      await act();
      await eventually(work).toMatchObject(meanwhile);
      await ticket().getByRole('button', { name: /^Undo/ }).click();
      await isBack();
      for (const [at, view] of ['Queue', 'Statistics', 'Settings'].entries()) {
        await window.keyboard.press('Control+1');
        await act();
        await eventually(work).toMatchObject(meanwhile);
        await window.keyboard.press(`Control+${String(at + 2)}`);
        await window.getByRole('heading', { level: 1, name: view }).waitFor();
        await window.keyboard.press('Control+z');
        await isBack();
      }
      await window.keyboard.press('Control+1');
    };
    stage.service.faults.add({
      match: { path: '/files/upload', filename: 'refused.exe' },
      fault: { kind: 'answer', status: 415 },
    });
    await app.dropFiles('main', [await put('.env', 'A=1'), await put('refused.exe')]);
    await ticket().getByText('No link: 2 need you').waitFor();
    await undo(
      () =>
        ticket()
          .getByRole('button', { name: /^Keep private/ })
          .click(),
      { needYou: 1, leftOut: 1 },
    );
    await undo(
      () =>
        ticket()
          .getByRole('button', { name: /^Dismiss: refused/ })
          .click(),
      {
        needYou: 1,
        leftOut: 1,
      },
    );
    await call(window, 'queue.pause', { untilMs: null });
    await app.dropFiles('main', [await put('later.txt')]);
    await eventually(work).toMatchObject({ waiting: 1 });
    await undo(() => ticket().getByRole('button', { name: 'Cancel 1' }).click(), { waiting: 0, leftOut: 1 });
    // The drop itself is a deed, as far as it is not public.
    await app.dropFiles('main', [await put('hasty.txt')]);
    await eventually(work).toMatchObject({ waiting: 2, leftOut: 0 });
    await window.keyboard.press('Control+3');
    await window.keyboard.press('Control+z');
    await eventually(work).toMatchObject({ waiting: 1, leftOut: 1 });
    await window.keyboard.press('Control+z');
    await eventually(work).toMatchObject({ waiting: 2, leftOut: 0 });
  });

  test('a lost answer raises no badge while it is checked, and the file has its link in the end', async () => {
    const badges: number[] = [];
    stage.service.faults.add({ match: { path: '/files/upload' }, fault: { kind: 'reset', at: 'done' } });
    await app.dropFiles('main', [await put('lost.txt')]);
    await eventually(async () => {
      badges.push((await work()).needYou);
      return (await work()).ready;
    }).toBe(1);
    expect(new Set(badges)).toEqual(new Set([0]));
    expect(stage.service.files()).toHaveLength(1);
    await ticket().getByText('Link copied').waitFor();
  });

  test('a busy service is grey: the sentence names the time, nothing is amber, and there is no badge', async () => {
    const { window } = app;
    stage.service.faults.add({
      match: { path: '/files/upload' },
      fault: { kind: 'answer', status: 429, at: 'headers', headers: { 'retry-after': '120' } },
    });
    await call(window, 'settings.set', { name: 'bandwidthBytesPerSecond', value: 50_000 });
    // The file is so long that the answer always comes before the tail, also on a busy machine.
    await app.dropFiles('main', [await put('busy.txt', 'x'.repeat(5_000_000))]);
    await window
      .getByText(/^The service asked us to wait. Uploads continue at \d/)
      .first()
      .waitFor();
    expect(await window.locator('.banner.calm').count()).toBe(1);
    expect(await window.locator('.banner.warn, .badge.warn, .badge.bad, .dot.warn').count()).toBe(0);
    // No time is promised beyond what is closed.
    await ticket().getByText('1 file', { exact: true }).waitFor();
    await window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    const sentence = /^The service asked us to wait · until /;
    await window.getByRole('main').getByText(sentence).waitFor();
    await window.getByRole('region', { name: 'Status' }).getByText(sentence).waitFor();
    expect(await window.locator('header .back').count()).toBe(0);
  });

  test('the dock folds with Escape, then disappears; F6 moves through the window; a selection hides nothing', async () => {
    const { window } = app;
    await app.dropFiles('main', await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => put(name))));
    await ticket().getByText('3 links copied').waitFor();
    const share = (): Promise<number> =>
      window.evaluate(() => {
        const dock = document.querySelector('[data-dock]')?.getBoundingClientRect().height ?? 0;
        const list = document.querySelector('.grid')?.getBoundingClientRect().height ?? 1;
        return dock / (dock + list);
      });
    const heights = (): Promise<number> => ticket().evaluate((it) => Math.round(it.clientHeight));
    for (const [width, height] of [
      [960, 640],
      [640, 480],
    ] as const) {
      await window.setViewportSize({ width, height });
      await expect.poll(share).toBeLessThanOrEqual(0.4);
    }
    await window.setViewportSize({ width: 480, height: 320 });
    await expect.poll(heights).toBe(40);
    await ticket().getByText('3 links copied').waitFor();
    await window.setViewportSize({ width: 960, height: 640 });

    const row = window.locator('.row', { hasText: 'a.txt' });
    await row.click();
    const selected = window.getByRole('button', { name: '1 selected' });
    await selected.waitFor();
    await window.getByRole('complementary', { name: 'Details' }).waitFor();
    // A drop shows beside a selection and open details, and ends neither.
    await app.dropFiles('main', [await put('d.txt'), await put('.env', 'A=1')]);
    await ticket().getByText('Link copied').waitFor();
    await ticket().getByText('.env').first().waitFor();
    await eventually(() => app.clipboardText()).toBe(
      stage.service.files().find(({ filename }) => filename === 'd.txt')?.link,
    );
    await window.locator('.row[aria-selected=true]', { hasText: 'a.txt' }).waitFor();
    await selected.click();
    await window.getByRole('menuitem', { name: 'Clear selection' }).click();
    await selected.waitFor({ state: 'detached' });
    await window.getByRole('button', { name: 'Close', exact: true }).click();
    await ticket()
      .getByRole('button', { name: /^Keep private/ })
      .click();

    const zone = (): Promise<string> =>
      window.evaluate(() => {
        const on = document.activeElement;
        return ['nav', '[role=grid]', '[data-dock]'].find((part) => on?.closest(part) !== null) ?? '';
      });
    await window.getByRole('grid').focus();
    const seen = [];
    for (let times = 0; times < 3; times += 1) {
      await window.keyboard.press('F6');
      seen.push(await zone());
    }
    expect(seen).toEqual(['[data-dock]', 'nav', '[role=grid]']);
    await window.keyboard.press('Shift+F6');
    expect(await zone()).toBe('nav');

    await window.keyboard.press('Escape');
    await eventually(heights).toBe(44);
    await window.keyboard.press('F6');
    await window.keyboard.press('F6');
    await window.keyboard.press('Escape');
    await ticket().waitFor({ state: 'detached' });
    await eventually(focused).not.toBe('BODY');
  });
});
