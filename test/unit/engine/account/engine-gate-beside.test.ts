// What a process beside the running engine reports about the engine's gate.
import { expect, test } from 'vitest';
import type { ErrorCode } from '../../../../src-main/contract/errors.ts';
import { hourMs, minuteMs, started } from '../../../support/fake-world.ts';

type Refusal = { code: ErrorCode; status?: number };

const closed = async (refusal: Refusal) => {
  const { world, run } = await started();
  world.service.refuse = refusal;
  world.disk.write('/tray/a.txt', 'a');
  await world.clock.runUntil(() => run.engine.status().gate.kind === 'closed', minuteMs);
  return { world, run, guest: world.make('guest:1') };
};

test.each<[Refusal, why: string]>([
  [{ code: 'plan', status: 403 }, 'Waiting: the plan of the account does not include the API.'],
  [{ code: 'key-refused', status: 401 }, 'Waiting: the service does not accept the API key.'],
  [{ code: 'moved', status: 302 }, 'Waiting: the base address does not lead to the service.'],
  [{ code: 'wrong-address', status: 404 }, 'Waiting: the base address does not lead to the service.'],
  [{ code: 'intercepted', status: 200 }, 'Waiting: the service has problems. Outtray tries again by itself.'],
  [
    { code: 'unusable-answer', status: 502 },
    'Waiting: the service has problems. Outtray tries again by itself.',
  ],
  [{ code: 'offline' }, 'Waiting: the service cannot be reached.'],
])(
  'status, queue and why in another process report that %j has closed the gate, and give no time',
  async (...given) => {
    const [refusal, why] = given;
    const { world, run, guest } = await closed(refusal);
    const { gate } = run.engine.status();
    expect(guest.engine.status()).toMatchObject({ gate, doneAtMs: null, nextSlotAtMs: null, limit: null });
    const queue = await guest.call('queue.get', { limit: 10 });
    expect(queue.waiting).toMatchObject([{ state: { kind: 'ready' }, expectedAtMs: null }]);
    const { sentence } = await guest.call('file.why', { path: '/tray/a.txt' });
    expect(sentence).toBe(why);
    expect(world.service.count('upload')).toBe(0);
  },
);

test('another process reports each later closing with its own time, even for the same reason', async () => {
  const { world, run, guest } = await closed({ code: 'plan', status: 403 });
  await world.clock.advance(4 * hourMs);
  const { gate } = run.engine.status();
  expect(gate).toMatchObject({ reason: 'plan' });
  expect(gate.kind === 'closed' && gate.untilMs).toBeGreaterThan(world.clock.wallMs());
  expect(guest.engine.status().gate).toEqual(gate);
});

test('another process reports the gate as open as soon as an upload succeeds', async () => {
  const { world, guest } = await closed({ code: 'offline' });
  expect(guest.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'network' });
  world.service.refuse = null;
  await world.until('a.txt', 'uploaded', 5 * minuteMs);
  expect(guest.engine.status().gate).toEqual({ kind: 'open' });
});

test('a gate that a process recorded before it ended is probed at the next start', async () => {
  const { world, run, guest } = await closed({ code: 'key-refused', status: 401 });
  expect(guest.engine.status().gate).toMatchObject({ kind: 'closed', reason: 'key' });
  run.life.kill();
  expect(guest.engine.status().gate).toEqual({ kind: 'open' });
  world.service.refuse = null;
  await world.start();
  await world.until('a.txt', 'uploaded', 5 * minuteMs);
  expect(guest.engine.status().gate).toEqual({ kind: 'open' });
  expect(world.ledger.facts.get('closed-all')).toBeNull();
});

test('a process beside the engine does not record a gate of its own', async () => {
  const { world, guest } = await closed({ code: 'plan', status: 403 });
  const told = world.ledger.facts.get('closed-all');
  await guest.call('stats.get', { refresh: true }).catch(() => null);
  expect(world.ledger.facts.get('closed-all')).toEqual(told);
});
