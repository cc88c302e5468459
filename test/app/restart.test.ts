// What survives: quitting in the middle of uploads, a kill without warning, the window's place, a second start.
import { randomBytes } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, setStage, untilStatus, type Stage, watchFolder } from './stage.ts';

const names = Array.from({ length: 6 }, (_, at) => `part-${at}.bin`);

const startWatching = async (stage: Stage): Promise<RunningApp> => {
  const app = await stage.start({ apiKey: stage.service.key });
  await watchFolder(app, stage.folder);
  await untilStatus(app.window, ({ watch }) => watch === 'live');
  return app;
};

/** Slow enough that the end comes in the middle. */
const fillSlowly = async (stage: Stage, sizeBytes = 600_000): Promise<void> => {
  stage.service.faults.add({
    match: { path: '/files/upload' },
    times: null,
    fault: { kind: 'drip-read', bytesPerSecond: 400_000 },
  });
  for (const name of names) await writeFile(path.join(stage.folder, name), randomBytes(sizeBytes));
};

const onceEach = async (stage: Stage, app: RunningApp): Promise<void> => {
  const { counts } = await untilStatus(
    app.window,
    (status) => status.counts.uploaded === names.length,
    60_000,
  );
  expect(counts).toEqual({ uploaded: names.length, waiting: 0, held: 0, skipped: 0, failed: 0 });
  expect(
    stage.service
      .files()
      .map(({ filename }) => filename)
      .sort(),
  ).toEqual(names);
};

test.skipIf(!canLaunch)(
  'quitting in the middle of uploads loses nothing and uploads nothing twice; the next start continues',
  async () => {
    await using stage = await setStage();
    const first = await startWatching(stage);
    // More than the socket's buffers take: no tail has left when it quits.
    await fillSlowly(stage, 16_000_000);
    await untilStatus(first.window, ({ sending }) => sending > 0);
    await first.quit();
    expect((await first.ended).code).toBe(0);
    expect(stage.service.files().length).toBeLessThan(names.length);

    stage.service.faults.clear();
    const second = await stage.start({ apiKey: stage.service.key });
    await onceEach(stage, second);
    expect(second.complaints).toEqual([]);
    await second.quit();
  },
);

test.skipIf(!canLaunch)(
  'a kill in the middle of uploads uploads nothing twice; an unknown outcome is held and resolved by the user',
  async () => {
    await using stage = await setStage();
    const first = await startWatching(stage);
    await fillSlowly(stage);
    await untilStatus(first.window, ({ sending }) => sending > 0);
    await first.kill();

    stage.service.faults.clear();
    const second = await stage.start({ apiKey: stage.service.key });
    const { counts } = await untilStatus(
      second.window,
      (status) => status.counts.uploaded + status.counts.held === names.length,
      60_000,
    );
    expect(stage.service.files()).toHaveLength(counts.uploaded);
    for (const { id, state } of await call(second.window, 'queue.held', {})) {
      expect(state.kind).toBe('uncertain');
      await call(second.window, 'queue.resolve', { id, choice: 'again' });
    }
    await onceEach(stage, second);
    await second.quit();
  },
);

test.skipIf(!canLaunch)('a second start shows the window of the first and ends', async () => {
  await using stage = await setStage();
  const app = await stage.start({ apiKey: stage.service.key });
  const frame = await app.frame();
  await frame.evaluate((window) => window.close());
  // Without a tray on this desktop the window is put away where the desktop still shows it, not hidden for good.
  await eventually(() => frame.evaluate((window) => window.isVisible())).toBe(false);

  const second = await stage.run([]);
  expect(second).toEqual({ code: 0, stdout: '', stderr: '' });
  await eventually(() => frame.evaluate((window) => window.isVisible() && window.isFocused())).toBe(true);
  await app.quit();
});

test.skipIf(!canLaunch)(
  'the window returns to its place and state, and is never too small to use',
  async () => {
    await using stage = await setStage();
    const first = await stage.start({ apiKey: stage.service.key });
    const frame = await first.frame();
    await frame.evaluate((window) => window.setBounds({ x: 120, y: 90, width: 800, height: 500 }));
    await call(first.window, 'window.compactRows', { on: true });
    await first.quit();

    const second = await stage.start({ apiKey: stage.service.key });
    const again = await second.frame();
    expect(await again.evaluate((window) => window.getBounds())).toEqual({
      x: 120,
      y: 90,
      width: 800,
      height: 500,
    });
    expect((await call(second.window, 'window.environment', {})).compactRows).toBe(true);
    await again.evaluate((window) => window.setBounds({ width: 10, height: 10 }));
    expect(await again.evaluate((window) => window.getSize())).toEqual([640, 480]);
    await second.quit();
  },
);

test.skipIf(!canLaunch)(
  'files that are given to a start are uploaded: to the first one, and to a second one from its own folder',
  async () => {
    await using stage = await setStage();
    const first = await startWatching(stage);
    await first.quit();
    const one = await stage.put(path.join(stage.home, 'one.txt'));
    const two = await stage.put(path.join(stage.home, 'two file.txt'));

    const app = await stage.start({ apiKey: stage.service.key, args: [one] });
    const names = () => stage.service.files().map(({ filename }) => filename);
    await eventually(names).toEqual(['one.txt']);
    const second = await stage.run([path.relative(process.cwd(), two)]);
    expect(second).toEqual({ code: 0, stdout: '', stderr: '' });
    await eventually(names).toEqual(['one.txt', 'two file.txt']);
    // As the entry of a file manager on Windows starts it.
    const odd = await Promise.all(['list', '--help'].map((name) => stage.put(path.join(stage.home, name))));
    expect(await stage.run(['--share', ...odd])).toEqual({ code: 0, stdout: '', stderr: '' });
    await eventually(() => names().toSorted()).toEqual(['--help', 'list', 'one.txt', 'two file.txt']);
    await app.quit();
  },
  60_000,
);

test.skipIf(!canLaunch)(
  'files that were given hours before a start are named, and one press uploads them',
  async () => {
    await using stage = await setStage();
    const first = await startWatching(stage);
    const place = await first.electron.evaluate(({ app }) => app.getPath('userData'));
    await first.quit();
    await first.ended;
    const file = await stage.put(path.join(stage.home, 'Desktop', 'late.txt'));
    const kept = path.join(place, 'given.jsonl');
    await writeFile(kept, `${JSON.stringify({ files: [file], isShare: false })}\n`);
    const before = new Date(Date.now() - 2 * 3_600_000);
    await utimes(kept, before, before);
    const second = await stage.start({ apiKey: stage.service.key });
    const ticket = second.window.getByRole('region', { name: 'Files you added' });
    await ticket.getByText('was given more than an hour before Outtray started').waitFor();
    expect(stage.service.files()).toEqual([]);
    await ticket.getByRole('button', { name: 'Upload anyway' }).click();
    await ticket.getByText('Link copied').waitFor();
    await second.quit();
  },
);
