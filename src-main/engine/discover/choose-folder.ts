// Decides which folder is watched: one chosen here, one chosen in another process, or none. Also keeps what the user
// wants to do with the pre-existing files of that folder.
import type { Settings } from '../../contract/settings.ts';
import type { Existing } from '../shared/folder.ts';
import type { WatchedFolder } from '../ports.ts';
import { relativeTo } from '../shared/paths.ts';
import type { Core } from '../state/core.ts';
import type { Watching } from './watching.ts';

export type Choice = {
  /** Makes it the folder of the settings; watches it if the engine runs. Throws `bad-setting`, `folder-unavailable`. */
  choose(path: string, existing: Existing): Promise<void>;
  /** Watches it. Throws `folder-unavailable`. */
  open(path: string, existing: Existing): Promise<void>;
  settingsChanged(settings: Settings): void;
  /** The folder of the settings as the ledger knows it. */
  chosen(): WatchedFolder | null;
  /** A file of the chosen folder has one row, also when it is given by hand or the folder is not watched now. */
  folderIdOf(path: string): number | null;
};

export const createChoice = ({ ports, feed, work }: Core, watching: Watching): Choice => {
  const { settings, ledger, clock, places, log } = ports;
  let isChoosing = false;
  /** False while the engine runs only for files given by hand. */
  let watches = false;
  let before = settings.current().folder;

  /** The wish for pre-existing files stays in the ledger until the baseline is done. So a crash does not lose it. */
  const open = async (path: string, existing: Existing): Promise<void> => {
    watches = true;
    const wanted = wantedBefore(path) ?? existing;
    if (wanted !== 'skip') ledger.facts.set('existing', { folder: path, existing: wanted }, clock.wallMs());
    await watching.open(path, wanted);
    if (ledger.folders.byPath(path)?.baselineDone === true) ledger.facts.remove('existing');
  };

  /** The user's wish from the moment the folder was chosen. The engine may not have run then. */
  const wantedBefore = (folder: string): Existing | null => {
    const wish = ledger.facts.get('existing')?.value;
    return wish?.folder === folder ? wish.existing : null;
  };

  /** First stops sharing the old folder. This holds even when the new folder cannot be opened. */
  const follow = async (folder: string | null): Promise<void> => {
    await watching.close();
    if (folder !== null) await open(await places.acceptFolder(folder), 'skip');
  };

  const chosen = (): WatchedFolder | null => {
    const { folder } = settings.current();
    return watching.opened()?.row ?? (folder === null ? null : ledger.folders.byPath(folder));
  };

  return {
    open,
    chosen,
    folderIdOf(path) {
      const folder = chosen();
      return folder !== null && relativeTo(folder.path, path) !== null ? folder.id : null;
    },
    async choose(path, existing) {
      // If the setting already has this folder, do not set it: a policy may have locked the setting.
      if (settings.current().folder !== path) {
        isChoosing = true;
        await settings.set('folder', path).finally(() => {
          isChoosing = false;
        });
      }
      if (existing === 'skip') ledger.facts.remove('existing');
      else ledger.facts.set('existing', { folder: path, existing }, clock.wallMs());
      if (work.isRunning()) await open(path, existing);
      feed.record(null, path, { kind: 'folder-chosen', folder: path });
    },
    settingsChanged({ folder }) {
      const isOther = folder !== before;
      before = folder;
      if (!work.isRunning()) return;
      if (!isOther || isChoosing || !watches) void watching.rulesChanged();
      else follow(folder).catch((error: unknown) => log.warn('folder not opened', { error }));
    },
  };
};
