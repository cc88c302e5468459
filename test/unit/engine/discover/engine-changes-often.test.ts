import { typedText } from '../../../../src-main/cli/output/typed.ts';
// A file that keeps changing: a log, a database, a document that is saved again and again.
import { describe, expect, test } from 'vitest';
import { isDeep } from '../../../support/deep.ts';
import { createWorld, hourMs, started } from '../../../support/fake-world.ts';

/** An hour in which a line is added at this interval. The file is closed after each line. */
const linksOfAnHour = async (everyMs: number): Promise<number> => {
  const { world } = await started();
  world.disk.write('/tray/a.log', 'begin\n');
  for (let atMs = 0; atMs < hourMs; atMs += everyMs) {
    await world.clock.advance(everyMs);
    world.disk.append('/tray/a.log', `line ${atMs}\n`);
  }
  return world.service.stored.length;
};

const longest: [everyMs: number, most: number][] = [[1000, 5]];

describe('a log', () => {
  test.each([...(isDeep ? longest : []), [15_000, 5], [60_000, 5], [420_000, 9]])(
    'with a line every %d ms gets at most %d links in an hour',
    async (everyMs, most) => {
      const links = await linksOfAnHour(everyMs);
      expect(links).toBeGreaterThanOrEqual(1);
      expect(links).toBeLessThanOrEqual(most);
    },
  );

  test('gets one link with all its lines once it stops changing', async () => {
    const { world } = await started();
    world.disk.write('/tray/a.log', 'begin\n');
    for (let line = 0; line < 120; line += 1) {
      await world.clock.advance(1000);
      world.disk.append('/tray/a.log', `line ${line}\n`);
    }
    const text = world.disk.text('/tray/a.log');
    await world.clock.advance(60_000);
    expect(world.service.stored.at(-1)?.bytes.toString()).toBe(text);
  });
});

describe('the next version of a file that has a link', () => {
  const withOneVersion = async () => {
    const world = createWorld();
    const running = await world.start();
    await world.put('a.txt', 'one', 'uploaded', 5000);
    world.disk.write('/tray/a.txt', 'two!');
    await world.clock.advance(9000);
    return { world, running };
  };

  test('waits ten seconds, says why, and gets a link of its own', async () => {
    const { world, running } = await withOneVersion();
    expect(world.row('a.txt').state.kind).toBe('settling');
    const { sentence } = await running.call('file.why', { path: '/tray/a.txt' });
    expect(typedText(sentence)).toMatch(/changes often.*one version of it got a link .*after 10 s/);
    await world.until('a.txt', 'uploaded', 5000);
    expect(world.service.stored).toHaveLength(2);
  });

  test('waits just as long across a restart of Outtray', async () => {
    const { world, running } = await withOneVersion();
    await running.stop();
    await world.start();
    await world.clock.advance(9000);
    expect(world.row('a.txt').state.kind).toBe('settling');
    await world.until('a.txt', 'uploaded', 5000);
  });

  test('is uploaded at once when a person asks for it', async () => {
    const { world, running } = await withOneVersion();
    await running.call('files.upload', { paths: ['/tray/a.txt'], again: true });
    await world.until('a.txt', 'uploaded', 2000);
  });

  test('waits no longer than any other file after an hour', async () => {
    const { world } = await started();
    await world.put('a.txt', 'one', 'uploaded', 5000);
    await world.clock.advance(hourMs + 1000);
    world.disk.write('/tray/a.txt', 'two!');
    await world.clock.advance(1000);
    expect(world.row('a.txt').state.kind).toBe('uploaded');
    expect(world.service.stored).toHaveLength(2);
  });
});
