// A service whose ids no number can hold: every command prints them with all digits, and accepts them.
import { expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';

test('a file with an id of 63 bits is uploaded, found, shown, watched, and recalled', async () => {
  const service = await ownService({ idsAbove: '9223372036854770000' });
  const place = await ownPlace(service);
  const [own, deleted] = [await place.put('../own.txt', 'own'), await place.put('../b.txt', 'to delete')];
  const ids: string[] = [];
  for (const file of [own, deleted]) {
    const { code, lines } = await place.json(['upload', file]);
    expect(code).toBe(0);
    ids.push(String(lines.find(({ event }) => event === 'uploaded')?.['file_id']));
  }
  const [first = '', second = ''] = ids;
  expect(ids).toEqual([expect.stringMatching(/^922337203685477\d{4}$/), String(BigInt(first) + 1n)]);

  expect((await place.json(['list', '--all'])).lines).toMatchObject([
    { files: [{ file_id: second }, { file_id: first }] },
  ]);
  expect((await place.run(['list'])).stdout).toContain(first);
  expect((await place.json(['info', first])).lines).toMatchObject([
    { file: { file_id: first, filename: 'own.txt' } },
  ]);
  expect((await place.json(['verify', first])).lines).toMatchObject([{ file_id: first, ok: true }]);
  expect((await place.json(['expire', first, '7d'])).lines).toMatchObject([{ file_id: first }]);
  expect((await place.run(['follow', first])).code).toBe(0);
  expect((await place.run(['card', first, '--format', 'json'])).stdout).toContain(`"${first}"`);
  expect((await place.run(['export'])).stdout).toContain(first);

  expect(await place.json(['delete', second, '--yes'])).toMatchObject({
    code: 0,
    lines: [{ file_id: second }],
  });
  expect(await place.json(['recall', first])).toMatchObject({
    code: 0,
    lines: [{ file_id: first, dead: true }],
  });
  expect((await place.run(['info', '9223372036854775808'])).stderr).toContain('An id is a whole number');
});
