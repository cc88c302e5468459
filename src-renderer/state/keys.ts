// The shortcuts that work in every view. On macOS the main key is Command, elsewhere Control.

export type Shortcut =
  { kind: 'view'; index: number } | { kind: 'find' | 'upload' | 'refresh' | 'pause' | 'help' | 'undo' };

export type Press = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
};

export const shortcutFor = (press: Press, mac: boolean): Shortcut | null => {
  const main = mac ? press.metaKey && !press.ctrlKey : press.ctrlKey && !press.metaKey;
  const key = press.key.toLowerCase();
  if (!main) {
    return key === '?' && !press.ctrlKey && !press.metaKey && !press.altKey ? { kind: 'help' } : null;
  }
  if (press.altKey) return null;
  if (press.shiftKey) return key === 'p' ? { kind: 'pause' } : null;
  if (/^[1-4]$/.test(key)) return { kind: 'view', index: Number(key) - 1 };
  switch (key) {
    case ',':
      return { kind: 'view', index: 3 };
    case 'f':
      return { kind: 'find' };
    case 'o':
      return { kind: 'upload' };
    case 'r':
      return { kind: 'refresh' };
    case 'z':
      return { kind: 'undo' };
    default:
      return null;
  }
};

/** True inside an element that takes text: single letters and paste belong to it. */
export const isTyping = (target: unknown): boolean => {
  if (typeof target !== 'object' || target === null || !('tagName' in target)) return false;
  const type = 'type' in target ? String(target.type) : '';
  return (
    target.tagName === 'TEXTAREA' ||
    (target.tagName === 'INPUT' && type !== 'checkbox' && type !== 'radio' && type !== 'button')
  );
};
