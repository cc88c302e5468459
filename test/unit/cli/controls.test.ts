import { expect, test } from 'vitest';
import { untold } from '../../../src-main/cli/commands/controls.ts';
import type { Composed } from '../../../src-main/cli/session.ts';
import { AppError } from '../../../src-main/contract/errors.ts';
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

test('where that cannot be recorded, it is told all the same, each time', () => {
  const { ledger } = createWorld();
  const full = (): never => {
    throw new AppError('disk', 'The disk is full.', '', { storage: 'full' });
  };
  const opened = { ...ledger, unwritable: null, facts: { ...ledger.facts, set: full } };
  expect(about(['a'], opened as unknown as Composed['ledger'])).toEqual(['a']);
  expect(about(['a'], opened as unknown as Composed['ledger'])).toEqual(['a']);
});
