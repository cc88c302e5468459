// An end that comes before the upload: the file is not uploaded, whatever kept it waiting.
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { begin, hourMs, minuteMs, share, type Running, type World } from '../../../support/fake-world.ts';

type Lift = (() => unknown) | undefined;
const served = (world: World): string[] => world.service.namesOf();

describe('an end', () => {
  const at = '/else/a.txt';
  const goOffline = ({ service }: World): (() => void) => {
    const { upload, stats } = service.api;
    const no = (): Promise<never> => Promise.reject(new AppError('offline', 'No.', '', { evidence: 'no' }));
    [service.api.upload, service.api.stats] = [no, no];
    return () => ([service.api.upload, service.api.stats] = [upload, stats]);
  };
  /** `before`: what keeps the file waiting; it gives what ends that. */
  const waits: [string, (world: World, run: Running) => Promise<Lift> | Lift][] = [
    [
      'in a pause',
      async (_, run) => {
        await run.call('queue.pause', { untilMs: null });
        return () => run.call('queue.resume', {});
      },
    ],
    [
      'while the account is full',
      ({ service }) => {
        service.faults.push({ code: 'limit', status: 403 });
        return undefined;
      },
    ],
    ['while the network is away', goOffline],
    [
      'while a program has it open',
      ({ disk }) => {
        disk.lock(at, true);
        return () => disk.lock(at, false);
      },
    ],
    [
      'while its content is read',
      ({ disk, clock }) => {
        const { open } = disk.files;
        disk.files.open = async (path, root) => {
          await new Promise<void>((next) => clock.after(10 * minuteMs, next));
          return await open(path, root);
        };
        return undefined;
      },
    ],
  ];
  test.each(waits)('that comes %s before the upload: the file is not uploaded', async (_, before) => {
    const { world, run } = await begin();
    await share(world, 'first.txt');
    world.disk.write(at, 'content');
    const lift = await before(world, run);
    const expire = { atMs: world.clock.wallMs() + 5 * minuteMs };
    await run.call('files.upload', { paths: [at], expire });
    await world.clock.advance(10 * minuteMs);
    await lift?.();
    await world.clock.advance(hourMs);
    expect(served(world)).toEqual(['first.txt']);
    expect(world.row('a.txt').state).toEqual({ kind: 'skipped', rule: 'expired' });
  });

  test('that comes while a person is asked and nothing runs: the file is not uploaded', async () => {
    const { world, run } = await begin({ settings: { holdSecrets: true } });
    await share(world, 'first.txt');
    world.disk.write('/else/id_rsa', 'content');
    const expire = { atMs: world.clock.wallMs() + 5 * minuteMs };
    await run.call('files.upload', { paths: ['/else/id_rsa'], expire });
    await world.until('id_rsa', 'held');
    await run.stop();
    await world.clock.advance(10 * minuteMs);
    const next = await world.start();
    await next.call('queue.confirm', { ids: [world.row('id_rsa').id] });
    await world.clock.advance(hourMs);
    expect(served(world)).toEqual(['first.txt']);
    expect(world.row('id_rsa').state).toEqual({ kind: 'skipped', rule: 'expired' });
  });
});
