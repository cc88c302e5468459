// Whether what is believed is still what is on disk. When an outcome could not be recorded, the disk is the truth:
// nothing goes until everything that was on its way has come to its end and is concluded as after a crash.

export type Track = {
  /** An outcome could not be recorded. */
  lost(): void;
  /** True while all is well, or again. */
  mayGoOn(onTheWay: number): boolean;
};

export const createTrack = (options: {
  conclude: () => void;
  /** Without an entry: the ledger would refuse that as well. */
  shut: (cause: { message: string; remedy: string }) => void;
}): Track => {
  let isLost = false;
  const lost = (): void => {
    isLost = true;
    options.shut({ message: 'The ledger cannot be written.', remedy: 'Free disk space, then resume.' });
  };
  return {
    lost,
    mayGoOn(onTheWay) {
      if (!isLost) return true;
      if (onTheWay > 0) return false;
      try {
        options.conclude();
        isLost = false;
      } catch {
        lost();
      }
      return !isLost;
    },
  };
};
