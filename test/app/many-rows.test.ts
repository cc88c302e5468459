// The window over a real ledger of 100,000 uploads: what is on screen stays small, and a search answers as one types.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../src-main/adapters/ledger/ledger.ts';
import { addUploaded } from '../adapters/ledger-fixtures.ts';
import { canLaunch } from '../support/app.ts';
import { eventually, setStage } from './stage.ts';

const rows = 100_000;
const startMs = Date.UTC(2026, 0, 1);
/** No measure of how quick it is, only that nothing is counted row by row; the machine may be busy. */
const boundMs = 1_500;

const nameOf = (at: number): string =>
  `${['render', 'invoice', 'photo', 'notes'][at % 4] ?? ''}-${String(at).padStart(6, '0')}.pdf`;

const seed = (file: string): void => {
  const ledger = openLedger({ file, nowMs: () => startMs });
  const batch = 10_000;
  for (let from = 0; from < rows; from += batch) {
    ledger.atomically(() => {
      for (let at = from; at < from + batch; at += 1) {
        const atMs = startMs + at * 1_000;
        addUploaded(ledger, { name: nameOf(at), dir: '/srv/shared', fileId: at + 1, atMs });
      }
    });
  }
  ledger.close();
};

test.skipIf(!canLaunch)(
  'among 100,000 uploads of the ledger a search answers as one types, and at most 60 rows are mounted',
  async () => {
    await using stage = await setStage();
    const data = path.join(stage.home, 'outtray');
    await mkdir(data, { mode: 0o700 });
    seed(path.join(data, 'ledger.sqlite'));
    await writeFile(path.join(data, 'settings.json'), JSON.stringify({ folder: stage.folder }));
    const app = await stage.start({ apiKey: stage.service.key });
    const { window } = app;
    const mounted = window.locator('.row');
    const names = window.locator('.row bdi');
    const firstName = (): Promise<string | null> => names.first().getAttribute('title');

    await eventually(firstName).toBe(nameOf(rows - 1));
    expect(await window.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(rows + 1));
    expect(await mounted.count()).toBeLessThanOrEqual(60);

    const search = window.getByRole('searchbox');
    // The first answer may still fill the database's cache; measured is every kind of search.
    for (const [typed, first, count] of [
      ['invoice-0500', nameOf(50_097), 25],
      ['ph', nameOf(rows - 2), rows / 4],
      ['render', nameOf(rows - 4), rows / 4],
      ['000001.pdf', nameOf(1), 1],
    ] as const) {
      await search.fill('');
      await eventually(firstName).toBe(nameOf(rows - 1));
      await search.pressSequentially(typed.slice(0, -1));
      const tookMs = await window.evaluate(
        ([last, wanted]) =>
          new Promise<number>((resolve) => {
            const isThere = (): boolean =>
              document.querySelector('.row bdi')?.getAttribute('title') === wanted.first &&
              document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') === wanted.total;
            const field = document.querySelector<HTMLInputElement>('input[type=search], [role=searchbox]');
            if (field === null) throw new Error('There is no search field.');
            const fromMs = performance.now();
            field.value += last;
            field.dispatchEvent(new InputEvent('input', { bubbles: true, data: last }));
            const look = (): void => {
              const tookMs = performance.now() - fromMs;
              if (isThere() || tookMs > 10_000) resolve(tookMs);
              else requestAnimationFrame(look);
            };
            look();
          }),
        [typed.slice(-1), { first, total: String(Math.min(count, 1_000) + 1) }] as const,
      );
      expect(tookMs, `"${typed}"`).toBeLessThan(boundMs);
      expect(await mounted.count()).toBeLessThanOrEqual(60);
    }

    // Counted are the first 1,000 only, and all the others can be reached.
    await search.fill('render');
    await eventually(firstName).toBe(nameOf(rows - 4));
    const grid = window.getByRole('grid');
    await grid.focus();
    await window.keyboard.press('End');
    await eventually(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(1_001);
    await eventually(() => window.locator(`.row bdi[title="${nameOf(rows - 4 - 999 * 4)}"]`).count()).toBe(1);
    expect(await mounted.count()).toBeLessThanOrEqual(60);
    expect(app.complaints).toEqual([]);
    await app.quit();
  },
  180_000,
);
