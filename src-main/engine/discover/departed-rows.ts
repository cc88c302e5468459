// Departed rows: their files were kept back and then left their paths. The ledger stores them, because a process that
// is killed during a move must not treat files without consent as new. They are stored in pieces by row number, so
// the cost of one more does not depend on their count.
import type { Ports } from '../ports.ts';

export type Left = {
  id: number;
  /** The rule or the reason that kept it back. */
  was: string;
};

export type DepartedRows = {
  all(): Left[];
  /** Inside a transaction. */
  add(left: Left): void;
  /** Inside a transaction. */
  remove(id: number): void;
};

const perPiece = 256;
const piecesFact = 'left-pieces';
const pieceFact = (piece: number): string => `left-${piece}`;

export const createDepartedRows = ({ ledger, clock }: Pick<Ports, 'ledger' | 'clock'>): DepartedRows => {
  const pieces = (): number[] => {
    const value = ledger.facts.get(piecesFact)?.value;
    return Array.isArray(value) ? value.filter((piece) => typeof piece === 'number') : [];
  };
  const inPiece = (piece: number): Left[] => {
    const value = ledger.facts.get(pieceFact(piece))?.value;
    return Array.isArray(value) ? value.filter(isLeft) : [];
  };
  const store = (piece: number, rows: readonly Left[], hadSome: boolean): void => {
    if (rows.length > 0) ledger.facts.set(pieceFact(piece), rows, clock.wallMs());
    else ledger.facts.remove(pieceFact(piece));
    if (rows.length > 0 === hadSome) return;
    const others = pieces().filter((one) => one !== piece);
    ledger.facts.set(piecesFact, rows.length > 0 ? [...others, piece] : others, clock.wallMs());
  };

  return {
    all: () => pieces().flatMap(inPiece),
    add(left) {
      const piece = Math.floor(left.id / perPiece);
      const before = inPiece(piece);
      store(piece, [...before.filter(({ id }) => id !== left.id), left], before.length > 0);
    },
    remove(id) {
      const piece = Math.floor(id / perPiece);
      const before = inPiece(piece);
      const after = before.filter((one) => one.id !== id);
      if (after.length < before.length) store(piece, after, true);
    },
  };
};

const isLeft = (value: unknown): value is Left =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'number' &&
  'was' in value &&
  typeof value.was === 'string';
