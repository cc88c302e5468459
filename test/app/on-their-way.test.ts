// Files on their way in the list of the running app, and pictures of files from the disk.
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import { call, callMs, eventually, pressed, reload, setStage, untilStatus, watchFolder } from './stage.ts';

test.skipIf(!canLaunch)(
  'each dropped file has its row at once, even one in the folder, and a finished row has its link',
  async () => {
    await using stage = await setStage();
    const app = await stage.start({ apiKey: stage.service.key });
    const { window } = app;
    await watchFolder(app, stage.folder);
    await untilStatus(window, ({ watch }) => watch === 'live');
    await reload(app);
    await window.getByRole('searchbox').waitFor();
    await call(window, 'queue.pause', { untilMs: null });

    // From the drop to the row, as the page sees it; the fastest of three.
    await window.evaluate(() => {
      const seen = { droppedMs: 0, tookMs: [] as number[] };
      Object.assign(globalThis, { seen });
      addEventListener('drop', () => (seen.droppedMs = performance.now()), { capture: true });
      let flights = 0;
      new MutationObserver(() => {
        const now = document.querySelectorAll('.flight').length;
        if (now > flights) seen.tookMs.push(performance.now() - seen.droppedMs);
        flights = now;
      }).observe(document.body, { childList: true, subtree: true });
    });
    const flights = window.locator('.flight');
    for (const [at, name] of ['one.txt', 'two.txt', 'three.txt'].entries()) {
      await app.dropFiles('main', [await stage.put(path.join(stage.home, 'Desktop', name))]);
      await eventually(() => flights.count()).toBe(at + 1);
    }
    const took = await window.evaluate(
      () => (globalThis as unknown as { seen: { tookMs: number[] } }).seen.tookMs,
    );
    expect(Math.min(...took)).toBeLessThan(300 + 5 * (await callMs(window)));
    for (const text of await flights.allTextContents())
      expect(text).toMatch(/paused|checking that it is complete/);

    await stage.put('in the folder.txt');
    await eventually(() => flights.count()).toBe(4);
    await flights.filter({ hasText: 'two' }).getByRole('button', { name: 'Cancel: two.txt' }).click();
    await eventually(() => flights.count()).toBe(3);

    await pressed(app, 'queue.resume', {});
    const rows = window.locator('.row');
    await eventually(() => rows.count()).toBe(3);
    await eventually(() => flights.count()).toBe(0);
    const links = await rows.locator('.address').allTextContents();
    expect(links.toSorted()).toEqual(
      stage.service
        .files()
        .map(({ link }) => link.replace(/^https?:\/\//, ''))
        .toSorted(),
    );
    expect(app.complaints).toEqual([]);
    await app.quit();
  },
);

/** A PNG of one colour. */
const png = (width: number, height: number): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const part = (name: string, content: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, Buffer.from(name), content, Buffer.alloc(4)]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    part('IHDR', head),
    part('IDAT', deflateSync(Buffer.alloc((width + 1) * Math.min(height, 16)))),
    part('IEND', Buffer.alloc(0)),
  ]);
};

test.skipIf(!canLaunch)(
  'a thumbnail comes from the disk by the id of its upload, within limits, and only for images',
  async () => {
    await using stage = await setStage();
    const app = await stage.start({ apiKey: stage.service.key });
    const { window } = app;
    await watchFolder(app, stage.folder);
    await untilStatus(window, ({ watch }) => watch === 'live');
    await stage.put('notes.txt');
    await writeFile(path.join(stage.folder, 'small.png'), png(40, 30));
    await writeFile(path.join(stage.folder, 'huge.png'), png(30_000, 30_000));
    await untilStatus(window, ({ counts }) => counts.uploaded === 3);
    const { rows } = await call(window, 'files.page', {});
    const pictureOf = async (name: string, use: 'row' | 'details' = 'row'): Promise<string | null> => {
      const uploadId = rows.find((one) => one.name === name)?.uploadId ?? 0;
      return (await call(window, 'window.thumbnail', { uploadId, use })).picture;
    };
    const requests = stage.service.requests().length;
    expect(await pictureOf('small.png')).toMatch(/^data:image\/png;base64,/);
    expect(await pictureOf('small.png', 'details')).toMatch(/^data:image\/png;base64,/);
    expect(await pictureOf('huge.png')).toBeNull();
    expect(await pictureOf('huge.png', 'details')).toBeNull();
    expect(await pictureOf('notes.txt')).toBeNull();
    expect((await call(window, 'window.thumbnail', { uploadId: 999, use: 'row' })).picture).toBeNull();
    expect(stage.service.requests().length).toBe(requests);
    expect(app.complaints).toEqual([]);
    await app.quit();
  },
);
