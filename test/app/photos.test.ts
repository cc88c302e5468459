// Photos that reveal where they were taken, in the running app: one question for all of them, which can be remembered.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { app as segment, exif, jpegOf, webpOf, xmp } from '../support/photos/photos.ts';
import { call, leave, setStage, type Stage, startWatching, untilStatus, sayYes } from './stage.ts';

const even = (size: number): number => size + (size % 2);

/** The chunk of the picture, with its head: VP8 or VP8L. */
const webpPictureOf = (file: Buffer): Buffer => {
  let at = 12;
  while (!file.toString('latin1', at, at + 4).startsWith('VP8') || file[at + 3] === 0x58)
    at += 8 + even(file.readUInt32LE(at + 4));
  return file.subarray(at, at + 8 + even(file.readUInt32LE(at + 4)));
};

describe.skipIf(!canLaunch)('photos with their location', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
  });
  afterEach(() => leave(stage, app));

  const put = (name: string, bytes: Buffer): Promise<void> => writeFile(path.join(stage.folder, name), bytes);
  const photo = (make: string): Buffer => jpegOf([segment.exif(exif({ make }))]);
  const button = (name: string | RegExp) => app.window.getByRole('button', { name });
  const setting = async (): Promise<unknown> =>
    (await call(app.window, 'settings.get', {})).find(({ name }) => name === 'photoLocation')?.value;

  test('are one question; without location all can be uploaded, and later ones by themselves', async () => {
    for (const name of ['a', 'b', 'c']) await put(`${name}.jpg`, photo(name));
    await put('d.tif', exif());
    await untilStatus(app.window, ({ counts }) => counts.held === 4);
    expect(stage.service.files()).toEqual([]);
    await app.window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await app.window.getByText('It shows where it was taken, and that cannot be removed').waitFor();
    await app.window.getByLabel('also later photos').check();
    await button('Upload 3 without the place').click();
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 3 && counts.held === 1);
    expect(await setting()).toBe('remove');
    await put('e.jpg', photo('e'));
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 4);
    // A photo that cannot be cut has no such button.
    await expect.poll(() => button(/without the place/).count()).toBe(0);
    await sayYes(app);
    await button('Upload: d.tif').click();
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 5);
    const sizes = stage.service.files().map(({ filename, sizeBytes }) => [filename, sizeBytes]);
    expect(sizes).toContainEqual(['d.tif', exif().length]);
    expect(sizes).not.toContainEqual(['a.jpg', photo('a').length]);
  });

  test('are uploaded as the user ticks them, with or without their place', async () => {
    await put('a.jpg', photo('a'));
    await put('b.jpg', photo('b'));
    await untilStatus(app.window, ({ counts }) => counts.held === 2);
    await app.window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await app.window.getByRole('checkbox', { name: 'b.jpg' }).uncheck();
    await button('Upload 1 without the place').click();
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    await app.window.getByRole('checkbox', { name: 'b.jpg' }).check();
    await app.window.getByRole('radio', { name: 'as they are' }).check();
    await sayYes(app);
    await button('Upload 1 as it is').click();
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 2);
    const size = (of: string): number | undefined =>
      stage.service.files().find(({ filename }) => filename === of)?.sizeBytes;
    expect(size('b.jpg')).toBe(photo('b').length);
    expect(size('a.jpg')).toBeLessThan(photo('a').length);
    expect(await setting()).toBe('ask');
  });

  // Node has no decoder of WebP; the browser engine has one.
  test.each([
    ['lossless', 1],
    ['with loss', 0.8],
  ])('a WebP %s keeps every pixel', async (_, quality) => {
    const made = await app.window.evaluate(async (quality) => {
      const canvas = new OffscreenCanvas(61, 43);
      const context = canvas.getContext('2d', { alpha: false });
      if (context === null) throw new Error('There is no canvas.');
      for (let at = 0; at < 61 * 43; at += 1) {
        context.fillStyle = `rgb(${(at * 37) % 256} ${(at * 11) % 256} ${at % 256})`;
        context.fillRect(at % 61, Math.floor(at / 61), 1, 1);
      }
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      return [...new Uint8Array(await blob.arrayBuffer())];
    }, quality);
    const picture = webpPictureOf(Buffer.from(made));
    const photo = webpOf({ exif: exif(), xmp: xmp(), picture, width: 61, height: 43 });
    await put('a.webp', photo);
    await untilStatus(app.window, ({ counts }) => counts.held === 1);
    await app.window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await button('Upload 1 without the place').click();
    await untilStatus(app.window, ({ counts }) => counts.uploaded === 1);
    const sent = await readFile(stage.service.files()[0]?.path ?? '');
    expect(sent.length).toBeLessThan(photo.length);
    const pixels = (bytes: Buffer): Promise<number[]> =>
      app.window.evaluate(
        async (bytes) => {
          const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]), {
            imageOrientation: 'none',
          });
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context?.drawImage(image, 0, 0);
          return [...(context?.getImageData(0, 0, image.width, image.height).data ?? [])];
        },
        [...bytes],
      );
    const before = await pixels(photo);
    expect(before.length).toBe(61 * 43 * 4);
    expect(await pixels(sent)).toEqual(before);
  });
});
