// A sample of the hostile answers: `node --expose-gc test/support/hostile/main.ts` sends 5,000 to each endpoint. A
// process of its own, so that whatever escapes there is seen and its memory is its own.
import { isDeep } from '../support/deep.ts';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Report } from '../support/hostile/run.ts';
import { answering, faultOf, http, json, never, receipt, uploadOf } from './api-wire.ts';

const main = path.resolve(import.meta.dirname, '../support/hostile/main.ts');
const each = process.env['OUTTRAY_FULL'] === '1' ? 5000 : isDeep ? 300 : 20;
const seed = Number(process.env['OUTTRAY_SEED'] ?? 1);

test(
  `none of ${each} hostile answers of each endpoint is a false success, a false refusal, a crash or a leak`,
  { timeout: each > 300 ? 900_000 : 90_000 },
  async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--expose-gc', main, '--each', String(each), '--seed', String(seed)],
      { env: { PATH: process.env['PATH'] } },
      // It exits with 1 when it found something, and has printed what.
    ).catch((error: unknown) => error as { stdout: string });
    const report = JSON.parse(stdout) as Report;
    expect(report.findings).toEqual([]);
    // Both kinds came: answers that had to be believed, and doubt about uploads.
    expect(report.had).toBeGreaterThan(each / 20);
    expect(report.uncertain).toBeGreaterThan(each / 2);
    expect(report.heapGrowthBytes).toBeLessThan(16 * 1024 * 1024);
  },
);

test.each([
  ['success', '{"success":false,'],
  ['success, spelled otherwise', '{"\\u0073uccess" : false,'],
  ['the id', '{"file_id":8,'],
  ['a field nobody knows', '{"x":1,"x":2,'],
])('a receipt that contains %s twice does not prove an upload', async (_word, start) => {
  const text = JSON.stringify(receipt).replace('{', start);
  const { api } = await answering(http(200, text));
  const error = await faultOf(api.upload(uploadOf(Buffer.from('xyz'))));
  expect(error).toMatchObject({ code: 'unusable-answer', status: 200, evidence: 'duplicate keys' });
});

test('a list in place of a file is not read as a file without fields', async () => {
  const { api } = await answering(json(200, { success: true, file: [7] }));
  expect((await faultOf(api.info(5, never))).code).toBe('unusable-answer');
  const pagination = { page: 1, limit: 1, total: 1, pages: 1 };
  const page = await answering(json(200, { success: true, files: [[]], pagination }));
  expect((await faultOf(page.api.list({}, never))).code).toBe('unusable-answer');
});
