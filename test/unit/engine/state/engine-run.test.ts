// The files of a run: the counts of every progress display, whatever happens to the files.
import { expect, test } from 'vitest';
import type { Work } from '../../../../src-main/contract/model.ts';
import { hourMs, minuteMs, share, started, type World } from '../../../support/fake-world.ts';

const workOf = (world: World): Work => world.running().engine.status().work;
const sumOf = ({ ready, uploading, waiting, needYou, leftOut }: Work): number =>
  ready + uploading + waiting + needYou + leftOut;

test('for sixty files including a secret, the parts always add up to the total, which never falls', async () => {
  const { world } = await started();
  const seen: Work[] = [];
  world.running().engine.listen((change) => {
    if (change.kind === 'status') seen.push(workOf(world));
  });
  for (let at = 0; at < 59; at += 1) world.disk.write(`/tray/frame ${at}.txt`, `frame ${at}`);
  world.disk.write('/tray/.env', 'a=1');
  await world.clock.advance(hourMs);
  const { ready, needYou, total } = workOf(world);
  expect([ready + needYou, total]).toEqual([total, total]);
  expect(seen.length).toBeGreaterThan(30);
  for (const [at, work] of seen.entries()) {
    expect(sumOf(work)).toBe(work.total);
    expect(work.total).toBeGreaterThanOrEqual(seen[at - 1]?.total ?? 0);
  }
});

test('a run begins when a file arrives while none is uploaded; open questions belong to it, before and after their answer', async () => {
  const { world, run } = await started();
  for (const name of ['one.txt', 'two.txt']) await share(world, name, name);
  world.disk.write('/tray/.env.txt', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n');
  const held = await world.until('.env.txt', 'held');
  await world.clock.advance(minuteMs);
  await share(world, 'three.txt', 'three');
  expect(workOf(world)).toMatchObject({ ready: 1, needYou: 1, leftOut: 0, total: 2 });
  await run.call('queue.skip', { ids: [held.id] });
  expect(workOf(world)).toMatchObject({ ready: 1, needYou: 0, leftOut: 1, total: 2 });
  await run.call('queue.undo', {});
  expect(workOf(world)).toMatchObject({ ready: 1, needYou: 1, leftOut: 0, total: 2 });
});
