// The content of a file, and which uploads have it.
import { describe, expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { Files } from '../../../../src-main/engine/ports/files.ts';
import type { Upload } from '../../../../src-main/engine/ports/uploads.ts';
import { digest, isHeldElsewhere } from '../../../../src-main/engine/shared/same-content.ts';
import { createFakeDisk, type FakeDisk } from '../../../support/fake-folder.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const path = '/tray/a.txt';

describe('the digest of a file', () => {
  const found = async (
    change: (disk: FakeDisk) => void = () => undefined,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string | null> => {
    const disk = createFakeDisk(createVirtualClock());
    disk.write(path, 'content');
    const { files } = disk;
    const key = (await files.look(path))?.stamp?.key ?? '';
    change(disk);
    return await digest({ files }, path, '/tray', key, signal);
  };
  /** Changes the file between the first and the last byte that is read. */
  const whileRead = (act: (disk: FakeDisk) => void) => (disk: FakeDisk) => {
    const { open } = disk.files;
    disk.files.open = async (...given: Parameters<Files['open']>) => {
      const file = await open(...given);
      const { pieces } = file;
      return {
        ...file,
        async *pieces(signal) {
          yield* pieces(signal);
          act(disk);
        },
      };
    };
  };

  test('is that of its bytes', async () => {
    expect(await found()).toBe(createHash('sha256').update('content').digest('hex'));
  });

  test.each<[string, (disk: FakeDisk) => void]>([
    ['has another version', (disk) => disk.write(path, 'other')],
    ['changes while it is read', whileRead((disk) => disk.write(path, 'other'))],
    ['is replaced while it is read', whileRead((disk) => disk.replace(path, 'other'))],
    ['is gone', (disk) => disk.remove(path)],
    ['leads out of the folder', (disk) => void disk.swap('/tray', '/else')],
  ])('is not given for a file that %s', async (_, change) => {
    expect(await found(change)).toBeNull();
  });

  test('is an error where it cannot be read', async () => {
    await expect(found((disk) => disk.lock(path, true))).rejects.toMatchObject({ code: 'locked' });
  });

  test('is not given after the caller stops waiting', async () => {
    const stop = new AbortController();
    const stopped = found(
      whileRead(() => undefined),
      stop.signal,
    );
    stop.abort();
    expect(await stopped).toBeNull();
  });

  test('fails with the error of the disk', async () => {
    const failed = found((disk) => {
      disk.files.open = () => Promise.reject(new AppError('disk', 'It cannot be read.'));
    });
    await expect(failed).rejects.toMatchObject({ code: 'disk' });
  });
});

const one = { id: 2, accountId: 1, dir: '/tray', name: 'a.txt', wantsAnother: false } as Upload;
const held = {
  ...one,
  id: 1,
  sha256: 'a digest',
  present: false,
  state: { kind: 'held', reason: 'uncertain' },
} as Upload;

test.each<[string, Partial<Upload>, Partial<Upload>, boolean]>([
  ['whose file has left its path', {}, {}, true],
  ['at another path', {}, { dir: '/elsewhere' }, true],
  ['whose file is there', { present: true }, {}, false],
  ['whose sent copy alone has this content', { sha256: 'of the file' }, {}, false],
  ['of another account', { accountId: 2 }, {}, false],
  ['that is this row', {}, { id: 1 }, false],
  ['held for another reason', { state: { kind: 'held', reason: 'burst' } }, {}, false],
  ['at the path where another upload is wanted', {}, { wantsAnother: true }, false],
  ['beside the path where another upload is wanted', {}, { wantsAnother: true, name: 'b.txt' }, true],
])('an upload without an answer %s', (_, ofHeld, ofRow, stands) => {
  const uploads = { bySha: () => [{ ...held, ...ofHeld }] } as never;
  expect(isHeldElsewhere({ uploads }, { ...one, ...ofRow }, 'a digest')).toBe(stands);
});
