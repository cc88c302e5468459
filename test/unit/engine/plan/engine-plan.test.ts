// A plan agrees with the run: on random folders, file by file, and about when a long queue is done.
import { isDeep } from '../../../support/deep.ts';
import { expect, test } from 'vitest';
import type { PlanEnd, PlannedFile } from '../../../../src-main/contract/answers.ts';
import type { UploadState } from '../../../../src-main/contract/model.ts';
import {
  createWorld,
  dayMs,
  hourMs,
  minuteMs,
  started,
  type Running,
  type World,
} from '../../../support/fake-world.ts';
import { seeded } from '../../../support/limiter-models.ts';

type Plan = { files: PlannedFile[]; end: PlanEnd };

const planOf = async (run: Running, paths: string[]): Promise<Plan> => {
  let answer = await run.call('files.plan', { paths });
  const files = [...answer.files];
  while (answer.next !== null) {
    answer = await run.call('files.plan', { next: answer.next });
    files.push(...answer.files);
  }
  if (answer.end === null) throw new Error('The plan has no end.');
  return { files, end: answer.end };
};

const verdictOf = (state: UploadState): string => {
  switch (state.kind) {
    case 'uploaded':
      return 'upload';
    case 'held':
      return `held ${state.reason}`;
    case 'skipped':
      return `skipped ${state.rule}`;
    case 'failed':
      return `failed ${state.code}`;
    default:
      return state.kind;
  }
};
const told = ({ verdict, why }: PlannedFile): string => (why === null ? verdict : `${verdict} ${why}`);

/**
 * A folder with something of everything, by chance. No two new files have the same content: whether the second one shares the
 * link of the first depends on how soon the first is up, and a plan counts both.
 */
const fill = (world: World, seed: number, root: string, shared: readonly string[]): void => {
  const { disk } = world;
  const chance = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const names = ['a.txt', '.hidden', '.env', 'id_rsa', 'x.tmp', 'big.part', 'note.md', 'photo.raw', 'y.exe'];
  const dirs = [root, `${root}/sub`, `${root}/.git`, `${root}/sub/deep`];
  for (const dir of dirs) disk.make(dir, 'folder');
  const files = 1 + Math.floor(chance() * 60);
  for (let n = 0; n < files; n += 1) {
    const path = `${pick(dirs)}/${chance() < 0.4 ? pick(names) : `file ${n}.bin`}`;
    if (disk.text(path) !== null) continue;
    const kind = chance();
    if (kind < 0.06) disk.make(path, 'link');
    else if (kind < 0.1) disk.make(path, 'special');
    else if (kind < 0.18) disk.write(path, '');
    else if (kind < 0.28) disk.write(path, pick(shared));
    else if (kind < 0.34) disk.write(path, `secret ${n}`);
    else disk.write(path, `content ${seed} ${n} ${'x'.repeat(Math.floor(chance() * 200))}`);
    if (chance() < 0.04) disk.markOnlineOnly(path);
  }
};

/** The checks that the preview of a folder leaves to the plan: it inspects and compares no file. */
const notPreviewed = ['already-shared', 'secret-content', 'location', 'burst'];

/** Files on which the preview of this folder differs from the plan. */
const otherwise = async (run: Running, folder: string, files: readonly PlannedFile[]): Promise<string[]> => {
  const seen = await run.call('folder.inspect', { folder });
  const previewed = [...seen.goes.files, ...seen.held.files, ...seen.skipped.files];
  return previewed.flatMap(({ path, why }) => {
    const said = files.find((file) => file.path === path)?.why ?? null;
    // Given by path it is downloaded.
    if (why === 'online-only' && folder !== '/tray') return [];
    const same = why === null ? said === null || notPreviewed.includes(said) : said === reasonOf(why);
    return same ? [] : [`${path}: preview ${String(why)}, plan ${String(said)}`];
  });
};
const reasonOf = (why: string): string => (why === 'not-allowed' ? 'forbidden' : why);

