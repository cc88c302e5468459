// The engine of this process, or that of another one until it ends.
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeEngineLock } from '../../src-main/adapters/system/lock.ts';
import { createEngineHere } from '../../src-main/desktop/engine-here.ts';
import { temporaryFolder } from './ledger-fixtures.ts';

const guest = () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const folder = temporaryFolder();
  const other = takeEngineLock({ folder, who: 'outtray watch' });
  onTestFinished(other.release);
  const here = createEngineHere({
    isEngine: false,
    engine: { trouble: () => null },
    ledger: { unwritable: null, check: () => undefined },
    home: { folder },
    transport: {},
  } as unknown as Parameters<typeof createEngineHere>[0]);
  const takeOver = vi.fn();
  return { other, takeOver, stop: here.whenAlone(takeOver) };
};

test('the app takes over once, when the other process has ended', () => {
  const { other, takeOver } = guest();
  vi.advanceTimersByTime(10_000);
  expect(takeOver).not.toHaveBeenCalled();
  other.release();
  vi.advanceTimersByTime(10_000);
  expect(takeOver).toHaveBeenCalledTimes(1);
});

test('an app that ends itself does not: it would start again', () => {
  const { other, takeOver, stop } = guest();
  stop();
  other.release();
  vi.advanceTimersByTime(10_000);
  expect(takeOver).not.toHaveBeenCalled();
});
