// The trial of the service from its first request to its last: what it finds, what it leaves behind, and how it ends.
import { expect, test } from 'vitest';
import type { Check } from '../../../src-main/contract/answers.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
import { createTrial } from '../../service/trial/trial.ts';
import type { Api } from '../../../src-main/engine/ports/api.ts';
import { createFakeService, type FakeService, type UploadFault } from '../../support/fake-service.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';

type Begun = {
  clock: VirtualClock;
  service: FakeService;
  stop: AbortController;
  /** The findings by name, once the trial is over. */
  run(): Promise<Record<string, Check>>;
};

/** A service that dates uploads as it documents, and a trial of it. Its names have the word `000000`. */
const begin = (): Begun => {
  const clock = createVirtualClock();
  const service = createFakeService(clock);
  const { info } = service.api;
  service.api.info = async (fileId, signal) => ({
    ...(await info(fileId, signal)),
    upload_date: new Date(clock.wallMs()).toISOString().slice(0, 19).replace('T', ' '),
  });
  service.stats = { ...service.stats, stats: { total_files: 3, total_size: 0 } };
  const stop = new AbortController();
  const trial = createTrial({ api: service.api, clock, chance: () => 0 });
  return {
    clock,
    service,
    stop,
    async run() {
      let isOver = false;
      const checks = trial(stop.signal).finally(() => (isOver = true));
      checks.catch(() => undefined);
      await clock.runUntil(() => isOver);
      return Object.fromEntries((await checks).map((check) => [check.name, check]));
    },
  };
};
const okOf = (checks: Record<string, Check>) =>
  Object.fromEntries(Object.entries(checks).map(([name, { ok }]) => [name, ok]));
/** Stands for a successful upload. */
const well: UploadFault = { receipt: {} };
/** Replaces a call of the service. */
const instead = <Name extends 'upload' | 'list' | 'remove' | 'stats'>(
  { api }: FakeService,
  name: Name,
  act: (inner: Api[Name]) => Api[Name],
): void => {
  api[name] = act(api[name]);
};

test('a service that works as documented passes, and has no file of the trial afterwards', async () => {
  const { service, run } = begin();
  const checks = await run();
  const unknown = Object.values(checks).filter(({ ok }) => ok !== true);
  expect(unknown.map(({ name }) => name)).toEqual(['rate', 'repeats']);
  expect(checks['name']?.message).toBe('The service keeps the name that is sent.');
  expect(checks['limit']?.message).toBe(
    'A page of the list holds 20 files unless asked otherwise; at most 20.',
  );
  expect(service.stored).toHaveLength(3);
  expect(service.namesOf()).toEqual([]);
});

test('the rate limit headers are reported', async () => {
  const { service, run } = begin();
  Object.assign(service.api, { rateHeaders: () => ['x-ratelimit-remaining'] });
  expect((await run())['rate']?.message).toBe(
    'The service speaks of its rate limit in x-ratelimit-remaining.',
  );
});

test('a service that refuses a page of 1000 files is asked for its default page', async () => {
  const { service, run } = begin();
  instead(service, 'list', (list) => async (page, signal) => {
    if (page.limit === 1000) throw new AppError('refused', 'At most 50.');
    return await list(page, signal);
  });
  const checks = await run();
  expect(checks['limit']?.message).toContain('1000 is refused');
  expect(checks).toMatchObject({ list: { ok: true }, order: { ok: true } });
});

test('a partly sent file is found by its name, among others and files without ids, and is deleted', async () => {
  const { service, run } = begin();
  service.addForeign('cut.bin', 'mine');
  instead(service, 'upload', (upload) => async (request) => {
    try {
      return await upload(request);
    } catch (caught) {
      service.addForeign(request.sentName, 'half');
      throw caught;
    }
  });
  instead(service, 'list', (list) => async (page, signal) => {
    const { files, pagination } = await list(page, signal);
    return { files: [{ filename: 'outtray-check-000000 cut.bin' }, ...files], pagination };
  });
  const checks = await run();
  expect(checks['withheld-tail']?.message).toBe('The service keeps a file of which only a part was sent.');
  expect(checks['total']?.message).toMatch(/^The list counts 5 files, the statistics 3/);
  expect(service.namesOf()).toEqual(['cut.bin']);
});

test('a link that cannot be fetched is reported together with the other findings', async () => {
  const { service, run } = begin();
  service.linksBroken = true;
  expect(okOf(await run())).toMatchObject({ 'same-bytes': null, delete: null, total: true, name: true });
});

test('a service that keeps a deleted file is detected although it confirms the deletion', async () => {
  const { service, run } = begin();
  instead(service, 'remove', () => async () => ({ message: 'File deleted' }));
  expect((await run())['delete']).toMatchObject({ ok: false, message: 'A deleted file is still there.' });
});

