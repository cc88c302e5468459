// For when something is wrong: the diagnostic bundle, and the ways back to the beginning.
import { app } from 'electron';
import { isAccountSetting } from '../contract/rights.ts';
import type { AppContext } from './app-context.ts';
import { createDiagnostics, tailOf, type Diagnostics } from './diagnostics.ts';
import type { Dialogs } from './dialogs.ts';

/** Of the newest entries: a day or two of normal use. */
const entriesInBundle = 500;

export const createSupport = (context: AppContext, dialogs: Dialogs): Diagnostics =>
  createDiagnostics({
    homeFolder: app.getPath('home'),
    redact: context.redact,
    choosePlace: dialogs.saveText,
    texts: context.texts,
    async gather() {
      const { key } = await context.client.call('account.get', {});
      return {
        version: context.version,
        versions: process.versions,
        platform: process.platform,
        nowMs: Date.now(),
        status: context.status(),
        settings: context.settings.view(),
        keyKind: 'lastFour' in key ? `${key.kind}, ends in ${key.lastFour}` : key.kind,
        warnings: context.settings.warnings(),
        entries: context.newestEntries(entriesInBundle),
        logTail: await tailOf(context.home.log),
      };
    },
  });

/** Every setting that the user changed and may change goes back to its default. */
export const resetSettings = async ({ settings }: Pick<AppContext, 'settings'>): Promise<void> => {
  const keepsAccount = !settings.current().allowAccountChange;
  for (const { name, origin, lockedBy } of settings.view()) {
    if (keepsAccount && isAccountSetting(name)) continue;
    if (origin === 'user' && lockedBy === null) await settings.set(name, null);
  }
};
