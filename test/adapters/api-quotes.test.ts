// The service's text about an error: quoted when it is readable, and never with the key.
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { toWire } from '../../src-main/contract/errors.ts';
import { answering, faultOf, http, json, receipt, never, testKey, uploadOf } from './api-wire.ts';

test.each([
  ['message', json(403, { message: 'Daily  limit\nreached' }), 'Daily limit reached'],
  ['error', json(400, { error: 'no file' }), 'no file'],
  ['nested', json(400, { error: { message: 'deep' } }), 'deep'],
  ['list', json(400, { errors: [{ detail: 'first' }] }), 'first'],
  ['text', http(400, 'plain', { 'content-type': 'text/plain; charset=utf-8' }), 'plain'],
  [
    'unknown token',
    json(400, { message: 'no: Bearer\u200b  tok-123, sorry' }),
    'no: Bearer «redacted», sorry',
  ],
  ['controls', json(400, { message: '\u001b[31mre\u202ed\u0000' }), '[31mred'],
  ['long', json(400, { message: 'x'.repeat(5000) }), `${'x'.repeat(199)}…`],
  ['HTML', http(400, '<h1>no</h1>', { 'content-type': 'text/html' }), undefined],
  ['empty', http(400, ''), undefined],
  ['not a text', json(400, { message: 5 }), undefined],
])("the service's own words are quoted when they are readable: %s", async (_shape, answer, said) => {
  const { api } = await answering(answer);
  const error = await faultOf(api.stats(never));
  expect(error.evidence).toBe(said);
  if (said !== undefined) expect(error.message).toContain(said);
});

test('an answer that contains the key is neither quoted nor stored', async () => {
  const encoded = Buffer.from(`Bearer ${testKey}`).toString('base64');
  const texts = [
    testKey,
    `your key ${testKey} is wrong`,
    `key: ${testKey.slice(0, 14)}…`,
    testKey.toUpperCase(),
    encoded,
    Buffer.from(testKey).toString('base64url'),
    Buffer.from(testKey).toString('hex'),
    `%22${encodeURIComponent(testKey)}%22`,
    testKey.split('').join('\u0000'),
  ];
  for (const text of texts) {
    const answers = [
      json(400, { message: text }),
      json(403, { message: text }),
      http(500, text, { 'content-type': 'text/plain' }),
      http(302, '', { location: `https://x/?k=${text.replaceAll('\u0000', '')}` }),
      text.includes('\u0000') ? '' : `${text} is not HTTP\r\n\r\n`,
    ];
    for (const answer of answers) {
      if (answer === '') continue;
      const { api } = await answering(answer);
      const error = await faultOf(api.stats(never));
      const everything = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(toWire(error));
      for (const form of [testKey, encoded.slice(12, 40), text]) expect(everything).not.toContain(form);
    }
  }
  const { api } = await answering(json(200, { ...receipt, filename: `x${testKey}` }));
  expect((await faultOf(api.upload(uploadOf(Buffer.from('xyz'))))).code).toBe('unusable-answer');
});
