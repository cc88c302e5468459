// One line of `npm run package:check`: what was checked, and what is wrong with it (nothing: it passed). A check that
// cannot run here reports why, and counts as skipped.
export type Finding = readonly [what: string, problems: readonly string[], skipped?: string];

/** A check that throws has failed; its finding is the error. */
export const finding = async (what: string, look: () => Promise<string[]> | string[]): Promise<Finding> => {
  try {
    return [what, await look()];
  } catch (error) {
    return [what, [error instanceof Error ? error.message : String(error)]];
  }
};
