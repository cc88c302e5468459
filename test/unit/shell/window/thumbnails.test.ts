// The thumbnails of files, requested one after the other.
import { expect, test, vi } from 'vitest';

vi.mock('electron', () => ({ nativeImage: {} }));
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
