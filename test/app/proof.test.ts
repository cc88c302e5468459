// Release cards and proofs from the window: from the menu of a row, the bar under the list, and the details.
import { afterEach, beforeEach, describe, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { eventually, leave, setStage, type Stage, startWatching, untilStatus } from './stage.ts';

describe.skipIf(!canLaunch)('the content of a link', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
    await stage.put('setup-1.2.exe', 'the setup');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
  });
  afterEach(() => leave(stage, app));

  const row = (name: string) => app.window.locator('.row', { hasText: name });
  const sha256 = (): string => stage.service.files()[0]?.sha256 ?? 'none';
  const answer = (status: number, body = '') =>
    stage.service.faults.add({ match: { path: '/download/*' }, fault: { kind: 'answer', status, body } });

  test('is verified from the menu of its row, and each kind of fault has its sentence', async () => {
    const verify = async (sentence: string): Promise<void> => {
      await row('setup').click({ button: 'right' });
      await app.window.getByRole('menuitem', { name: 'Verify' }).click();
      await app.window.getByText(sentence).first().waitFor();
    };
    await verify('The link serves exactly what was sent.');
    answer(200, 'the SETUP');
    await verify('the link serves different bytes from those that were sent. Do not use them.');
    answer(404);
    await verify('the link is dead.');
    answer(503);
    await verify('the link could not be read');
    await verify('The link serves exactly what was sent.');
  });

  test('is on a card that the menu copies in the chosen form', async () => {
    const copy = async (form: string): Promise<void> => {
      await row('setup').click({ button: 'right' });
      await app.window.getByRole('menuitem', { name: 'Copy release card' }).click();
      await app.window.getByRole('menuitem', { name: form, exact: true }).click();
    };
    await copy('Markdown');
    await eventually(() => app.clipboardText()).toMatch(/^- \[setup.*SHA-256.*How to check/s);
    await app.window.getByText('Release card copied').first().waitFor();
    await copy('JSON');
    await eventually(() => app.clipboardText()).toContain(`"sha256": "${sha256()}"`);
  });

  test('is on one card for several files, from the menu of what is selected', async () => {
    await stage.put('notes.txt', 'notes');
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 2);
    // A row that arrives now would move the others away from the click.
    await row('notes').getByRole('button', { name: 'Copy link' }).waitFor();
    for (const name of ['setup', 'notes']) await row(name).click({ modifiers: ['Control'] });
    const copy = async (form: string): Promise<void> => {
      await app.window.getByRole('button', { name: '2 selected' }).click();
      await app.window.getByRole('menuitem', { name: 'Copy release card' }).click();
      await app.window.getByRole('menuitem', { name: form, exact: true }).click();
    };
    await copy('SHA256SUMS');
    await eventually(() => app.clipboardText()).toMatch(/^[0-9a-f]{64} {2}.*\n[0-9a-f]{64} {2}.*\n$/);
  });

  test('is verified in its details, where the sentence stays', async () => {
    await row('setup').click();
    await app.window.keyboard.press('i');
    const details = app.window.locator('.details');
    await details.getByRole('button', { name: 'Verify' }).click();
    await details.getByText('The link serves exactly what was sent.').waitFor();
    answer(404);
    await details.getByRole('button', { name: 'Verify' }).click();
    await details.getByText('the link is dead.').waitFor();
    await details.getByRole('button', { name: 'Copy release card' }).click();
    await app.window.getByRole('menuitem', { name: 'JSON' }).click();
    await eventually(() => app.clipboardText()).toContain(`"sha256": "${sha256()}"`);
  });
});
