// Walks through the window with the running engine. `look` is called in each state, under its name.
import path from 'node:path';
import type { RunningApp } from '../support/app.ts';
import { sayYes, type Stage, untilStatus } from './stage.ts';

type Walk = { stage: Stage; app: RunningApp; look: (state: string) => Promise<void> };

export const filesOfFirstRun = ['a.txt', '.env', '~$plan.docx'];

/** With a wrong key at first. The folder has `filesOfFirstRun`. */
export const walkFirstRun = async ({ stage, app, look }: Walk): Promise<void> => {
  const { window } = app;
  const button = (name: string | RegExp) => window.getByRole('button', { name });
  await window.getByLabel('API key').fill('not-the-key');
  await button(/Check key/).click();
  await window.getByRole('alert').filter({ hasText: /key/i }).waitFor();
  await look('key refused');
  await window.getByLabel('API key').fill(stage.service.key);
  await button(/Check key/).click();
  await window
    .getByText(/^Pro · /)
    .first()
    .waitFor();
  await app.answer('showOpenDialog', { canceled: false, filePaths: [stage.folder] });
  await button('Change…').click();
  await button(/^can be uploaded/).click();
  await button(/^held: may be a secret/).click();
  await look('groups open');
  const first = await stage.put(path.join(stage.home, 'Desktop', 'first.txt'));
  await app.answer('showOpenDialog', { canceled: false, filePaths: [first] });
  await button('Choose a file…').click();
  await window.getByRole('group', { name: 'Try it' }).getByText('Link copied').waitFor();
  await look('first link');
};

/** A burst, statistics, each tab of the settings, and the review. A burst is more than seven files. */
export const walkViews = async ({ stage, app, look }: Walk): Promise<void> => {
  const { window } = app;
  const button = (name: RegExp) => window.getByRole('button', { name });
  const open = async (view: string): Promise<void> => {
    await window.getByRole('navigation').getByRole('button', { name: view }).click();
    await window.getByRole('heading', { level: 1, name: view }).waitFor();
  };
  for (let at = 0; at < 8; at += 1) await stage.put(`scan ${String(at)}.txt`);
  await untilStatus(window, ({ counts }) => counts.held === 8);
  await open('Queue');
  await look('burst');
  await sayYes(app);
  await button(/^Upload 8/).click();
  await untilStatus(window, ({ counts }) => counts.uploaded === 8);
  await look('queue at rest');
  await open('Statistics');
  await look('statistics unread');
  await button(/^Read /).click();
  await window.getByText('downloads so far').waitFor();
  await look('statistics, one reading');
  await open('Settings');
  for (const tab of await window.getByRole('tab').allInnerTexts()) {
    await window.getByRole('tab', { name: tab, exact: true }).click();
    await window.getByRole('tabpanel', { name: tab, exact: true }).waitFor();
    await look(`settings, ${tab}`);
  }
  await open('Files');
  await button(/^Review/).click();
  await window.getByRole('heading', { level: 1, name: 'Review' }).waitFor();
  await look('review');
};
