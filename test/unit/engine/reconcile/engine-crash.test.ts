// The process is killed just before and just after every one of its commits, and another one starts on what is
// left. Whatever the moment: the file ends uploaded, and the service has it once.
import { isDeep } from '../../../support/deep.ts';
import { describe, expect, test } from 'vitest';
import type { UploadFault } from '../../../support/fake-service.ts';
import { hourMs, started, type World } from '../../../support/fake-world.ts';

const ways: [string, UploadFault | null, (world: World) => void][] = [
  ['a plain upload', null, () => undefined],
  ['an upload whose answer is lost', 'answer-lost', () => undefined],
  ['an upload whose tail is lost', 'tail-lost', () => undefined],
  ['an upload cut off before its tail', 'cut-before-tail', () => undefined],
  ['an upload refused for its rate', { code: 'rate', status: 429 }, () => undefined],
  [
    'an upload refused after its tail',
    { code: 'key-refused', status: 401, afterTail: true },
    () => undefined,
  ],
  ['an upload that meets a limit', { code: 'limit', status: 403 }, () => undefined],
  [
    'an upload whose file changes meanwhile',
    null,
    (world) => {
      const first = world.service.api.upload;
      world.service.api.upload = async (request) => {
        world.service.api.upload = first;
        return await first({
          ...request,
          beforeTail: async () => {
            world.disk.write('/tray/a.txt', 'the newest content');
            await request.beforeTail();
          },
        });
      };
    },
  ],
];

/** Runs the scenario with a kill at that commit. `wasKilled`: whether the process reached that commit. */
const play = async (
  [, fault, prepare]: (typeof ways)[number],
  kill: { commit: number; when: 'before' | 'after' } | null,
): Promise<{ world: World; wasKilled: boolean; commits: number }> => {
  const { world, run } = await started();
  await world.clock.advance(1000);
  if (fault !== null) world.service.faults.push(fault);
  prepare(world);
  const before = run.life.commits();
  if (kill !== null) run.life.killAt(kill.commit, kill.when);
  world.disk.write('/tray/a.txt', 'the content');
  await world.clock.advance(20 * 60_000);
  const wasKilled = run.life.isOver();
  const commits = run.life.commits() - before;
  if (wasKilled) {
    await world.start();
    await world.clock.advance(2 * hourMs);
  }
  return { world, wasKilled, commits };
};

describe.each(ways)('%s', (...way) => {
  test('ends as exactly one file on the service, whenever the process is killed', async () => {
    const { commits } = await play(way, null);
    expect(commits).toBeGreaterThan(5);
    for (let commit = 1; commit <= commits; commit += isDeep ? 1 : 8) {
      for (const when of ['before', 'after'] as const) {
        const at = `killed ${when} commit ${commit}`;
        const { world, wasKilled } = await play(way, { commit, when });
        expect(wasKilled, at).toBe(true);
        expect(world.row('a.txt').state.kind, at).toBe('uploaded');
        const text = world.disk.text('/tray/a.txt');
        expect(
          world.service.stored.map((file) => file.bytes.toString()),
          at,
        ).toEqual([text]);
        expect(world.row('a.txt').fileId, at).toBe(world.service.stored[0]?.fileId);
        expect(world.ledger.attempts.open(), at).toEqual([]);
      }
    }
  });
});
