// The rows of a table of the catalogue that share a fact.

/** The names of the rows that have all of this, in the order of the catalogue. */
export const namesWith = <Rows extends Readonly<Record<string, object>>, const Fact extends object>(
  rows: Rows,
  fact: Fact,
): NamesWith<Rows, Fact>[] => {
  const names = Object.entries(rows).flatMap(([name, row]) => {
    const of = new Map<string, unknown>(Object.entries(row));
    return Object.entries(fact).every(([key, value]) => of.get(key) === value) ? [name] : [];
  });
  return names as NamesWith<Rows, Fact>[];
};

export type NamesWith<Rows, Fact> = {
  [Name in keyof Rows]: Rows[Name] extends Fact ? Name : never;
}[keyof Rows];
