// The parts of the app that stop before the engine ends. Each is made from parts that are there already, so they stop in
// the reverse order.
type Part = { stop(): void };

export type Parts = ReturnType<typeof createParts>;

export const createParts = () => {
  const made: Part[] = [];
  return {
    add<Made extends Part>(part: Made): Made {
      made.push(part);
      return part;
    },
    /** One that fails keeps none of the others. Throws what the first of them threw. */
    stop(): void {
      const faults: unknown[] = [];
      for (const part of made.toReversed()) {
        try {
          part.stop();
        } catch (error) {
          faults.push(error);
        }
      }
      if (faults.length > 0) throw faults[0];
    },
  };
};
