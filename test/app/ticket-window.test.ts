// The ticket of a drop in the built window alone: what it says of files without a link, and its place in small windows.
import { describe, expect, test } from 'vitest';
import { useWindow } from '../support/window/in-window.ts';
import { canOpenWindow } from '../support/window/open-window.ts';
import { givenGroup } from '../support/window/screen-seeds.ts';
import { account, upload } from '../support/window/seed.ts';

const tooLarge = (id: number, name: string, sizeBytes: number) =>
  upload(
    id,
    name,
    {
      kind: 'failed',
      code: 'too-large',
      message: `The file has ${sizeBytes} bytes; the service refused one of 10700000001.`,
      remedy: 'Split the file, or ask the service for a larger plan.',
    },
    { bucket: 'failed', sizeBytes },
  );

describe.skipIf(!canOpenWindow())('the ticket in the built window', () => {
  const inWindow = useWindow();

  test('names the limit and the size of a file that is too large, several in one line, and offers to dismiss them only', async () => {
    const one = tooLarge(40, 'server image.qcow2', 11_300_000_000);
    const seed = {
      account: account({ maxFileBytes: 10_700_000_000 }),
      uploads: [one],
      given: { ...givenGroup, total: 16, needYou: [40] },
    };
    const line = 'listitem';
    await inWindow(seed, async (page) => {
      const ticket = page.getByRole('region', { name: 'Files you added' });
      const row = ticket.getByRole(line).filter({ hasText: 'server' });
      await row.getByText('is over 10.7 GB · it has 11.3 GB').waitFor();
      expect(await row.getByRole('button').allInnerTexts()).toEqual(['Dismiss']);
      expect(await ticket.getByText(/bytes|Retry/).count()).toBe(0);
    });
    const uploads = [one, tooLarge(41, 'disk.img', 10_900_000_000), tooLarge(42, 'tape.tar', 20_000_000_000)];
    await inWindow({ ...seed, uploads, given: { ...givenGroup, needYou: [40, 41, 42] } }, async (page) => {
      const row = page.getByRole('region', { name: 'Files you added' }).getByRole(line);
      await row.getByText('are over 10.7 GB').waitFor();
      expect(await row.count()).toBe(1);
      expect(await row.innerText()).toContain('3 × server image.qcow2, disk.img, tape.tar');
      expect(await row.getByRole('button').allInnerTexts()).toEqual(['Dismiss']);
    });
  });
});
