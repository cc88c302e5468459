// The base address changes while the ledger holds links: on another service, the same ids belong to other files.
import { expect, test } from 'vitest';
import { createWorld, share } from '../../../support/fake-world.ts';

const elsewhere = 'https://elsewhere.example/api/v1';

test('nothing is sent to a service other than the one whose links the ledger holds, and nothing is deleted there', async () => {
  const world = createWorld();
  const first = await world.start();
  const one = await world.put('one.txt', 'content one', 'uploaded');
  await first.stop();
  // Another service: our ids mean nothing there.
  world.service.stored.length = 0;
  await world.settings.set('baseUrl', elsewhere);
  const second = await world.start();
  world.disk.write('/tray/two.txt', 'content two');
  await world.clock.advance(60_000);
  expect(world.service.stored).toEqual([]);
  expect(second.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'key' });
  expect(await second.call('files.delete', { fileIds: [one.fileId ?? 0] })).toMatchObject([
    { deleted: false, goesOn: true, error: { code: 'unknown-key' } },
  ]);
  expect(world.row('one.txt').state).toMatchObject({ kind: 'recalling' });
  expect(world.service.count('remove')).toBe(0);
});

test('a service that merely has a new address is used as before', async () => {
  const world = createWorld();
  const first = await world.start();
  await share(world, 'one.txt', 'content one');
  await first.stop();
  await world.settings.set('baseUrl', elsewhere);
  await world.start();
  await share(world, 'two.txt', 'content two');
});
