// A file that an older copy of the ledger may have uploaded: what a person decides about it.
import { describe, expect, test } from 'vitest';
import { begin, hourMs } from '../../../support/fake-world.ts';

describe('a file that an older ledger may have uploaded', () => {
  test('is left out by a skip, and its copy stays', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('server.key', 'content', 'held');
    world.ledger.uploads.update(id, { state: { kind: 'held', reason: 'maybe-uploaded' } }, 0);
    world.service.addForeign('server.key', 'content');
    await run.call('queue.skip', { ids: [id] });
    await world.clock.advance(24 * hourMs);
    expect(world.service.count('remove')).toBe(0);
    expect(world.row('server.key').state).toEqual({ kind: 'skipped', rule: 'cancelled' });
  });

  test('keeps its content back again when a retry opens the question again', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('server.key', 'content', 'held');
    const { sha256 } = world.service.addForeign('server.key', 'content');
    world.ledger.uploads.update(id, { sha256, state: { kind: 'held', reason: 'maybe-uploaded' } }, 0);
    world.service.linksBroken = true;
    await run.call('files.recall', { files: [{ queueId: id }] });
    await run.call('queue.retry', { ids: [id] });
    world.disk.write('/tray/copy.txt', 'content');
    await world.clock.advance(hourMs);
    expect(world.row('server.key').state).toEqual({ kind: 'held', reason: 'maybe-uploaded' });
    expect(world.service.count('upload')).toBe(0);
  });

  test('is looked for and deleted when a person takes it back', async () => {
    const { world, run } = await begin();
    const { id } = await world.put('server.key', 'content', 'held');
    const { sha256 } = world.service.addForeign('server.key', 'content');
    world.ledger.uploads.update(id, { sha256, state: { kind: 'held', reason: 'maybe-uploaded' } }, 0);
    await run.call('files.recall', { files: [{ queueId: id }] });
    await world.clock.advance(hourMs);
    expect(world.service.stored.every(({ deleted }) => deleted)).toBe(true);
  });
});
