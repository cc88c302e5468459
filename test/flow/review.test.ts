// `review`: links that need a look, each with a command that ends it; the commands are run as they are printed.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import type { Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;
beforeEach(async () => {
  service = await ownService({ dailyUploads: 50 });
  place = await ownPlace(service, { rate: 10 });
});

const upload = async (...args: string[]): Promise<void> => {
  expect(await place.run(['upload', ...args])).toMatchObject({ code: 0 });
};
const found = async (kind?: string, ...flags: string[]) => {
  const { code, lines } = await place.json(['review', ...flags]);
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatchObject({ event: 'review' });
  const findings = lines.slice(0, -1);
  return kind === undefined ? findings : findings.filter((line) => line['kind'] === kind);
};
/** Runs a remedy as it is printed. */
const remedy = (line: Record<string, unknown> | undefined) =>
  place.run(String(line?.['remedy']).split(' ').slice(1));
const idOf = (name: string): number => service.files().find(({ filename }) => filename === name)?.id ?? 0;
/** As if it had been uploaded this many days ago. */
const age = (name: string, days: number): void => {
  const ledger = new DatabaseSync(path.join(place.home, 'ledger.sqlite'));
  ledger
    .prepare('UPDATE uploads SET uploaded_at_ms = uploaded_at_ms - ? WHERE name = ?')
    .run(days * 86_400_000, name);
  ledger.close();
};

test('a finding shows kind, file, link and one command that ends it, without a request', async () => {
  const file = await place.put('../old.txt', 'old one');
  await upload(file);
  await upload(await place.put('../young.txt', 'young one'));
  expect(await found()).toEqual([]);
  expect((await place.run(['review'])).stdout).toBe('No link needs attention.\n');
  age('old.txt', 91);
  const before = service.requests().length;
  const findings = await found();
  expect(findings).toMatchObject([
    {
      kind: 'old',
      file_id: idOf('old.txt'),
      path: file,
      public_link: expect.stringMatching(/^http/) as string,
      filename: 'old.txt',
      sizeBytes: 7,
      since: expect.stringMatching(/Z$/) as string,
      remedy: `outtray recall ${idOf('old.txt')}`,
    },
  ]);
  expect(await found('old', '--old', '92')).toEqual([]);
  expect(await found('old', '--old', '0')).toHaveLength(2);
  const text = await place.run(['review']);
  expect(text.stdout).toMatch(/^Old \(1\)\n {2}old\.txt {2}7 bytes {2}uploaded .* → outtray recall \d+\n$/);
  expect(text.stderr).toContain('the account’s list has not been read yet');
  expect(service.requests()).toHaveLength(before);
  expect((await remedy(findings[0])).code).toBe(0);
  expect(await found()).toEqual([]);
  for (const wrong of ['-1', 'x', '99999'])
    expect((await place.run(['review', '--old', wrong])).code).toBe(2);
});

test('two links to one content are one too many; the remedy shows the one and the other', async () => {
  const file = await place.put('../same.txt', 'same');
  await upload(file);
  await upload('--again', file);
  await fetch(String(service.files()[0]?.link));
  expect((await place.run(['list', '--all'])).code).toBe(0);
  const findings = await found();
  expect(findings).toMatchObject([{ kind: 'duplicate', file_id: service.files()[1]?.id }]);
  const [first, second] = service.files();
  const shown = await remedy(findings[0]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(new RegExp(`^file_id +${second?.id}\n`));
  const [own = '', other = ''] = shown.stdout.split('Other links of the same content:\n');
  expect(own).toContain(second?.link);
  expect(own).toMatch(/^download_count +0$/m);
  expect(other.split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^  alive +${first?.link} +since .* at least 1 download +`)),
    '',
  ]);
  expect(other).toContain(file);
  await place.run(['recall', String(findings[0]?.['file_id'])]);
  expect(await found()).toEqual([]);
});

test('a link that died elsewhere, and one that did not die, are reported until they are proven dead', async () => {
  await place.put('gone.txt', 'gone');
  expect((await place.run(['watch', place.folder, '--once', '--existing', 'upload'])).code).toBe(0);
  await upload(await place.put('../stays.txt', 'stays'));
  const [gone, stays] = [idOf('gone.txt'), idOf('stays.txt')];
  // The service says that the file is deleted, and its link serves it all the same.
  service.faults.add({
    match: { method: 'DELETE' },
    fault: { kind: 'answer', status: 200, body: { success: true, message: 'File deleted' } },
  });
  expect((await place.run(['recall', String(stays)])).code).toBe(8);
  const headers = { authorization: `Bearer ${service.key}` };
  await fetch(`${service.baseUrl}/files/${gone}`, { method: 'DELETE', headers });
  expect(await found('dead')).toHaveLength(1);
  // A very new file may be missing because the list is slow: it is not reported dead yet.
  expect((await place.run(['settings', 'set', 'reconcileAfterMs', '1000'])).code).toBe(0);
  await expect.poll(() => found('dead', '--refresh'), { timeout: 10_000 }).toHaveLength(2);
  const findings = await found('dead');
  expect(findings.map((line) => [line['file_id'], line['remedy']])).toEqual([
    [stays, `outtray recall ${stays}`],
    [gone, `outtray recall ${gone}`],
  ]);
  expect(await place.run(['link', 'gone.txt'])).toMatchObject({
    code: 5,
    stdout: '',
    stderr: expect.stringContaining('it may have been deleted there') as string,
  });
  for (const one of findings) expect((await remedy(one)).code).toBe(0);
  expect(await found()).toEqual([]);
});

test('an account near a limit is reported: the uploads of the day, the largest file', async () => {
  service = await ownService({ dailyUploads: 2, maxFileSizeBytes: 1_000_000 });
  place = await ownPlace(service, { rate: 10 });
  const file = await place.put('../large.bin', Buffer.alloc(900_000));
  await upload(file, await place.put('../small.bin', 'x'));
  expect((await place.run(['stats'])).code).toBe(0);
  expect(await found()).toMatchObject([
    { kind: 'daily-uploads', file_id: null, path: null, sizeBytes: null, remedy: 'outtray pause tomorrow' },
    {
      kind: 'largest-file',
      path: file,
      remedy: `outtray upload --zip ${process.platform === 'win32' ? file : `'${file}'`}`,
    },
  ]);
});
