// What each status says to a user, with what can be done.
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
