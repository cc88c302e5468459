import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, fateOf, noCounts } from '../../src-main/contract/model.ts';
import type { Upload } from '../../src-main/engine/ports/uploads.ts';
import { AppError } from '../../src-main/contract/errors.ts';
import { add, memoryLedger, NOON_MS, stampOf, states, watched } from './ledger-fixtures.ts';
import { isDeep } from '../support/deep.ts';

const step = fc.record({
  which: fc.nat(9),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  state: fc.constantFrom(...states),
  inFolder: fc.boolean(),
  present: fc.boolean(),
  size: fc.nat(3),
  kind: fc.constantFrom('insert', 'update', 'undo'),
});

test('counts, buckets and backlog equal a recount after any operations', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const ledger = memoryLedger();
      const folder = watched(ledger);
      let rows = new Map<number, Upload>();
      for (const { which, name, state, inFolder, present, size, kind } of steps) {
        const before = new Map(rows);
        try {
          ledger.atomically(() => {
            const chosen = [...rows.keys()][which];
            if (chosen === undefined || kind === 'insert') {
              const made = add(ledger, {
                name,
                state,
                stamp: stampOf(size),
                folderId: inFolder ? folder : null,
              });
              rows.set(made.id, made);
            } else {
              const change = { state, present, folderId: inFolder ? folder : null, stamp: stampOf(size) };
              rows.set(chosen, ledger.uploads.update(chosen, change, NOON_MS));
            }
            if (kind === 'undo') throw new AppError('aborted', 'undone');
          });
        } catch (error) {
          // Two present rows at one path, or undone on purpose.
          if (!(error instanceof AppError)) throw error;
          rows = before;
        }
      }
      const all = [...rows.values()];
      for (const folderId of [folder, null]) {
        const mine = all.filter((row) => row.folderId === folderId && row.present);
        const counts = noCounts();
        for (const row of mine) {
          const bucket = bucketOf(row.state);
          if (bucket !== null) counts[bucket] += 1;
        }
        expect(ledger.views.counts(folderId)).toEqual(counts);
        for (const bucket of ['uploaded', 'waiting', 'held', 'skipped', 'failed'] as const) {
          const expected = mine.filter((row) => bucketOf(row.state) === bucket).sort((a, b) => b.id - a.id);
          expect(ledger.views.inBucket(bucket, folderId, 100)).toEqual(expected);
        }
      }
      for (const kind of ['held', 'failed', 'skipped'] as const) {
        const mine = all.filter(({ state }) => state.kind === kind);
        const byFate = Map.groupBy(mine, ({ state }) => fateOf(state));
        const found = ledger.views.alike(kind);
        expect(new Map(found.map(({ state, files, bytes }) => [fateOf(state), [files, bytes]]))).toEqual(
          new Map(
            [...byFate].map(([fate, same]) => [
              fate,
              [same.length, same.reduce((sum, row) => sum + (row.stamp?.sizeBytes ?? 0), 0)],
            ]),
          ),
        );
        for (const { state, asOfMs } of found) {
          const same = mine.filter((row) => fateOf(row.state) === fateOf(state));
          expect(asOfMs).toBe(Math.max(...same.map((row) => row.changedAtMs)));
          expect(ledger.views.idsAlike({ kind, fate: fateOf(state), asOfMs })).toEqual(
            same.map(({ id }) => id),
          );
          const here = same.filter((row) => row.present && row.folderId === folder);
          expect(ledger.views.idsAlike({ kind, fate: fateOf(state), asOfMs }, [folder])).toEqual(
            here.map(({ id }) => id),
          );
          expect(
            ledger.views.idsAlike({ kind, fate: fateOf(state), asOfMs: asOfMs - 1 }, [folder, null]).length,
          ).toBeLessThan(same.length);
        }
      }
      const ready = all.filter((row) => row.state.kind === 'ready');
      const bytes = ready.reduce((sum, row) => sum + (row.stamp?.sizeBytes ?? 0), 0);
      expect(ledger.uploads.backlog()).toEqual({ files: ready.length, bytes });
      for (const { kind } of states) {
        expect(ledger.uploads.countInState(kind)).toBe(all.filter((row) => row.state.kind === kind).length);
      }
      ledger.close();
    }),
    { numRuns: isDeep ? 60 : 20 },
  );
});
