// A quit during other work: a file about to become public stays private, and one being uploaded is there at the next start.
import path from 'node:path';
import { expect, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import { call, eventually, leave, sayYes, setStage, startWatching, untilStatus } from './stage.ts';

test.skipIf(!canLaunch)(
  'inside the ten seconds before a secret is public ends them: nothing is sent, and the next start asks again',
  async () => {
    const stage = await setStage({ notify: false });
    const app = await startWatching(stage);
    const { window } = app;
    await stage.put('known.txt');
    await untilStatus(window, ({ counts }) => counts.uploaded === 1);
    await app.dropFiles('main', [await stage.put(path.join(stage.home, 'Desktop', '.env'), 'A=1')]);
    const soon = window.getByRole('region', { name: 'Becomes public' });
    const ticket = window.getByRole('region', { name: 'Files you added' });
    await ticket.getByText('No link: 1 needs you').waitFor();
    await window.clock.install();
    await sayYes(app);
    await ticket.getByRole('button', { name: /^Make public…/ }).click();
    await soon.getByText(/becomes public in 10 s/).waitFor();
    await window.clock.runFor(9_000);
    await soon.getByText(/becomes public in 1 s/).waitFor();
    await app.quit();

    const next = await stage.start({ apiKey: stage.service.key });
    await untilStatus(next.window, ({ running }) => running);
    const held = async () =>
      (await call(next.window, 'queue.get', {})).held.map(({ name, state }) => [name, state.kind]);
    expect(await held()).toEqual([['.env', 'held']]);
    await eventually(() => next.window.getByRole('navigation').innerText()).toMatch(/Queue\s*1/);
    expect(stage.service.files().map(({ filename }) => filename)).toEqual(['known.txt']);
    const uploads = stage.service.requests().filter(({ path: asked }) => asked.endsWith('/files/upload'));
    expect(uploads).toHaveLength(1);
    await leave(stage, next);
    expect(app.complaints).toEqual([]);
  },
);

test.skipIf(!canLaunch)(
  'during an upload leaves the file waiting, and the next start sends it once',
  async () => {
    const stage = await setStage({ notify: false, bandwidthBytesPerSecond: 100_000 });
    const app = await startWatching(stage);
    await app.dropFiles('main', [
      await stage.put(path.join(stage.home, 'Desktop', 'film.mov'), 'x'.repeat(3_000_000)),
    ]);
    await untilStatus(app.window, ({ sending }) => sending === 1);
    await app.quit();
    expect(stage.service.files()).toEqual([]);
    expect(app.complaints).toEqual([]);

    const next = await stage.start({ apiKey: stage.service.key });
    await call(next.window, 'settings.set', { name: 'bandwidthBytesPerSecond', value: 0 });
    await eventually(() => stage.service.files().map(({ filename }) => filename)).toEqual(['film.mov']);
    await untilStatus(next.window, ({ work }) => work.uploading + work.waiting === 0);
    expect(stage.service.files()).toHaveLength(1);
    await leave(stage, next);
  },
);
