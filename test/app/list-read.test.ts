// The account's list, once it is read: no view calls it unread any more.
import { expect, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import { call, eventually, leave, setStage, startWatching, untilStatus } from './stage.ts';

test.skipIf(!canLaunch)('after the list is read no view calls it unread', async () => {
  const stage = await setStage({ notify: false });
  const app = await startWatching(stage);
  const { window } = app;
  await stage.put('stays.txt');
  await untilStatus(window, ({ counts }) => counts.uploaded === 1);
  await stage.service.addFile({ filename: 'theirs.txt', content: 'x' });
  const group = (name: string) =>
    window
      .getByRole('group', { name: 'Show' })
      .getByRole('button')
      .filter({ hasText: name })
      .innerText()
      .then((text) => text.replaceAll(/\s+/g, ' ').trim());
  await call(window, 'files.refresh', {});
  await eventually(() => group('Elsewhere')).toBe('Elsewhere 1');
  expect(await window.getByText('may hold more files').count()).toBe(0);

  await window.getByRole('button', { name: 'Review links' }).click();
  await window.getByText(/^as of /).waitFor();
  await window.getByRole('navigation').getByRole('button', { name: 'Statistics' }).click();
  await window.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
  expect(await window.getByText('may hold more files').count()).toBe(0);
  await leave(stage, app);
});

test.skipIf(!canLaunch)(
  'the number of files gone changes together with the rows, at the refresh that finds them gone',
  async () => {
    const stage = await setStage({ notify: false, reconcileAfterMs: 1000 });
    const app = await startWatching(stage);
    const { window } = app;
    for (const name of ['stays.txt', 'goes.txt', 'goes too.txt']) await stage.put(name);
    await untilStatus(window, ({ counts }) => counts.uploaded === 3);
    const refresh = window.getByRole('button', { name: 'Refresh' });
    // Without a file that is gone there is no chip for them.
    const chips = window.getByRole('button', { name: /^Gone/ });
    // Both at one moment: the ids of missing files are asked in the background, so the change may come at any time.
    const seen = (): Promise<{ chip: string | undefined; rows: number }> =>
      window.evaluate(() => {
        const texts = [...document.querySelectorAll('button')].map(({ innerText }) => innerText.trim());
        const chip = texts.find((text) => text.startsWith('Gone'))?.replaceAll(/\s+/g, ' ');
        return { chip, rows: document.querySelectorAll('.row.gone').length };
      });
    for (const file of stage.service.files().filter(({ filename }) => filename.startsWith('goes')))
      await stage.service.removeFile(file.id);
    // A file may be missing in a list that was read soon after its upload. Until it is old enough, no refresh finds it gone.
    await eventually(async () => {
      await refresh.click();
      await window
        .getByText(/^List read/)
        .first()
        .waitFor();
      await refresh.and(window.locator(':enabled')).waitFor();
      const { chip, rows } = await seen();
      expect(chip).toBe(rows === 0 ? undefined : `Gone ${rows}`);
      return rows;
    }).toBe(2);
    const removed = window.locator('.row.gone').first();
    await removed.getByRole('button', { name: 'Remove' }).click();
    await eventually(seen).toEqual({ chip: 'Gone 1', rows: 1 });
    await chips.click();
    await eventually(() => window.locator('.row').count()).toBe(1);
    await leave(stage, app);
  },
);
