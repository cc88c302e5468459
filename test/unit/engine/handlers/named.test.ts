// Every way to name a file, for every command that takes one.
import { describe, expect, test } from 'vitest';
import { namedFor, type NamedFor } from '../../../../src-main/contract/catalogue/choices.ts';
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import type { Named, NamedExactly } from '../../../../src-main/contract/text/named-file.ts';
import {
  begin,
  hourMs,
  loseAnswer,
  minuteMs,
  share,
  type Running,
  type World,
} from '../../../support/fake-world.ts';

const queue = ['confirm', 'cancel', 'retry', 'resolve'] as const;
const isOfQueue = (use: NamedFor): boolean => queue.some((one) => one === use);

/** `a.txt` has a link; nothing else has its name. */
const linked = async () => {
  const { world, run } = await begin();
  await share(world, 'other.txt');
  const fileId = await share(world, 'a.txt');
  const row = world.row('a.txt');
  return { world, run, row, fileId, link: row.publicLink ?? '' };
};

const find = async (run: Running, file: Named, use: NamedFor) => {
  const [found] = await run.call('files.find', { files: [file], use });
  return found;
};

type Linked = Awaited<ReturnType<typeof linked>>;
const ways: Record<string, (of: Linked) => Named> = {
  link: ({ link }) => ({ link }),
  'link of a host in capitals, with its port': ({ link }) => ({
    link: link.replace(/^https:\/\/[^/]+/, (origin) => `${origin.toUpperCase()}:443`),
  }),
  path: () => ({ path: '/tray/a.txt' }),
  id: ({ fileId }) => ({ fileId }),
  'q-id': ({ row }) => ({ queueId: row.id }),
  name: () => ({ name: 'a.txt', path: '/elsewhere/a.txt' }),
  'word at whose path it is': () => ({ name: 'a.txt', path: '/tray/a.txt' }),
};

/** The result for each way to name a file. */
const eachWay = async <Answer>(of: Linked, ask: (named: Named) => Promise<Answer>) => {
  const said: Record<string, Answer> = {};
  for (const [way, named] of Object.entries(ways)) said[way] = await ask(named(of));
  return said;
};
const inEachWay = <Answer>(answer: Answer, more: Record<string, Answer> = {}) => ({
  ...Object.fromEntries(Object.keys(ways).map((way) => [way, answer])),
  ...more,
});

describe.each(namedFor)('%s', (use) => {
  test('accepts each way to name a file', async () => {
    const of = await linked();
    const { run, fileId, row } = of;
    const upload = { uploadId: row.id, fileId, path: '/tray/a.txt', error: null };
    const atPath = { uploadId: null, fileId: null, path: '/tray/a.txt', error: null };
    const message = `${fileId} is the id of a file at the service. Ids of the queue begin with q: q${fileId}.`;
    const refused = { uploadId: null, fileId, path: null, error: { code: 'bad-use', message } };
    expect(await eachWay(of, (named) => find(run, named, use))).toMatchObject(
      inEachWay<object>(upload, {
        ...(isOfQueue(use) ? { id: refused } : {}),
        ...(use === 'path' ? { path: atPath, 'word at whose path it is': atPath } : {}),
      }),
    );
  });

  test('refuses an unknown link, q-id and name', async () => {
    const { run } = await linked();
    const unknown: [Named, RegExp][] = [
      [{ link: 'https://files.example.com/d/none' }, /is not a link this machine knows/],
      [{ queueId: 999 }, /There is no upload q999\./],
      [{ name: 'none.txt', path: '/elsewhere/none.txt' }, /none\.txt/],
    ];
    for (const [named, message] of unknown)
      expect((await find(run, named, use))?.error).toMatchObject({
        code: 'not-found',
        message: expect.stringMatching(message) as string,
      });
  });

  test('lists all files that share a name', async () => {
    const { world, run } = await linked();
    for (const dir of ['b', 'c']) {
      // Of another size, or it would wait for the first one.
      const content = `in ${dir}`.repeat(dir.charCodeAt(0));
      if (use === 'resolve') await loseAnswer(world, `${dir}/same.txt`, content);
      else {
        world.disk.write(`/tray/${dir}/${nameFor(use)}`, content);
        await world.clock.advance(minuteMs);
      }
    }
    if (use === 'retry')
      await run.call('queue.cancel', {
        ids: world
          .rows()
          .slice(-2)
          .map(({ id }) => id),
      });
    const found = await find(run, { name: nameFor(use), path: `/elsewhere/${nameFor(use)}` }, use);
    expect(found?.error).toMatchObject({ code: 'ambiguous' });
    expect(found?.error?.message).toMatch(
      new RegExp(`^Several files are called ${nameFor(use)}: q?\\d+ \\(`),
    );
    for (const dir of ['b', 'c']) expect(found?.error?.message).toContain(`/tray/${dir}/${nameFor(use)}`);
  });
});

