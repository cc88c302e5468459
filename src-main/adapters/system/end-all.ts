/** Ends the parts of a program in this order. One that fails is logged, and keeps none of the others from ending. */
export const endAll = async (
  parts: Readonly<Record<string, () => unknown>>,
  warn: (event: string, fields: Record<string, unknown>) => void,
): Promise<void> => {
  for (const [part, end] of Object.entries(parts)) {
    try {
      await end();
    } catch (error) {
      warn('not closed', { part, error });
    }
  }
};
