// A policy may name a watched folder that no user has made yet.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { sep } from 'node:path';
import type { SettingsStore } from './settings.ts';

/**
 * Makes the folder that a policy locks or recommends: below the user's home, and only before it is watched for the first
 * time. Elsewhere, and later, a folder that is not there may be a drive that is not mounted, and a folder made in its place
 * would hide that. What fails here is told by the start that follows: "There is no folder …".
 */
export const makeFolderOfPolicy = (
  settings: Pick<SettingsStore, 'view' | 'current' | 'reload'>,
  isKnown: (path: string) => boolean,
): void => {
  const view = settings.view().find(({ name }) => name === 'folder');
  const { folder } = settings.current();
  if (folder === null || (view?.origin !== 'policy' && view?.origin !== 'recommended')) return;
  if (!folder.startsWith(homedir() + sep) || isKnown(folder)) return;
  try {
    // With its parents, so that a policy may name ~/Company/Outtray.
    if (mkdirSync(folder, { recursive: true }) === undefined) return;
    // Its real path is known from now on.
    settings.reload();
  } catch {
    // Told by the start.
  }
};
