// Worlds with several watched folders, and what is reported of each.
import type { EngineStatus } from '../../src-main/contract/model.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { createWorld, minuteMs, type Running, type World } from './fake-world.ts';

/** A world that has watched `/tray`, `/b` and `/c` for a minute. */
export const several = async (
  settings: Partial<Settings> = {},
  before: (world: World) => void = () => undefined,
): Promise<{ world: World; run: Running }> => {
  const world = createWorld({ settings: { folders: ['/b', '/c'], ...settings } });
  world.disk.make('/b', 'folder');
  world.disk.make('/c', 'folder');
  before(world);
  await world.clock.advance(minuteMs);
  const run = await world.start();
  await world.clock.advance(minuteMs);
  return { world, run };
};

export const folderOf = (run: Running, folder: string): EngineStatus['folders'][number] | undefined =>
  run.engine.status().folders.find((one) => one.folder === folder);

export const total = (run: Running): number =>
  run.engine
    .status()
    .folders.map(({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0))
    .reduce((sum, count) => sum + count, 0);