const secondMs = 1000;
const seeds = [
  ...Array.from({ length: isDeep ? 150 : 3 }, (_, n) => n + 1),
  ...Array.from({ length: isDeep ? 150 : 3 }, () => Math.floor(performance.now() * 1e6) % 1e9),
].map((seed, n) => seed + n);

test('plan, preview and run agree on every file of random folders; the planned requests of a day are right, and the planned end within 10 %, or two seconds if it is near', async () => {
  for (const seed of seeds) {
    const chance = seeded(seed);
    const world = createWorld({
      settings: {
        includeHidden: chance() < 0.3,
        ignore: chance() < 0.3 ? ['*.md'] : [],
        forbiddenTypes: chance() < 0.4 ? ['exe'] : [],
        burstFiles: chance() < 0.2 ? 15 : 200,
        maxFileBytes: chance() < 0.2 ? 150 : null,
        requestsPerMinute: chance() < 0.5 ? 10 : null,
        requestsPerDay: chance() < 0.2 ? 40 : null,
        recursive: chance() < 0.9,
        graceSeconds: chance() < 0.2 ? 60 : 0,
      },
      seed,
    });
    world.service.stats = {
      ...world.service.stats,
      limits: { ...world.service.stats.limits, daily_uploads: chance() < 0.2 ? 20 : 100_000 },
    };
    const run = await world.start();
    const shared = ['shared one', 'shared two'];
    for (const [n, content] of shared.entries())
      await world.put(`earlier ${n}.txt`, content, 'uploaded', hourMs);
    const isScan = chance() < 0.6;
    // The earlier requests are out of the minute, for the plan as for the run.
    await world.clock.advance(2 * minuteMs);
    const root = isScan ? '/tray' : '/elsewhere';
    world.disk.hints(false);
    fill(world, seed, root, shared);
    const before = { rows: world.rows(), requests: world.service.requests.length };
    const { files, end } = await planOf(run, [root]);
    expect(await otherwise(run, root, files)).toEqual([]);
    expect({ rows: world.rows(), requests: world.service.requests.length }).toEqual(before);
    const startMs = world.clock.wallMs();
    const firstRequest = world.service.requests.length;
    if (isScan) await run.call('folder.scan', {});
    else {
      const paths = files
        .filter(
          ({ verdict, why }) =>
            !['hidden', 'ignored', 'partial', 'temporary', 'link', 'special', 'online-only'].includes(
              why ?? '',
            ) || verdict !== 'skipped',
        )
        .map(({ path }) => path);
      if (paths.length > 0) await run.call('files.upload', { paths });
    }
    const isOver = (): boolean =>
      run.engine.isStill() &&
      (['settling', 'ready', 'sending', 'committing', 'waiting'] as const).every(
        (kind) => world.ledger.uploads.countInState(kind) === 0,
      );
    await world.clock.runUntil(isOver, 5 * dayMs);
    const really = new Map(
      world
        .rows()
        .filter(({ present }) => present)
        .map((row) => [`${row.dir}/${row.name}`, row]),
    );
    const plannedNow = new Map(files.map((file) => [file.path, told(file)]));
    const differences = [...plannedNow].flatMap(([path, said]) => {
      const row = really.get(path);
      const was = before.rows.some((one) => one.id === row?.id && one.state.kind === 'uploaded');
      const did = row === undefined ? said : was ? 'skipped already-shared' : verdictOf(row.state);
      return did === said ? [] : [`seed ${seed}, ${path}: planned ${said}, was ${did}`];
    });
    expect(differences).toEqual([]);
    if (isScan)
      for (const [path] of really) if (path.startsWith('/tray')) expect(plannedNow.has(path)).toBe(true);
    const sent = world.service.requests.slice(firstRequest).length;
    const doneAtMs = Math.max(
      ...world
        .rows()
        .filter(({ uploadedAtMs }) => uploadedAtMs !== null && uploadedAtMs >= startMs)
        .map(({ uploadedAtMs }) => uploadedAtMs ?? 0),
    );
    if (end.finishesAtMs === null) expect({ seed, doneAtMs }).toEqual({ seed, doneAtMs: -Infinity });
    else {
      const offMs = Math.abs(end.finishesAtMs - doneAtMs);
      const tookMs = doneAtMs - startMs;
      // The service answers in no time here, and the forecast counts on one that takes a moment for each file.
      const mostMs = Math.max(2 * secondMs, 0.1 * tookMs);
      expect({ seed, offMs, isNear: offMs <= mostMs }).toEqual({ seed, offMs, isNear: true });
    }
    // After a day the account's limits are read again, which no plan counts.
    if (world.clock.wallMs() - startMs < dayMs - hourMs)
      expect({ seed, requests: end.requests }).toEqual({ seed, requests: sent });
    await run.stop();
  }
}, 300_000);

