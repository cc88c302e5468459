// What is said of the link of a deleted file: what the newest look at it showed, the same at every door.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import {
  linkStateOf,
  type LinkLook,
  type LinkState,
} from '../../../../src-main/contract/files/taken-back.ts';
import { hourMs, minuteMs, share, type World } from '../../../support/fake-world.ts';
import { recall, shared, toldOf } from '../../../support/recalls.ts';

const shaOf = (content: string): string => createHash('sha256').update(content).digest('hex');

type Served = () => Promise<string | null>;
const fails =
  (...[code, message, status]: ['offline' | 'interrupted' | 'moved' | 'refused', string, number?]): Served =>
  () =>
    Promise.reject(new AppError(code, message, '', status === undefined ? {} : { status }));
const away = fails('offline', 'files.example.com refuses connections.');
const sent: Served = () => Promise.resolve(shaOf('content'));

test.each<[string, Served, LinkState, LinkLook?]>([
  [
    'a host that cannot be reached',
    away,
    'not-proven',
    { noAnswer: 'files.example.com refuses connections.' },
  ],
  ['a name that is not found', fails('offline', 'Not found.'), 'not-proven', { noAnswer: 'Not found.' }],
  ['no answer in time', fails('interrupted', 'Too late.'), 'not-proven', { noAnswer: 'Too late.' }],
  ['the file (200)', sent, 'answers', { answer: 'file' }],
  ['other bytes (200)', () => Promise.resolve(null), 'answers', { answer: 'other-bytes' }],
  ['a redirect to another host (302)', fails('moved', 'x', 302), 'answers', { answer: 302 }],
  ['an error of the server (500)', fails('interrupted', 'x', 500), 'answers', { answer: 500 }],
  ['a refusal (403)', fails('refused', 'x', 403), 'answers', { answer: 403 }],
  ['404', fails('refused', 'x', 404), 'dead'],
  ['410', fails('refused', 'x', 410), 'dead'],
])('after %s says of the link what its last look showed', async (_, serves, linkState, look) => {
  const { world, run, fileId } = await shared();
  const { id } = world.row('a.txt');
  world.service.api.digestOfLink = serves;
  const startMs = world.clock.wallMs();
  const [result] = await run.call('files.delete', { fileIds: [fileId] });
  expect(result).toMatchObject({ deleted: true, linkState, error: null });
  const dead = linkState === 'dead';
  expect(world.ledger.uploads.byId(id)?.state).toMatchObject({
    kind: 'recalled',
    dead,
    ...(look && { look }),
  });
  expect(toldOf(world).map(({ body }) => body)).toMatchObject([{ dead, ...(look && { look }) }]);
  if (dead) expect(result?.againAtMs).toBeUndefined();
  else expect(result?.againAtMs).toBeGreaterThan(startMs + 30_000);
  expect((await run.call('files.page', {})).rows.map((row) => row.linkState)).toEqual(
    dead ? [] : [linkState],
  );
  const { links } = await run.call('report.copies', { sha256: shaOf('content') });
  expect(links).toMatchObject([{ alive: dead ? false : null, linkState }]);
  const { findings } = await run.call('report.review', { oldDays: 90 });
  expect(findings.map(({ link }) => link?.linkState)).toEqual(dead ? [] : [linkState]);
});

test.each<[string, Served, Served, LinkState[]]>([
  ['nothing answered, and then the file was served', away, sent, ['not-proven', 'answers', 'dead']],
  ['the file was served, and then nothing answered', sent, away, ['answers', 'not-proven', 'dead']],
  ['nothing answered, time after time', away, away, ['not-proven', 'dead']],
])('reports the newest look where %s', async (_, first, then, states) => {
  const { world, run, fileId } = await shared();
  world.service.api.digestOfLink = first;
  await recall(run, fileId);
  world.service.api.digestOfLink = then;
  await world.clock.advance(5 * minuteMs);
  const newest = states.at(-2);
  expect((await run.call('files.page', {})).rows.map((row) => row.linkState)).toEqual([newest]);
  const [again] = await recall(run, fileId);
  expect(again?.recalled && linkStateOf(again.recalled)).toBe(newest);
  world.service.api.digestOfLink = fails('refused', 'x', 404);
  await world.clock.advance(hourMs);
  const told = toldOf(world).map(({ body }) => body.kind === 'recalled' && linkStateOf(body));
  // The second recall of the person is answered, too.
  expect(told.filter((state, at) => state !== told[at - 1])).toEqual(states);
  expect(told).toHaveLength(states.length + 1);
});

test.each<[string, (world: World) => void]>([
  [
    'its id cannot be asked',
    ({ service }) => {
      service.api.info = () => Promise.reject(new AppError('offline', 'No network.', ''));
    },
  ],
  [
    'the service refuses to delete it',
    ({ service }) => {
      for (const one of service.stored) one.deleted = false;
      service.api.remove = () => Promise.reject(new AppError('refused', 'No.', '', { status: 409 }));
    },
  ],
])('a second recall says why it failed: %s', async (_, fail) => {
  const { world, run, fileId } = await shared();
  world.service.api.digestOfLink = away;
  await recall(run, fileId);
  fail(world);
  const [again] = await recall(run, fileId);
  expect(again).toMatchObject({ recalled: null, error: { message: expect.any(String) as string } });
});

test.each<[string, (world: World) => void, (world: World) => void]>([
  [
    'the service refuses to delete it',
    ({ service }) => {
      service.api.remove = () => Promise.reject(new AppError('refused', 'No.', '', { status: 409 }));
    },
    () => undefined,
  ],
  [
    'the service cannot be reached',
    ({ service }) => {
      service.refuse = { code: 'offline' };
    },
    ({ service }) => {
      service.refuse = null;
    },
  ],
  [
    'its link cannot be asked',
    ({ service }) => {
      service.api.digestOfLink = away;
    },
    ({ service }) => {
      service.api.digestOfLink = fails('refused', 'x', 404);
    },
  ],
])('a recall is counted and named for review until its link is dead: %s', async (_, fail, mend) => {
  const { world, run, fileId } = await shared();
  await share(world, 'b.txt', 'still public');
  const { remove } = world.service.api;
  expect(run.engine.status().openRecalls).toBe(0);
  fail(world);
  await recall(run, fileId);
  expect(run.engine.status().openRecalls).toBe(1);
  const review = () => run.call('report.review', { oldDays: 90 });
  expect(await review()).toMatchObject({
    counts: { dead: 1 },
    findings: [{ kind: 'dead', link: { fileId, linkState: 'not-proven' }, remedy: { do: 'recall' } }],
  });
  world.service.api.remove = remove;
  mend(world);
  await world.clock.advance(25 * hourMs);
  expect(run.engine.status().openRecalls).toBe(0);
  expect((await review()).counts.dead).toBe(0);
});
