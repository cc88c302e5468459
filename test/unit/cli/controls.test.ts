import { expect, test } from 'vitest';
import { takeFormer } from '../../../src-main/adapters/ledger/facts.ts';
import { untold } from '../../../src-main/cli/commands/controls.ts';
import type { Composed } from '../../../src-main/cli/session.ts';
import { AppError, type StorageFault } from '../../../src-main/contract/errors.ts';
import { createWorld } from '../../support/fake-world.ts';

const about = (warnings: readonly string[], ledger: Composed['ledger']): readonly string[] =>
  untold({
    ledger,
    settings: { warnings: () => warnings, former: () => [] },
    clock: { wallMs: () => 0 },
  } as unknown as Composed);

test('what is wrong with the settings is told once', () => {
  const { ledger } = createWorld();
  const opened = { ...ledger, unwritable: null } as unknown as Composed['ledger'];
  expect(about(['a'], opened)).toEqual(['a']);
  expect(about(['a', 'b'], opened)).toEqual(['b']);
  expect(about(['a', 'b'], opened)).toEqual([]);
  expect(about(['b'], opened)).toEqual([]);
  expect(about(['a', 'b'], opened)).toEqual(['a']);
});

const failing = (storage: StorageFault): Composed['ledger'] => {
  const { ledger } = createWorld();
  ledger.facts.set('links-not-read-again', 2, 0);
  const fail = (): never => {
    throw new AppError('disk', 'It fails.', '', { storage });
  };
  const facts = { ...ledger.facts, set: fail, remove: fail };
  return { ...ledger, unwritable: null, facts } as unknown as Composed['ledger'];
};

test.each(['full', 'read-only'] as const)(
  'on a disk that is %s it is told all the same, each time',
  (storage) => {
    const opened = failing(storage);
    for (const _time of [1, 2])
      expect(about(['a'], opened)).toEqual(['a', expect.stringContaining('2 links')]);
  },
);

test.each(['damaged', 'newer', 'gone', 'failed'] as const)(
  'a ledger that is %s is not passed over',
  (storage) => {
    expect(() => about(['a'], failing(storage))).toThrow('It fails.');
    expect(() => takeFormer(failing(storage))).toThrow('It fails.');
  },
);

test('what cannot be recorded because the ledger is only read is told as well', () => {
  const { unwritable: _none, ...opened } = failing('refused');
  const unwritable = new AppError('disk', 'It is not yours.', '', { storage: 'refused' });
  expect(about(['a'], { ...opened, unwritable })).toEqual(['a']);
});
