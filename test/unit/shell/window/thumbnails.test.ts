// The thumbnails of files, requested one after the other.
import { expect, test, vi } from 'vitest';
import type { UserFiles } from '../../../../src-main/shell/app-context.ts';

type Look = UserFiles['look'];

const { createThumbnailFromPath } = vi.hoisted(() => ({
  createThumbnailFromPath: vi.fn<() => Promise<object>>(),
}));
vi.mock('electron', () => ({ nativeImage: { createThumbnailFromPath } }));
// Other files of this run may have loaded it with their own stand-ins.
vi.resetModules();
const { createThumbnails } = await import('../../../../src-main/shell/window/thumbnails.ts');

test('a ledger that cannot be read fails one picture, and the next are made', async () => {
  const pathOf = vi.fn<() => string | null>(() => null);
  pathOf.mockImplementationOnce(() => {
    throw new Error('The disk is full.');
  });
  const notAsked = () => Promise.reject(new Error('No file is asked.'));
  const thumbnails = createThumbnails({ look: notAsked, open: notAsked }, pathOf);
  const first = thumbnails.of(1, 'row');
  const second = thumbnails.of(2, 'details');
  await expect(first).rejects.toThrow('full');
  await expect(second).resolves.toBeNull();
});

test('a system that never makes a picture holds up the next one for ten seconds, not for ever', async () => {
  vi.stubGlobal('process', Object.create(process, { platform: { value: 'darwin' } }));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const image = { isEmpty: () => false, toDataURL: () => 'data:image/png;base64,AA==' };
  createThumbnailFromPath.mockReturnValueOnce(new Promise(() => undefined)).mockResolvedValueOnce(image);
  const found = { name: 'a', type: 'file', stamp: { sizeBytes: 9 }, onlineOnly: false };
  const look = () => Promise.resolve(found as unknown as Awaited<ReturnType<Look>>);
  const thumbnails = createThumbnails(
    { look, open: () => Promise.reject(new Error('Not opened.')) },
    () => '/a',
  );
  const both = Promise.all([thumbnails.of(1, 'row'), thumbnails.of(2, 'row')]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await both).toEqual([null, image.toDataURL()]);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
