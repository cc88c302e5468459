// How a person names a file, decided without any lookup.
import { expect, test } from 'vitest';
import { linkForms, linkText } from '../../../src-main/contract/text/link-text.ts';
import {
  isLinkToSame,
  isOnOtherHost,
  isSameLink,
  linkIn,
  plainPartOf,
  queueIdFrom,
  queueIdText,
  readNamed,
  versionFrom,
  type Named,
  type NamedExactly,
} from '../../../src-main/contract/text/named-file.ts';

const read = (text: string, isWindows = false) =>
  readNamed(text, { absolute: (path) => `/here/${path}`, isWindows });

const word = (name: string, other: NamedExactly): Named => ({ name, path: `/here/${name}`, else: other });

test.each<[string, Named]>([
  ['12', word('12', { fileId: 12 })],
  ['9223372036854775807', word('9223372036854775807', { fileId: '9223372036854775807' })],
  ['q5', word('q5', { queueId: 5 })],
  ['Q5', word('Q5', { queueId: 5 })],
  ['id:12', word('id:12', { fileId: 12 })],
  ['id:q5', word('id:q5', { queueId: 5 })],
  ['id:x', { name: 'id:x', path: '/here/id:x' }],
  ['-', { name: '-', path: '/here/-' }],
  ['https://x/d/1', word('https://x/d/1', { link: 'https://x/d/1' })],
  ['./report.pdf', { path: '/here/./report.pdf' }],
  ['..', { path: '/here/..' }],
  ['./q5', { path: '/here/./q5' }],
  ['./12', { path: '/here/./12' }],
  ['report.pdf', { name: 'report.pdf', path: '/here/report.pdf' }],
  ['q0', { name: 'q0', path: '/here/q0' }],
  ['0', { name: '0', path: '/here/0' }],
  ['007', { name: '007', path: '/here/007' }],
  ['9223372036854775808', { name: '9223372036854775808', path: '/here/9223372036854775808' }],
  ['a\\b', { name: 'a\\b', path: '/here/a\\b' }],
])('%s', (text, named) => {
  expect(read(text)).toEqual(named);
});

test('on Windows a backslash or a drive makes a path', () => {
  for (const text of ['a\\b', 'C:a']) expect(read(text, true)).toEqual({ path: `/here/${text}` });
});

test('an id of the queue is one that a number can represent', () => {
  expect(queueIdFrom('q9007199254740991')).toBe(9_007_199_254_740_991);
  for (const text of ['q9007199254740993', 'q99999999999999999', 'q01', 'q', '5', 'q5x'])
    expect(queueIdFrom(text)).toBeNull();
});

test('an id of the queue may carry a version, which is read back without regard to case', () => {
  const text = queueIdText(5, 1_764_000_000_123.4);
  expect(text).toMatch(/^q5@[0-9a-z]{6}$/);
  expect(queueIdFrom(text)).toBe(5);
  for (const written of [text, text.toUpperCase(), `id:${text}`])
    expect(versionFrom(written)).toBe(text.slice(3));
  expect(queueIdText(5, 0)).toBe('q5@000000');
  for (const other of ['q5', 'q5@', 'q5@12345', '5@123456', 'report@123456'])
    expect(versionFrom(other)).toBeNull();
});

test('a text that begins like a link is one, whatever stands behind it', () => {
  expect(read(' https://x/a b ')).toMatchObject({ else: { link: 'https://x/a b' } });
  expect(read('https://')).toMatchObject({ else: { link: 'https://' } });
});

const hard = {
  name: 'a](https://evil)[b href="https://evil" &',
  sizeBytes: null,
  sha256: null,
  uploadedAtMs: null,
};

test.each(['https://x/d/1', 'https://x/d/(1)>', 'https://x/d?a=1&b=2', 'https://x/d/[1]'])(
  'a link is recognised in every form in which it is copied: %s',
  (link) => {
    for (const form of linkForms) {
      if (form === 'template') continue;
      for (const name of [hard.name, `${hard.name}.png`]) {
        const { text } = linkText([{ ...hard, name, link }], form, { template: '', locale: 'en' });
        const found = linkIn(` ${text}\n`);
        expect(isSameLink(found ?? '', link), `${form}: ${found}`).toBe(true);
        expect(link).toContain(plainPartOf(found ?? ''));
      }
    }
  },
);

test('a text that merely contains a link is not one', () => {
  for (const text of ['see https://x/1', 'https://', 'ftp://x/1', 'http:/x', 'https://x/1 https://x/2'])
    expect(linkIn(text)).toBeNull();
});

test('the case of the host and its usual port do not matter; the case of the file, and another host, do', () => {
  for (const one of ['HTTPS://X/d/Ab', 'https://x:443/d/Ab', 'https://x/d/Ab#top'])
    expect(isSameLink(one, 'https://x/d/Ab')).toBe(true);
  for (const one of ['https://x/d/ab', 'https://x:8443/d/Ab', 'http://x/d/Ab', 'https://y/d/Ab', 'x'])
    expect(isSameLink(one, 'https://x/d/Ab')).toBe(false);
  for (const one of ['https://x:8443/d/Ab', 'http://x/d/Ab', 'https://y/d/Ab'])
    expect(isOnOtherHost(one, 'https://x/d/Ab')).toBe(true);
  expect(isOnOtherHost('https://x/d/ab', 'https://x/d/Ab')).toBe(false);
});

test('the same link at another address leads to the same file', () => {
  for (const one of ['https://x/d/Ab', 'https://y/d/Ab', 'HTTPS://X/d/Ab'])
    expect(isLinkToSame(one, 'https://x/d/Ab')).toBe(true);
  expect(isLinkToSame('no link', 'no link')).toBe(true);
  for (const one of ['https://x/d/ab', 'no link']) expect(isLinkToSame(one, 'https://x/d/Ab')).toBe(false);
});

test('without a link there is no part to look for', () => {
  expect(plainPartOf('no link')).toBe('');
  expect(plainPartOf('https://x')).toBe('/');
});
