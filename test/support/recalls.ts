// A file with a link that a test takes back.
import type { Entry } from '../../src-main/contract/entries.ts';
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import { begin, share, type Running, type World } from './fake-world.ts';

/** A world in which a.txt has a link. */
export const shared = async (): Promise<{ world: World; run: Running; fileId: FileId }> => {
  const both = await begin();
  return { ...both, fileId: await share(both.world, 'a.txt', 'content') };
};

export const recall = (run: Running, ...fileIds: FileId[]) =>
  run.call('files.recall', { files: fileIds.map((fileId) => ({ fileId })) });

/** The entries that report a recall. */
export const toldOf = (world: World): Entry[] =>
  world.ledger.entries.after(0, 1000).filter(({ body }) => body.kind === 'recalled');

export const served = (world: World): string[] => world.service.namesOf();
