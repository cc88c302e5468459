// The sentence and the remedy for each status.
import { expect, test } from 'vitest';
import {
  dateOf,
  faultOfBreak,
  faultOfConnect,
  faultOfStatus,
  retryAfter,
  type Endpoint,
} from '../../src-main/adapters/api/http-errors.ts';
import { parseSecret } from '../../src-main/adapters/secret.ts';

const told = (status: number, endpoint: Endpoint) =>
  faultOfStatus({ status, headers: {} }, Buffer.alloc(0), { endpoint, secret: null, nowMs: 0 });

test.each([
  [426, 'upload', /newer protocol: update Outtray/],
  [426, 'stats', /newer protocol: update Outtray/],
  [400, 'upload', /Rename the file and retry it/],
  [400, 'list', /Check the base address/],
  [422, 'upload', /Rename the file and retry it/],
] as const)('%d of the endpoint %s has a remedy', (status, endpoint, remedy) => {
  const error = told(status, endpoint);
  expect(error.message).toContain(String(status));
  expect(error.remedy).toMatch(remedy);
});

const page = (status: number, endpoint: Endpoint) =>
  faultOfStatus({ status, headers: { 'content-type': 'text/html' } }, Buffer.from('<html>No.</html>'), {
    endpoint,
    secret: null,
    nowMs: 0,
  });

test.each([302, 400, 403, 404, 405, 406, 409, 410, 413, 414, 415, 431, 451])(
  'a page with status %d in answer to an upload comes from a proxy before the service, and leads to no other request',
  (status) => {
    expect(page(status, 'upload').code).toBe('blocked');
    expect(page(status, 'upload').status).toBe(status);
    expect(page(status, 'stats').code).not.toBe('blocked');
    expect(told(status, 'upload').code).not.toBe('blocked');
  },
);

test.each([
  [401, 'key-refused'],
  [407, 'refused'],
  [408, 'interrupted'],
  [411, 'refused'],
  [426, 'refused'],
  [429, 'rate'],
  [501, 'unusable-answer'],
] as const)('a page with status %d concerns every file', (status, code) => {
  expect(page(status, 'upload').code).toBe(code);
});

test.each([
  [400, 'application/json', 'client certificate.pdf', 'refused'],
  [400, 'text/html', 'report.pdf', 'refused'],
  [400, '', 'The plain HTTP request was sent to HTTPS port.pdf', 'refused'],
  [403, '', 'The SSL certificate error.txt', 'limit'],
  [413, 'text/html', 'report.pdf', 'too-large'],
] as const)(
  'with status %d and type "%s" the service’s own message about “%s” is no page of a server before it',
  (status, type, name, code) => {
    const body = Buffer.from(` {"success": false, "message": "No: ${name}"}`);
    const error = faultOfStatus({ status, headers: { 'content-type': type } }, body, {
      endpoint: 'upload',
      secret: parseSecret('a-key-of-a-user'),
      nowMs: 0,
    });
    expect(error).toMatchObject({ code, evidence: `No: ${name}` });
  },
);

test('the letters of a media type may be capitals', () => {
  const told = (type: string, body: string) =>
    faultOfStatus({ status: 400, headers: { 'content-type': type } }, Buffer.from(body), {
      endpoint: 'upload',
      secret: parseSecret('a-key-of-a-user'),
      nowMs: 0,
    });
  expect(told('Text/HTML; Charset=utf-8', '<p>No.</p>').code).toBe('blocked');
  expect(told('TEXT/PLAIN', 'No such folder').evidence).toBe('No such folder');
});

test.each([
  'Sun, 06 Nov 2033 08:49:37 GMT',
  'Sunday, 06-Nov-33 08:49:37 GMT',
  'Sun Nov  6 08:49:37 2033',
  'Sun Nov 16 08:49:37 2033',
])('%s is an HTTP date, in UTC', (date) => {
  const atMs = Date.UTC(2033, 10, date.includes('16') ? 16 : 6, 8, 49, 37);
  expect(dateOf({ date })).toBe(atMs);
  expect(retryAfter({ 'retry-after': date }, atMs - 5000)).toBe(5000);
});

test.each([
  '',
  '2033',
  '12',
  '2033-11-06T08:49:37Z',
  'Nov 6 2033',
  '6 Nov 2033 08:49:37 GMT',
  'Sun, 06 Nov 2033 08:49:37',
  'Sun, 06 Nov 2033 08:49:37 +0100',
  'Sunday, 06-Nov-33 08:49:37',
  'Sun Nov  6 08:49:37',
  'Sun Nov 66 08:49:37 2033',
  'soon GMT',
  'Sunday, soon GMT',
])('%j is no HTTP date', (date) => {
  expect(dateOf({ date })).toBeNull();
});

test.each([
  [0, true],
  [1, false],
])(
  'after %i bytes of an answer, a connection that broke may have wanted a certificate: %s',
  (bytesRead, isHinted) => {
    const error = Object.assign(new Error('other side closed'), {
      code: 'UND_ERR_SOCKET',
      socket: { bytesRead },
    });
    const { remedy } = faultOfBreak(error, new URL('https://files.example'));
    expect(JSON.stringify(remedy).includes('client certificate')).toBe(isHinted);
  },
);

test.each(['EMFILE', 'ENFILE'])(
  '%s before or after the connection is made: the handles are named, and not the network',
  (code) => {
    const error = Object.assign(new Error(code), { code });
    const faults = [
      faultOfConnect(error, 'files.example'),
      faultOfBreak(error, new URL('https://files.example')),
      faultOfBreak(new Error('fetch failed', { cause: error }), new URL('https://files.example')),
    ];
    for (const { message, remedy } of faults) {
      expect(message).toMatch(/file handles/);
      expect(JSON.stringify(remedy)).toMatch(/Allow more/);
    }
    expect(faults.map((fault) => fault.code)).toEqual(['offline', 'interrupted', 'interrupted']);
  },
);
