// For when something is wrong: the diagnostic bundle, and the ways back to the beginning.
import { app } from 'electron';
import { isAccountSetting } from '../contract/rights.ts';
import type { Desk } from './app-context.ts';
import { createDiagnostics, tailOf, type Diagnostics } from './diagnostics.ts';
import type { Dialogs } from './dialogs.ts';

/** Of the newest entries: a day or two of normal use. */
const entriesInBundle = 500;

export const createSupport = (desk: Desk, dialogs: Dialogs): Diagnostics =>
  createDiagnostics({
    homeFolder: app.getPath('home'),
    redact: desk.redact,
    choosePlace: dialogs.saveText,
    async gather() {
      const { key } = await desk.client.call('account.get', {});
      return {
        version: desk.version,
        versions: process.versions,
        platform: process.platform,
        nowMs: Date.now(),
        status: desk.status(),
        settings: desk.settings.view(),
        keyKind: 'lastFour' in key ? `${key.kind}, ends in ${key.lastFour}` : key.kind,
        warnings: desk.settings.warnings(),
        entries: desk.newestEntries(entriesInBundle),
        logTail: await tailOf(desk.home.log),
      };
    },
  });

/** Every setting that the user changed and may change goes back to its default. */
export const resetSettings = async ({ settings }: Pick<Desk, 'settings'>): Promise<void> => {
  const keepsAccount = !settings.current().allowAccountChange;
  for (const { name, origin, lockedBy } of settings.view()) {
    if (keepsAccount && isAccountSetting(name)) continue;
    if (origin === 'user' && lockedBy === null) await settings.set(name, null);
  }
};
