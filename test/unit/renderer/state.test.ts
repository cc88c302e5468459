import { expect, test } from 'vitest';
import type { Change } from '../../../src-main/contract/client.ts';
import type { QueueView } from '../../../src-main/contract/answers.ts';
import {
  noCounts,
  type AlikeUploads,
  type EngineStatus,
  type UploadView,
} from '../../../src-main/contract/model.ts';
import { groupAlike, groupWaiting } from '../../../src-renderer/state/grouping.ts';
import { createSync } from '../../../src-renderer/state/sync.ts';
import { shortcutFor, type Press } from '../../../src-renderer/state/keys.ts';
import { leftMs, nextPace } from '../../../src-renderer/state/pace.ts';
import { tomorrowMorning } from '../../../src-main/contract/expiry.ts';
import { noSelection, select, stepTo } from '../../../src-renderer/state/list/selection.ts';
import { bannerFor } from '../../../src-renderer/words/banner.ts';
import { liveLine } from '../../../src-main/contract/live.ts';
import { account, busyStatus, busyUploads, NOW_MS, status, upload } from '../../support/window/seed.ts';

const change = (seq: number): Change => ({ seq, kind: 'settings' });

const followed = () => {
  const log: string[] = [];
  let seq = 0;
  let answer: ((snapshot: { seq: number }) => void) | undefined;
  const sync = createSync<{ seq: number }>({
    snapshot: () =>
      new Promise((resolve) => {
        log.push('asked');
        answer = resolve;
      }),
    start: (snapshot) => log.push(`start ${String(snapshot.seq)}`),
    apply: (one) => log.push(`apply ${String(one.seq)}`),
    failed: () => log.push('failed'),
  });
  const give = async (next: number): Promise<void> => {
    seq = next;
    answer?.({ seq });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { sync, log, give };
};

test('changes that arrived while the snapshot was on its way are applied after it, old ones are dropped', async () => {
  const { sync, log, give } = followed();
  void sync.restart();
  sync.hear(change(4));
  sync.hear(change(5));
  sync.hear(change(6));
  await give(4);
  expect(log).toEqual(['asked', 'start 4', 'apply 5', 'apply 6']);
});

test('a gap in the numbers requests a new snapshot instead of going on', async () => {
  const { sync, log, give } = followed();
  void sync.restart();
  await give(4);
  sync.hear(change(5));
  sync.hear(change(7));
  expect(log).toEqual(['asked', 'start 4', 'apply 5', 'asked']);
  await give(7);
  sync.hear(change(8));
  expect(log.slice(4)).toEqual(['start 7', 'apply 8']);
});

test('a snapshot that is older than the changes after it is requested again', async () => {
  const { sync, log, give } = followed();
  void sync.restart();
  sync.hear(change(9));
  await give(3);
  expect(log).toEqual(['asked', 'start 3', 'asked']);
});

test('the speed is smoothed, and starts anew when an upload starts anew', () => {
  const at = (sentBytes: number) => ({ uploadId: 1, path: '/a', sentBytes, totalBytes: 10_000_000 });
  const first = nextPace(undefined, at(0), 0);
  expect(leftMs(first)).toBeNull();
  const second = nextPace(first, at(1_000_000), 1_000);
  expect(second.bytesPerSecond).toBe(1_000_000);
  expect(leftMs(second)).toBe(9_000);
  const third = nextPace(second, at(1_000_000), 2_000);
  expect(third.bytesPerSecond).toBeGreaterThan(0);
  expect(third.bytesPerSecond).toBeLessThan(1_000_000);
  expect(nextPace(third, at(10), 3_000).bytesPerSecond).toBeNull();
});

const keyAt = (index: number): string | undefined => ['a', 'b', 'c', 'd', 'e'][index];

test('a range is chosen from the anchor, in either direction, and shrinks again', () => {
  const start = select(noSelection, 2, 'only', keyAt);
  const down = select(start, 4, 'range', keyAt, 2);
  expect([...down.keys]).toEqual(['c', 'd', 'e']);
  const up = select(down, 1, 'range', keyAt, 2);
  expect([...up.keys]).toEqual(['b', 'c']);
});

test('toggling adds and removes one row and leaves the others', () => {
  const two = select(select(noSelection, 0, 'only', keyAt), 3, 'toggle', keyAt);
  expect([...two.keys]).toEqual(['a', 'd']);
  expect([...select(two, 0, 'toggle', keyAt).keys]).toEqual(['d']);
  expect(select(two, 9, 'toggle', keyAt)).toBe(two);
});

test('steps stay inside the list', () => {
  expect(stepTo('ArrowDown', -1, 5, 10)).toBe(0);
  expect(stepTo('ArrowDown', 4, 5, 10)).toBe(4);
  expect(stepTo('ArrowUp', 0, 5, 10)).toBe(0);
  expect(stepTo('PageDown', 0, 100, 10)).toBe(10);
  expect(stepTo('End', 0, 100_000, 10)).toBe(99_999);
  expect(stepTo('ArrowDown', 0, 0, 10)).toBeNull();
  expect(stepTo('x', 0, 5, 10)).toBeNull();
  // The file with the cursor has left: the row that is in its place now.
  expect(stepTo('ArrowDown', -1, 5, 10, 3)).toBe(3);
  expect(stepTo('ArrowUp', -1, 3, 10, 3)).toBe(2);
  expect(stepTo('Home', -1, 5, 10, 3)).toBe(0);
});

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
});

