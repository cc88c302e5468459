// The account's list, once it is read: no view speaks of it as unread any more.
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
  const told = () => window.locator('.as-of').first().innerText();
  await eventually(told).toMatch(/^as of /);
  await window.getByRole('navigation').getByRole('button', { name: 'Statistics' }).click();
  await window.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
  expect(await window.getByText('may hold more files').count()).toBe(0);
  await leave(stage, app);
});