test.each(
  (isDeep ? [30, 120, 300] : [30]).flatMap((files) =>
    [100_000, 100].flatMap((daily) => [null, 80].map((perDay) => ({ files, daily, perDay }))),
  ),
)(
  '$files files with $daily uploads and $perDay requests a day end within 10 % of the forecast time',
  async ({ files, daily, perDay }) => {
    const world = createWorld({ settings: { burstFiles: 5000, requestsPerDay: perDay } });
    const { stats } = world.service;
    world.service.stats = { ...stats, limits: { ...stats.limits, daily_uploads: daily } };
    const run = await world.start();
    await world.put('earlier.txt', 'earlier', 'uploaded', hourMs);
    await world.clock.advance(minuteMs);
    world.disk.hints(false);
    for (let n = 0; n < files; n += 1) world.disk.write(`/tray/file ${n}`, `content ${n}`);
    await world.clock.advance(1000);
    const { end } = await planOf(run, ['/tray']);
    const startMs = world.clock.wallMs();
    await run.call('folder.scan', {});
    const uploaded = (): number => world.ledger.uploads.countInState('uploaded');
    await world.clock.runUntil(() => uploaded() === files + 1, 30 * dayMs);
    const tookMs = Math.max(...world.rows().map((row) => row.uploadedAtMs ?? 0)) - startMs;
    const saidMs = (end.finishesAtMs ?? 0) - startMs;
    expect(saidMs).toBeGreaterThan(0.9 * tookMs);
    expect(saidMs).toBeLessThan(1.1 * tookMs);
  },
);

test('the end of a burst, a pause and a dead path are reported', async () => {
  const { world, run } = await started({ settings: { burstFiles: 3 } });
  world.disk.hints(false);
  for (const n of [1, 2, 3, 4]) world.disk.write(`/tray/f${n}`, `content ${n}`);
  await world.clock.advance(1000);
  const { files, end } = await planOf(run, ['/tray']);
  expect(files.map(told)).toEqual(Array.from({ length: 4 }, () => 'held burst'));
  expect(end).toMatchObject({ requests: 0, finishesAtMs: null });
  world.disk.make('/other', 'folder');
  world.disk.write('/other/a', 'a');
  await run.call('queue.pause', { untilMs: null });
  expect((await planOf(run, ['/other'])).end).toMatchObject({ requests: 2, finishesAtMs: null });
  await run.call('queue.pause', { untilMs: world.clock.wallMs() + hourMs });
  const later = await planOf(run, ['/other/a']);
  expect(later.end.finishesAtMs).toBeGreaterThanOrEqual(world.clock.wallMs() + hourMs);
  await expect(run.call('files.plan', { paths: ['/none'] })).rejects.toMatchObject({ code: 'not-found' });
  await expect(run.call('files.plan', { next: 999 })).rejects.toMatchObject({ code: 'bad-use' });
});

test('a folder that cannot be read is reported as failed, and the rest is planned', async () => {
  const { world, run } = await started();
  world.disk.make('/other', 'folder');
  world.disk.write('/other/a', 'a');
  world.disk.make('/other/closed', 'folder');
  world.disk.write('/other/closed/b', 'b');
  world.disk.hide('/other/closed', true);
  const { files } = await planOf(run, ['/other']);
  expect(files.map((file) => [file.path, told(file)])).toEqual([
    ['/other/a', 'upload'],
    ['/other/closed', 'failed locked'],
  ]);
});
