// A list of listeners: `add` returns the undo.

export type Emitter<Said> = {
  add: (hear: (said: Said) => void) => () => void;
  tell(said: Said): void;
};

export const createEmitter = <Said>(): Emitter<Said> => {
  const all = new Set<(said: Said) => void>();
  return {
    add(hear) {
      all.add(hear);
      return () => all.delete(hear);
    },
    tell(said) {
      for (const hear of all) hear(said);
    },
  };
};
