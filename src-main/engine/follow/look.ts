/** What links are looked at again for. */
export type LinkLook = {
  /** Until the next look is due: milliseconds, 0: now; null: no link is looked at. */
  dueMs(): number | null;
  /** Takes the link whose turn it is. Spare requests were there just now. */
  look(): Promise<void>;
  /** A run that ends when nothing is due waits this long for the pace before a look. */
  patienceMs: number;
};
