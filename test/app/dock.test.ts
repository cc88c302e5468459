// The content of the dock of the running app, and what waits by itself: a recall of several links, and a lost answer.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, setStage, type Stage, startWatching, untilStatus } from './stage.ts';

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
  const dock = () => app.window.getByRole('region', { name: 'Recall' });
  const put = (name: string, content?: string): Promise<string> =>
    stage.put(path.join(stage.home, 'Desktop', name), content);
  const work = async () => (await call(app.window, 'app.status', {})).work;
  const openQueue = async (): Promise<void> => {
    await app.window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await app.window.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
  };

  test('a recall is counted while it is under way, and the copied links can be cleared', async () => {
    const { window } = app;
    const names = Array.from({ length: 16 }, (_, at) => `file ${String(at + 1)}.txt`);
    await app.dropFiles('main', await Promise.all(names.map((name) => put(name))));
    await ticket().getByText('16 links copied').waitFor();
    stage.service.faults.add({
      match: { method: 'DELETE' },
      times: null,
      fault: { kind: 'delay', ms: 4_000 },
    });
    await ticket().getByRole('button', { name: 'Recall…' }).click();
    await window.getByRole('dialog').getByRole('button', { name: 'Recall 16' }).click();
    await dock()
      .getByText(/^Recalling \d+ of 16$/)
      .waitFor();
    // The ticket stays below it.
    expect(await ticket().count()).toBe(1);
    stage.service.faults.clear();
    await dock()
      .getByText(/^16 links dead · were public for /)
      .waitFor();
    expect(stage.service.files()).toEqual([]);

    expect(await app.clipboardText()).not.toBe('');
    await dock().getByText('The clipboard still holds the links').waitFor();
    await dock().getByRole('button', { name: 'Clear clipboard' }).click();
    await dock().getByText('Clipboard cleared').waitFor();
    expect(await app.clipboardText()).toBe('');
    await dock().getByRole('button', { name: 'Dismiss' }).click();
    await dock().waitFor({ state: 'detached' });
    await eventually(() => window.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  });

  test('a lost answer waits, and is checked at once when a person requests it; only then is it a question', async () => {
    stage.service.faults.add(
      { match: { path: '/files/upload' }, fault: { kind: 'reset', at: 'done' } },
      // Nothing can be found out without the user: no link serves its content.
      { match: { path: '/download/*' }, times: null, fault: { kind: 'answer', status: 500 } },
    );
    await stage.put('doubt.txt', 'sent, but was it kept?');
    await openQueue();
    const waiting = app.window.getByRole('region', { name: 'Waiting' });
    await waiting.getByText(/^Sent, but no answer came back\. Checked again /).waitFor();
    expect(await work()).toMatchObject({ needYou: 0, waiting: 1 });
    expect(await app.window.getByRole('region', { name: 'Needs you' }).count()).toBe(0);
    await waiting.getByRole('button', { name: 'Check now: doubt.txt' }).press('Enter');
    const dialog = app.window.getByRole('dialog');
    await dialog.getByText('same size').waitFor();
    await dialog.getByRole('button', { name: 'This is it' }).click();
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1 && counts.held === 0);
    expect(stage.service.files()).toHaveLength(1);
  });
});
