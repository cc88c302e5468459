import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerFrom,
  appUrl,
  contentSecurityPolicy,
  readBundle,
  type PageFiles,
} from '../../../../src-main/shell/window/bundle.ts';

let folder: string;
let bundle: PageFiles;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'outtray-bundle-'));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<p>hello</p>');
  writeFileSync(path.join(folder, 'assets/index-1.js'), 'export {}');
  writeFileSync(path.join(folder, 'assets/index-1.js.map'), '{}');
  bundle = readBundle(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const get = (url: string, method = 'GET'): Response => answerFrom(bundle, { url, method });

test('the bundled files are served with their type, the policy and nosniff', async () => {
  const page = get(appUrl);
  expect(await page.text()).toBe('<p>hello</p>');
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
  });
  expect(get('outtray://app/assets/index-1.js').headers.get('content-type')).toMatch('text/javascript');
});

test('the policy is exactly the agreed one', () => {
  expect(contentSecurityPolicy).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
});

test.each([
  'outtray://app/',
  'outtray://app/assets/../../secret',
  'outtray://app/assets/..%2f..%2fetc%2fpasswd',
  'outtray://app//etc/passwd',
  'outtray://app/assets/index-1.js.map',
  'outtray://other/index.html',
  'https://app/index.html',
  'file:///etc/passwd',
  'nonsense',
])('%s is not served', (url) => expect(get(url).status).toBe(404));

test('only read requests are answered', () => expect(get(appUrl, 'POST').status).toBe(404));
