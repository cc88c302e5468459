// A policy may name watched folders that no user has made yet.
import { mkdirSync } from 'node:fs';
import { sep } from 'node:path';
import type { SettingName } from '../../contract/settings.ts';
import { accountHome } from './setting-paths.ts';
import type { SettingsStore } from './settings.ts';

/**
 * Makes the folders that a policy locks or recommends: below the user's home, and only before they are watched for the
 * first time. Elsewhere, and later, a missing folder may be a drive that is not mounted, and a folder made in its place
 * would hide that. The start that follows reports what fails here: "There is no folder …".
 */
export const makeFolderOfPolicy = (
  settings: Pick<SettingsStore, 'view' | 'current' | 'reload'>,
  isKnown: (path: string) => boolean,
  home = accountHome,
): void => {
  const { folder, folders } = settings.current();
  const isOfPolicy = (name: SettingName): boolean => {
    const origin = settings.view().find((view) => view.name === name)?.origin;
    return origin === 'policy' || origin === 'recommended';
  };
  const named = [
    ...(folder !== null && isOfPolicy('folder') ? [folder] : []),
    ...(isOfPolicy('folders') ? folders : []),
  ];
  const isBelowHome = (path: string): boolean => {
    try {
      return path.startsWith(home() + sep);
    } catch {
      // This account has no home.
      return false;
    }
  };
  for (const one of named) {
    if (!isBelowHome(one)) continue;
    try {
      // Also when the ledger cannot be read: then no folder is made.
      if (isKnown(one)) continue;
      // With its parents, so that a policy may name ~/Company/Outtray.
      if (mkdirSync(one, { recursive: true }) === undefined) continue;
      // From now on its real path is known.
      settings.reload();
    } catch {
      // The start reports it.
    }
  }
};
