// Which files of a list are selected, with a cursor and an anchor for ranges: the rules every file manager has. All are
// files, by key: what arrives, leaves or is sorted moves none of them. Pure; the list of keys may be very long.

export type Selection = {
  keys: ReadonlySet<string>;
  /** The file the keyboard is on; null: none. */
  active: string | null;
  /** Where it was last in the list, -1 before the first step: if it leaves, the next step starts here. */
  at: number;
  /** Where a range with Shift begins. */
  anchor: string | null;
};

export type Reach = 'only' | 'toggle' | 'range' | 'move';
export type KeyAt = (index: number) => string | undefined;

export const noSelection: Selection = { keys: new Set(), active: null, at: -1, anchor: null };

/**
 * `only` selects this row, `toggle` adds or removes it, `range` selects from the anchor to it, `move` goes there.
 * `anchorAt`: the index of the anchor, -1 if it is not in the list.
 */
export const select = (
  before: Selection,
  index: number,
  reach: Reach,
  keyAt: KeyAt,
  anchorAt = -1,
): Selection => {
  const key = keyAt(index);
  if (key === undefined) return before;
  const here = { active: key, at: index, anchor: key };
  switch (reach) {
    case 'only':
      return { ...here, keys: new Set([key]) };
    case 'move':
      return { ...here, keys: before.keys };
    case 'toggle': {
      const keys = new Set(before.keys);
      if (!keys.delete(key)) keys.add(key);
      return { ...here, keys };
    }
    case 'range': {
      const from = anchorAt === -1 ? index : anchorAt;
      const keys = new Set<string>();
      for (let at = Math.min(from, index); at <= Math.max(from, index); at += 1) {
        const one = keyAt(at);
        if (one !== undefined) keys.add(one);
      }
      return { ...here, keys, anchor: keyAt(from) ?? key };
    }
  }
};

export const selectAll = (before: Selection, keys: readonly string[]): Selection => ({
  ...before,
  keys: new Set(keys),
  anchor: keys[0] ?? null,
});

export const selectNone = (before: Selection): Selection => ({ ...before, keys: noSelection.keys });

/**
 * What a key moves to, kept inside the list; null for keys that do not move. `active`: the index of the cursor; without
 * one, `at` is where it last was, and the first step goes to the row that is there now.
 */
export const stepTo = (
  key: string,
  active: number,
  total: number,
  pageRows: number,
  at = -1,
): number | null => {
  if (total === 0) return null;
  const last = total - 1;
  const from = Math.min(active, last);
  const isStep = key === 'ArrowDown' || key === 'ArrowUp';
  if (isStep && active === -1 && at !== -1) return Math.min(at, last);
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
