import { format, inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../src-main/adapters/log/redactor.ts';
import { parseSecret } from '../../../src-main/adapters/secret.ts';

const key = 'sk_live/9"a\\b+c%d=e&f~g!h*(i)';
const { redact } = createRedactor([parseSecret(key)]);

const inForm = new URLSearchParams({ k: key }).toString().slice(2);

test.each([
  ['as it is', key],
  ['in JSON', JSON.stringify({ key })],
  ['in JSON in JSON', JSON.stringify({ body: JSON.stringify({ key }) })],
  ['URL-encoded', encodeURIComponent(key)],
  ['URL-encoded in lower case', encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase())],
  ['form-encoded', inForm],
  ['in hex', Buffer.from(key).toString('hex')],
  ['in upper-case hex', Buffer.from(key).toString('hex').toUpperCase()],
  ['in base64', Buffer.from(key).toString('base64')],
  ['in base64url', Buffer.from(key).toString('base64url')],
])('a secret %s is removed and the text around it stays', (_form, written) => {
  expect(redact(`before ${written} after`)).toMatch(/^before .*«redacted».* after$/);
  expect(redact(written)).not.toMatch(/live|b2xpdm|9"a/);
});

test.each([0, 1, 2, 3])('a secret inside base64 of something longer is removed, %i bytes in', (before) => {
  const text = `${'u'.repeat(before)}${key}:tail`;
  const clean = redact(Buffer.from(text).toString('base64'));
  const left = Buffer.from(clean.split('«redacted»')[0] ?? '', 'base64').toString();
  expect(clean).toContain('«redacted»');
  expect(left).not.toContain(key.slice(0, 3));
});

test('any secret of any characters is removed in every plain form', () => {
  const secrets = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)),
    minLength: 8,
  });
  fc.assert(
    fc.property(secrets, (text) => {
      const clean = createRedactor([parseSecret(text)]).redact(
        [text, JSON.stringify(text), encodeURIComponent(text), Buffer.from(text).toString('base64')].join(
          ' | ',
        ),
      );
      return (
        !clean.includes(text) && !clean.includes(Buffer.from(text).toString('base64').replaceAll('=', ''))
      );
    }),
  );
});

describe('Bearer', () => {
  test.each([
    ['authorization: Bearer abc123 next', 'authorization: Bearer «redacted» next'],
    ['{"authorization":"Bearer a\\"b","n":1}', '{"authorization":"Bearer «redacted»","n":1}'],
    ['bearer%20abc', 'Bearer «redacted»'],
  ])('%s', (text, clean) => expect(createRedactor().redact(text)).toBe(clean));

  test('is an ordinary word in names and links, which lose only the known secrets', () => {
    const { redactKnown } = createRedactor([parseSecret(key)]);
    const named = 'Bearer bond.pdf, https://files.example/d/9/Bearer%20bond.pdf, standard-bearer logo.svg';
    expect(redactKnown(named)).toBe(named);
    expect(redactKnown(`Bearer ${key} bond.pdf`)).toBe('Bearer «redacted» bond.pdf');
  });
});

test('a secret that is added later counts from then on', () => {
  const redactor = createRedactor();
  expect(redactor.redact('new-secret-1')).toBe('new-secret-1');
  redactor.add(parseSecret('new-secret-1'));
  redactor.add(parseSecret('new-secret-10'));
  expect(redactor.redact('new-secret-1, new-secret-10')).toBe('«redacted», «redacted»');
});

test('a secret prints as «redacted» however it is printed', () => {
  const secret = parseSecret(' key-0123456789 \n');
  expect(secret.reveal()).toBe('key-0123456789');
  expect(secret.lastFour).toBe('6789');
  expect(parseSecret('short').lastFour).toBe('');
  for (const printed of [format('%s', secret), JSON.stringify({ secret }), inspect({ secret })]) {
    expect(printed).toContain('«redacted»');
    expect(printed).not.toContain('6789');
  }
  expect(() => structuredClone(secret)).toThrow();
});

test.each(['', '  ', 'two words', 'schlüssel', 'x'.repeat(513)])(
  '%j is not a key, and is not quoted',
  (text) => {
    expect(() => parseSecret(text)).toThrow(/No API key|cannot be an API key/);
  },
);
