// Work with spare requests (followed links, links that are read back) delays no upload of the user by
// more than one permit. The same seed runs three times: without all of it, with it, and without it and with one more request
// just before files arrive, which is what one permit may cost. OUTTRAY_SEEDS=300 runs more seeds.
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { isDeep } from '../../../support/deep.ts';
import { expect, test } from 'vitest';
import { limitsOf } from '../../../../src-main/engine/limiter/policy.ts';
import { begin, hourMs, minuteMs, share, type World } from '../../../support/fake-world.ts';
import { seeded } from '../../../support/limiter-models.ts';

/** A spare request may leave this long after a file arrives: until then no upload waits. */
const quietMs = 250;
/** Arrivals lie in this time. */
const spanMs = (isDeep ? 90 : 30) * minuteMs;
const seeds = Number(process.env['OUTTRAY_SEEDS'] ?? (isDeep ? 10 : 1));

type Arrival = { atMs: number; name: string; takesMs: number } | { atMs: number; name: null };
type Story = { perMinute: number; perDay: number; linkMs: number; arrivals: Arrival[] };

/** Bursts and single files, and a person who asks for the statistics now and then. */
const storyOf = (seed: number): Story => {
  const chance = seeded(seed);
  const pick = <T>(of: readonly [T, ...T[]]): T => of[Math.floor(chance() * of.length)] ?? of[0];
  const perDay = pick([5000, 5000, 300]);
  const slowMs = pick([100, 2000, 60_000]);
  const arrivals: Arrival[] = [];
  const bursts = 3 + Math.floor(chance() * 12);
  for (let burst = 0; burst < bursts; burst += 1) {
    const atMs = chance() * spanMs;
    const files = 1 + Math.floor(chance() ** 3 * 25);
    for (let i = 0; i < files; i += 1)
      arrivals.push({ atMs: atMs + chance() * 2000, name: `${burst}-${i}.txt`, takesMs: chance() * slowMs });
    if (chance() < 0.3) arrivals.push({ atMs: chance() * spanMs, name: null });
  }
  const linkMs = pick([0, 1000, 5 * minuteMs]);
  return {
    perMinute: pick([50, 50, 12, 5]),
    perDay,
    linkMs,
    // All of them and a fifth of the day for the background fit into the day.
    arrivals: arrivals.toSorted((a, b) => a.atMs - b.atMs).slice(0, 150),
  };
};

/** When each upload began, and how many spare requests were made. */
const run = async (seed: number, kind: 'plain' | 'spare' | 'one more') => {
  const isSpareUsed = kind === 'spare';
  const { perMinute, perDay, linkMs, arrivals } = storyOf(seed);
  const { world, run } = await begin({
    seed,
    settings: {
      requestsPerMinute: perMinute,
      requestsPerDay: perDay,
      verifyAfterUpload: isSpareUsed,
      followEveryMinutes: 1,
      burstFiles: 1000,
    },
  });
  const beganMs = new Map<string, number>();
  const takes = new Map(arrivals.map((one) => [one.name, one.name === null ? 0 : one.takesMs]));
  delayUploads(world, takes, beganMs);
  const files: { fileId: FileId }[] = [];
  for (let i = 0; i < 6; i += 1) {
    files.push({ fileId: await share(world, `old-${i}.txt`) });
    await world.clock.advance(minuteMs);
  }
  world.service.linkMs = linkMs;
  if (isSpareUsed) await run.client.call('files.follow', { files });
  const startMs = 2 * hourMs;
  await world.clock.advance(startMs - world.clock.monoMs());
  const reads = (): number => world.service.linkReads.length + world.service.count('info');
  let lastMs = -Infinity;
  for (const { atMs, name } of arrivals) {
    await world.clock.advance(startMs + atMs - world.clock.monoMs());
    if (kind === 'one more' && atMs > lastMs + minuteMs) {
      run.client.call('stats.get', { refresh: true }).catch(() => undefined);
      lastMs = atMs;
    }
    if (name === null) run.client.call('stats.get', { refresh: true }).catch(() => undefined);
    else world.disk.write(`/tray/${name}`, name);
  }
  const names = arrivals.flatMap(({ name }) => name ?? []);
  await world.clock.runUntil(() => names.every((name) => beganMs.has(name)), 4 * hourMs);
  return { names, beganMs, spare: reads() };
};

const delayUploads = (
  { clock, service }: World,
  takes: ReadonlyMap<string | null, number>,
  beganMs: Map<string, number>,
): void => {
  const { upload } = service.api;
  service.api.upload = async (request) => {
    beganMs.set(request.sentName, clock.monoMs());
    await new Promise<void>((next) => clock.after(takes.get(request.sentName) ?? 0, next));
    return await upload(request);
  };
};

test.each(Array.from({ length: seeds }, (_, i) => i + 1))(
  'no upload is delayed by more than one permit (seed %i)',
  { timeout: 300_000 },
  async (seed) => {
    const { perMinute, perDay } = storyOf(seed);
    const plain = await run(seed, 'plain');
    const oneMore = await run(seed, 'one more');
    const all = await run(seed, 'spare');
    expect(plain.spare).toBe(0);
    expect(all.spare).toBeGreaterThan(10);
    const slotMs = minuteMs / limitsOf({ perMinute, perDay, share: 1, dailyUploads: null }).pace;
    const began = (of: typeof all, name: string): number => of.beganMs.get(name) ?? Infinity;
    const late = all.names.filter(
      (name) => began(all, name) > Math.max(began(plain, name) + slotMs, began(oneMore, name)) + quietMs,
    );
    if (process.env['OUTTRAY_SEEDS'] !== undefined) {
      const most = Math.max(...all.names.map((name) => began(all, name) - began(plain, name)));
      console.log(
        `seed ${seed}: ${all.names.length} uploads, ${all.spare} spare, latest ${Math.round(most)} ms of ${Math.round(slotMs)}`,
      );
    }
    expect(late).toEqual([]);
  },
);
