// The service's id of a file (service.md §2: an integer, of unknown size).
import * as v from 'valibot';

/**
 * A number; above 2^53, where a number loses digits, the text of its digits. Each id has one of the two forms, so that
 * `===` compares ids. At most 2^63 − 1, which is what the ledger's columns hold.
 */
export type FileId = number | string;

const largest = 2n ** 63n - 1n;

/** Digits without leading zeros; null for what is no id. */
export const fileIdFrom = (digits: string): FileId | null => {
  if (!/^[1-9]\d{0,18}$/.test(digits)) return null;
  const value = Number(digits);
  if (Number.isSafeInteger(value)) return value;
  return BigInt(digits) <= largest ? digits : null;
};

export const fileIdSchema = v.union(
  [
    v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    v.pipe(
      v.string(),
      v.check((text) => fileIdFrom(text) === text),
    ),
  ],
  'must be the id of a file',
);
