// Uploads whose answer was lost or cannot be believed: they are held and looked for, and never sent again blindly.
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../service/faults.ts';
import { eventually } from '../support/flow/poll.ts';
import { startWatcher } from '../support/flow/watcher.ts';
import { watchOnce, within } from '../support/flow/within.ts';
import { storedAs, uploads } from '../support/flow/wire.ts';

const onUpload = { path: '/files/upload' };

describe.concurrent('after the last byte, without a good answer', () => {
  const stored: [name: string, fault: Fault][] = [
    ['reset.txt', { kind: 'reset', at: 'done' }],
    ['truncated.txt', { kind: 'truncate', atByte: 20 }],
    ['html.txt', { kind: 'answer', at: 'done', status: 200, body: '<html>all is well</html>' }],
    ['error.txt', { kind: 'answer', at: 'done', status: 500, body: { error: 'oops' } }],
    ['gateway.txt', { kind: 'answer', at: 'done', status: 504, body: '<html>timeout</html>' }],
    ['rate.txt', { kind: 'answer', at: 'done', status: 400, body: 'a proxy sent it twice' }],
    ['malformed.txt', { kind: 'malformed' }],
    ['types.txt', { kind: 'wrong-types' }],
    ['false.txt', { kind: 'success-false' }],
    ['huge.txt', { kind: 'huge', bytes: 200_000 }],
    ['negative.txt', { kind: 'patch', fields: { file_id: -1 } }],
    ['size.txt', { kind: 'patch', fields: { size: 123_456_789 } }],
  ];
  const lost: [name: string, fault: Fault] = ['not stored.txt', { kind: 'reset', at: 'read' }];

  // Each fault closes the queue for a moment, so the faults are tested in three groups.
  test.for([0, 1, 2])(
    'the upload is held and never blindly sent again; a stored file is found by its content, a missing one is sent again (%i)',
    { timeout: 180_000 },
    async (group) => {
      const faults = [...stored.slice(4 * group, 4 * group + 4), lost];
      const settings = { reconcileAfterMs: 3000 };
      await within({ service: { listLagMs: 80 }, settings, rate: 10 }, async (service, place) => {
        // Same name and size as one of our own files, but other content: it must not be taken for our file.
        await service.addFile({ filename: 'somebody.txt', content: 'somebody else’s' });
        for (const [filename, fault] of faults) {
          service.faults.add({ match: { ...onUpload, filename }, fault });
        }
        const watcher = await startWatcher(place, service);
        await place.put('known.txt', 'known');
        const known = await watcher.told('uploaded', 'known.txt');
        const fault = { kind: 'foreign-id', fileId: Number(known['file_id']) } as const;
        service.faults.add({ match: { ...onUpload, filename: 'foreign.txt' }, fault });
        const names = [...faults.map(([name]) => name), 'foreign.txt'];
        for (const name of names) await place.put(name, `content of ${name}`);
        for (const name of names) {
          expect((await watcher.told('held', `/${name}`))['reason'], name).toBe('uncertain');
        }
        const [first = ''] = names;
        await service.addFile({ filename: first, content: `CONTENT OF ${first}` });
        for (const name of names) {
          const event = await watcher.told('uploaded', `/${name}`);
          const files = storedAs(service, `content of ${name}`);
          expect({ name, links: files.map((file) => file.link) }).toEqual({
            name,
            links: [event['public_link']],
          });
          expect(event['file_id']).toBe(files[0]?.id);
          const requests = uploads(service).filter((request) => request.filename === name);
          expect({ name, requests: requests.length }).toEqual({ name, requests: name === lost[0] ? 2 : 1 });
        }
        const total = names.length + 1;
        expect(await place.counts()).toEqual({ uploaded: total, waiting: 0, held: 0, skipped: 0, failed: 0 });
        expect(service.requests().some((request) => request.method === 'DELETE')).toBe(false);
        await watcher.stop();
      });
    },
  );

  test('a later run finds the file, and confirming it meanwhile is refused', async () => {
    await within(
      { service: { listLagMs: 80 }, settings: { reconcileAfterMs: 3000 }, rate: 10 },
      async (service, place) => {
        service.faults.add({ match: onUpload, fault: { kind: 'reset', at: 'done' } });
        await place.put('a.txt', 'answer lost');
        expect((await watchOnce(place)).code).toBe(7);
        const { lines } = await place.json(['held']);
        expect(lines[0]).toMatchObject({ reason: 'uncertain' });
        const confirmed = await place.json(['confirm', String(lines[0]?.['queueId'])]);
        expect({ code: confirmed.code, error: confirmed.lines[0]?.error?.code }).toEqual({
          code: 8,
          error: 'uncertain',
        });
        await eventually('a run has found it', async () => {
          await watchOnce(place);
          return (await place.counts()).uploaded === 1;
        });
        expect(uploads(service)).toHaveLength(1);
        expect((await place.run(['why', path.join(place.folder, 'a.txt')])).stdout).toBe(
          `Uploaded: ${service.files()[0]?.link ?? ''}\n`,
        );
      },
    );
  });

  test('a service that changes names: a stored file is still found, never sent twice', async () => {
    const service = { filenames: 'prefix', sizeUnit: 'kB' } as const;
    await within({ service, settings: { reconcileAfterMs: 1000 }, rate: 10 }, async (service, place) => {
      service.faults.add({
        match: { ...onUpload, filename: 'lost.bin' },
        fault: { kind: 'reset', at: 'done' },
      });
      await place.put('first.bin', Buffer.alloc(123_456, 1));
      await place.put('lost.bin', Buffer.alloc(234_567, 2));
      await watchOnce(place);
      await eventually('it is decided', async () => {
        await watchOnce(place);
        const { uploaded, held } = await place.counts();
        const { lines } = await place.json(['held']);
        return uploaded === 2 || (held === 1 && uploads(service).length > 1 && lines.length === 1);
      });
      expect(storedAs(service, Buffer.alloc(234_567, 2))).toHaveLength(1);
    });
  });
});
