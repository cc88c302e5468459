// For when something is wrong: the diagnostic bundle, and the ways back to the beginning.
import { app } from 'electron';
import { settingNames } from '../contract/settings.ts';
import type { Desk } from './desk.ts';
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

/** `settings`: every unlocked one back to its default. `everything`: as after a fresh installation, started anew. */
export const createReset =
  (desk: Desk) =>
  async (what: 'settings' | 'everything'): Promise<void> => {
    if (what === 'everything') {
      await desk.client.call('account.logout', {}).catch(() => undefined);
      await desk.close();
      await desk.forgetEverything();
      app.relaunch();
      app.quit();
      return;
    }
    for (const { name, origin, lockedBy } of desk.settings.view()) {
      if (origin === 'user' && lockedBy === null && settingNames.includes(name))
        await desk.settings.set(name, null);
    }
  };
