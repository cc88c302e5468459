// What the tests of followed links share: links, people who download them, and the reports of that.
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import type { EntryBody } from '../../src-main/contract/entries.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { begin, share, type Running, type World } from './fake-world.ts';

type Body<Kind extends EntryBody['kind']> = Extract<EntryBody, { kind: Kind }>;
export const told = <Kind extends EntryBody['kind']>(world: World, kind: Kind): Body<Kind>[] =>
  world.ledger.entries.after(0, 5000).flatMap(({ body }) => (body.kind === kind ? [body as Body<Kind>] : []));
export const checks = (world: World): number => world.service.count('info');
export const follow = async (run: Running, ...fileIds: FileId[]) =>
  await run.call('files.follow', { files: fileIds.map((fileId) => ({ fileId })) });
export const unfollow = async (run: Running, ...fileIds: FileId[]) =>
  await run.call('files.unfollow', { files: fileIds.map((fileId) => ({ fileId })) });

/** What the details of a file show about its checks. */
export const stateOf = async (world: World, run: Running, name: string) =>
  (await run.call('file.story', { uploadId: world.row(name).id })).follow;

/** People download the file of this name. */
export const download = (world: World, name: string, times = 1): void => {
  for (const file of world.service.stored) if (file.name === name) file.downloads += times;
};

/** Lets time pass until the next nine o'clock, local time. */
export const untilMorning = async (world: World): Promise<void> => {
  const nowMs = world.clock.wallMs();
  const at = new Date(nowMs);
  if (at.setHours(9, 0, 0, 0) <= nowMs) at.setDate(at.getDate() + 1);
  await world.clock.advance(at.getTime() - nowMs);
};

/** A world with these files in it, all of them followed. */
export const following = async (
  names: readonly string[],
  settings: Partial<Settings> = {},
): Promise<{ world: World; run: Running; ids: FileId[] }> => {
  const { world, run } = await begin({ settings });
  const ids: FileId[] = [];
  for (const name of names) ids.push(await share(world, name));
  await follow(run, ...ids);
  return { world, run, ids };
};
