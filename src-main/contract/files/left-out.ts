// Collects the files that are left out, by reason.

/** Every file is counted. At most this many are named for each reason: as many as one call takes (files.upload). */
const mostNamed = 100_000;

export const createLeftOut = <Why extends string>() => {
  const all = new Map<Why, { why: Why; count: number; paths: string[] }>();
  return {
    add(path: string, why: Why): void {
      const known = all.get(why) ?? { why, count: 0, paths: [] };
      all.set(why, known);
      known.count += 1;
      if (known.paths.length < mostNamed) known.paths.push(path);
    },
    all: () => [...all.values()],
  };
};
