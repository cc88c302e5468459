// Links that are followed from the window: the calls to the engine, and what is shown of the answer.
import { expect, test } from 'vitest';
import { AppError, toWire } from '../../../src-main/contract/errors.ts';
import type { Reply } from '../../../src-main/contract/client.ts';
import type { FollowResult } from '../../../src-main/contract/answers.ts';
import { expireFiles, followFiles } from '../../../src-renderer/views/files/link-acts.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { row } from '../../support/window/seed.ts';

/** `reply`: the answer to `files.follow`; without it, that of the fake engine. */
const begin = async (reply?: Reply) => {
  const transport = createFakeTransport({ rows: [row(1, 'a.txt'), row(2, 'b.txt')] });
  const session = new Session({
    listen: transport.listen,
    call: async (name, input) =>
      reply === undefined || name !== 'files.follow' ? await transport.call(name, input) : reply,
  });
  await session.start();
  const asked = (name: string) => transport.calls.filter((call) => call.name === name);
  return { transport, session, rows: transport.seed.rows, asked };
};

test('the price is shown when a link is followed, and not when it is unfollowed', async () => {
  const { session, rows, asked, transport } = await begin();
  let readAgain = 0;
  session.onEntries(() => (readAgain += 1));
  await followFiles(session, rows.slice(0, 1), true);
  expect(readAgain).toBeGreaterThan(0);
  expect(asked('files.follow')).toMatchObject([{ input: { files: [{ fileId: 1 }] } }]);
  expect(transport.seed.rows.map(({ isFollowed }) => isFollowed)).toEqual([true, false]);
  expect(session.notice).toMatchObject({
    kind: 'done',
    text: 'You will hear about downloads of this link. One check every 15 min: about 96 of 5,000 requests a day for 1 followed link.',
  });
  await followFiles(session, rows, true);
  expect(session.notice).toMatchObject({
    text: 'You will hear about downloads of 2 links. 2 followed links, each checked every 15 min: about 192 of 5,000 requests a day.',
  });
  await followFiles(session, rows, false);
  expect(asked('files.unfollow')).toMatchObject([{ input: { files: [{ fileId: 1 }, { fileId: 2 }] } }]);
  expect(session.notice).toMatchObject({
    kind: 'done',
    text: 'You no longer hear about downloads of 2 links',
  });
});

test('more links than one call accepts are sent in several', async () => {
  const { session, asked } = await begin();
  const many = Array.from({ length: 4_001 }, (_, at) => row(at + 1, 'a.txt'));
  await followFiles(session, many, true);
  const inputs = asked('files.follow').map(({ input }) => Object(input) as { files: unknown[] });
  expect(inputs.map(({ files }) => files.length)).toEqual([2_000, 2_000, 1]);
});

test('a link that cannot be followed is a problem that names its reason', async () => {
  const error = { code: 'not-found', message: 'It is gone.', remedy: 'Upload it again.' } as const;
  const result: FollowResult = { fileId: 1, path: null, publicLink: null, link: null, error };
  const price = { links: 0, requestsPerDay: 0, dayLimit: 5000, everyMs: 900_000, waits: null };
  const { session, rows } = await begin({ ok: true, answer: { results: [result], price } });
  await followFiles(session, rows.slice(0, 1), true);
  expect(session.notice?.kind).toBe('problem');
  expect(session.notice?.text).toMatch(/^1 link was left as it was: .*gone/);
});

test('a call that fails altogether is reported, without a price', async () => {
  const error = { code: 'internal', message: 'It did not work.', remedy: '' } as const;
  const { session, rows } = await begin({ ok: false, error });
  await followFiles(session, rows, true);
  expect(session.notice).toMatchObject({ kind: 'problem' });
  expect(session.notice?.text).not.toContain('requests a day');
});

test.each(['files.follow', 'files.expire'])(
  'where a later part of a large %s fails, that is the last word, and no success of the others',
  async (name) => {
    const transport = createFakeTransport({});
    let calls = 0;
    const session = new Session({
      listen: transport.listen,
      call: async (asked, input) => {
        if (asked !== name) return await transport.call(asked, input);
        calls += 1;
        const error = toWire(new AppError('offline', 'The service cannot be reached.'));
        if (calls === 2) return { ok: false, error };
        const one = { fileId: 1, path: null, publicLink: null, link: null, expiresAtMs: 1, error: null };
        const price = { links: 0, requestsPerDay: 0, dayLimit: 5000, everyMs: 900_000, waits: null };
        return { ok: true, answer: name === 'files.follow' ? { results: [one], price } : [one] };
      },
    });
    await session.start();
    const many = Array.from({ length: 4_001 }, (_, at) => row(at + 1, 'a.txt'));
    if (name === 'files.follow') await followFiles(session, many, true);
    else await expireFiles(session, many, { afterMs: 1_000 });
    expect(calls).toBe(2);
    expect(session.notice).toMatchObject({ kind: 'problem', text: 'The service cannot be reached.' });
  },
);
