// Links that are recalled by the command, against the service: the JSON line, exit codes, what stays and what does not.
import { afterEach, expect, test } from 'vitest';
import path from 'node:path';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Fault } from '../service/faults.ts';
import type { Place } from '../support/flow/place.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

let place: Place;
const service = await ownService();

afterEach(() => service.faults.clear());

const shared = async (name: string, content: string): Promise<{ id: string; link: string; file: string }> => {
  place = await ownPlace(service, { rate: 10 });
  const file = await place.put(name, content);
  expect((await place.run(['watch', place.folder, '--once', '--existing', 'upload'])).code).toBe(0);
  const [stored] = storedAs(service, content);
  return { id: String(stored?.id), link: stored?.link ?? '', file };
};
const lives = async (link: string): Promise<boolean> => (await fetch(link)).ok;

test('recall by path and by id prints the line of each link, and the links are dead', async () => {
  const { id, link, file } = await shared('a.txt', 'first to take back');
  expect(await (await fetch(link)).text()).toBe('first to take back');
  const other = await place.put('b.txt', 'second to take back');
  expect((await place.run(['upload', other])).code).toBe(0);
  const [second] = storedAs(service, 'second to take back');
  const { code, lines } = await place.json(['recall', file, String(second?.id)]);
  expect(code).toBe(0);
  expect(lines).toMatchObject([
    {
      event: 'recalled',
      file_id: Number(id),
      path: file,
      public_link: link,
      publicSeconds: expect.any(Number) as number,
      downloads: 1,
      dead: true,
    },
    expect.objectContaining({
      event: 'recalled',
      file_id: second?.id,
      path: other,
      downloads: 0,
      dead: true,
    }),
  ]);
  expect([await lives(link), await lives(second?.link ?? '')]).toEqual([false, false]);
  // It stays on the disk, counts as skipped, and is not uploaded again by itself.
  expect(await place.counts()).toMatchObject({ uploaded: 0, skipped: 2 });
  const before = uploads(service).length;
  expect((await place.run(['watch', '--once'])).code).toBe(0);
  expect(uploads(service)).toHaveLength(before);
  const why = await place.run(['why', file]);
  expect(why.stdout).toContain('Skipped: its link was taken back.');
  // A person requests it.
  expect((await place.run(['upload', file])).code).toBe(0);
  expect(storedAs(service, 'first to take back')).toHaveLength(1);
});

test('a deletion that the service refuses is reported as such, with exit code 8; a lost answer to it is no fault', async () => {
  const { id, link, file } = await shared('a.txt', 'kept by the service');
  service.faults.add({
    match: { method: 'DELETE' },
    fault: { kind: 'answer', status: 409 },
  });
  const { code, lines } = await place.json(['recall', file]);
  expect({ code, error: lines[0]?.error?.code }).toEqual({ code: 8, error: 'refused' });
  expect(await lives(link)).toBe(true);
  expect((await place.json(['status'])).lines[0]).toMatchObject({ openRecalls: 1 });
  expect((await place.run(['status'])).stdout).toMatch(
    /Recalls +1 not proven dead; `outtray review` names them/,
  );
  expect((await place.run(['review'])).stdout).toMatch(/a\.txt .*not proven/);
  service.faults.add({ match: { method: 'DELETE' }, fault: { kind: 'reset', at: 'done' } });
  expect((await place.run(['recall', id])).code).toBe(7);
  const again = await place.run(['recall', id]);
  expect({ code: again.code, said: again.stdout }).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /recalled, the link is dead\. It was public for \d+ (second|minute)s?/,
    ) as string,
  });
  expect(await lives(link)).toBe(false);
});

test.each<[string, Fault, string, string]>([
  ['still answers', { kind: 'answer', status: 500 }, 'answers', 'still answers'],
  ['nothing answers', { kind: 'reset', at: 'headers' }, 'not-proven', 'could not be checked'],
])(
  'a deletion whose link %s ends with 8 and says so, as a recall does',
  async (_, fault, linkState, said) => {
    const { id, link } = await shared('a.txt', `open after its deletion: ${linkState}`);
    service.faults.add({ match: { path: '/download/*' }, times: null, fault });
    const open = { dead: false, linkState, public_link: link };
    const deleted = await place.json(['delete', '--yes', id]);
    expect(deleted).toMatchObject({
      code: 8,
      lines: [{ success: true, againAt: expect.any(String) as string, ...open }],
    });
    const recalled = await place.run(['recall', '--yes', id]);
    expect({ code: recalled.code, told: recalled.stderr + recalled.stdout }).toMatchObject({
      code: 8,
      told: expect.stringContaining(said) as string,
    });
    const row = (await place.run(['review'])).stdout.split('\n').find((line) => line.includes('a.txt'));
    expect(row).toContain(said.replace('could not be checked', 'not proven'));
    service.faults.clear();
    expect(await place.json(['recall', '--yes', id])).toMatchObject({
      code: 0,
      lines: [{ dead: true, linkState: 'dead' }],
    });
  },
);

test('a link that is being recalled is not offered, and one that is named twice is reported once', async () => {
  const { link, file, id } = await shared('a.txt', 'taken back later');
  service.faults.add({ match: { method: 'DELETE' }, fault: { kind: 'answer', status: 503 } });
  const { code, lines } = await place.json(['recall', file]);
  expect({ code, lines }).toMatchObject({ code: 7, lines: [{ error: { code: 'unusable-answer' } }] });
  expect(lines[0]?.error).toMatchObject({ remedy: expect.stringContaining('continues by itself') as string });
  expect(await lives(link)).toBe(true);
  expect(await place.run(['link', 'a.txt'])).toMatchObject({ code: 5, stdout: '' });
  expect((await place.run(['why', file])).stdout).toContain('being taken back');
  const twice = await place.json(['recall', file, id]);
  expect(twice).toMatchObject({ code: 0, lines: [{ event: 'recalled', dead: true }] });
  expect(twice.lines).toHaveLength(1);
});

test('a file without a link, and an unknown one, get a clear error', async () => {
  const { file } = await shared('a.txt', 'errors of a recall');
  const theirs = await service.addFile({ filename: 'elsewhere.bin', content: 'not ours to take back' });
  const foreign = await place.run(['recall', String(theirs.id)]);
  expect(foreign).toMatchObject({ code: 5, stdout: '' });
  expect(foreign.stderr).toContain(`outtray delete ${theirs.id}`);
  const nowhere = await place.run(['recall', path.join(place.folder, 'nowhere.txt')]);
  expect(nowhere).toMatchObject({ code: 5, stdout: '' });
  expect((await place.run(['recall'])).code).toBe(2);
  expect((await place.run(['recall', '9999999999999999'])).code).toBe(5);
  const both = await place.json(['recall', file, String(theirs.id)]);
  expect(both.code).toBe(8);
  expect(both.lines).toMatchObject([{ event: 'recalled', dead: true }, { error: { code: 'not-found' } }]);
  expect(storedAs(service, 'not ours to take back')).toHaveLength(1);
});
