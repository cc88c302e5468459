// The first run as a user goes through it: a wrong key, the right one, a folder with files already in it.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import { call, eventually, setStage, untilStatus, sayYes } from './stage.ts';

test.skipIf(!canLaunch)(
  'a wrong key is refused in a sentence, the right one leads on, and of five files only the two chosen are uploaded',
  async () => {
    await using stage = await setStage();
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) await stage.put(name);
    const app = await stage.start();
    const { window } = app;

    // Of two sentences about where the key is kept, one is true.
    await window.getByText('Outtray found no keychain on this computer.').waitFor();
    expect(await window.getByText('Kept in the system’s keychain.').count()).toBe(0);
    await window.getByLabel('API key').fill('not-the-key');
    await window.getByRole('button', { name: /Check key/ }).click();
    await window.getByRole('alert').filter({ hasText: /key/i }).waitFor();
    expect(stage.service.files()).toEqual([]);

    await window.getByLabel('API key').fill(stage.service.key);
    await window.getByRole('button', { name: /Check key/ }).click();
    await window
      .getByText(/^Pro · /)
      .first()
      .waitFor();

    await app.answer('showOpenDialog', { canceled: false, filePaths: [stage.folder] });
    await window.getByRole('button', { name: 'Change…' }).click();
    await window.getByText('5 files are in it').first().waitFor();
    await window.getByRole('button', { name: 'can be uploaded (5)' }).click();
    await window.getByRole('checkbox', { name: /b\.txt/ }).check();
    await window.getByRole('checkbox', { name: /d\.txt/ }).check();
    await sayYes(app);
    await window.getByRole('button', { name: 'Start and upload 2' }).click();

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

test.skipIf(!canLaunch)(
  'of eleven files the six that can be uploaded are counted, and these six are uploaded',
  async () => {
    await using stage = await setStage();
    for (const name of [
      'brand/logo.svg',
      'brand/a.txt',
      'b.txt',
      'c.txt',
      'd.txt',
      'e.txt',
      'keys/id_rsa.bak',
    ])
      await stage.put(name);
    for (const name of ['site/.env.production', 'notes/~$plan.docx', 'desktop.ini']) await stage.put(name);
    await stage.put('empty.txt', '');
    const app = await stage.start({ apiKey: stage.service.key });
    const { window } = app;
    await app.answer('showOpenDialog', { canceled: false, filePaths: [stage.folder] });
    await window.getByRole('button', { name: 'Change…' }).click();
    await window.getByText('11 files are in it').first().waitFor();
    await window.getByText('held: may be a secret (2)').waitFor();
    await window.getByText('skipped (3)').waitFor();
    await window.getByRole('checkbox', { name: 'can be uploaded (6)' }).check();
    await sayYes(app);
    await window.getByRole('button', { name: 'Start and upload 6' }).click();
    const status = await untilStatus(window, ({ counts }) => counts.uploaded === 6);
    expect(status.counts).toEqual({ uploaded: 6, waiting: 0, held: 2, skipped: 3, failed: 0 });
    expect(app.complaints).toEqual([]);
    await app.quit();
  },
);

test.skipIf(!canLaunch)('the proposed folder is made when the user starts, not before', async () => {
  await using stage = await setStage();
  const app = await stage.start({ apiKey: stage.service.key });
  const proposed = path.join(stage.home, 'Outtray');
  await app.window.getByText('(new, empty)').waitFor();
  expect(existsSync(proposed)).toBe(false);
  await app.window.getByRole('button', { name: 'Start', exact: true }).click();
  const status = await untilStatus(app.window, ({ folder, watch }) => folder !== null && watch === 'live');
  expect(status.folder).toBe(proposed);
  expect(app.complaints).toEqual([]);
  await app.quit();
});

test.skipIf(!canLaunch)(
  'the first file tried before the start is uploaded, and its link is on the clipboard',
  async () => {
    await using stage = await setStage();
    const app = await stage.start({ apiKey: stage.service.key });
    const file = path.join(stage.home, 'photo.txt');
    await writeFile(file, 'a first file');
    await app.answer('showOpenDialog', { canceled: false, filePaths: [file] });
    await app.window.getByRole('button', { name: 'Choose a file…' }).click();
    await app.window.getByRole('group', { name: 'Try it' }).getByText('Link copied').waitFor();
    await eventually(() => app.clipboardText()).toBe(stage.service.files()[0]?.link);
    // A file that is dropped beside the field is uploaded as well, once.
    for (const place of ['h1', 'footer']) {
      const dropped = path.join(stage.home, `${place}.txt`);
      await writeFile(dropped, `dropped on ${place}`);
      await app.dropFiles(place, [dropped]);
      await eventually(() => stage.service.files().map(({ filename }) => filename)).toContain(`${place}.txt`);
    }
    expect(stage.service.files()).toHaveLength(3);
    await app.quit();
  },
);

test.skipIf(!canLaunch)(
  'a drop at any of nine points of the page is accepted, and Start stays visible with all groups open',
  async () => {
    await using stage = await setStage();
    for (const name of ['a.txt', 'b.txt', 'c.txt', '.env', 'keys/id_rsa', '~$plan.docx', 'desktop.ini'])
      await stage.put(name);
    await stage.put('empty.txt', '');
    const app = await stage.start({ apiKey: stage.service.key });
    const { window } = app;
    await window.setViewportSize({ width: 640, height: 480 });
    await app.answer('showOpenDialog', { canceled: false, filePaths: [stage.folder] });
    await window.getByRole('button', { name: 'Change…' }).click();
    const groups = window.getByRole('button', {
      name: /^(can be uploaded|held: may be a secret|skipped) \(/,
    });
    await groups.first().waitFor();
    for (const group of await groups.all()) await group.click();
    expect(await groups.evaluateAll((all) => all.map((one) => one.getAttribute('aria-expanded')))).toEqual([
      'true',
      'true',
      'true',
    ]);
    const start = window.getByRole('button', { name: /^Start/ });
    const box = await start.boundingBox();
    expect(box !== null && box.y >= 0 && box.y + box.height <= 480 && box.x + box.width <= 640).toBe(true);
    // Nothing covers it.
    await start.click({ trial: true });

    const taken = () => stage.service.files().map(({ filename }) => filename);
    for (const [at, [x, y]] of [8, 320, 631]
      .flatMap((left) => [8, 240, 471].map((top) => [left, top] as const))
      .entries()) {
      const name = `point ${String(at)}.txt`;
      const file = path.join(stage.home, name);
      await writeFile(file, name);
      await window.evaluate(
        ([left, top]) => {
          document.querySelector('[data-here]')?.removeAttribute('data-here');
          document.elementFromPoint(left, top)?.setAttribute('data-here', '');
        },
        [x, y] as const,
      );
      await app.dropFiles('[data-here]', [file]);
      await eventually(taken).toContain(name);
    }
    expect(taken()).toHaveLength(9);
    await app.quit();
  },
);

test.skipIf(!canLaunch)('an account with 300 files shows them after the first run', async () => {
  await using stage = await setStage();
  for (let n = 1; n <= 300; n += 1)
    await stage.service.addFile({ filename: `report ${String(n)}.pdf`, content: String(n) });
  const app = await stage.start();
  const { window } = app;
  await window.getByLabel('API key').fill(stage.service.key);
  await window.getByRole('button', { name: /Check key/ }).click();
  await window.getByText('Pro · 300 files').first().waitFor();
  await window.getByText('(3 requests)').waitFor();
  await window.getByRole('button', { name: 'Start', exact: true }).click();
  await window.locator('.row').first().waitFor();
  expect((await call(window, 'files.page', {})).total).toBe(300);
  await app.quit();
});

test.skipIf(!canLaunch)('the home folder itself is refused with the reason', async () => {
  await using stage = await setStage();
  const app = await stage.start({ apiKey: stage.service.key });
  await app.answer('showOpenDialog', { canceled: false, filePaths: [stage.home] });
  await call(app.window, 'window.chooseFolder', {});
  await expect(call(app.window, 'folder.inspect', { folder: stage.home })).rejects.toThrow('folder-refused');
  await app.quit();
});
