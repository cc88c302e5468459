// Followed links in the window: announced in a notification, with their downloads in the details, until they are
// unfollowed. The time between two checks is 15 minutes; here the budget makes a check due.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import {
  call,
  eventually,
  leave,
  lookAway,
  setStage,
  type Stage,
  startWatching,
  untilStatus,
} from './stage.ts';

describe.skipIf(!canLaunch)('a followed link', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
    await lookAway(app);
  });
  afterEach(() => leave(stage, app));

  const put = async (...names: string[]): Promise<void> => {
    for (const name of names) await stage.put(name);
    await untilStatus(app.window, ({ counts }) => counts.uploaded === names.length);
    for (const name of names) await row(name).waitFor();
    // Events within two seconds are announced together.
    await eventually(async () => (await app.notifications()).length).toBeGreaterThan(0);
  };
  const row = (name: string) => app.window.locator('.row', { hasText: name });
  const mark = (name: string) => row(name).getByRole('img', { name: 'You hear about its downloads' });
  const details = () => app.window.locator('.details');
  const openDetails = async (name: string): Promise<void> => {
    await row(name).click();
    await app.window.keyboard.press('i');
    await details().getByText('Downloads seen').waitFor();
  };
  const closeDetails = async (): Promise<void> => {
    await app.window.keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
  };
  const download = async (name: string, times = 1): Promise<void> => {
    const link = stage.service.files().find(({ filename }) => filename === name)?.link ?? 'none';
    for (let time = 0; time < times; time += 1) expect((await fetch(link)).status).toBe(200);
  };
  const checks = (): number =>
    stage.service.requests().filter(({ method, path }) => method === 'GET' && /\/files\/\d+$/.test(path))
      .length;
  const told = async (): Promise<string[]> =>
    (await app.notifications()).map(({ title }) => title).filter((title) => /download/.test(title));

  test('is announced at its first download and has its history in the details, until it is unfollowed', async () => {
    await put('report.txt');
    const { budget } = await call(app.window, 'app.status', {});
    await call(app.window, 'settings.set', { name: 'requestsPerDay', value: budget.day.used + 1 });
    await row('report.txt').click({ button: 'right' });
    await app.window.getByRole('menuitem', { name: 'Tell me about downloads' }).click();
    await app.window
      .getByText(/You will hear .* requests a day for 1 followed link/)
      .first()
      .waitFor();
    await mark('report.txt').waitFor();

    await openDetails('report.txt');
    await details().getByText('No download seen yet. The next check waits: few requests are left.').waitFor();
    await download('report.txt', 2);
    expect(checks()).toBe(0);
    await call(app.window, 'settings.set', { name: 'requestsPerDay', value: 100_000 });
    await details().getByText('First 2 downloads').waitFor();
    await details()
      .getByText(/^Next check about \d/)
      .waitFor();
    await details()
      .getByText('One check every 15 min: about 96 of 100,000 requests a day for 1 followed link.')
      .waitFor();
    expect(checks()).toBe(1);
    await eventually(async () => (await app.notifications()).at(-1)).toEqual({
      title: 'report.txt was downloaded',
      body: '2 downloads so far. Further ones are reported once a day, in the morning.',
    });
    await closeDetails();
    await app.clickNotification();
    await details().getByText('First 2 downloads').waitFor();
    await closeDetails();

    await download('report.txt', 3);
    await call(app.window, 'files.refresh', {});
    await openDetails('report.txt');
    await details().getByText('3 more, 5 in all').waitFor();
    await details().getByRole('button', { name: 'Stop telling me' }).click();
    await app.window.getByText('You no longer hear about downloads of this link').first().waitFor();
    await details().getByRole('button', { name: 'Tell me about downloads' }).waitFor();
    await closeDetails();
    await mark('report.txt').waitFor({ state: 'detached' });
    expect((await call(app.window, 'files.followed', {})).links).toEqual([]);
    expect(checks()).toBe(1);
    expect(await told()).toEqual(['report.txt was downloaded']);
  });

  test('is one of several that the keyboard follows; without notifications it is quiet', async () => {
    await put('a.txt', 'b.txt');
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) await app.window.keyboard.press(key);
    };
    const fromMenu = async (item: string): Promise<void> => {
      await press('m');
      await app.window.getByRole('menu').waitFor();
      while (
        !(await app.window
          .getByRole('menuitem', { name: item })
          .evaluate((it) => it === document.activeElement))
      )
        await press('ArrowDown');
      await press('Enter');
    };
    await row('a.txt').click();
    await press('Control+a');
    await fromMenu('Tell me about downloads');
    await app.window
      .getByText(
        /You will hear about downloads of 2 links\. 2 followed links, each checked every 15 min: about 192 of/,
      )
      .first()
      .waitFor();
    await mark('a.txt').waitFor();
    await mark('b.txt').waitFor();
    await eventually(checks).toBe(1);

    await call(app.window, 'settings.set', { name: 'notify', value: false });
    await download('a.txt');
    await call(app.window, 'files.refresh', {});
    await press('Escape');
    await openDetails('a.txt');
    await details().getByText('First download', { exact: true }).waitFor();
    await closeDetails();
    await call(app.window, 'settings.set', { name: 'notify', value: true });
    await download('b.txt');
    await call(app.window, 'files.refresh', {});
    await eventually(told).toEqual(['b.txt was downloaded']);

    await app.window.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await app.window.getByRole('tab', { name: 'After upload' }).click();
    const field = app.window.getByLabel('Check followed links every');
    expect(await field.inputValue()).toBe('15');
    await field.fill('60');
    await field.press('Enter');
    await app.window
      .getByText(/2 followed links, each checked every 1 h: about 48 of/)
      .first()
      .waitFor();

    await app.window.getByRole('navigation').getByRole('button', { name: 'Files' }).click();
    await row('a.txt').click();
    await press('Control+a');
    await fromMenu('Stop telling me');
    await mark('a.txt').waitFor({ state: 'detached' });
    await mark('b.txt').waitFor({ state: 'detached' });
  });
});
