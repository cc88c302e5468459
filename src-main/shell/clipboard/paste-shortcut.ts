// The shortcut that uploads the clipboard from any program (the setting pasteShortcut). On Wayland no program can take
// keys of the whole desktop: there the user binds `outtray paste` in the system's settings.
import type { ShortcutState } from '../../contract/window.ts';

export type PasteShortcut = {
  /** Takes this one instead of the one before; null: none. */
  follow(accelerator: string | null): void;
  state(): ShortcutState;
  stop(): void;
};

/** Electron's globalShortcut, as far as it is needed. */
type Keys = {
  register(accelerator: string, act: () => void): boolean;
  unregister(accelerator: string): void;
};

export const createPasteShortcut = (keys: Keys, isWayland: boolean, act: () => void): PasteShortcut => {
  let current: string | null = null;
  let state: ShortcutState = 'off';

  const drop = (): void => {
    if (state === 'set' && current !== null) keys.unregister(current);
    state = 'off';
  };
  const take = (accelerator: string): ShortcutState => {
    try {
      return keys.register(accelerator, act) ? 'set' : 'taken';
    } catch {
      // Electron throws for what it cannot read as keys.
      return 'taken';
    }
  };

  return {
    follow(accelerator) {
      // Keys that another program had taken may be free now.
      if (accelerator === current && state !== 'taken') return;
      drop();
      current = accelerator;
      if (accelerator !== null && !isWayland) state = take(accelerator);
    },
    // Reported even without a shortcut, so that the user knows before choosing keys.
    state: () => (isWayland ? 'wayland' : state),
    stop: drop,
  };
};
