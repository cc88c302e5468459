// What is wrong below the ledger, from the first failure until a probe succeeds. Notifies listeners of each change.
import type { AppError } from '../../contract/errors.ts';
import { toLedgerError } from './faults.ts';
import type { WitnessFile } from './witness.ts';

/** A fault of the same kind as before is not reported again. */
export const createHealth = () => {
  let trouble: AppError | null = null;
  const listeners = new Set<() => void>();
  const set = (next: AppError | null): void => {
    if (next?.storage === trouble?.storage) return;
    trouble = next;
    for (const hear of listeners) hear();
  };
  return {
    trouble: () => trouble,
    failed: (error: AppError): void => {
      if (error.storage !== undefined) set(error);
    },
    isWell: () => set(null),
    onTrouble: (hear: () => void) => {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
};

export type LedgerFaults = ReturnType<typeof createHealth>;

/** The same witness; what it throws is recorded as trouble. */
export const watched = (witness: WitnessFile, health: LedgerFaults): WitnessFile => ({
  ...witness,
  assertInPlace() {
    try {
      witness.assertInPlace();
    } catch (error) {
      health.failed(toLedgerError(error));
      throw error;
    }
  },
});
