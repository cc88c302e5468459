// `npm run service:try` tries what Outtray relies on, at services that fulfil it and at services that do not.
import { expect, test } from 'vitest';
import { createClock } from '../../src-main/adapters/system/clock.ts';
import { createApi } from '../../src-main/adapters/api/api.ts';
import { parseSecret } from '../../src-main/adapters/secret.ts';
import type { Check } from '../../src-main/contract/answers.ts';
import { createTrial, trialContents } from '../service/trial/trial.ts';
import { tryService } from '../service/trial/try.ts';
import type { ServiceOptions } from '../service/options.ts';
import type { Service } from '../service/service.ts';
import { ownService } from '../support/flow/own.ts';
import { sha256, uploads } from '../support/flow/wire.ts';

type Checks = Record<string, Check>;

const byName = (checks: readonly Check[]): Checks =>
  Object.fromEntries(checks.map((check) => [check.name, check]));

/** The trial alone, with no command around it. */
const tried = async (
  options: ServiceOptions,
  look: (checks: Checks, service: Service) => void,
  before: (service: Service) => void = () => undefined,
): Promise<void> => {
  const service = await ownService(options);
  const api = createApi({
    baseUrl: service.baseUrl,
    key: () => parseSecret(service.key),
    settings: { proxy: 'none', caPem: null, linkHosts: [] },
  });
  const trial = createTrial({ api, clock: createClock(), chance: Math.random });
  before(service);
  look(byName(await trial(new AbortController().signal)), service);
  await api.close();
};

const okOf = (checks: Checks) =>
  Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, check.ok]));

test('the trial uploads the contents whose digests it knows', () => {
  for (const content of Object.values(trialContents)) expect(sha256(content.bytes())).toBe(content.sha256);
});

/** As `npm run service:try` does it. */
const command = async (service: Service, ...flags: string[]) => {
  const printed: string[] = [];
  const complained: string[] = [];
  const code = await tryService([service.baseUrl, ...flags], {
    env: { OUTTRAY_API_KEY: service.key },
    print: (line) => void printed.push(line),
    complain: (line) => void complained.push(line),
    ask: () => Promise.resolve(null),
    signal: new AbortController().signal,
  });
  return { code, printed, complained };
};
test('a plain service passes, in at most 15 requests, and nothing of the trial is left', async () => {
  const service = await ownService({});
  await service.addFile({ filename: 'mine.txt', content: 'mine' });
  const { code, printed } = await command(service, '--yes', '--json');
  const checks = byName(printed.map((line) => JSON.parse(line) as Check));
  expect({ code, ok: okOf(checks) }).toEqual({
    code: 0,
    ok: {
      'new-id': true,
      'link-host': true,
      'same-bytes': true,
      'withheld-tail': true,
      name: true,
      list: true,
      order: true,
      limit: true,
      total: true,
      'size-unit': true,
      'time-zone': true,
      delete: true,
      rate: null,
      repeats: null,
    },
  });
  expect(checks).toMatchObject({
    order: { message: 'The list has the newest file first.' },
    limit: { message: 'A page of the list holds 20 files unless asked otherwise; at most 100.' },
    'size-unit': { message: 'Sizes are in bytes.' },
    'time-zone': { message: 'Dates are in UTC.' },
  });
  // No trial can show this condition, so the report always names it.
  expect(checks['repeats']?.message).toMatch(/no proxy repeats a POST.*reconcileAfterMs/);
  expect(checks['repeats']?.remedy).toMatch(/non_idempotent.*retry-on/);
  expect(service.files().map((file) => file.filename)).toEqual(['mine.txt']);
  const requests = service.requests().filter((request) => !request.path.startsWith('/download'));
  expect(requests.length).toBeLessThanOrEqual(15);
});

test('a service that keeps the received part of a cut-off upload is detected, and the partial file is deleted', async () => {
  const service = await ownService({ cutUpload: 'kept' });
  const { code, printed } = await command(service, '--yes');
  expect(code).toBe(2);
  expect(printed.filter((line) => line.startsWith('!'))).toEqual([
    expect.stringMatching(/^! withheld-tail: The service keeps a file of which only a part was sent\. With/),
  ]);
  expect(service.files()).toEqual([]);
});

test('a trial that is interrupted reports it and deletes what it made, even a file whose answer was lost', async () => {
  await tried(
    {},
    (checks, service) => {
      expect(okOf(checks)).toEqual({ trial: false });
      expect(uploads(service)).toHaveLength(3);
      expect(service.files()).toEqual([]);
    },
    (service) =>
      service.faults.add({
        match: { path: '/files/upload' },
        when: () => uploads(service).length === 3,
        fault: { kind: 'reset', at: 'done' },
      }),
  );
});

test('without consent, an address or a key no request is sent to the service', async () => {
  const service = await ownService({});
  expect(await command(service)).toEqual({
    code: 2,
    printed: [],
    complained: ['This uploads and deletes files of the account. Add --yes to agree.'],
  });
  expect(await command(service, 'another', '--yes')).toMatchObject({ code: 2, printed: [] });
  expect(await command({ ...service, key: '' }, '--yes')).toMatchObject({ code: 3, printed: [] });
  expect(service.requests()).toEqual([]);
});

test('a plan without the API is reported as usual, and nothing is sent', async () => {
  const service = await ownService({ plan: 'Free' });
  expect(await command(service, '--yes')).toMatchObject({ code: 4, printed: [] });
  expect(service.files()).toEqual([]);
});
