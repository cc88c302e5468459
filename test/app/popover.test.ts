// The first lines of the tray's popover: those of the window's foot, and the one file that it asks about itself.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { canLaunch, onRealElectron } from '../support/app.ts';
import {
  call,
  desktopPath,
  eventually,
  openPopover,
  reload,
  setStage,
  untilStatus,
  watchFolder,
} from './stage.ts';

test.skipIf(!canLaunch || onRealElectron)(
  'the popover starts with the foot, word for word, and one secret can be kept private there but not made public',
  async () => {
    await using stage = await setStage({ notify: false });
    const env = { PATH: await desktopPath(stage.home), ELECTRON_DOUBLE_MODES: 'platform=win32' };
    const app = await stage.start({ apiKey: stage.service.key, env });
    await watchFolder(app, stage.folder);
    await untilStatus(app.window, ({ watch }) => watch === 'live');
    await reload(app);
    await stage.put('one.txt');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    const foot = async (): Promise<string> =>
      (await app.window.getByRole('region', { name: 'Status' }).innerText())
        .replaceAll(/[\s·]+/g, ' ')
        .trim();
    const popover = await openPopover(app);
    const head = async (): Promise<string> =>
      (await popover.getByRole('heading', { level: 1 }).innerText()).replaceAll(/[\s·]+/g, ' ').trim();
    await eventually(head).toContain('All uploaded');
    expect(await head()).toBe(await foot());

    await stage.put('.env', 'TOKEN=1');
    await untilStatus(app.window, ({ work }) => work.needYou === 1);
    const keep = popover.getByRole('button', { name: 'Keep private: .env' });
    await keep.waitFor();
    await popover.getByText('looks like a secret').waitFor();
    expect(await head()).toBe(await foot());
    expect(await popover.getByRole('button', { name: /public/ }).count()).toBe(0);
    for (const media of [
      { colorScheme: 'light', forcedColors: 'none' },
      { colorScheme: 'dark', forcedColors: 'none' },
      { colorScheme: 'dark', forcedColors: 'active' },
    ] as const) {
      await popover.emulateMedia(media);
      const found = await new AxeBuilder({ page: popover }).setLegacyMode().analyze();
      expect(
        found.violations.map(({ id }) => id),
        JSON.stringify(media),
      ).toEqual([]);
    }

    await stage.put('id_rsa', 'another');
    await untilStatus(app.window, ({ work }) => work.needYou === 2);
    // Two are the window's question.
    await keep.waitFor({ state: 'detached' });
    await popover.getByRole('button', { name: 'Review' }).waitFor();
    const { held } = await call(app.window, 'queue.get', {});
    await call(app.window, 'queue.skip', {
      ids: held.filter(({ name }) => name === 'id_rsa').map(({ id }) => id),
    });
    await keep.click();
    await untilStatus(app.window, ({ work }) => work.needYou === 0);
    await keep.waitFor({ state: 'detached' });
    expect(stage.service.files().map(({ filename }) => filename)).toEqual(['one.txt']);
    await app.quit();
    expect(app.complaints).toEqual([]);
  },
);
