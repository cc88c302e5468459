// What an administrator decided for this machine, as far as it could be trusted and read.
export type Policy = {
  /** As written, unchecked: the settings check them like every other layer. */
  values: Record<string, unknown>;
  /** Where they stand; empty when there is no policy. */
  source: string;
  /** What was ignored, as sentences. */
  warnings: readonly string[];
};

export const noPolicy: Policy = { values: {}, source: '', warnings: [] };
