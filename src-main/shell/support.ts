// For troubleshooting: the diagnostic bundle, and the reset of the settings.
import { isAccountSetting } from '../contract/rights.ts';
import type { AppContext } from './app-context.ts';
import { createDiagnostics, type Diagnostics } from './diagnostics.ts';
import type { Dialogs } from './dialogs.ts';

export const createSupport = (context: AppContext, dialogs: Dialogs): Diagnostics =>
  createDiagnostics({
    diagnose: context.diagnose,
    choosePlace: dialogs.saveText,
    texts: context.texts,
  });

/** Every setting that the user changed and may change goes back to its default. */
export const resetSettings = async ({ settings }: Pick<AppContext, 'settings'>): Promise<void> => {
  const keepsAccount = !settings.current().allowAccountChange;
  for (const { name, origin, lockedBy } of settings.view()) {
    if (keepsAccount && isAccountSetting(name)) continue;
    if (origin === 'user' && lockedBy === null) await settings.set(name, null);
  }
};
