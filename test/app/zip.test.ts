// A folder that becomes one link, in the window: the progress of its zip, Cancel, the files it leaves out, and its content.
import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import {
  agreed,
  call,
  chosen,
  eventually,
  leave,
  reply,
  setStage,
  type Stage,
  startWatching,
  untilStatus,
} from './stage.ts';

describe.skipIf(!canLaunch)('a dropped folder as one link', () => {
  let stage: Stage;
  let app: RunningApp;
  let folder: string;

  beforeEach(async () => {
    stage = await setStage({ givenFolders: 'zip' });
    app = await startWatching(stage);
    folder = path.join(stage.home, 'brand');
    for (const name of ['.hidden', 'film.part', 'song.part', 'ä.txt', 'deep/b.txt'])
      await stage.put(path.join(folder, name), `content of ${path.basename(name)}`);
  });
  afterEach(() => leave(stage, app));

  /** As a drop does. */
  const drop = async (paths = [folder]) =>
    reply(app.window, 'files.upload', { paths: await chosen(app, ...paths) });
  const names = (): string[] => stage.service.files().map(({ filename }) => filename);
  const spooled = async (): Promise<string[]> => {
    const spool = path.join(stage.home, 'outtray', 'spool');
    const found = await readdir(spool, { recursive: true, withFileTypes: true }).catch(() => []);
    return found.filter((one) => one.isFile()).map(({ name }) => name);
  };

  test('has its link copied; the card shows what is left out, and lists it', async () => {
    expect(await drop()).toMatchObject({ ok: true });
    await eventually(names).toEqual(['brand.zip']);
    const card = app.window.getByRole('region', { name: 'Files you added' });
    await card.getByText('Link copied').waitFor();
    await eventually(() => app.clipboardText()).toBe(stage.service.files()[0]?.link);
    await card
      .getByRole('listitem')
      .filter({ hasText: '.hidden' })
      .getByText('hidden', { exact: true })
      .waitFor();
    const parts = card.getByRole('listitem').filter({ hasText: 'unfinished download' });
    const listed = parts.getByRole('button', { expanded: false });
    for (const name of ['film.part', 'song.part'])
      expect(await listed.innerText()).toContain(`~/${path.relative(stage.home, path.join(folder, name))}`);
    await listed.click();
    await parts.getByRole('button', { expanded: true }).waitFor();
  });

  test('has a list of its content in its details, with sizes', async () => {
    await drop();
    const row = app.window.locator('.row', { hasText: 'brand.zip' });
    await row.click();
    await app.window.keyboard.press('i');
    const inside = app.window.getByRole('region', { name: '2 files in this zip' });
    await inside.getByText('brand/deep/b.txt').waitFor();
    await inside.getByText('brand/ä.txt').waitFor();
    const shown = await inside.getByRole('listitem').allTextContents();
    expect(shown.map((text) => text.replaceAll(/\s/g, ''))).toEqual([
      'brand/deep/b.txt16bytes',
      'brand/ä.txt17bytes',
    ]);
  });

  test('shows its progress while it is packed, and Cancel leaves nothing of it', async () => {
    const large = path.join(folder, 'large.bin');
    await writeFile(large, '');
    await truncate(large, 8 * 1024 ** 3);
    const dropped = drop();
    const packing = app.window.getByRole('region', { name: 'Packing brand.zip' });
    await packing.getByText(/^\d of 3 files · \d+ ?%$/).waitFor();
    await eventually(spooled).toEqual(['brand.zip']);
    await packing.getByRole('button', { name: 'Cancel' }).click();
    await app.window.getByText('Stopped. Nothing has become public.').first().waitFor();
    await packing.waitFor({ state: 'hidden' });
    expect(await dropped).toMatchObject({ ok: false, error: { code: 'aborted' } });
    await eventually(spooled).toEqual([]);
    expect(names()).toEqual([]);
  });

  test('that is held for a secret in it shows so, returns with Undo exactly as it was, and is uploaded when it may be', async () => {
    const { window } = app;
    await stage.put(path.join(folder, 'id_rsa'));
    await drop();
    // What is in a zip counts as the files that it was.
    await untilStatus(window, ({ work }) => work.needYou === 3);
    await window
      .getByRole('navigation')
      .getByRole('button', { name: /^Queue/ })
      .click();
    await window
      .getByText(/id_rsa looks like a secret/)
      .first()
      .waitFor();
    const now = async () => {
      const { work } = await call(window, 'app.status', {});
      const { held } = await call(window, 'queue.get', {});
      return { work, held: held.map(({ id, name, state }) => ({ id, name, state })) };
    };
    const before = await now();
    expect(before.held.map(({ name }) => name)).toEqual(['brand.zip']);
    await window
      .getByRole('button', { name: /^Keep private/ })
      .first()
      .click();
    await eventually(async () => (await now()).work).toMatchObject({ needYou: 0, leftOut: 3 });
    await window.getByRole('button', { name: 'Undo' }).first().waitFor();
    await window.keyboard.press('Control+z');
    await eventually(now).toEqual(before);
    await eventually(() => window.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await agreed(app, 'queue.confirm', { ids: before.held.map(({ id }) => id) });
    await eventually(names).toEqual(['brand.zip']);
    await untilStatus(window, ({ work }) => work.ready === 3 && work.needYou === 0);
  });

  test('that cannot be packed gets a remedy', async () => {
    const empty = path.join(stage.home, 'empty');
    await mkdir(empty);
    expect(await drop([empty])).toMatchObject({
      ok: false,
      error: {
        code: 'bad-use',
        message: 'There is no file in it.',
        remedy: expect.stringMatching(/./) as string,
      },
    });
    await agreed(app, 'settings.set', { name: 'maxFileBytes', value: 100 });
    expect(await drop()).toMatchObject({
      ok: false,
      error: { code: 'forbidden', remedy: expect.stringContaining('Make several') as string },
    });
    expect([names(), await spooled()]).toEqual([[], []]);
  });
});
