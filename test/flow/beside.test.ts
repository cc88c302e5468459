// Two processes on one data folder: one holds the engine, the other works beside it or reports who does.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '../support/flow/poll.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { storedAs } from '../support/flow/wire.ts';

const service = await ownService();

test('a second upload beside a running one waits for it, and finishes its own files after the first has ended', async () => {
  const own = await ownPlace(service, { processes: true });
  await own.put('../big.bin', Buffer.alloc(12_000_000, 1));
  await own.put('../small.txt', 'small and second');
  service.faults.add({
    match: { path: '/files/upload' },
    fault: { kind: 'drip-read', bytesPerSecond: 4_000_000 },
  });
  const first = own.start(['--json', 'upload', 'big.bin']);
  await first.until('uploading', (lines) => lines.find((line) => line.event === 'progress'));
  const second = await own.json(['upload', 'small.txt']);
  expect(second.code).toBe(0);
  expect(second.lines.map((line) => line.event)).toContain('uploaded');
  expect((await first.ended).code).toBe(0);
  expect(storedAs(service, 'small and second')).toHaveLength(1);
});

test('while a watch runs, other commands work beside it, and uploads go through it', async () => {
  const own = await ownPlace(service, { processes: true });
  const watching = own.start(['--json', 'watch', own.folder]);
  await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
  const status = await own.json(['status']);
  expect(status.lines[0]).toMatchObject({ running: true, folder: own.folder, paused: false });
  expect(Object.keys(status.lines[0] ?? {})).toEqual([
    'folder',
    'counts',
    'folders',
    'outside',
    'work',
    'budget',
    'paused',
    'running',
  ]);
  const text = await own.run(['status']);
  expect(text.stdout).toMatch(/^Running +yes \(outtray watch, process \d+\)$/m);

  await own.put('../by-hand.txt', 'given while it watches');
  const [up, listed] = await Promise.all([
    own.run(['upload', 'by-hand.txt']),
    own.json(['list', '--limit', '1']),
  ]);
  expect(listed.code).toBe(0);
  const [file] = storedAs(service, 'given while it watches');
  expect(up).toMatchObject({ code: 0, stdout: `${file?.link ?? ''}\n` });
  await watching.until('the engine tells of it', (lines) =>
    lines.find((line) => line.event === 'uploaded' && line['file_id'] === file?.id),
  );

  await own.json(['pause']);
  await own.put('waits.txt', 'waits for resume');
  await watching.until('queued', (lines) =>
    lines.find((line) => line.event === 'queued' && line.path?.endsWith('waits.txt') === true),
  );
  await pause(100);
  expect(storedAs(service, 'waits for resume')).toHaveLength(0);
  const stuck = await own.json(['upload', path.join(own.folder, 'waits.txt')]);
  expect(stuck.lines.at(-1)?.error?.code).toBe('budget');
  await own.json(['resume']);
  await eventually('it goes up', () => storedAs(service, 'waits for resume').length === 1);

  const second = await own.run(['watch', own.folder]);
  expect(second).toMatchObject({
    code: 9,
    stdout: '',
    stderr: `outtray: Outtray watch (process ${watching.pid}) is already using this data folder. Quit it first, or use another data folder with --home.\n`,
  });
  const secondJson = await own.json(['watch', own.folder, '--once']);
  expect(secondJson).toMatchObject({ code: 9, lines: [{ error: { code: 'engine-taken' } }] });
  expect((await watching.stop()).code).toBe(130);
  expect((await own.json(['status'])).lines[0]).toMatchObject({ running: false });
});

test('an upload through a running engine that cannot continue ends with the engine’s reason', async () => {
  const own = await ownPlace(service, { key: 'not-the-key' });
  const watching = own.start(['--json', 'watch', own.folder]);
  await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
  await own.put('first.txt', 'meets a refusal');
  await watching.until('waiting', (lines) => lines.find((line) => line['reason'] === 'key'));
  const up = await own.json(['upload', path.join(own.folder, 'first.txt')]);
  expect({ code: up.code, error: up.lines.at(-1)?.error?.code }).toEqual({ code: 3, error: 'key-refused' });
  await watching.stop();
});

test('an upload whose engine is killed takes over and finishes', async () => {
  const own = await ownPlace(service, { processes: true });
  const watching = own.start(['--json', 'watch', own.folder]);
  await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
  // More than the buffers on the way can hold: the tail cannot have left yet.
  await own.put('../orphan.bin', Buffer.alloc(64_000_000, 5));
  const fault = { kind: 'stall', at: 'body', afterBytes: 100_000 } as const;
  service.faults.add({ match: { path: '/files/upload', filename: 'orphan.bin' }, fault });
  const up = own.start(['--json', 'upload', 'orphan.bin']);
  // A kill before the service sees this upload would leave the fault for the next upload.
  await eventually('it is stalled', () =>
    service.requests().some((request) => request.filename === 'orphan.bin' && request.bytes >= 100_000),
  );
  await watching.stop('SIGKILL');
  const ended = await up.ended;
  expect(ended.code).toBe(0);
  expect(up.lines().filter((line) => line.event === 'uploaded')).toHaveLength(1);
  expect(storedAs(service, Buffer.alloc(64_000_000, 5))).toHaveLength(1);
});

test('a file that is cancelled during its upload stops there, and the next ones continue', async () => {
  const own = await ownPlace(service, { settings: { concurrentUploads: 1 } });
  const fault = { kind: 'drip-read', bytesPerSecond: 1_000_000 } as const;
  service.faults.add({ match: { path: '/files/upload' }, fault });
  const watching = own.start(['--json', 'watch', own.folder]);
  await watching.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
  const file = await own.put('regretted.bin', Buffer.alloc(20_000_000, 6));
  await watching.until('progress', (lines) => lines.find((line) => line.event === 'progress'));
  const why = await own.json(['why', file]);
  await own.json(['cancel', String(why.lines[0]?.['queueId'])]);
  await watching.until('skipped', (lines) => lines.find((line) => line['rule'] === 'cancelled'));
  await own.put('next.txt', 'goes up after it');
  await watching.until('the next one', (lines) =>
    lines.find((line) => line.event === 'uploaded' && line['filename'] === 'next.txt'),
  );
  expect(service.files().some((each) => each.filename === 'regretted.bin')).toBe(false);
  expect(await own.counts()).toMatchObject({ uploaded: 1, skipped: 1, waiting: 0 });
  await watching.stop();
});
