// The last moment before a file exists on the service, and the first one after it: what is checked again, what is
// recorded, and which answer is accepted.
import { expect, test } from 'vitest';
import { minuteMs, share, started } from '../../../support/fake-world.ts';

test('a file that changes behind the last sent piece is not sent to its end', async () => {
  const { world } = await started();
  const { open } = world.disk.files;
  world.disk.files.open = async (path, root) => {
    const file = await open(path, root);
    return {
      ...file,
      async sha256() {
        world.disk.files.open = open;
        world.disk.write('/tray/a.txt', 'the second version');
        return await file.sha256();
      },
    };
  };
  world.disk.write('/tray/a.txt', 'first version');
  await world.clock.advance(minuteMs);
  expect(world.service.stored.map((file) => file.bytes.toString())).toEqual(['the second version']);
});

test('of two files with the same content that are sent together, the slower one gets the link of the first', async () => {
  const { world } = await started();
  const { upload } = world.service.api;
  world.service.api.upload = async (request) => {
    if (request.sentName === 'b.txt') await new Promise<void>((next) => world.clock.after(1000, next));
    return await upload(request);
  };
  world.disk.write('/tray/a.txt', 'the content');
  world.disk.write('/tray/b.txt', 'the content');
  await world.clock.advance(minuteMs);
  expect(world.service.namesOf()).toEqual(['a.txt']);
  expect(world.row('b.txt').state).toEqual({ kind: 'skipped', rule: 'already-shared' });
});

test('an answer with the name of another upload under way is rejected', async () => {
  const { world } = await started();
  world.service.addForeign('b.txt', 'somebody else’s');
  world.service.faults.push({ receipt: { file_id: 1001, filename: 'b.txt' } });
  world.disk.write('/tray/a.txt', 'first content');
  world.disk.write('/tray/b.txt', 'another content');
  await world.until('a.txt', 'uncertain');
  expect(world.ledger.uploads.byFileId(1001)).toBeNull();
  const row = await world.until('a.txt', 'uploaded', minuteMs);
  expect(row.fileId).toBe(world.service.stored.find((file) => file.name === 'a.txt')?.fileId);
});

test('an answer with the name of another upload that has its link is rejected', async () => {
  const { world } = await started();
  await share(world, 'b.txt', 'another content');
  // The service has the file twice, and answers with the one that no list has shown yet.
  const { fileId: foreignId } = world.service.addForeign('b.txt', 'another content');
  world.service.faults.push({ receipt: { file_id: foreignId, filename: 'b.txt' } });
  world.disk.write('/tray/a.txt', 'content of a...');
  await world.until('a.txt', 'uncertain');
  const row = await world.until('a.txt', 'uploaded', minuteMs);
  expect(row.fileId).toBe(world.service.stored.find((file) => file.name === 'a.txt')?.fileId);
});

test('an answer with the id of another upload under way is rejected', async () => {
  const { world, run } = await started();
  world.service.addForeign('filler', 'x');
  // The second one begins before the first one's id is known, and is answered with it.
  world.service.faults.push({ receipt: {} }, { receipt: { file_id: 1002 } });
  world.disk.write('/tray/a.txt', 'first content');
  await world.put('b.txt', 'another content', 'uncertain');
  expect(world.row('a.txt')).toMatchObject({ state: { kind: 'uploaded' }, fileId: 1002 });
  const [attempt] = world.ledger.attempts.ofUpload(world.row('b.txt').id);
  expect(attempt).toMatchObject({
    outcome: 'uncertain',
    evidence: 'unusable-answer: The service answered with the id of another upload.',
  });
  expect(run.engine.status().gate).toEqual({ kind: 'open' });
  const row = await world.until('b.txt', 'uploaded', minuteMs);
  expect(row.fileId).toBe(1003);
});
