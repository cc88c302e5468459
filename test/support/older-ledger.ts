// A data folder that was restored as a whole: its ledger is an older copy, and knows nothing of the last hour.
import { createWorld, type World } from './fake-world.ts';

export const minuteMs = 60_000;

/** An engine that shared one file and stopped an hour ago. */
export const stopped = async (given: Parameters<typeof createWorld>[0] = {}): Promise<World> => {
  const world = createWorld(given);
  const running = await world.start();
  world.disk.write('/tray/first.txt', 'the first file');
  await world.until('first.txt', 'uploaded');
  await running.stop();
  await world.clock.advance(60 * minuteMs);
  return world;
};

/** What the ledger has forgotten: the file is there, and so is its upload. */
export const forgotten = (world: World, name: string, content: string, storedAs = name): void => {
  world.disk.write(`/tray/${name}`, content);
  world.service.addForeign(storedAs, content);
};
/** From the files to the start: a file that appears in the very moment of the start counts as new. */
export const beforeMs = 1000;

export const settledWithin = async (world: World, ms: number): Promise<void> => {
  await world.clock.advance(beforeMs);
  await world.start();
  await world.clock.advance(ms);
};
