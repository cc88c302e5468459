// A run that waits reports its reason and until when; an upload whose answer was lost is decided without a window.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Line } from '../support/flow/command.ts';
import { watchOnce, within } from '../support/flow/within.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

const onUpload = { path: '/files/upload' };

describe.concurrent('a wait is reported', () => {
  test('for the request budget, within 3 seconds, as an event and as a line', async () => {
    // The time of the event is compared with that of the service.
    await within({ settings: { requestsPerMinute: 1 }, rate: 1 }, async (service, place) => {
      await place.put('../a.txt', 'a');
      await place.put('../b.txt', 'bb');
      const running = place.start(['--json', 'upload', 'a.txt', 'b.txt']);
      const waiting = await running.until('waiting', (lines) =>
        lines.find(({ event }) => event === 'waiting'),
      );
      expect(waiting).toMatchObject({ reason: 'budget', path: null });
      const atMs = Date.parse(String(waiting['at']));
      expect(atMs - (service.requests()[0]?.atMs ?? atMs)).toBeLessThan(3000);
      expect(Date.parse(String(waiting['until']))).toBeGreaterThan(atMs);
      expect((await running.stop()).code).toBe(130);

      const text = place.start(['upload', 'a.txt', 'b.txt']);
      const line = await text.until('a line', () => /^Waiting.*$/m.exec(text.stderr())?.[0]);
      expect(line).toMatch(/^Waiting until \d\d:\d\d \(\d+ s\): the request budget is used up\.$/);
      expect((await text.stop()).code).toBe(130);
    });
  });

  test('for an earlier upload of the file whose answer was lost', async () => {
    await within({ settings: { reconcileAfterMs: 600_000 } }, async (service, place) => {
      service.faults.add({ match: onUpload, fault: { kind: 'reset', at: 'read' } });
      await place.put('../a.txt', 'answer lost');
      const first = await place.run(['upload', 'a.txt']);
      expect(first).toMatchObject({
        code: 7,
        stderr: expect.stringMatching(/\(outtray resolve q1\)/) as string,
      });
      const again = place.start(['upload', '--again', 'a.txt']);
      const line = await again.until('a line', () => /^Waiting.*$/m.exec(again.stderr())?.[0]);
      expect(line).toMatch(/a\.txt was sent before without an answer.*`outtray resolve q1` decides now\.$/);
      // It is not wanted any more. Until it is known not to be there, a file of its name would be taken for it.
      expect((await place.run(['resolve', 'q1', '--drop'])).code).toBe(8);
      expect((await place.run(['settings', 'set', 'reconcileAfterMs', '10000'])).code).toBe(0);
      expect((await again.ended).code).toBe(0);
      expect(storedAs(service, 'answer lost')).toHaveLength(1);
    });
  });
});

describe.concurrent('upload says within seconds that it waits for a file', () => {
  test.each([
    ['that a program has open', 'open', /^Waiting for .*a\.txt: another program has it open\.$/m],
    [
      'that a program writes to again and again',
      'changing',
      /^Waiting for .*a\.txt: it is still changing\.$/m,
    ],
  ])('%s, as a line and as an event', async (_, written, sentence) => {
    // A writer that gets no processor for a moment must not seem to have ended.
    await within({ rate: written === 'changing' ? 1 : 10 }, async (service, place) => {
      const handle = await open(await place.put('../a.txt', 'a'), 'a');
      // A process of its own: a timer of this one would stand still while the command computes.
      const writer = spawn('sh', ['-c', 'while :; do printf more; sleep 0.02; done'], {
        stdio: ['ignore', written === 'changing' ? handle.fd : 'ignore', 'ignore'],
      });
      try {
        const text = place.start(['upload', 'a.txt']);
        await text.until('a line', () => sentence.exec(text.stderr())?.[0]);
        const json = place.start(['--json', 'upload', 'a.txt']);
        const event = await json.until('waiting', (lines) =>
          lines.find(({ event: kind }) => kind === 'waiting'),
        );
        expect(event).toMatchObject({ reason: 'settling', until: null, written, filename: 'a.txt' });
        writer.kill();
        await once(writer, 'exit');
        await handle.close();
        expect((await text.ended).code).toBe(0);
        expect((await json.ended).code).toBe(0);
        expect(uploads(service)).toHaveLength(1);
      } finally {
        writer.kill();
        await handle.close().catch(() => undefined);
      }
    });
  });
});

