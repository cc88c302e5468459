// The reset of the settings.
import { isAccountSetting } from '../contract/rights.ts';
import type { AppContext } from './app-context.ts';

/** Every setting that the user changed and may change goes back to its default. */
export const resetSettings = async ({ settings }: Pick<AppContext, 'settings'>): Promise<void> => {
  const keepsAccount = !settings.current().allowAccountChange;
  for (const { name, origin, lockedBy } of settings.view()) {
    if (keepsAccount && isAccountSetting(name)) continue;
    if (origin === 'user' && lockedBy === null) await settings.set(name, null);
  }
};
