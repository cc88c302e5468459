// Whether a 403 concerns one file or all of them, learned from what passes. Pure; kept in memory only.

export type Refused =
  /** Another file passed, or the same file was refused before: it is about this file. */
  | 'this-file'
  /** Not known yet: this file waits, and another one goes first. */
  | 'not-known'
  /** Several files are refused and none passes. */
  | 'all';

/** This many different files that are refused in a row are no coincidence of their names. */
const allFrom = 3;
/** More are not remembered: the oldest is forgotten and is only tried once more. */
const mostRemembered = 1000;

export const createRefusals = () => {
  /** Files that were refused since a file passed, and how often. */
  const open = new Map<number, number>();
  /** Files that were refused before another file passed. */
  const alone = new Set<number>();
  let isAll = false;
  return {
    /** So many files were refused that it concerns all, and none has passed since. */
    isAll: (): boolean => isAll,
    passed(uploadId: number): void {
      for (const id of open.keys()) alone.add(id);
      open.clear();
      isAll = false;
      alone.delete(uploadId);
      for (const id of alone) {
        if (alone.size <= mostRemembered) break;
        alone.delete(id);
      }
    },
    refused(uploadId: number): Refused {
      if (isAll) return 'all';
      const times = (open.get(uploadId) ?? 0) + 1;
      open.set(uploadId, times);
      if (alone.delete(uploadId)) return 'this-file';
      if (open.size >= allFrom) {
        open.clear();
        isAll = true;
        return 'all';
      }
      return times >= 2 ? 'this-file' : 'not-known';
    },
  };
};
