// What a look beside discovery has found holds only as far as nothing has changed when it is taken.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { hourMs, minuteMs, type World } from '../../../support/fake-world.ts';
import { several } from '../../../support/several-folders.ts';

const existing: [string, string][] = [
  ['/b/old-a.bin', 'ours'],
  ['/b/old-b.bin', 'more'],
];
const writeExisting = ({ disk }: World): void => {
  for (const [path, content] of existing) disk.write(path, content);
};

test.each([
  ['once', 0],
  ['for a minute', minuteMs],
])('a new file does not fail because the ledger fails %s while another one is noted', async (_, forMs) => {
  const { world } = await several({}, writeExisting);
  const { update } = world.ledger.uploads;
  const ids = new Set(existing.map(([path]) => world.row(path.slice(3)).id));
  let failed = 0;
  const fromMs = world.clock.monoMs();
  world.ledger.uploads.update = (id, ...rest) => {
    if (!ids.has(id) || (failed > 0 && world.clock.monoMs() - fromMs >= forMs)) return update(id, ...rest);
    failed += 1;
    throw new AppError('disk', 'The disk is full.', '', { storage: 'full' });
  };
  world.disk.write('/b/copy.bin', 'ours');
  world.disk.write('/b/new.bin', 'news');
  await world.clock.advance(hourMs);
  expect(failed).toBeGreaterThan(0);
  expect(world.row('copy.bin').state).toEqual({ kind: 'skipped', rule: 'existing' });
  expect(world.service.namesOf()).toEqual(['new.bin']);
});

test('a copy of a pre-existing file that is given by path while the result of its look waits is uploaded', async () => {
  const { world, run } = await several({}, writeExisting);
  const { open, look } = world.disk.files;
  const readAtMs = world.clock.monoMs() + 10_000;
  world.disk.files.open = async (path, root) => {
    const waitMs = readAtMs - world.clock.monoMs();
    if (path.startsWith('/b/old-') && waitMs > 0)
      await new Promise<void>((opened) => void world.clock.after(waitMs, opened));
    return await open(path, root);
  };
  world.disk.write('/b/a.bin', 'ours');
  world.disk.write('/b/b.bin', 'more');
  await world.clock.advance(5000);
  // The first result that is taken is decided slowly. Meanwhile the other file is given.
  let given = '';
  world.disk.files.look = async (path) => {
    const decided = /^\/b\/([ab])\.bin\./.exec(path)?.[1];
    if (given === '' && decided !== undefined) {
      given = decided === 'a' ? 'b.bin' : 'a.bin';
      void run.client.call('files.upload', { paths: [`/b/${given}`] });
      await new Promise<void>((looked) => void world.clock.after(50, looked));
    }
    return await look(path);
  };
  await world.clock.advance(minuteMs);
  expect(world.rows().map(({ name, state }) => [name, state.kind])).toContainEqual([given, 'uploaded']);
  expect(world.service.namesOf()).toEqual([given]);
});
