import { describe, expect, onTestFinished, test } from 'vitest';
import { openMemoryLedger } from '../../../support/memory-ledger.ts';
import type { Change } from '../../../../src-main/contract/client.ts';
import type { EngineStatus } from '../../../../src-main/contract/model.ts';
import { createFeed, withStatus } from '../../../../src-main/engine/shared/feed.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const world = () => {
  const clock = createVirtualClock();
  const ledger = openMemoryLedger(() => clock.wallMs());
  onTestFinished(() => ledger.close());
  const made = createFeed({ clock, ledger });
  const status = () => ({ seq: made.seq() }) as EngineStatus;
  const feed = { ...made, listen: withStatus({ ...made, status }) };
  const heard: Change[] = [];
  return { clock, ledger, feed, heard, hear: (change: Change) => void heard.push(change) };
};
const queued = { kind: 'queued', sizeBytes: 1 } as const;
const progress = (uploadId: number, sentBytes: number) => ({
  uploadId,
  path: '/x',
  sentBytes,
  totalBytes: 9,
});

describe('the feed', () => {
  test('numbers its changes without gaps, in batches of a tenth of a second', () => {
    const { clock, feed, heard, hear } = world();
    feed.listen(hear);
    feed.record(1, '/a', queued);
    feed.progress(progress(1, 3));
    feed.progress(progress(1, 6));
    feed.record(2, '/b', queued);
    clock.advanceNow(99);
    expect(heard).toEqual([]);
    clock.advanceNow(1);
    expect(heard.map((change) => [change.seq, change.kind])).toEqual([
      [1, 'entries'],
      [2, 'progress'],
      [3, 'status'],
    ]);
    expect(heard[0]).toMatchObject({ entries: [{ path: '/a' }, { path: '/b' }] });
    expect(heard[1]).toMatchObject({ progress: [{ sentBytes: 6 }] });
    expect(heard[2]).toMatchObject({ status: { seq: 3 } });
    expect(feed.seq()).toBe(3);
    expect(clock.pending()).toBe(0);
  });

  test.each([
    ['after its entry', ['entry of 1', 'part of 1'], ['entries', 'progress']],
    ['before its entry', ['part of 1', 'entry of 1'], ['entries']],
    ['between its entries', ['entry of 1', 'part of 1', 'entry of 1'], ['entries']],
    ['before an entry of another file', ['part of 1', 'entry of 2'], ['entries', 'progress']],
  ])('reports the progress of a file in its order: %s', (_, happened, kinds) => {
    const { clock, feed, heard, hear } = world();
    feed.listen(hear);
    for (const one of happened) {
      if (one === 'part of 1') feed.progress(progress(1, 3));
      else feed.record(one === 'entry of 1' ? 1 : 2, '/a', queued);
    }
    clock.advanceNow(100);
    expect(heard.map(({ kind }) => kind)).toEqual([...kinds, 'status']);
  });

  test('notifies at most ten times a second', () => {
    const { clock, feed, heard, hear } = world();
    feed.listen(hear);
    for (let n = 0; n < 1000; n += 1) {
      feed.progress(progress(1, n));
      clock.advanceNow(1);
    }
    expect(heard).toHaveLength(10);
  });

  test('reports nothing that was rolled back', () => {
    const { clock, feed, ledger, heard, hear } = world();
    feed.listen(hear);
    expect(() =>
      ledger.atomically(() => {
        feed.record(1, '/lost', queued);
        throw new Error('no');
      }),
    ).toThrow('no');
    feed.record(1, '/kept', queued);
    clock.advanceNow(1000);
    const entries = heard.flatMap((change) => (change.kind === 'entries' ? change.entries : []));
    expect(entries).toEqual(ledger.entries.after(0, 10));
    expect(entries.map((entry) => entry.path)).toEqual(['/kept']);
  });

  test('reports nothing from before a listener subscribed or after it unsubscribes', () => {
    const { clock, feed, heard, hear } = world();
    feed.record(1, '/before', queued);
    feed.progress(progress(1, 1));
    const stop = feed.listen(hear);
    feed.record(1, '/after', queued);
    clock.advanceNow(1000);
    expect(heard.map((change) => change.kind)).toEqual(['entries', 'status']);
    expect(heard[0]).toMatchObject({ entries: [{ path: '/after' }] });
    stop();
    feed.record(1, '/later', queued);
    feed.statusChanged();
    clock.advanceNow(1000);
    expect(heard).toHaveLength(2);
  });

  test('reports once that the files have changed, with their entries or without any', () => {
    const { clock, feed, heard, hear } = world();
    feed.listen(hear);
    feed.filesChanged();
    feed.filesChanged();
    clock.advanceNow(100);
    expect(heard).toMatchObject([{ kind: 'entries', entries: [] }, { kind: 'status' }]);
    feed.filesChanged();
    feed.record(1, '/a', queued);
    clock.advanceNow(100);
    expect(heard.slice(2)).toMatchObject([
      { kind: 'entries', entries: [{ path: '/a' }] },
      { kind: 'status' },
    ]);
  });

  test('splits a message that would be huge', () => {
    const { feed, heard, hear, ledger } = world();
    feed.listen(hear);
    ledger.atomically(() => {
      for (let n = 0; n < 1200; n += 1) feed.record(1, '/a', queued);
    });
    feed.flush();
    const sizes = heard.flatMap((change) => (change.kind === 'entries' ? [change.entries.length] : []));
    expect(sizes).toEqual([500, 500, 200]);
  });

  test('reports the same to all listeners', () => {
    const { clock, feed, heard, hear } = world();
    const alsoHeard: Change[] = [];
    feed.listen(hear);
    feed.record(1, '/a', queued);
    feed.listen((change) => void alsoHeard.push(change));
    feed.record(1, '/b', queued);
    clock.advanceNow(1000);
    expect(alsoHeard).toEqual(heard);
    expect(heard[0]).toMatchObject({ entries: [{ path: '/a' }, { path: '/b' }] });
  });

  test('reports settings at once', () => {
    const { feed, heard, hear } = world();
    feed.listen(hear);
    feed.settingsChanged();
    expect(heard).toEqual([{ seq: 1, kind: 'settings' }]);
  });

  test('keeps the ledger from growing without limit', () => {
    const { feed, ledger } = world();
    ledger.atomically(() => {
      for (let n = 0; n < 55_000; n += 1) feed.record(null, null, { kind: 'queue-opened' });
    });
    expect(ledger.entries.after(0, 1)[0]?.seq).toBe(5001);
  });
});
