// One file through the whole engine, in virtual time.
import { expect, test } from 'vitest';
import { started } from '../../support/fake-world.ts';

test('a new file is uploaded once and its link is in the ledger and in the feed', async () => {
  const { world, run } = await started();
  await world.clock.advance(1000);
  const row = await world.put('report.pdf', 'the numbers', 'uploaded');
  await world.clock.advance(3_600_000);
  const [stored] = world.service.stored;
  expect(world.service.stored).toHaveLength(1);
  expect(stored?.bytes.toString()).toBe('the numbers');
  expect(row).toMatchObject({ fileId: stored?.fileId, publicLink: stored?.link, sha256: stored?.sha256 });
  expect(run.entries().map((entry) => entry.body.kind)).toEqual(['queued', 'uploading', 'uploaded']);
});
