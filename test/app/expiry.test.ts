// Links that end, in the window: set from the menu of a row, shown beside the name, set for the folder.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, onRealElectron, type RunningApp } from '../support/app.ts';
import {
  agreed,
  call,
  eventually,
  leave,
  reload,
  setStage,
  untilStatus,
  type Stage,
  sayYes,
  watchFolder,
} from './stage.ts';

describe.skipIf(!canLaunch || onRealElectron)('a link ends', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await stage.start({ apiKey: stage.service.key });
    await watchFolder(app, stage.folder);
    await untilStatus(app.window, ({ watch }) => watch === 'live');
    await reload(app);
  });
  afterEach(() => leave(stage, app));

  const row = (name: string) => app.window.locator('.row', { hasText: name });
  const put = async (name: string): Promise<void> => {
    await stage.put(name);
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    await row(name).waitFor();
  };
  const choose = async (name: string, end: string): Promise<void> => {
    await row(name).click({ button: 'right' });
    await app.window.getByRole('menuitem', { name: 'Expires…' }).click();
    const dialog = app.window.getByRole('dialog');
    expect(await dialog.textContent()).toContain('Outtray must be running at that time');
    await dialog.getByLabel('The link expires').selectOption({ label: end });
  };
  const set = () => app.window.getByRole('dialog').getByRole('button', { name: 'Set', exact: true });
  const endOf = async (): Promise<number | null> =>
    (await call(app.window, 'files.page', {})).rows[0]?.expiresAtMs ?? null;

  test('from the menu of its row: a span, a day, never', async () => {
    await put('report.txt');
    await choose('report.txt', 'in 7 days');
    await set().click();
    await row('report.txt').getByText('expires in 7 days').waitFor();
    expect((await endOf()) ?? 0).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);

    await choose('report.txt', 'on a day…');
    expect(await set().isDisabled()).toBe(true);
    await app.window.getByLabel('Last day').fill('2001-01-01');
    await app.window.getByText('This day is already over.').waitFor();
    expect(await set().isDisabled()).toBe(true);
    const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    await app.window.getByLabel('Last day').fill(day);
    await set().click();
    await row('report.txt')
      .getByText(/expires in 2[01] days/)
      .waitFor();

    await choose('report.txt', 'never');
    await set().click();
    await row('report.txt').getByText('expires').waitFor({ state: 'detached' });
    expect(await endOf()).toBeNull();
  });

  test('by the setting of the folder, and is dead at its time', async () => {
    await app.window.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await app.window.getByRole('tab', { name: 'Folder', exact: true }).click();
    await sayYes(app);
    await app.window.getByLabel('Links expire').selectOption({ label: 'after 1 day' });
    await eventually(async () => {
      const views = await call(app.window, 'settings.get', {});
      return views.find(({ name }) => name === 'expireAfter')?.value;
    }).toBe('1d');
    // A span that was set elsewhere is shown as it is.
    await agreed(app, 'settings.set', { name: 'expireAfter', value: '4s' });
    await stage.put('short.txt');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 0 && counts.skipped === 1);
    expect(stage.service.files()).toEqual([]);
  });
});
