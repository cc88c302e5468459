// The time at which all is done, sampled each 100 ms on the virtual clock: it only moves earlier, or says why.
import { expect, test } from 'vitest';
import type { EngineStatus } from '../../../../src-main/contract/model.ts';
import { createShownEnd } from '../../../../src-main/engine/plan/shown-end.ts';
import { createWorld } from '../../../support/fake-world.ts';

type Note = EngineStatus['doneNote'];
type Run = Awaited<ReturnType<typeof begin>>;

const begin = async (files: number, bytes = 10, requestsPerMinute = 50) => {
  const world = createWorld({
    settings: { requestsPerMinute, requestsPerDay: 50_000, burstFiles: 100_000 },
  });
  const run = await world.start();
  const put = (from: number, count: number, size = bytes): void => {
    for (let at = from; at < from + count; at += 1)
      world.disk.write(`/tray/file ${at}.txt`, `${at} ${'x'.repeat(size)}`);
  };
  put(0, files);
  await world.clock.runUntil(
    () => world.ledger.uploads.countInState('settling') === 0 && run.engine.status().sending > 0,
  );
  return { world, run, put };
};

/** Until `files` are uploaded; `at`: what happens at a second. Each end that is later than the one before, with its note. */
const sampled = async (
  { world, run }: Run,
  files: number,
  at: Record<number, () => void> = {},
  everyMs = 100,
) => {
  const fromMs = world.clock.wallMs();
  const later: { byMs: number; note: Note; before: Note }[] = [];
  const notes = new Set<string>();
  let first: number | null = null;
  let last: number | null = null;
  let before: Note = null;
  for (let step = 0; run.engine.status().counts.uploaded < files && step < 20_000; step += 1) {
    if ((step * everyMs) % 1_000 === 0) at[(step * everyMs) / 1_000]?.();
    const { doneAtMs, doneNote } = run.engine.status();
    if (doneAtMs !== null) {
      first ??= doneAtMs - fromMs;
      if (last !== null && doneAtMs > last) later.push({ byMs: doneAtMs - last, note: doneNote, before });
      if (doneNote !== null) notes.add(doneNote.why);
    }
    last = doneAtMs;
    before = doneNote;
    await world.clock.advance(everyMs);
  }
  return { first: first ?? 0, tookMs: world.clock.wallMs() - fromMs, later, notes: [...notes] };
};
/** Not those that replace the least time. */
const unsaid = (later: { note: Note; before: Note }[]) =>
  later.filter(({ note, before }) => note === null && before?.why !== 'least');

test('many files at 50 a minute: the first time is right within a fifth, and never moves later', async () => {
  const begun = await begin(120);
  const { first, tookMs, later } = await sampled(begun, 120, {}, 500);
  expect(first).toBeGreaterThan(0.8 * tookMs);
  expect(first).toBeLessThan(1.2 * tookMs);
  expect(later).toEqual([]);
}, 60_000);

test('40 more files, a service that asks to wait, and a file that goes again are named beside the later time', async () => {
  const more = await begin(40);
  const grown = await sampled(more, 80, { 10: () => more.put(40, 40) });
  expect(grown.later.length).toBeGreaterThan(0);
  expect(unsaid(grown.later)).toEqual([]);
  expect(grown.later.at(-1)?.note).toEqual({ why: 'files', count: 40 });

  const busy = await begin(40);
  const asked = await sampled(busy, 40, {
    10: () => busy.world.service.faults.push({ code: 'rate', status: 429, retryAfterMs: 40_000 }),
  });
  expect(unsaid(asked.later)).toEqual([]);
  expect(asked.notes).toEqual(['rate']);
}, 60_000);

test('an unknown speed makes it the least time; a network that becomes slower is named', async () => {
  const begun = await begin(30, 200_000, 3_000);
  begun.world.service.latencyMs = 1_000;
  const { notes, later } = await sampled(begun, 30, { 4: () => (begun.world.service.latencyMs = 20_000) });
  expect(later.length).toBeGreaterThan(0);
  expect(unsaid(later)).toEqual([]);
  expect(notes).toEqual(['least', 'slower']);
}, 60_000);

test('small changes move nothing, a clear gain is shown, and the reason stays while the time does', () => {
  const next = createShownEnd();
  const now = {
    nowMs: 0,
    total: 10,
    left: 10,
    memory: { pausedUntilMs: 0, cutTo: null },
    isLeast: false,
  };
  const at = (doneAtMs: number | null, change: object = {}) => next({ ...now, doneAtMs, ...change });
  expect(at(100_000)).toEqual({ doneAtMs: 100_000, doneNote: null });
  expect(at(104_000)).toEqual({ doneAtMs: 100_000, doneNote: null });
  expect(at(110_000, { left: 11 })).toEqual({ doneAtMs: 110_000, doneNote: { why: 'again' } });
  expect(at(108_000)).toEqual({ doneAtMs: 108_000, doneNote: { why: 'again' } });
  // Files that arrive one by one are counted together.
  expect(at(112_000, { total: 13 })).toEqual({ doneAtMs: 108_000, doneNote: { why: 'again' } });
  expect(at(120_000, { total: 17 })).toEqual({ doneAtMs: 120_000, doneNote: { why: 'files', count: 7 } });
  expect(at(null)).toEqual({ doneAtMs: null, doneNote: null });
  expect(at(200_000, { isLeast: true })).toEqual({ doneAtMs: 200_000, doneNote: { why: 'least' } });
  expect(at(300_000)).toEqual({ doneAtMs: 300_000, doneNote: null });
});
