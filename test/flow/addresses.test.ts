// Every command that takes a file, by every way to name one: its link in each form in which links are copied, its path,
// its id at the service, its id in the queue, its name.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { linkForms, linkText } from '../../src-main/contract/text/link-text.ts';
import { isDeep } from '../support/deep.ts';
import type { Line } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';

type File = { path: string; name: string; id: number; queueId: string; link: string };

/** The last character written as a percent sign and its code: the same link. */
const inPercents = (link: string): string =>
  link.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`);

const copied = ({ name, link }: File, form: (typeof linkForms)[number]): string =>
  linkText([{ name, link, sizeBytes: 1, sha256: null, uploadedAtMs: null }], form, {
    template: '',
    locale: 'en',
  }).text;

const byLink: Record<string, (file: File) => string> = {
  ...Object.fromEntries(
    linkForms.flatMap((form) => (form === 'template' ? [] : [[form, (file: File) => copied(file, form)]])),
  ),
  'in angle brackets': ({ link }) => `<${link}>`,
  'with blanks around it': ({ link }) => ` ${link}\t\n`,
  'scheme and host in capitals': ({ link }) =>
    link.replace(/^[a-z]+:\/\/[^/]+/, (origin) => origin.toUpperCase()),
  'with a sign as its code': ({ link }) => inPercents(link),
};
const byPlace: Record<string, (file: File) => string> = {
  path: (file) => file.path,
  'a path from here': ({ path: at }) => `./folder/${path.basename(at)}`,
  name: ({ name }) => name,
};
const byQueueId: Record<string, (file: File) => string> = {
  'queue id': ({ queueId }) => queueId,
  'queue id in capitals': ({ queueId }) => queueId.toUpperCase(),
};
const byId: Record<string, (file: File) => string> = { id: ({ id }) => String(id) };
const ways = { ...byLink, ...byPlace, ...byQueueId, ...byId };

const ofLinks: Record<string, { args: (one: string) => string[]; first?: string; isFinal?: true }> = {
  info: { args: (one) => ['info', one] },
  delete: { args: (one) => ['delete', one], isFinal: true },
  recall: { args: (one) => ['recall', one], isFinal: true },
  expire: { args: (one) => ['expire', one, '7d'] },
  follow: { args: (one) => ['follow', one] },
  'follow --stop': { args: (one) => ['follow', '--stop', one], first: 'follow' },
  verify: { args: (one) => ['verify', one] },
  card: { args: (one) => ['card', one, '--format', 'json'] },
  link: { args: (one) => ['link', one] },
  'recall --all-copies': { args: (one) => ['recall', '--all-copies', one], isFinal: true },
  why: { args: (one) => ['why', one] },
};
const ofQueue = ['confirm', 'cancel', 'retry', 'resolve'] as const;

/** All of them. In the fast ring one, and the next one for the next command (named.test.ts: each way to name a file). */
const someOf = <T>(rows: Record<string, T>, command: number): Record<string, T> => {
  const all = Object.entries(rows);
  const isTaken = (at: number): boolean => isDeep || at === command % all.length;
  return Object.fromEntries(all.filter((_, at) => isTaken(at)));
};
/** The rows of a table, each with its number. */
const numbered = <T>(rows: Record<string, T>) =>
  Object.entries(rows).map(([name, row], at) => [name, { ...row, at }] as const);
const everyCommand = { ...ofLinks, ...Object.fromEntries(ofQueue.map((one) => [one, argsOf(one)])) };
function argsOf(name: string): { args: (one: string) => string[] } {
  return { args: (one) => [name, one] };
}

let files: File[] = [];
let twins: File[] = [];
let elsewhere: { id: number; link: string; name: string };

const upload = async (names: readonly string[]): Promise<File[]> => {
  for (const name of names) await place.put(name, `what is in ${name}`);
  const paths = names.map((name) => path.join(place.folder, name));
  const { lines } = await place.json(['upload', ...paths]);
  return paths.map((at) => {
    const line = lines.find((one) => one.event === 'uploaded' && one.path === at);
    return {
      path: at,
      name: path.basename(at),
      id: Number(line?.['file_id']),
      queueId: String(line?.['queueId']),
      link: String(line?.['public_link']),
    };
  });
};

/** One that no cell has taken. */
const taken = (): File => files.pop() ?? expect.fail('There are too few files.');

const service = await ownService();
const place = await ownPlace(service);
beforeAll(async () => {
  const finals = Object.values(ofLinks).filter(({ isFinal }) => isFinal === true).length;
  const count = finals * (isDeep ? Object.keys(ways).length : 5) + 2;
  files = await upload(Array.from({ length: count }, (_, at) => `file ${at}.txt`));
  twins = await upload(['one/twin.txt', 'other/twin.txt']);
  const { id, link } = await service.addFile({ filename: 'from elsewhere.bin', content: 'theirs' });
  elsewhere = { id, link, name: 'from elsewhere.bin' };
  await place.run(['list', '--all']);
}, 120_000);

/** The id in an object of the service, or in one of Outtray. */
const idIn = (lines: readonly Line[]): unknown => {
  const [line] = lines;
  return (line?.['file'] as Line | undefined)?.['file_id'] ?? line?.['file_id'] ?? line;
};

/** The outcome of each command for a file that is named in that way, as `cell` sums it up. */
const inEachWay = async <Answer>(
  some: typeof ways,
  cell: (name: (file: File) => string, way: string) => Promise<Answer>,
): Promise<Record<string, Answer>> => {
  const said: Record<string, Answer> = {};
  for (const [way, name] of Object.entries(some)) said[way] = await cell(name, way);
  return said;
};
const all = <Answer>(some: typeof ways, answer: Answer): Record<string, Answer> =>
  Object.fromEntries(Object.keys(some).map((way) => [way, answer]));

describe.each(numbered(ofLinks))('%s', (_command, { args, first, isFinal, at }) => {
  test('takes a file by its link, path, id, queue id and name', { timeout: 120_000 }, async () => {
    const kept = isFinal === true ? null : taken();
    const tried = { ...someOf(byLink, at), ...someOf(byPlace, at), ...byQueueId, ...byId };
    const said = await inEachWay(tried, async (name) => {
      const file = kept ?? taken();
      if (first !== undefined) await place.run([first, file.queueId]);
      const { code, lines } = await place.json(args(name(file)));
      return code === 0 && idIn(lines) === file.id ? 'right' : { code, lines, file };
    });
    if (kept !== null) files.push(kept);
    expect(said).toEqual(all(tried, 'right'));
  });

  test.runIf(isDeep || at < 4)('lists the candidates of a name that several files have', async () => {
    const { code, lines } = await place.json(args('twin.txt'));
    expect(code).toBe(2);
    for (const { id, path: at } of twins) expect(lines[0]?.error?.message).toContain(`${id} (${at})`);
  });
});

describe.each(numbered(everyCommand))('%s', (command, { args, at }) => {
  test('reports in a sentence what it does not know', async () => {
    const [known] = files;
    const other = (known?.link ?? '').replace(/:\d+\//, ':9/');
    const unknown = someOf<[given: string, code: number, says: string]>(
      {
        'a link of another host': ['https://example.com/d/1', 5, 'is not a link this machine knows'],
        'a link with another port': [other, 5, `This one is at another address: ${known?.link}`],
        'a path': ['./folder/none.txt', 5, 'none.txt'],
        'a queue id': ['q4711', 5, 'There is no upload q4711.'],
        'a name': ['none.txt', 5, 'none.txt'],
        'two links': ['https://example.com/1 https://example.com/2', 5, 'https://example.com/1'],
        nothing: ['', 2, 'empty'],
      },
      at,
    );
    const said: Record<string, unknown> = {};
    for (const [what, [given, code, says]] of Object.entries(unknown)) {
      const answer = await place.json(args(given));
      const { message = '', remedy = '' } = answer.lines[0]?.error ?? {};
      const isSaid = answer.code === code && `${message} ${remedy}`.includes(says);
      said[what] = isSaid ? 'said' : answer;
    }
    expect(said).toEqual(Object.fromEntries(Object.keys(unknown).map((what) => [what, 'said'])));
  });

  test('for a file from another machine it does what the service allows, or reports that the file is not ours', async () => {
    const { id, link, name } = elsewhere;
    const isQueue = ofQueue.some((one) => one === command);
    if (command === 'delete') return;
    for (const given of isDeep ? [link, String(id), name] : [at % 2 === 0 ? link : String(id)]) {
      const { code, lines } = await place.json(args(given));
      const answer = { command, given, code, line: lines[0] };
      if (command === 'info' || command === 'link') {
        expect(answer).toMatchObject({ code: 0 });
        expect(idIn(lines)).toBe(id);
        continue;
      }
      expect(answer).toMatchObject({ code: isQueue && given === String(id) ? 2 : 5 });
      expect(lines[0]?.error?.message).toMatch(
        isQueue && given !== link
          ? /Ids of the queue begin with q|No file called from elsewhere\.bin/
          : /This machine did not upload file|No file called from elsewhere\.bin/,
      );
    }
  });
});

test('delete also removes a file of another machine', async () => {
  for (const given of ['id', 'link', 'name'] as const) {
    const one = await service.addFile({ filename: `theirs ${given}.bin`, content: given });
    await place.run(['list', '--all']);
    const word = { id: String(one.id), link: one.link, name: `theirs ${given}.bin` }[given];
    const { code, lines } = await place.json(['delete', word]);
    expect({ code, id: lines[0]?.['file_id'], name: lines[0]?.['filename'] }).toEqual({
      code: 0,
      id: one.id,
      name: `theirs ${given}.bin`,
    });
  }
});

describe('an upload that waits', () => {
  /** Each cell has a file of its own. */
  const held = async (): Promise<File> => {
    const name = `server ${Math.random()}.pem`;
    const at = await place.put(name, `what is in ${name}`);
    const { lines } = await place.json(['upload', at]);
    const queueId = String(lines.find((line) => line.event === 'held')?.['queueId']);
    return { path: at, name, id: 0, queueId, link: '' };
  };
  const places = { ...byPlace, ...byQueueId };

  test.each(['confirm', 'cancel', 'retry'] as const)(
    '%s accepts it by path, queue id and name',
    async (command) => {
      const said = await inEachWay(places, async (name) => {
        const file = await held();
        if (command === 'retry') await place.run(['cancel', file.queueId]);
        const { code, lines } = await place.json([command, name(file)]);
        // It is asked about as before.
        const isRight = code === (command === 'retry' ? 8 : 0) && lines[0]?.['queueId'] === file.queueId;
        return isRight ? 'right' : { code, lines };
      });
      expect(said).toEqual(all(places, 'right'));
    },
  );

  test('is resolved by path, queue id and name when its answer was lost', async () => {
    service.faults.add({ match: { path: '/files/upload' }, fault: { kind: 'reset', at: 'done' } });
    const at = await place.put('lost.txt', 'its answer was lost');
    await place.run(['settings', 'set', 'reconcileAfterMs', '600000']);
    expect((await place.json(['upload', at])).code).toBe(7);
    const [row] = (await place.json(['held'])).lines.filter((line) => line['reason'] === 'uncertain');
    const file = { path: at, name: 'lost.txt', id: 0, queueId: String(row?.['queueId']), link: '' };
    const said = await inEachWay(places, async (name) => {
      const { code, lines } = await place.json(['resolve', name(file)]);
      return code === 0 && lines.every((line) => line['queueId'] === file.queueId)
        ? 'right'
        : { code, lines };
    });
    expect(said).toEqual(all(places, 'right'));
  });

  test.each(ofQueue)('%s finds an upload by its link, and reports that it does not wait', async (command) => {
    const [file] = files;
    if (file === undefined) expect.fail('There are too few files.');
    const own = (await place.json([command, file.queueId])).lines[0]?.error;
    expect(own?.message).not.toBe('');
    const tried = someOf(byLink, ofQueue.indexOf(command));
    const said = await inEachWay(
      tried,
      async (name) => (await place.json([command, name(file)])).lines[0]?.error,
    );
    expect(said).toEqual(all(tried, own));
    const { code, lines } = await place.json([command, String(file.id)]);
    expect([code, lines[0]?.error?.message]).toEqual([
      2,
      `${file.id} is the id of a file at the service. Ids of the queue begin with q: q${file.id}.`,
    ]);
  });

  test('several uploads that wait under one name are listed', async () => {
    for (const dir of ['here', 'there']) {
      await mkdir(path.join(place.folder, dir), { recursive: true });
      await writeFile(path.join(place.folder, dir, 'id_rsa'), `a key ${dir}`);
      await place.run(['upload', `folder/${dir}/id_rsa`]);
    }
    const lists = async (command: string, name: string): Promise<void> => {
      const { code, lines } = await place.json([command, name]);
      const [first, second] = ['there', 'here'].map((dir) => `q\\d+ \\(.*/${dir}/${name}\\)`);
      expect({ command, code, message: lines[0]?.error?.message }).toEqual({
        command,
        code: 2,
        message: expect.stringMatching(`^Several files are called ${name}: ${first}, ${second}\\.`) as string,
      });
    };
    await lists('confirm', 'id_rsa');
    await lists('cancel', 'id_rsa');
    for (const dir of ['here', 'there']) await place.run(['cancel', `folder/${dir}/id_rsa`]);
    await lists('retry', 'id_rsa');
    service.faults.add({ match: { path: '/files/upload' }, fault: { kind: 'reset', at: 'done' }, times: 2 });
    for (const dir of ['here', 'there']) {
      const at = await place.put(`${dir}/no answer.txt`, `its answer was lost ${dir}`);
      expect((await place.json(['upload', at])).code).toBe(7);
    }
    await lists('resolve', 'no answer.txt');
  });
});

test('a link is found although its file was removed, and a word is read as a path first', async () => {
  const [file, other] = [files.pop(), files.at(-1)];
  if (file === undefined || other === undefined) expect.fail('There are too few files.');
  await rm(file.path);
  expect(idIn((await place.json(['info', file.link])).lines)).toBe(file.id);
  const near = await place.put('../near.txt', 'beside me');
  await place.run(['upload', near]);
  const { lines } = await place.json(['why', 'near.txt']);
  expect(lines[0]?.path).toBe(near);
});
