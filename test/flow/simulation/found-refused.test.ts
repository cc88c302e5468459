// What the simulation has found about refusals that concern everybody.
import { expect, test } from 'vitest';
import { minuteMs, share, started } from '../../support/fake-world.ts';

test('statistics that are refused as well begin the interval anew: one probe a quarter of an hour', async () => {
  const { world, run } = await started();
  await share(world, 'first.txt', 'first');
  // Two on their way at once: one is sent to another address, the other one meets a limit a moment later.
  const wayMs = 5000;
  world.service.latencyMs = wayMs;
  world.service.faults.push({ code: 'moved', status: 302 }, { code: 'limit', status: 403 });
  world.disk.write('/tray/a.txt', 'a');
  world.disk.write('/tray/b.txt', 'b');
  const isClosedFor = (reason: string) => () => {
    const { gate } = run.engine.status();
    return gate.kind === 'closed' && gate.reason === reason;
  };
  await world.clock.runUntil(() => world.service.count('upload') === 3, minuteMs);
  world.service.refuse = { code: 'moved', status: 302 };
  // The statistics are asked why there is a limit. What closes all requests is shown before what closes only uploads.
  await world.clock.runUntil(isClosedFor('moved'), minuteMs);
  await world.clock.runUntil(() => world.service.count('stats') === 2, minuteMs);
  expect(world.ledger.facts.get('closed-uploads')?.value.reason).toBe('limit');
  const asked = world.service.requests.length;
  await world.clock.advance(40 * minuteMs);
  // When each arrived, which is when it was refused.
  const times = world.service.requests.slice(asked - 1).map(({ atMs }) => atMs);
  expect(times.length).toBeGreaterThan(2);
  for (const [at, atMs] of times.slice(1).entries())
    expect(atMs - wayMs - (times[at] ?? 0)).toBeGreaterThanOrEqual(15 * minuteMs);
});