test('shortcuts use Command on macOS and Control elsewhere', () => {
  expect(shortcutFor(press('f', { metaKey: true }), true)).toEqual({ kind: 'find' });
  expect(shortcutFor(press('f', { ctrlKey: true }), true)).toBeNull();
  expect(shortcutFor(press('F', { ctrlKey: true }), false)).toEqual({ kind: 'find' });
  expect(shortcutFor(press('2', { ctrlKey: true }), false)).toEqual({ kind: 'view', index: 1 });
  expect(shortcutFor(press('?', { shiftKey: true }), false)).toEqual({ kind: 'help' });
  expect(shortcutFor(press('f'), false)).toBeNull();
});

const queueView = (uploads: UploadView[], alike: AlikeUploads[]): QueueView => {
  const of = (kind: string) => uploads.filter(({ state }) => state.kind === kind);
  return {
    status: status(),
    sending: [],
    waiting: [],
    waitingTotal: 0,
    held: of('held'),
    heldTotal: 0,
    failed: of('failed'),
    failedTotal: 0,
    skipped: of('skipped'),
    alike,
    burst: [],
  };
};

test('a group has the engine’s count and the loaded files, grouped by what they have in common', () => {
  const failed = busyUploads().filter((one) => one.state.kind === 'failed');
  const [large, refused] = failed;
  if (large === undefined || refused === undefined) throw new Error('Two kinds failed.');
  const group = (of: UploadView, files: number) => ({ state: of.state, files, bytes: 1, asOfMs: 1 });
  const groups = groupAlike(queueView(failed, [group(refused, 1200), group(large, 1)]), 'failed');
  expect(groups.map(({ files, uploads }) => [files, uploads.length])).toEqual([
    [1200, 3],
    [1, 1],
  ]);
});

test('neighbours of one folder that wait alike are one run, in the order of the queue', () => {
  const at = (id: number, path: string, state: UploadView['state'] = { kind: 'ready' }) =>
    upload(id, path.slice(path.lastIndexOf('/') + 1), state, { path });
  const runs = groupWaiting([
    at(1, '/tray/renders/a.png'),
    at(2, '/tray/renders/b.png'),
    at(3, '/tray/c.png'),
    at(4, '/tray/renders/d.png'),
    at(5, '/tray/renders/e.png', { kind: 'waiting', reason: 'locked', untilMs: null }),
    at(6, 'C:\\tray\\f.png'),
  ]);
  expect(runs.map(({ folder, uploads }) => [folder, uploads.length])).toEqual([
    ['renders', 2],
    ['tray', 1],
    ['renders', 1],
    ['renders', 1],
    ['tray', 1],
  ]);
  expect(new Set(runs.map(({ key }) => key)).size).toBe(5);
});