test.each<[string, UploadFault[]]>([
  ['the upload that is to be cut off is refused', [{ code: 'refused', status: 400 }]],
  ['the answer to the second of the same is lost', [well, well, 'answer-lost']],
])('when %s, the trial reports that it broke off, and deletes its files', async (_, faults) => {
  const { service, run } = begin();
  service.addForeign('mine.txt', 'mine');
  service.faults.push(...faults);
  const checks = await run();
  expect(okOf(checks)).toEqual({ trial: false });
  expect(checks['trial']?.message).toMatch(
    /^The trial broke off: The (service said refused|connection broke)/,
  );
  expect(service.namesOf()).toEqual(['mine.txt']);
});

test('when a page of 1000 files gets no answer, the trial breaks off', async () => {
  const { service, run } = begin();
  instead(service, 'list', (list) => async (page, signal) => {
    if (page.limit === 1000) throw new AppError('interrupted', 'The connection broke.');
    return await list(page, signal);
  });
  expect(okOf(await run())).toEqual({ trial: false });
  expect(service.namesOf()).toEqual([]);
});

test('after it breaks off, files that cannot be deleted are named, and those already gone are not', async () => {
  const { service, run } = begin();
  service.faults.push(well, well, well, { code: 'refused' });
  instead(service, 'remove', () => async (fileId) => {
    throw new AppError(fileId === service.stored[0]?.fileId ? 'not-found' : 'unusable-answer', 'Not now.');
  });
  const checks = await run();
  expect(checks['cleanup']).toMatchObject({
    message: `Files of the trial may still be in the account: ${service.stored[1]?.fileId}.`,
    remedy: 'Look for them, and delete them.',
  });
});

test('when the list cannot be read after it breaks off, the report says which names to look for', async () => {
  const { service, run } = begin();
  service.faults.push(well, well, 'answer-lost');
  instead(
    service,
    'upload',
    (upload) => (request) =>
      upload(request).catch((caught: unknown) => {
        if (service.stored.length === 2) service.refuseLists = { code: 'offline' };
        throw caught;
      }),
  );
  expect((await run())['cleanup']?.message).toBe(
    'Files of the trial may still be in the account: any named outtray-check-000000….',
  );
});

test('a service that does not answer the first request causes an error, and nothing is uploaded', async () => {
  const { service, run } = begin();
  service.refuse = { code: 'offline' };
  await expect(run()).rejects.toMatchObject({ code: 'offline' });
  expect(service.count('upload')).toBe(0);
});

test('stopping the trial returns no findings', async () => {
  const { service, stop, run } = begin();
  instead(service, 'stats', () => async () => {
    stop.abort();
    throw new AppError('aborted', 'Stopped.');
  });
  await expect(run()).rejects.toMatchObject({ code: 'aborted' });
});

test('stopping the trial while a file is being sent takes effect at once', async () => {
  const { clock, service, stop, run } = begin();
  const fromMs = clock.monoMs();
  instead(
    service,
    'upload',
    (upload) => (request) =>
      upload({
        ...request,
        beforeTail: () => {
          const told = request.beforeTail();
          stop.abort();
          return told;
        },
      }),
  );
  await expect(run()).rejects.toMatchObject({ code: 'aborted' });
  expect(service.stored).toEqual([]);
  expect(clock.monoMs() - fromMs).toBeLessThan(200);
});

test('an upload whose answer was lost and that no list shows is named', async () => {
  const { service, run } = begin();
  service.faults.push(well, well, 'answer-lost');
  instead(service, 'list', (list) => async (page, signal) => {
    const { files, pagination } = await list(page, signal);
    const isSeen = service.namesOf().length < 2;
    return { files: isSeen ? files : [], pagination };
  });
  expect((await run())['cleanup']?.message).toBe(
    'Files of the trial may still be in the account: any named outtray-check-000000….',
  );
});

test('stopping the trial deletes what it made, and names what may be left', async () => {
  const { service, stop, run } = begin();
  instead(service, 'stats', () => async () => {
    stop.abort();
    throw new AppError('aborted', 'Stopped.');
  });
  await expect(run()).rejects.toMatchObject({
    code: 'aborted',
    message: 'Stopped. The files of the trial are deleted.',
  });
  expect(service.namesOf()).toEqual([]);

  const other = begin();
  instead(other.service, 'stats', () => async () => {
    other.stop.abort();
    other.service.refuse = { code: 'offline' };
    throw new AppError('aborted', 'Stopped.');
  });
  await expect(other.run()).rejects.toMatchObject({
    code: 'aborted',
    message: expect.stringMatching(/may still be in the account: .*outtray-check-000000…\.$/) as string,
  });
});
