// The sentence and the remedy for each status.
import { expect, test } from 'vitest';
import { faultOfStatus, type Endpoint } from '../../src-main/adapters/api/http-errors.ts';

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