test('until tomorrow ends in the morning', () => {
  const until = new Date(tomorrowMorning(NOW_MS));
  expect([until.getDate(), until.getHours(), until.getMinutes()]).toEqual([21, 8, 0]);
});

test.each<[string, Partial<EngineStatus>, string, string, isGuest?: boolean]>([
  ['nothing to do', {}, 'calm', 'live.idle'],
  ['no folder', { folder: null }, 'warn', 'live.noFolder'],
  ['folder gone', { folderAvailable: false }, 'bad', 'gate.folder'],
  ['paused for a while', { paused: true, pausedUntilMs: NOW_MS + 1 }, 'warn', 'live.pausedUntil'],
  ['paused for good', { paused: true }, 'warn', 'live.paused'],
  ['another engine has it', { running: false }, 'calm', 'live.notRunning', true],
  ['our engine is not started yet', { running: false }, 'calm', 'app.loading'],
  [
    'key refused',
    { gate: { kind: 'closed', reason: 'key', untilMs: null, message: '', remedy: '' } },
    'bad',
    'gate.key',
  ],
  [
    'offline',
    { gate: { kind: 'closed', reason: 'network', untilMs: null, message: '', remedy: '' } },
    'calm',
    'gate.network',
  ],
  ['held', { counts: { uploaded: 1, waiting: 0, held: 2, skipped: 0, failed: 1 } }, 'warn', 'live.heldMore'],
])('the foot of the rail when %s', (_, part, tone, key, isGuest) => {
  const line = liveLine(status(part), NOW_MS, isGuest === true);
  expect([line.tone, line.title.key]).toEqual([tone, key]);
});

test('while uploading the foot shows how many and until when', () => {
  const line = liveLine(busyStatus(), NOW_MS, false);
  expect(line.title).toEqual({ key: 'live.ready', values: { ready: 12, total: 32 } });
  expect(line.more?.key).toBe('live.doneAt');
});

test('one banner at a time, the folder first', () => {
  const gate = { kind: 'closed', reason: 'key', untilMs: null, message: '', remedy: '' } as const;
  expect(bannerFor(status({ gate }), account())?.act?.do).toBe('replace-key');
  const outtray = { folder: '/home/mara/Outtray', available: true, counts: noCounts() };
  const away = { ...outtray, folder: '/media/stick', available: false };
  expect(bannerFor(status({ folders: [outtray, away] }), account())).toMatchObject({
    tone: 'warn',
    key: 'banner.folder',
    values: { folder: '/media/stick' },
  });
  // Without that the others could continue.
  expect(bannerFor(status({ gate, folders: [outtray, away] }), account())?.key).not.toBe('banner.folder');
  expect(bannerFor(status({ gate, folderAvailable: false }), account())?.key).toBe('banner.folder');
  expect(bannerFor(status({ gate, paused: true }), account())).toBeNull();
  expect(bannerFor(status(), account())).toBeNull();
  const untilMs = NOW_MS + 3_600_000;
  expect(bannerFor(status({ limit: { reason: 'budget', untilMs } }), account())).toMatchObject({
    tone: 'calm',
    key: 'banner.budget',
    untilMs,
  });
  expect(bannerFor(status({ limit: { reason: 'rate', untilMs } }), account())?.key).toBe('banner.rate');
  expect(bannerFor(status({ limit: { reason: 'rate', untilMs }, paused: true }), account())).toBeNull();
});
