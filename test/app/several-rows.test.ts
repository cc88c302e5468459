// Questions about several files in the built window: the named ones, the ticked ones, and the calls to the engine.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createFakeTransport } from '../support/window/fake-transport.ts';
import { callsOf, useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { givenMixed, secrets } from '../support/window/screen-seeds.ts';
import { noCounts, type SkipRule, type UploadView } from '../../src-main/contract/model.ts';
import { row, status, upload } from '../support/window/seed.ts';

const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.textContent);

describe.skipIf(!canOpenWindow())('several files in the built window', () => {
  const inWindow = useWindow();

  test('the recall of a drop names each link; one shared before stays, and the ticked ones are recalled', async () => {
    await inWindow({ given: givenMixed }, async (page, transport) => {
      await page
        .getByRole('region', { name: 'Files you added' })
        .getByRole('button', { name: 'Recall' })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Recall 2 links?' });
      await dialog.waitFor();
      await expect.poll(() => focused(page)).toBe('Cancel');
      const boxes = dialog.getByRole('checkbox');
      expect(await boxes.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked))).toEqual([
        false,
        true,
        true,
      ]);
      expect(await dialog.getByRole('listitem').first().innerText()).toMatch(
        /^price list\.pdf\s+shared since .* · stays$/,
      );
      await dialog.getByRole('checkbox', { name: 'launch film.mov' }).press('Space');
      const last = page.getByRole('dialog', { name: 'Recall the link to “logo.svg”?' });
      await last.getByRole('button', { name: 'Recall', exact: true }).click();
      await page.getByText('Link dead').first().waitFor();
      expect(callsOf(transport, 'files.delete')).toEqual([{ fileIds: [3], byLink: [3], accountId: 1 }]);
    });
  });

  test('a selection with a dead link names only the links to be recalled, and a long list unfolds', async () => {
    const rows = [
      row(1, 'dead.txt', { place: 'gone-from-service', publicLink: null }),
      ...Array.from({ length: 114 }, (_, at) => row(at + 2, `file ${String(at)}.txt`)),
    ];
    await inWindow({ rows }, async (page, transport) => {
      await page.locator('.row').first().click();
      await page.keyboard.press('Control+A');
      // A key that comes before the rest of the list is read means the rows that were.
      await page.getByRole('button', { name: '115 selected' }).waitFor();
      await page.keyboard.press('Delete');
      const dialog = page.getByRole('dialog', { name: 'Recall 114 links?' });
      await dialog.getByRole('button', { name: 'and 14 more' }).click();
      expect(await dialog.getByRole('listitem').count()).toBe(114);
      expect(await dialog.getByText('dead.txt').count()).toBe(0);
      await dialog.getByRole('button', { name: 'Recall 114 links' }).click();
      await page.getByText('114 links dead').first().waitFor();
      const ids = Array.from({ length: 114 }, (_, at) => at + 2);
      expect(callsOf(transport, 'window.askToRecall')).toEqual([{ fileIds: ids }]);
      expect(callsOf(transport, 'files.delete')).toEqual([{ fileIds: ids, byLink: ids, accountId: 1 }]);
    });
  });

  test('the question closes with its answer, even while the service takes its time, whoever uploaded the file', async () => {
    const transport = createFakeTransport({ rows: [row(1, 'theirs.txt', { place: 'elsewhere' })] });
    const answer = Promise.withResolvers<null>();
    const { page } = await inWindow.open({
      ...transport,
      call: async (name, input) => {
        if (name === 'files.delete') await answer.promise;
        return await transport.call(name, input);
      },
    });
    await page.locator('.row').first().click();
    // On a busy machine the details are open by then, with a button of the same name.
    await page.getByRole('button', { name: 'Recall…' }).first().click();
    const question = page.getByRole('dialog', { name: 'Recall the link to “theirs.txt”?' });
    await question.getByRole('button', { name: 'Recall', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByText('Recalling the link to “theirs.txt”').first().waitFor();
    answer.resolve(null);
    await page.getByText('Link dead').first().waitFor();
    await page.close();
  });

  test('secrets are named, kept private by the first answer, and public only ten seconds after the other one', async () => {
    await inWindow(secrets(), async (page, transport) => {
      await page.keyboard.press('Control+2');
      const queue = page.getByRole('region', { name: 'Queue' });
      for (const name of ['.env', 'id_rsa', 'wildcard.example.com.key', 'client.p12'])
        expect(await queue.getByRole('checkbox', { name, exact: true }).isChecked()).toBe(true);
      const ids = [2, 3, 4, 5];
      await queue.getByRole('checkbox', { name: '.env' }).uncheck();
      await queue.getByRole('button', { name: 'Keep 4 private' }).waitFor();
      const agree = async (): Promise<void> => {
        await queue.getByRole('button', { name: 'Make public…' }).first().click();
        await page.getByText('4 files become public in 10 s').first().waitFor();
      };
      await agree();
      await page.clock.fastForward(9_000);
      await page.keyboard.press('Control+z');
      await page.clock.fastForward(60_000);
      expect(callsOf(transport, 'queue.confirm')).toEqual([]);

      await agree();
      expect(callsOf(transport, 'window.askToPublish')).toEqual([{ ids }, { ids }]);
      // The countdown continues in every view.
      await page.keyboard.press('Control+1');
      for (let second = 0; second < 10; second += 1) await page.clock.fastForward(1_000);
      await expect.poll(() => callsOf(transport, 'queue.confirm')).toMatchObject([{ ids }]);
    });
  });

  const heldAs = (name: string, state: UploadView['state']) => upload(1, name, state, { bucket: 'held' });
  const left = (rule: SkipRule) => upload(1, 'kept.txt', { kind: 'skipped', rule }, { bucket: 'skipped' });
  const inZip = { name: 'site/.env', others: 2 };
  test.each<[what: string, row: UploadView, button: string]>([
    ['a secret name', heldAs('.env', { kind: 'held', reason: 'secret-name' }), 'Make public…'],
    [
      'a secret in a text',
      heldAs('a.txt', { kind: 'held', reason: 'secret-content', rule: 'github', line: 12 }),
      'Make public…',
    ],
    [
      'a zip with a secret name',
      heldAs('site.zip', { kind: 'held', reason: 'secret-name', inZip }),
      'Make public…',
    ],
    ['a file that a person left out', left('cancelled'), 'Upload anyway'],
    ['a hidden file', left('hidden'), 'Upload anyway'],
    ['a file that was there before', left('existing'), 'Upload anyway'],
    ['an unfinished download', left('partial'), 'Upload anyway'],
  ])('%s triggers a question with its name, and then there are ten seconds', async (_what, row, button) => {
    const bucket = row.state.kind === 'held' ? 'held' : 'skipped';
    const counts = { ...noCounts(), [bucket]: 1 };
    const seed = { uploads: [row], status: status({ counts, outside: noCounts() }) };
    await inWindow(seed, async (page, transport) => {
      await page.keyboard.press('Control+2');
      if (bucket === 'skipped') await page.getByRole('button', { name: /^Skipped/ }).click();
      await page.getByRole('button', { name: button }).first().click();
      await page.getByText(`“${row.name}” becomes public in 10 s`).first().waitFor();
      expect(callsOf(transport, 'window.askToPublish')).toEqual([{ ids: [1] }]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.clock.fastForward(60_000);
      expect(callsOf(transport, 'queue.confirm')).toEqual([]);
    });
  });
});
