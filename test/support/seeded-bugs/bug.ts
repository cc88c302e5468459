// Deliberate faults, one line each, that the tests have to notice: each breaks one promise of the protocol in a way
// that a programmer could write by mistake. `find` occurs exactly once in its file.

export type Bug = {
  name: string;
  file: string;
  find: string;
  put: string;
  /** What notices it: the simulation, or these test files. */
  by: 'simulation' | readonly string[];
};
