// The first run as a user goes through it: a wrong key, the right one, a folder with files already in it.
import path from 'node:path';
import { expect, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import { call, eventually, setStage, untilStatus } from './stage.ts';

test.skipIf(!canLaunch)(
  'a wrong key is refused in a sentence, the right one leads on, and of five files only the two chosen go up',
  async () => {
    await using stage = await setStage();
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) await stage.put(name);
    const app = await stage.start();
    const { window } = app;

    await window.getByLabel('API key').fill('not-the-key');
    await window.getByRole('button', { name: /Check key/ }).click();
    await window.getByRole('alert').filter({ hasText: /key/i }).waitFor();
    expect(stage.service.files()).toEqual([]);

    await window.getByLabel('API key').fill(stage.service.key);
    await window.getByRole('button', { name: /Check key/ }).click();
    await window.getByText(/Pro plan, key ends in/).waitFor();

    await app.answer('showOpenDialog', { canceled: false, filePaths: [stage.folder] });
    await window.getByRole('button', { name: 'Choose folder…' }).click();
    await window.getByText('5 files are already in it.').waitFor();
    await window.getByRole('checkbox', { name: /b\.txt/ }).check();
    await window.getByRole('checkbox', { name: /d\.txt/ }).check();
    await window.getByRole('button', { name: 'Upload 2 files and start watching' }).click();

    const status = await untilStatus(window, ({ counts }) => counts.uploaded === 2);
    expect(status.counts).toEqual({ uploaded: 2, waiting: 0, held: 0, skipped: 3, failed: 0 });
    expect(
      stage.service
        .files()
        .map(({ filename }) => filename)
        .sort(),
    ).toEqual(['b.txt', 'd.txt']);
    await eventually(() => window.locator('.row').count()).toBe(2);
    expect(app.complaints).toEqual([]);
    await app.quit();
  },
);

test.skipIf(!canLaunch)('the folder that is proposed is made when the user goes on with it', async () => {
  await using stage = await setStage();
  const app = await stage.start({ apiKey: stage.service.key });
  await app.window.getByRole('button', { name: 'Continue' }).click();
  await app.window.getByText('The folder is empty.').waitFor();
  await app.window.getByRole('button', { name: 'Start watching' }).click();
  const status = await untilStatus(app.window, ({ folder, watch }) => folder !== null && watch === 'live');
  expect(status.folder).toBe(path.join(stage.home, 'Outtray'));
  expect(app.complaints).toEqual([]);
  await app.quit();
});

test.skipIf(!canLaunch)('the home folder itself is refused with the reason', async () => {
  await using stage = await setStage();
  const app = await stage.start({ apiKey: stage.service.key });
  await expect(call(app.window, 'folder.inspect', { folder: stage.home })).rejects.toThrow('folder-refused');
  await app.quit();
});