/** One that is held, or is uploaded. */
const nameFor = (use: NamedFor): string =>
  use === 'confirm' || use === 'cancel' || use === 'retry' ? 'id_rsa' : 'same.txt';

type Result = { fileId: FileId | null; error: unknown };
const acts: Record<string, (run: Running, of: Named) => Promise<Result[]>> = {
  recall: (run, of) => run.call('files.recall', { files: [of] }),
  expire: (run, of) => run.call('files.expire', { files: [of], expire: { afterMs: hourMs } }),
  card: (run, of) => run.call('files.card', { files: [of] }),
  verify: (run, of) => run.call('files.verify', { files: [of] }),
  follow: async (run, of) => (await run.call('files.follow', { files: [of] })).results,
  unfollow: async (run, of) => (await run.call('files.unfollow', { files: [of] })).results,
};

describe.each(Object.entries(acts))('%s', (_, act) => {
  test('accepts each way to name a file', async () => {
    const of = await linked();
    const said = await eachWay(of, (named) => act(of.run, named));
    expect(said).toMatchObject(inEachWay([{ fileId: of.fileId, error: null }]));
  });

  test('refuses what has no link, and gets none', async () => {
    const { world, run } = await linked();
    const { id } = await world.put('empty.txt', '', 'skipped');
    expect(await act(run, { queueId: id })).toMatchObject([
      { error: { message: expect.stringContaining(`q${id}`) as string } },
    ]);
  });

  test('refuses a file of another machine', async () => {
    const { world, run } = await linked();
    fromElsewhere(world);
    for (const named of elsewhere)
      expect(await act(run, named)).toMatchObject([
        { error: { code: 'not-found', message: 'This machine did not upload file 77.' } },
      ]);
  });
});

const fromElsewhere = ({ ledger, clock }: World): void =>
  ledger.remote.saw(
    1,
    [{ file_id: 77, filename: 'far.txt', public_link: 'https://files.example.com/d/far', size: 3 }],
    clock.wallMs(),
  );
const elsewhere: Named[] = [
  { fileId: 77 },
  { link: 'https://files.example.com/d/far' },
  { name: 'far.txt', path: '/elsewhere/far.txt' },
];

test('a file of another machine is found by its data in the account list', async () => {
  const { world, run } = await linked();
  fromElsewhere(world);
  for (const named of elsewhere)
    expect(await find(run, named, 'service')).toEqual({
      uploadId: null,
      fileId: 77,
      path: null,
      error: null,
    });
});

test.each(queue)('%s: a file of another machine is not an upload of this one', async (use) => {
  const { world, run } = await linked();
  fromElsewhere(world);
  for (const named of elsewhere)
    expect(await find(run, named, use)).toMatchObject({
      uploadId: null,
      error: { code: 'fileId' in named ? 'bad-use' : 'not-found' },
    });
});

test("a name shared with another machine's file means ours if only ours is possible", async () => {
  const { world, run, row } = await linked();
  world.ledger.remote.saw(
    1,
    [{ file_id: 78, filename: 'a.txt', public_link: 'https://x/78' }],
    world.clock.wallMs(),
  );
  const named = { name: 'a.txt', path: '/elsewhere/a.txt' };
  expect(await find(run, named, 'link')).toMatchObject({ uploadId: row.id, error: null });
  const found = await find(run, named, 'service');
  expect(found?.error?.message).toMatch(/78 \(https:\/\/x\/78\)/);
});

test('a link on another host is refused, and the right one is named', async () => {
  const { run, link } = await linked();
  const other = link.replace(/^https:\/\/[^/]+/, 'https://other.example.com');
  expect((await find(run, { link: other }, 'link'))?.error).toMatchObject({
    code: 'not-found',
    remedy: `This one is at another address: ${link}.`,
  });
});

test('a word that is the path of a file never means another file', async () => {
  const { world, run } = await linked();
  world.disk.write('/elsewhere/a.txt', 'never shared');
  for (const use of ['link', 'service', 'cancel'] as const)
    expect((await find(run, { name: 'a.txt', path: '/elsewhere/a.txt' }, use))?.error).toMatchObject({
      code: 'not-found',
    });
  expect(await find(run, { name: 'a.txt', path: '/elsewhere/a.txt' }, 'path')).toMatchObject({
    uploadId: null,
    path: '/elsewhere/a.txt',
  });
});

test('a name means the upload to which the command applies', async () => {
  const { world, run } = await linked();
  world.disk.write('/tray/b/x.txt', 'a first content');
  await world.clock.advance(minuteMs);
  const lost = await loseAnswer(world, 'c/x.txt', 'another content');
  expect(await find(run, { name: 'x.txt', path: '/elsewhere/x.txt' }, 'resolve')).toMatchObject({
    uploadId: lost.id,
  });
});

