// Which rows of a list are chosen, by key, with one active row and an anchor for ranges: the rules every file
// manager has. Pure; the list of keys comes in as a function because it may be very long.

export type Selection = {
  keys: ReadonlySet<string>;
  /** The row the keyboard is on; -1 before the first step. */
  active: number;
  /** Where a range with Shift begins. */
  anchor: number;
};

export type Reach = 'only' | 'toggle' | 'range' | 'move';
export type KeyAt = (index: number) => string | undefined;

export const noSelection: Selection = { keys: new Set(), active: -1, anchor: -1 };

/** `only` selects this row, `toggle` adds or removes it, `range` selects from the anchor to it, `move` goes there. */
export const select = (before: Selection, index: number, reach: Reach, keyAt: KeyAt): Selection => {
  const key = keyAt(index);
  if (key === undefined) return before;
  switch (reach) {
    case 'only':
      return { keys: new Set([key]), active: index, anchor: index };
    case 'move':
      return { ...before, active: index, anchor: index };
    case 'toggle': {
      const keys = new Set(before.keys);
      if (!keys.delete(key)) keys.add(key);
      return { keys, active: index, anchor: index };
    }
    case 'range': {
      const anchor = before.anchor < 0 ? index : before.anchor;
      const keys = new Set<string>();
      for (let at = Math.min(anchor, index); at <= Math.max(anchor, index); at += 1) {
        const one = keyAt(at);
        if (one !== undefined) keys.add(one);
      }
      return { keys, active: index, anchor };
    }
  }
};

export const selectAll = (before: Selection, keys: readonly string[]): Selection => ({
  keys: new Set(keys),
  active: Math.max(0, before.active),
  anchor: 0,
});

export const selectNone = (before: Selection): Selection => ({ ...before, keys: noSelection.keys });

/** What a key moves to, kept inside the list; null for keys that do not move. */
export const stepTo = (key: string, active: number, total: number, pageRows: number): number | null => {
  if (total === 0) return null;
  const last = total - 1;
  const from = Math.min(active, last);
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, from + 1);
    case 'ArrowUp':
      return Math.max(0, from - 1);
    case 'PageDown':
      return Math.min(last, Math.max(0, from) + pageRows);
    case 'PageUp':
      return Math.max(0, from - pageRows);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
};