describe.concurrent('a service that reports only after the last byte that it is busy', () => {
  const busy = (retryAfter: string) =>
    ({
      kind: 'answer',
      at: 'done',
      status: 429,
      body: '<html>slow down</html>',
      headers: { 'retry-after': retryAfter },
    }) as const;

  test('is waited for by upload, which ends with the link', async () => {
    await within({ settings: { reconcileAfterMs: 3000 } }, async (service, place) => {
      service.faults.add({ match: onUpload, fault: busy('1') });
      await place.put('../a.txt', 'busy');
      const run = await place.run(['upload', 'a.txt']);
      expect(run).toMatchObject({ code: 0, stdout: `${storedAs(service, 'busy')[0]?.link ?? ''}\n` });
      expect(run.stderr).toMatch(/^Waiting until .*: the service was busy when a\.txt had been sent\./m);
      expect(uploads(service)).toHaveLength(1);
    });
  });

  test('is not held for a decision, and ends a run that does not wait with exit 6', async () => {
    await within({}, async (service, place) => {
      service.faults.add({ match: onUpload, fault: busy('3000') });
      await place.put('a.txt', 'busy');
      const once = await watchOnce(place);
      expect(once.code).toBe(6);
      expect(await place.counts()).toEqual({ uploaded: 0, waiting: 1, held: 0, skipped: 0, failed: 0 });
      expect((await place.json(['held'])).lines).toEqual([]);
      const file = path.join(place.folder, 'a.txt');
      const why = await place.json(['why', file]);
      expect(why.lines[0]).toMatchObject({ state: 'uncertain', reason: 'busy' });
      expect(Date.parse(String(why.lines[0]?.['until']))).toBeGreaterThan(Date.now() + 2_900_000);
      expect((await place.run(['why', file])).stdout).toMatch(
        /^Waiting: the service was busy; .* It looks at (\d{4}-\d\d-\d\d )?\d\d:\d\d\.\n$/,
      );
      expect((await place.run(['upload', '--no-wait', file])).code).toBe(6);
      expect(uploads(service)).toHaveLength(1);
    });
  });
});

test('each run of watch --once reports by its exit code that files are held, even when nothing happens', async () => {
  await within({}, async (service, place) => {
    await place.put('server.pem', 'secret');
    expect((await watchOnce(place)).code).toBe(8);
    expect((await watchOnce(place)).code).toBe(8);
    expect((await place.run(['cancel', 'q1'])).code).toBe(0);
    expect((await watchOnce(place)).code).toBe(0);
    expect(uploads(service)).toHaveLength(0);
  });
});

describe.concurrent('an upload whose answer was lost', () => {
  const lost = (
    at: 'done' | 'read',
    act: (
      place: Parameters<Parameters<typeof within>[1]>[1],
      service: Parameters<Parameters<typeof within>[1]>[0],
      row: Line,
    ) => Promise<void>,
  ) =>
    within({ settings: { reconcileAfterMs: 600_000 } }, async (service, place) => {
      service.faults.add({ match: onUpload, fault: { kind: 'reset', at } });
      await place.put('a.txt', 'answer lost');
      expect((await watchOnce(place)).code).toBe(7);
      const { lines } = await place.json(['held']);
      expect(lines).toHaveLength(1);
      await act(place, service, lines[0] ?? {});
    });

  test('is listed with its candidates, and one of them is adopted', async () => {
    await lost('done', async (place, service, row) => {
      const [file] = storedAs(service, 'answer lost');
      expect(row).toMatchObject({
        reason: 'uncertain',
        candidates: [
          {
            file_id: file?.id,
            filename: 'a.txt',
            size: 11,
            upload_date: expect.any(String) as string,
            public_link: file?.link,
            same_name: true,
            same_size: true,
          },
        ],
      });
      const id = String(row['queueId']);
      const shown = await place.run(['resolve', id]);
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(file?.link ?? '') as string });
      expect(shown.stderr).toContain(`outtray resolve ${id} --adopt FILE_ID`);
      const adopted = await place.run(['resolve', id, '--adopt', String(file?.id)]);
      expect(adopted).toMatchObject({ code: 0, stdout: `${file?.link ?? ''}\n` });
      expect((await watchOnce(place)).code).toBe(0);
      expect(uploads(service)).toHaveLength(1);
      expect((await place.run(['resolve', id, '--drop'])).code).toBe(2);
    });
  });

  test('is uploaded again when the service does not have it', async () => {
    await lost('read', async (place, service, row) => {
      expect(row['candidates']).toEqual([]);
      const { lines } = await place.json(['resolve', String(row['queueId']), '--again']);
      expect(lines[0]).toMatchObject({ queueId: row['queueId'], state: 'settling' });
      expect((await watchOnce(place)).code).toBe(0);
      expect(storedAs(service, 'answer lost')).toHaveLength(1);
    });
  });

  test('is dropped; two choices at once are wrong use; without the service it is still listed', async () => {
    await lost('done', async (place, service, row) => {
      const id = String(row['queueId']);
      expect((await place.run(['resolve', id, '--again', '--drop'])).code).toBe(2);
      const { lines } = await place.json(['held'], {
        env: { OUTTRAY_BASE_URL: 'http://127.0.0.1:9/api/v1' },
      });
      expect(lines[0]).toMatchObject({ reason: 'uncertain', candidates: null });
      expect((await place.run(['resolve', id, '--drop'])).code).toBe(8);
      expect((await place.run(['why', path.join(place.folder, 'a.txt')])).stdout).toMatch(
        /^Being taken back: /,
      );
      expect(uploads(service)).toHaveLength(1);
    });
  });
});
