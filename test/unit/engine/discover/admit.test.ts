import { expect, test } from 'vitest';
import { createWriterCheck } from '../../../../src-main/engine/discover/admit.ts';
import { createFakeDisk } from '../../../support/fake-folder.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

/** On a system where a walk over all processes takes `ms`. */
const checkThatTakes = (ms: number) => {
  const clock = createVirtualClock({ turns: 1 });
  const disk = createFakeDisk(clock);
  const asked: string[][] = [];
  const { openForWriting } = disk.files;
  disk.files.openForWriting = async (paths) => {
    asked.push([...paths]);
    await clock.advance(ms);
    return await openForWriting(paths);
  };
  const check = createWriterCheck({ files: disk.files, clock });
  /** For `lengthMs`, asks as often as the check allows. */
  const askFor = async (lengthMs: number): Promise<number> => {
    const endMs = clock.monoMs() + lengthMs;
    while (clock.monoMs() < endMs) {
      if (clock.monoMs() >= check.nextAtMs()) await check.ask(['/tray/a.txt']);
      await clock.advance(1);
    }
    return asked.length;
  };
  return { clock, disk, asked, check, askFor };
};

test('asking takes a twentieth of the time in the long run, and a second’s share at once after a rest', async () => {
  const { clock, askFor } = checkThatTakes(5);
  expect(await askFor(100_000)).toBeLessThan(1020);
  await clock.advance(10_000);
  const before = await askFor(0);
  expect((await askFor(500)) - before).toBeGreaterThanOrEqual(9); // one in 55 ms
});

test('it asks more than twice a second even if each answer takes 100 ms', async () => {
  const { askFor } = checkThatTakes(100);
  expect(await askFor(60_000)).toBeGreaterThan(150);
});

test('it passes the answer on, and does not ask for an empty list', async () => {
  const { asked, check, disk } = checkThatTakes(5);
  disk.write('/tray/a.txt', 'content');
  const close = disk.holdOpen('/tray/a.txt');
  expect(await check.ask(['/tray/a.txt'])).toEqual(new Map([['/tray/a.txt', 'open']]));
  close();
  expect(await check.ask(['/tray/a.txt'])).toEqual(new Map([['/tray/a.txt', 'closed']]));
  disk.hideWriters('untold');
  expect(await check.ask(['/tray/a.txt'])).toEqual(new Map([['/tray/a.txt', 'untold']]));
  expect(await check.ask([])).toEqual(new Map());
  expect(asked).toHaveLength(3);
});
