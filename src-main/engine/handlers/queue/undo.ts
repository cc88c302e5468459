// What each skip or cancel of this process left out, as it was before: for Undo.
import type { Upload } from '../../ports/uploads.ts';

/** A user remembers no more of what was left out; the rows are kept in memory. The rows of the largest drop are among them. */
const mostActions = 100;
const mostRows = 100_000;

type Which = { actionsOf?: readonly number[] | undefined; ids?: readonly number[] | undefined };

export const createUndo = () => {
  /** The newest is the last one; it is kept whatever its size. */
  let actions: readonly (readonly Upload[])[] = [];
  return {
    keep(rows: readonly Upload[]): void {
      if (rows.length > 0) actions = [...actions, rows].slice(-mostActions);
      while (actions.length > 1 && actions.flat().length > mostRows) actions = actions.slice(1);
    },
    /** Exactly `ids`, else all of the actions that left out one of `actionsOf`, else all of the last one. */
    find({ actionsOf, ids }: Which): readonly Upload[] {
      const actionOf = (one: number): readonly Upload[] =>
        actions.findLast((left) => left.some(({ id }) => id === one)) ?? [];
      if (actionsOf !== undefined) return [...new Set(actionsOf.map(actionOf))].flat();
      if (ids === undefined) return actions.at(-1) ?? [];
      const newest = new Map(actions.flat().map((row) => [row.id, row]));
      return ids.flatMap((one) => newest.get(one) ?? []);
    },
  };
};