test('one of several versions, and a living link beside a dead one, is unambiguous', async () => {
  const { world, run } = await linked();
  for (const content of ['two', 'three']) {
    await world.put('a.txt', content, 'uploaded');
    await world.clock.advance(hourMs);
  }
  const { id } = world.row('a.txt');
  const named = { name: 'a.txt', path: '/elsewhere/a.txt' };
  expect(await find(run, named, 'link')).toMatchObject({ uploadId: id, error: null });
});

describe('a word that is also an id or a link', () => {
  /** A word as the command reads it in the folder `/elsewhere`. */
  const word = (name: string, other: NamedExactly, dir = '/elsewhere'): Named => ({
    name,
    path: `${dir}/${name}`,
    else: other,
  });

  test('means that, where no file has this name', async () => {
    const of = await linked();
    const { run, row, fileId, link } = of;
    const meant = { uploadId: row.id, error: null };
    expect(await find(run, word(String(fileId), { fileId }), 'link')).toMatchObject(meant);
    expect(await find(run, word(`q${row.id}`, { queueId: row.id }), 'cancel')).toMatchObject(meant);
    expect(await find(run, word(link, { link }), 'link')).toMatchObject(meant);
  });

  test('means the file with this name, where there is no such id or link', async () => {
    const { world, run } = await linked();
    for (const [name, other] of [
      ['77', { fileId: 77 }],
      ['q99', { queueId: 99 }],
    ] as const) {
      await share(world, name);
      for (const use of ['link', 'cancel'] as const)
        expect(await find(run, word(name, other), use)).toMatchObject({ uploadId: world.row(name).id });
      expect(await find(run, word(name, other, '/tray'), 'path')).toMatchObject({ path: `/tray/${name}` });
    }
  });

  test('means one file, where both are the same', async () => {
    const { world, run } = await linked();
    const id = world.row('a.txt').id + 1;
    await share(world, `q${id}`);
    expect(world.row(`q${id}`).id).toBe(id);
    for (const dir of ['/elsewhere', '/tray'])
      expect(await find(run, word(`q${id}`, { queueId: id }, dir), 'link')).toMatchObject({ uploadId: id });
  });

  test('is refused where two files are meant, and each can be named by what is said', async () => {
    const { world, run, row, fileId, link } = await linked();
    await share(world, String(fileId));
    const named = world.row(String(fileId));
    const byName = await find(run, word(String(fileId), { fileId }), 'link');
    expect(byName?.error).toMatchObject({
      code: 'ambiguous',
      message: `${fileId} is the file /tray/${fileId}, and also /tray/a.txt (${fileId}, ${link}).`,
      remedy: `Write /tray/${fileId} for the first, id:${fileId} for the second.`,
    });
    const byPath = await find(run, word(String(fileId), { fileId }, '/tray'), 'link');
    expect(byPath?.error?.remedy).toBe(`Write ./${fileId} for the first, id:${fileId} for the second.`);
    expect(await find(run, { path: `/tray/${fileId}` }, 'link')).toMatchObject({ uploadId: named.id });
    expect(await find(run, { fileId }, 'link')).toMatchObject({ uploadId: row.id });
    // Commands of the queue know no ids of the service.
    expect(await find(run, word(String(fileId), { fileId }), 'cancel')).toMatchObject({ uploadId: named.id });
  });

  test('is refused where the second has no link, or is on another machine', async () => {
    const { world, run } = await linked();
    const held = await world.put('id_rsa', 'a key', 'held');
    await share(world, `q${held.id}`);
    expect((await find(run, word(`q${held.id}`, { queueId: held.id }), 'path'))?.error).toMatchObject({
      code: 'ambiguous',
      message: expect.stringContaining(`and also /tray/id_rsa (q${held.id})`) as string,
    });
    fromElsewhere(world);
    await share(world, '77');
    expect((await find(run, word('77', { fileId: 77 }), 'service'))?.error).toMatchObject({
      code: 'ambiguous',
      message: expect.stringContaining('also file 77 of another machine (77, https:') as string,
    });
    await share(world, 'id:77');
    expect((await find(run, word('id:77', { fileId: 77 }), 'service'))?.error?.remedy).toMatch(
      /its link for the second/,
    );
  });
});

test('a number that is neither an id nor a name is refused as such', async () => {
  const { run } = await linked();
  expect((await find(run, { name: '007', path: '/elsewhere/007' }, 'link'))?.error).toMatchObject({
    code: 'bad-use',
    message: 'An id is a whole number, 1 or higher. No file is called 007.',
  });
});

test('of many files with one name the first ten are listed', async () => {
  const { world, run } = await linked();
  for (let at = 0; at < 12; at += 1) await share(world, `${at}/same.txt`, 'x'.repeat(at + 1));
  const found = await find(run, { name: 'same.txt', path: '/elsewhere/same.txt' }, 'link');
  expect(found?.error?.message).toMatch(/ and 2 more\.$/);
});
