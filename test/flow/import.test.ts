// `import`: what another machine of the same account exported becomes known here.
import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';

let service: Service;
let there: Place;
let here: Place;
beforeEach(async () => {
  service = await ownService();
  there = await ownPlace(service);
  here = await ownPlace(service);
});

const listOf = async (place: Place): Promise<string> => {
  const file = path.join(place.root, 'links.jsonl');
  expect((await place.run(['export', '--format', 'json', '--output', file])).code).toBe(0);
  return file;
};
const put = async (place: Place, name: string, content: string): Promise<string> =>
  place.put(`../${name}`, content);

test('links of another machine are found here, and a file with the same content gets its link without an upload', async () => {
  await there.run([
    'upload',
    await put(there, 'report.pdf', 'the report'),
    await put(there, 'two.txt', 'two'),
  ]);
  await there.run(['upload', '--zip', '--name', 'both.zip', 'report.pdf', 'two.txt']);
  await there.run(['recall', 'two.txt']);
  await there.run(['upload', await put(there, 'id_rsa', 'looks like a key')]);
  const list = await listOf(there);
  const link = (await there.run(['link', 'report.pdf'])).stdout.trim();

  expect((await here.json(['import', list])).lines).toEqual([
    { event: 'imported', files: 2, new: 2, ends: 0 },
  ]);
  expect(await here.run(['import', list])).toMatchObject({
    code: 0,
    stdout: '2 links are known here, 0 of them new.\n',
  });
  const [file] = (await here.json(['search', 'report'])).lines;
  expect(file).toMatchObject({
    ...{ filename: 'report.pdf', public_link: link, queueId: null, path: null, sizeBytes: 10 },
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect((await here.run(['link', 'report.pdf'])).stdout.trim()).toBe(link);
  expect((await here.run(['info', 'report.pdf'])).stdout).toContain('10 bytes');
  const passed = (await here.json(['export'])).lines.map((line) => [line['filename'], line['sha256']]);
  expect(passed).toContainEqual(['report.pdf', file?.['sha256']]);

  const before = service.requests().length;
  const { lines } = await here.json(['upload', await put(here, 'mine.pdf', 'the report')]);
  const last = lines.find((line) => line['event'] === 'uploaded');
  expect(last).toMatchObject({ public_link: link, new: false });
  const asked = service.requests().slice(before);
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('the list of another account is refused', async () => {
  await there.run(['upload', await put(there, 'report.pdf', 'the report')]);
  const list = await listOf(there);
  const other = await ownService({ firstFileId: 900_000 });
  const stranger = await ownPlace(other);
  // The hosts are the same, as at a service with many accounts.
  const { host } = new URL((await there.run(['link', 'report.pdf'])).stdout.trim());
  await stranger.run(['settings', 'set', 'linkHosts', host]);
  expect(await stranger.run(['import', list])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('of another account') as string,
  });
  expect((await stranger.json(['search', 'report'])).lines).toMatchObject([{ event: 'files', total: 0 }]);
});

describe('a hostile list is refused with its line, and nothing changes:', () => {
  const good = (): Record<string, unknown> => ({
    ...{ file_id: 1, public_link: 'LINK', filename: 'a.txt', sizeBytes: 1, sha256: 'a'.repeat(64) },
    ...{ uploadedAt: null, expiresAt: null, state: 'uploaded', inside: null, size: null, upload_date: null },
  });
  test.each<[string, Record<string, unknown> | string, string]>([
    ['no JSON', '{"file_id": 1', 'it is no JSON'],
    ['no object', '[]', 'file_id is missing or wrong'],
    ['an id that is none', { file_id: -1 }, 'file_id is missing or wrong'],
    ['a size that is text', { sizeBytes: '12' }, 'sizeBytes is missing or wrong'],
    ['a negative size', { sizeBytes: -5 }, 'sizeBytes is negative'],
    ['a wrong SHA-256', { sha256: 'A'.repeat(64) }, 'sha256 is no SHA-256'],
    ['a time that is none', { expiresAt: 'soon' }, 'expiresAt is no time'],
    ['a path', { filename: '../../etc/passwd' }, 'filename is no name of a file'],
    ['a folder', { filename: '..' }, 'filename is no name of a file'],
    ['control characters', { filename: 'a\u001b[2Jb.txt' }, 'filename is no name of a file'],
    ['letters that turn the text round', { filename: 'a\u202egpj.exe' }, 'filename is no name of a file'],
    ['no name', { filename: null }, 'filename is missing or wrong'],
    ['a link of another host', { public_link: 'https://evil.example/f/1' }, 'its link leads to a host'],
    ['a link that runs', { public_link: 'javascript:alert(1)' }, 'its link leads to a host'],
    ['an id twice', { file_id: 1 }, 'the id 1 stands in the file twice'],
    ['another field of the same name', { __proto__: null, state: 5 }, 'state is missing or wrong'],
  ])('%s', async (_, bad, said) => {
    const [link, other] = ['a', 'b'].map((name) => new URL(`/d/${name}`, service.baseUrl).href);
    const wrong = typeof bad === 'string' ? bad : { ...good(), file_id: 2, public_link: other, ...bad };
    const second = typeof wrong === 'string' ? wrong : JSON.stringify(wrong);
    const list = path.join(here.root, 'bad.jsonl');
    await writeFile(list, `${JSON.stringify({ ...good(), public_link: link })}\n\n${second}\n`);
    const before = service.requests().length;
    const { code, stderr } = await here.run(['import', list]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`Line 3: ${said}`) as string,
    });
    expect(stderr).toContain('Nothing was imported.');
    expect((await here.json(['search', 'txt'])).lines).toMatchObject([{ event: 'files', total: 0 }]);
    expect(service.requests().length).toBe(before);
  });

  test('one that is larger than 64 MiB, or is not there', async () => {
    const list = path.join(here.root, 'large.jsonl');
    await writeFile(list, '');
    await truncate(list, 64 * 1024 * 1024 + 1);
    const { stderr } = await here.run(['import', list]);
    expect(stderr).toContain('is larger than 64 MiB');
    expect(stderr).toContain('Split it between lines, and import each part.');
    expect(await here.run(['import', `${list}-not`])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be read') as string,
    });
  });
});

test('an end stays with the machine that made it, unless this one takes it over', async () => {
  await there.run(['upload', '--expire', '7d', await put(there, 'report.pdf', 'the report')]);
  const list = await listOf(there);
  const ends = async (): Promise<unknown[]> =>
    (await here.json(['search', 'report'])).lines.slice(0, 1).map((line) => line['expiresAt'] !== null);
  expect((await here.run(['import', list])).stderr).toContain('--take-expiry');
  expect(await ends()).toEqual([false]);
  expect((await here.run(['import', '--take-expiry', list])).stderr).not.toContain('--take-expiry');
  expect(await ends()).toEqual([true]);
});
