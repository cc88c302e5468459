// A file that is written through a mapping: changes cause no event, but its open writer is visible.
import { expect, test } from 'vitest';
import { begin } from '../../../support/fake-world.ts';

const pieces = ['one ', 'two ', 'three ', 'four '];

test.each([200, 240, 260, 400, 700])(
  'a file that changes every %d ms without an event is complete when uploaded, soon after it is closed',
  async (everyMs) => {
    const { world } = await begin();
    world.disk.write('/tray/a.bin', '');
    const close = world.disk.holdOpen('/tray/a.bin');
    await world.clock.advance(30);
    world.disk.hints(false);
    for (const piece of pieces) {
      world.disk.append('/tray/a.bin', piece);
      await world.clock.advance(everyMs);
    }
    expect(world.row('a.bin').state.kind).toBe('settling');
    close();
    const closedAtMs = world.clock.monoMs();
    await world.until('a.bin', 'uploaded');
    // Its quiet period began at the last piece. A quarter of it passes before that is seen, 60 ms between two checks
    // at first, twice that at the second one.
    expect(world.clock.monoMs() - closedAtMs).toBeLessThanOrEqual(Math.max(0, 315 - everyMs) + 240);
    expect(world.service.stored.map((file) => file.bytes.toString())).toEqual([pieces.join('')]);
  },
);

test('a file whose quiet period ends during the writer check of other files gets its own check before it is uploaded', async () => {
  const { world } = await begin();
  const { openForWriting } = world.disk.files;
  world.disk.files.openForWriting = async (paths) => {
    const writers = await openForWriting(paths);
    await new Promise<void>((resolve) => world.clock.after(100, resolve));
    return writers;
  };
  world.disk.write('/tray/a.bin', '');
  world.disk.holdOpen('/tray/a.bin');
  await world.clock.advance(30);
  for (let step = 0; step < 60; step += 1) {
    world.disk.write(`/tray/${step}.txt`, `${step}`);
    world.disk.hints(false);
    if (step % 15 === 0) world.disk.append('/tray/a.bin', 'piece ');
    world.disk.hints(true);
    await world.clock.advance(37);
    expect(world.row('a.bin').state.kind).toBe('settling');
  }
});
