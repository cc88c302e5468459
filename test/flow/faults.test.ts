// What the service and the network can do before a file is created: no file is lost, and no file is uploaded twice.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { isDeep } from '../support/deep.ts';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { watchOnce, within } from '../support/flow/within.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

/** Longer than the buffers of two kernels can hold: refused at its head, its tail has not left. */
const large = (text: string): Buffer => Buffer.alloc(9_000_000, text);

const onUpload = { path: '/files/upload' };
const namesOf = (service: Service): string[] =>
  service
    .files()
    .map((file) => file.filename)
    .toSorted();

describe.concurrent('before anything can have been created', () => {
  test('a connection that breaks before or within the body: each file is uploaded once, without help', async () => {
    await within({}, async (service, place) => {
      const names = ['before.bin', 'within.bin', 'untouched.bin'];
      service.faults.add(
        { match: { ...onUpload, nth: 1 }, fault: { kind: 'reset', at: 'headers' } },
        {
          match: { ...onUpload, filename: 'within.bin' },
          fault: { kind: 'reset', at: 'body', afterBytes: 100_000 },
        },
      );
      // More than the buffers between the two can hold. With less, the tail could be gone before the service looks.
      const sizes = [16_000_000, 32_000_000, 16_000_000];
      for (const [index, name] of names.entries()) {
        await place.put(name, Buffer.alloc(sizes[index] ?? 0, index + 1));
      }
      const { code, lines } = await watchOnce(place);
      expect({ code, last: lines.at(-1) }).toMatchObject({
        code: 0,
        last: { uploaded: 3, waiting: 0, held: 0 },
      });
      expect(namesOf(service)).toEqual(names.toSorted());
    });
  });

  test('an outage behind a proxy is reported within three seconds, with the time of the next try', async () => {
    await within({}, async (service, place) => {
      const running = place.start(['watch', place.folder, '--existing', 'upload']);
      await place.put('before.txt', 'before the outage');
      await eventually('the first is up', () => storedAs(service, 'before the outage')[0]);
      service.faults.add(
        { match: onUpload, times: null, fault: { kind: 'answer', at: 'read', status: 502 } },
        { match: { path: '/stats' }, times: null, fault: { kind: 'answer', status: 502 } },
      );
      await place.put('lost.txt', 'lost behind a proxy');
      await eventually('it is sent', () => uploads(service).length === 2);
      const sentMs = performance.now();
      const told = () => /The service has problems; next try \S+/.exec(running.stdout() + running.stderr());
      await eventually('it is told', told);
      expect(performance.now() - sentMs).toBeLessThan(3000);
      await running.stop();
    });
  });

  test('a service that is away for a while receives the files when it is back, without anybody’s help', async () => {
    await within({}, async (service, place) => {
      const watcher = await startWatcher(place, service);
      service.refuseConnections();
      await place.put('patient.txt', 'waits for the network');
      const closed = await watcher.running.until('it waits', (lines) =>
        lines.find((line) => line.event === 'waiting' && line['reason'] === 'network'),
      );
      expect(closed['until']).toMatch(/^\d{4}-/);
      expect(await place.counts()).toMatchObject({ waiting: 1, failed: 0 });
      await service.listen();
      await watcher.uploaded('waits for the network');
      expect(await watcher.stop()).toBe(130);
    });
  });

  test('a redirect is not followed: the queue stops, and the other place gets neither key nor byte', async () => {
    const other = { requests: 0 };
    const elsewhere = createServer((_, response) => {
      other.requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await eventually('it listens', () => elsewhere.listening);
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/api/v1/files/upload`;
    await within({}, async (service, place) => {
      for (const status of [307, 302]) {
        service.faults.add({ match: onUpload, fault: { kind: 'redirect', at: 'headers', status, location } });
      }
      await place.put('a.txt', large('stays here'));
      const { code, lines } = await watchOnce(place);
      expect(code).toBe(7);
      expect(lines.at(-1)?.error?.code).toMatch(/^(moved|wrong-address)$/);
      expect(uploads(service)).toHaveLength(1);
      expect(await place.counts()).toMatchObject({ waiting: 1, failed: 0, held: 0 });
      service.faults.clear();
      expect((await watchOnce(place)).code).toBe(0);
      expect(storedAs(service, large('stays here'))).toHaveLength(1);
    });
    expect(other.requests).toBe(0);
    elsewhere.close();
  });
});

describe.concurrent('a refusal by the service', () => {
  test('401 during an upload: everything waits for a key, and continues with a new one', async () => {
    await within({ settings: { concurrentUploads: 1 } }, async (service, place) => {
      const contents = ['one', 'two two', 'three three three', 'four four four four'];
      for (const [index, content] of contents.entries()) await place.put(`${index}.txt`, content);
      service.faults.add({
        match: { ...onUpload, nth: 3 },
        fault: { kind: 'answer', at: 'headers', status: 401, body: { error: 'no' } },
      });
      const first = await watchOnce(place);
      expect({ code: first.code, error: first.lines.at(-1)?.error?.code }).toEqual({
        code: 3,
        error: 'key-refused',
      });
      expect(uploads(service)).toHaveLength(3);
      expect(await place.counts()).toMatchObject({ uploaded: 2, waiting: 2, failed: 0, held: 0 });
      service.setKey('a-new-key');
      // A new start is an action of the user: it allows one probe and no more.
      expect((await watchOnce(place)).code).toBe(3);
      expect(uploads(service).length).toBeLessThanOrEqual(4);
      place.env['OUTTRAY_API_KEY'] = 'a-new-key';
      expect((await watchOnce(place)).code).toBe(0);
      for (const content of contents) expect(storedAs(service, content)).toHaveLength(1);
    });
  });

  test.for(
    isDeep ? (['late', 'early', 'early-close', 'early-cut'] as const) : (['late', 'early-cut'] as const),
  )(
    '403 for one file too large, sent %s: that one fails with its reason, the others are uploaded',
    async (refusal) => {
      await within({ service: { maxFileSizeBytes: 500_000, refusal } }, async (service, place) => {
        await place.put('large.bin', Buffer.alloc(9_000_000, 1));
        await place.put('small.txt', 'small enough');
        const { code, lines } = await watchOnce(place);
        expect(namesOf(service)).toEqual(['small.txt']);
        expect(code).toBe(8);
        const counts = await place.counts();
        // A connection that is cut may lose the answer, too. Then the upload waits and is tried again.
        if (refusal === 'early-cut' && counts.waiting === 1) return;
        expect(counts).toMatchObject({ uploaded: 1, failed: 1, waiting: 0, held: 0 });
        expect(lines.find((line) => line.event === 'failed')).toMatchObject({ code: 'too-large' });
        // The refusal is reported once, and the service gets no further request.
        const before = uploads(service).length;
        await watchOnce(place);
        expect(uploads(service)).toHaveLength(before);
      });
    },
  );

  test('403 for the plan: everything waits until the plan has the API', async () => {
    await within({ service: { plan: 'Free' } }, async (service, place) => {
      await place.put('a.txt', 'waits for a plan');
      const { code, lines } = await watchOnce(place);
      expect({ code, error: lines.at(-1)?.error?.code }).toEqual({ code: 4, error: 'plan' });
      expect(await place.counts()).toMatchObject({ waiting: 1, failed: 0 });
      service.changeAccount({ plan: 'Pro' });
      expect((await watchOnce(place)).code).toBe(0);
      expect(storedAs(service, 'waits for a plan')).toHaveLength(1);
    });
  });

  test('the day’s uploads are used up: the rest waits, none fails', async () => {
    await within({ service: { dailyUploads: 2 } }, async (service, place) => {
      for (const name of ['1', '2', '3', '4']) await place.put(`${name}.txt`, `daily ${name}`);
      const { code } = await watchOnce(place);
      expect(code).toBe(6);
      expect(service.files()).toHaveLength(2);
      expect(await place.counts()).toMatchObject({ uploaded: 2, waiting: 2, failed: 0, held: 0 });
    });
  });

  test('429 with Retry-After: the whole queue waits that long, nothing fails', async () => {
    // The time that the service gives is of its own clock.
    await within({ settings: { concurrentUploads: 1 }, rate: 1 }, async (service, place) => {
      for (const name of ['1', '2', '3']) await place.put(`${name}.txt`, large(`rate ${name}`));
      const fault = {
        kind: 'answer',
        at: 'headers',
        status: 429,
        headers: { 'retry-after': '2' },
        body: '',
      } as const;
      service.faults.add({ match: { ...onUpload, nth: 2 }, fault });
      const { code, lines } = await watchOnce(place);
      expect({ code, last: lines.at(-1) }).toMatchObject({ code: 0, last: { uploaded: 3 } });
      expect(lines.some((line) => line.event === 'failed' || line.event === 'held')).toBe(false);
      const [refused, next] = uploads(service).slice(1);
      expect((next?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(1990);
      expect(uploads(service)).toHaveLength(4);
    });
  });

  test('429 without a time: everything waits for our own time, and --no-wait reports it', async () => {
    await within({}, async (service, place) => {
      for (const name of ['1.txt', '2.txt', '3.txt']) await place.put(name, large(`no word ${name}`));
      service.faults.add({
        match: onUpload,
        times: 3,
        fault: { kind: 'answer', at: 'headers', status: 429, body: 'slow down' },
      });
      const files = ['1.txt', '2.txt', '3.txt'].map((name) => path.join(place.folder, name));
      const { code, lines } = await place.json(['upload', '--no-wait', ...files]);
      expect({ code, error: lines.at(-1)?.error?.code }).toEqual({ code: 6, error: 'budget' });
      expect(lines.some((line) => line.event === 'failed')).toBe(false);
      const asked = service.requests().length;
      expect((await place.json(['upload', '--no-wait', ...files])).code).toBe(6);
      expect(service.requests()).toHaveLength(asked);
    });
  });
});
