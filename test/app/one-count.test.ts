// The foot, the heading, the sum, the badge and the command tell one count of a run.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, setStage, type Stage, startWatching } from './stage.ts';

type Sample = { foot: string; heading: string; sum: string; badge: string };
declare global {
  interface Window {
    samples: Sample[];
  }
}

describe.skipIf(!canLaunch)('one count', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage({ requestsPerMinute: 900 });
    app = await startWatching(stage);
    await call(app.window, 'settings.set', { name: 'notify', value: false });
  });
  afterEach(() => leave(stage, app));

  test('a run of 60 files and a secret: foot, heading, sum and command are equal, the total never falls', async () => {
    const { window } = app;
    await window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await window.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
    await window.evaluate(() => {
      const { samples } = Object.assign(globalThis as unknown as Window, { samples: [] as Sample[] });
      const textOf = (selector: string): string =>
        (document.querySelector<HTMLElement>(selector)?.innerText ?? '').replaceAll(/\s+/g, ' ').trim();
      setInterval(() => {
        samples.push({
          foot: textOf('.live'),
          heading: textOf('header p'),
          sum: textOf('footer [role=group]'),
          badge: textOf('.badge.warn, .badge.bad'),
        });
      }, 100);
    });
    const names = Array.from({ length: 60 }, (_, at) => `frame ${String(at)}.txt`);
    const files = [];
    for (const name of [...names, '.env'])
      files.push(await stage.put(path.join(stage.home, 'Desktop', name)));
    await app.dropFiles('main', files);

    await eventually(() => stage.service.files().length, 90_000).toBeGreaterThan(10);
    const told: { ready: number; total: number }[] = [];
    for (let asked = 0; asked < 2; asked += 1) {
      const before = (await call(window, 'app.status', {})).work;
      const { stdout } = await stage.run(['status', '--json']);
      const { work } = JSON.parse(stdout) as { work: { ready: number; total: number } };
      const after = (await call(window, 'app.status', {})).work;
      expect(work.total).toBe(61);
      expect(work.ready).toBeGreaterThanOrEqual(before.ready);
      expect(work.ready).toBeLessThanOrEqual(after.ready);
      told.push(work);
    }
    await eventually(() => stage.service.files().length, 90_000).toBe(60);
    await eventually(async () => (await call(window, 'app.status', {})).work).toMatchObject({
      ready: 60,
      uploading: 0,
      waiting: 0,
      needYou: 1,
      total: 61,
    });

    const samples = await window.evaluate(() => (globalThis as unknown as Window).samples);
    let total = 0;
    let counted = 0;
    for (const { foot, heading, sum } of samples) {
      const parts = /^(\d+) ready \+ (\d+) uploading \+ (\d+) waiting \+ (\d+) needs? you = (\d+)$/.exec(sum);
      const [ready = 0, uploading = 0, waiting = 0, needYou = 0, all = 0] = (parts ?? [])
        .slice(1)
        .map(Number);
      expect(ready + uploading + waiting + needYou, sum).toBe(all);
      expect(all, sum).toBeGreaterThanOrEqual(total);
      total = all;
      const text = /^\d+ of \d+ ready/.exec(foot)?.[0];
      if (text === undefined) continue;
      counted += 1;
      expect([text, heading]).toEqual([
        `${String(ready)} of ${String(all)} ready`,
        expect.stringContaining(text),
      ]);
    }
    expect(counted).toBeGreaterThan(5);
    // Whatever waits, the badge tells what needs the user alone.
    const badges = new Set(samples.map(({ badge }) => badge.slice(0, 2).trim()));
    expect([...badges].filter((badge) => badge !== '' && badge !== '1')).toEqual([]);
    await eventually(() => window.locator('nav').innerText()).toMatch(/Queue\s*1/);
  });
});
