// Updates as the window sees them. Nothing is loaded or installed yet: an installed system package is updated by the
// system's own tool, everything else says honestly that updates are off.
import type { UpdateState } from '../contract/window-commands.ts';

export type Updates = { state(): UpdateState };

/** `isManaged`: installed by deb, rpm or MSI. */
export const createUpdates = (isManaged: boolean): Updates => ({
  state: () => (isManaged ? { kind: 'managed' } : { kind: 'off' }),
});
