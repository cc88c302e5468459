// The engine while its disk or its data folder fails, and when its own fault kept an outcome from the ledger.
import { describe, expect, test } from 'vitest';
import { AppError, type StorageFault } from '../../../../src-main/contract/errors.ts';
import { createLedgerHealth } from '../../../../src-main/engine/state/ledger-health.ts';
import { createFakeLog } from '../../../support/fake-ports.ts';
import { createVirtualClock } from '../../../support/virtual-clock.ts';

const faultOf = (storage: StorageFault): AppError =>
  new AppError('disk', `The disk is ${storage}.`, 'Look after it.', { storage });
const ownFault = new AppError('internal', 'A row that cannot be.');

const begin = (given: { trouble?: AppError } = {}) => {
  const clock = createVirtualClock();
  const told = { changed: 0, back: 0, concluded: 0, probes: 0 };
  /** The state of the ledger, and what its next probe and the next recovery throw. */
  const it = {
    trouble: given.trouble ?? null,
    probe: null as AppError | null,
    conclusion: null as AppError | null,
  };
  let heard: (() => void) | null = null;
  const health = createLedgerHealth({
    ledger: {
      trouble: () => it.trouble,
      onTrouble(hear) {
        heard = hear;
        return () => {
          heard = null;
        };
      },
      probe() {
        told.probes += 1;
        it.trouble = it.probe?.storage === undefined ? null : it.probe;
        if (it.probe !== null) throw it.probe;
      },
    },
    clock,
    log: createFakeLog(),
    changed: () => (told.changed += 1),
    back: () => (told.back += 1),
    conclude() {
      if (it.conclusion !== null) throw it.conclusion;
      told.concluded += 1;
    },
  });
  /** The ledger meets this fault, and so does the next probe. */
  const meet = (fault: AppError): void => {
    it.trouble = fault;
    it.probe = fault;
    heard?.();
  };
  return { clock, health, it, told, meet };
};

describe('a disk that fails', () => {
  test('is checked every two seconds, and work continues as soon as it can be written', async () => {
    const { clock, health, it, told, meet } = begin();
    expect(health.recoverIfIdle(3)).toBe(true);
    meet(faultOf('full'));
    expect(health.trouble()).toMatchObject({ storage: 'full' });
    expect(health.recoverIfIdle(0)).toBe(false);
    await clock.advance(10_000);
    expect(told).toMatchObject({ probes: 5, back: 0 });
    it.probe = null;
    await clock.advance(2000);
    expect(told).toMatchObject({ probes: 6, back: 1, concluded: 0 });
    expect(health.trouble()).toBeNull();
    expect(health.recoverIfIdle(3)).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  test('is also checked when it failed before anybody listened', async () => {
    const { clock, told } = begin({ trouble: faultOf('full') });
    await clock.advance(2000);
    expect(told).toMatchObject({ probes: 1, back: 1 });
  });

  test('is no longer trusted when it fails a second time: the process has to end, and checks no more', async () => {
    const { clock, health, it, told, meet } = begin();
    meet(faultOf('failed'));
    expect(health.fatal()).toBeNull();
    await clock.advance(2000);
    expect(health.fatal()).toMatchObject({ storage: 'failed' });
    it.probe = null;
    health.check();
    await clock.advance(600_000);
    expect(told).toMatchObject({ probes: 1, back: 0 });
    expect(health.trouble()).toMatchObject({ storage: 'failed' });
    expect(health.recoverIfIdle(0)).toBe(false);
  });

  test.each(['gone', 'damaged', 'newer'] as const)(
    'ends the process at once when the ledger is %s',
    async (storage) => {
      const { clock, health, told, meet } = begin();
      meet(faultOf(storage));
      expect(health.fatal()).toMatchObject({ storage });
      await clock.advance(600_000);
      expect(told.probes).toBe(0);
    },
  );

  test('that turns out to be gone after it was full is not checked again', async () => {
    const { clock, health, told, meet } = begin();
    meet(faultOf('full'));
    meet(faultOf('gone'));
    expect(clock.pending()).toBe(0);
    await clock.advance(600_000);
    expect(health.fatal()).toMatchObject({ storage: 'gone' });
    expect(told.probes).toBe(0);
  });

  test('is no longer checked after the end', async () => {
    const { clock, health, told, meet } = begin();
    meet(faultOf('full'));
    health.stop();
    await clock.advance(10_000);
    expect(told.probes).toBe(0);
  });
});

describe('an outcome that could not be recorded', () => {
  test('blocks new uploads until all uploads under way have ended and are recovered as after a crash', async () => {
    const { clock, health, it, told, meet } = begin();
    meet(faultOf('full'));
    health.lost(faultOf('full'));
    it.probe = null;
    await clock.advance(2000);
    expect(health.recoverIfIdle(2)).toBe(false);
    expect(told.concluded).toBe(0);
    expect(health.recoverIfIdle(0)).toBe(true);
    expect(health.recoverIfIdle(0)).toBe(true);
    expect(told.concluded).toBe(1);
  });

  test('because of our own fault is tried again after five minutes, since nothing outside changes it', async () => {
    const { clock, health, told } = begin();
    health.lost(ownFault);
    expect(health.trouble()).toBe(ownFault);
    await clock.advance(299_000);
    expect(told.probes).toBe(0);
    await clock.advance(1000);
    expect(told).toMatchObject({ probes: 1, back: 1 });
    expect(health.recoverIfIdle(0)).toBe(true);
  });

  test('stays open while the recovery fails, too', async () => {
    const { clock, health, it, told } = begin();
    health.lost(ownFault);
    it.conclusion = new AppError('internal', 'Another row that cannot be.');
    await clock.advance(300_000);
    expect(health.recoverIfIdle(0)).toBe(false);
    expect(health.trouble()).toBe(it.conclusion);
    it.conclusion = null;
    await clock.advance(300_000);
    expect(health.recoverIfIdle(0)).toBe(true);
    expect(told).toMatchObject({ probes: 2, concluded: 1 });
  });

  test('is reported with the error of the newest try', async () => {
    const { clock, health, it } = begin();
    health.lost(ownFault);
    it.probe = new AppError('internal', 'The try itself failed.');
    await clock.advance(300_000);
    expect(health.trouble()).toBe(it.probe);
  });
});
