// The rate windows: each model by itself, then over HTTP.
import { describe, expect, it } from 'vitest';
import { createWindow, windowModels } from '../windows.ts';
import { advance, ask, service, start, upload } from './rig.ts';

describe('the windows', () => {
  const minute = 60_000;
  const make = (model: (typeof windowModels)[number], limit = 50) => {
    const window = createWindow({ model, limit, widthMs: minute, phaseMs: 0 });
    return (atMs: number) => {
      const hasRoom = window.hasRoom(atMs);
      if (hasRoom) window.count(atMs);
      else window.refuse(atMs);
      return hasRoom;
    };
  };
  const fill = (take: (atMs: number) => boolean, atMs: number) => {
    let taken = 0;
    for (let tries = 0; tries < 200; tries += 1) taken += take(atMs) ? 1 : 0;
    return taken;
  };

  it('fixed: a full allowance on both sides of the border', () => {
    const take = make('fixed');
    expect([fill(take, minute - 1), fill(take, minute), fill(take, minute + 1)]).toEqual([50, 50, 0]);
  });

  it('sliding: again only when a minute has passed', () => {
    const take = make('sliding');
    expect([fill(take, 0), fill(take, minute - 1), fill(take, minute)]).toEqual([50, 0, 50]);
  });

  it('sliding with rejects: knocking keeps the door shut', () => {
    const take = make('sliding-with-rejects');
    expect([fill(take, 0), fill(take, minute - 1), fill(take, minute), fill(take, 3 * minute)]).toEqual([
      50, 0, 0, 50,
    ]);
  });

  it('bucket: refills by the second, up to its size', () => {
    expect(((take) => [fill(take, 0), fill(take, 6000), fill(take, 600_000)])(make('bucket'))).toEqual([
      50, 5, 50,
    ]);
    expect(((take) => [fill(take, 0), fill(take, 6000), fill(take, 600_000)])(make('bucket10'))).toEqual([
      10, 5, 10,
    ]);
  });

  it('two buckets: the last minute counts by its share', () => {
    const take = make('two-bucket');
    expect([fill(take, minute - 1), fill(take, minute), fill(take, 1.5 * minute)]).toEqual([50, 0, 25]);
  });

  it.each(windowModels)('%s: says how long to wait, neither too long nor too short', (model) => {
    const window = createWindow({ model, limit: 3, widthMs: minute, phaseMs: 0 });
    for (let atMs = 1000; window.hasRoom(atMs); atMs += 10) window.count(atMs);
    const waitMs = window.waitMs(1050);
    expect(waitMs).toBeGreaterThan(0);
    expect(window.hasRoom(1050 + waitMs - 5)).toBe(false);
    expect(window.hasRoom(1050 + waitMs + 1)).toBe(true);
  });

  it('refuse the 51st request of a minute by 429, in the time of the given clock', async () => {
    await start({ retryAfter: 'seconds' });
    for (let count = 0; count < 50; count += 1) expect((await ask('/stats')).status).toBe(200);
    advance(20_000);
    const refused = await ask('/stats');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
    expect([service.violations(), service.busiest(minute)]).toEqual([1, 51]);
    advance(40_000);
    expect((await ask('/stats')).status).toBe(200);
    expect(service.busiest(minute)).toBe(51);
  });

  it.each([
    ['all', [200, 429, 429]],
    ['uploads', [200, 200, 429]],
    ['accepted', [200, 200, 429]],
  ] as const)('count %s', async (counted, statuses) => {
    await start({ requestsPerMinute: 1, counted });
    const first = counted === 'accepted' ? '/files/1' : '/stats';
    const got = [(await ask(first)).status, (await upload('a', 'x')).status, (await upload('b', 'x')).status];
    expect(got).toEqual(counted === 'accepted' ? [404, ...statuses.slice(1)] : statuses);
  });

  it('hold for the day too', async () => {
    await start({ requestsPerDay: 2, retryAfter: 'date' });
    await ask('/stats');
    await ask('/stats');
    const refused = await ask('/stats');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      429,
      'Sun, 01 Feb 2026 00:00:00 GMT',
    ]);
    service.tick(minute);
    expect((await ask('/stats')).status).toBe(200);
  });
});
