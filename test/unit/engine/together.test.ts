import { expect, test } from 'vitest';
import { openLedger } from '../../../src-main/adapters/ledger/ledger.ts';
import type { Clock } from '../../../src-main/engine/ports.ts';
import { createTogether, inOneTransaction } from '../../../src-main/engine/together.ts';

const open = () => {
  const ledger = openLedger({ file: ':memory:', nowMs: () => 0 });
  let commits = 0;
  const counted = {
    atomically: <T>(act: () => T): T => {
      const value = ledger.atomically(act);
      commits += 1;
      return value;
    },
  };
  const soon: (() => void)[] = [];
  const clock: Pick<Clock, 'after'> = {
    after(_delayMs, act) {
      soon.push(act);
      return () => undefined;
    },
  };
  const set = (name: string) => () => {
    ledger.facts.set(name, true, 0);
    return name;
  };
  const has = (name: string): boolean => ledger.facts.get(name) !== null;
  const runSoon = (): void => {
    for (let act = soon.shift(); act !== undefined; act = soon.shift()) act();
  };
  return { ledger, counted, clock, set, has, runSoon, commits: () => commits };
};

test('who is alone waits for nobody: it is recorded before the call returns', async () => {
  const { counted, clock, set, has } = open();
  const together = createTogether({ ledger: counted, clock, isAlone: () => true });
  const done = together(set('a'));
  expect(has('a')).toBe(true);
  expect(await done).toBe('a');
});

test('those who ask at the same time share one commit, and none goes on before it', async () => {
  const { counted, clock, set, has, runSoon, commits } = open();
  const together = createTogether({ ledger: counted, clock, isAlone: () => false });
  let wentOn = 0;
  const all = ['a', 'b', 'c'].map((name) => together(set(name)).then(() => (wentOn += 1)));
  await Promise.resolve();
  expect([has('a'), wentOn]).toEqual([false, 0]);
  runSoon();
  expect([has('a'), has('b'), has('c'), commits()]).toEqual([true, true, true, 1]);
  await Promise.all(all);
});

test('one that throws is undone by itself; the others are recorded all the same', async () => {
  const { ledger, counted, clock, set, has, runSoon } = open();
  const together = createTogether({ ledger: counted, clock, isAlone: () => false });
  const broken = together(() => {
    ledger.facts.set('half', true, 0);
    throw new Error('no');
  });
  const sound = together(set('a'));
  runSoon();
  await expect(broken).rejects.toThrow('no');
  expect(await sound).toBe('a');
  expect([has('half'), has('a')]).toEqual([false, true]);
});

test('when the commit itself fails everybody hears of it and nothing stays', async () => {
  const { ledger, clock, set, has, runSoon } = open();
  const full = {
    atomically: <T>(act: () => T): T =>
      ledger.atomically(() => {
        act();
        throw new Error('disk full');
      }),
  };
  const together = createTogether({ ledger: full, clock, isAlone: () => false });
  const all = Promise.allSettled([together(set('a')), together(set('b'))]);
  runSoon();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([has('a'), has('b')]).toEqual([false, false]);
});

test('a great many are recorded in several transactions, each in the order asked', async () => {
  const { counted, clock, runSoon, commits } = open();
  const together = createTogether({ ledger: counted, clock, isAlone: () => false });
  const order: number[] = [];
  const all = Array.from({ length: 120 }, (_, at) => together(() => order.push(at)));
  runSoon();
  await Promise.all(all);
  expect(order).toEqual([...order.keys()]);
  expect(commits()).toBe(3);
});

test('outcomes come in the order of the acts', () => {
  const { counted, set } = open();
  const outcomes = inOneTransaction(counted, [
    set('a'),
    () => {
      throw new Error('no');
    },
    set('c'),
  ]);
  expect(outcomes.map((one) => (one.kind === 'done' ? one.value : one.kind))).toEqual(['a', 'failed', 'c']);
});
