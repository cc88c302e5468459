// Which folder is watched: chosen here, chosen in another process, or none any more; and what is wanted with the
// files that were already in it.
import type { Settings } from '../../contract/settings.ts';
import type { Feed } from '../shared/feed.ts';
import type { Existing } from '../shared/folder.ts';
import type { Ports } from '../ports.ts';
import type { Watching } from './watching.ts';

export type Choice = {
  /** Makes it the folder of the settings; watches it if the engine runs. Throws `bad-setting`, `folder-unavailable`. */
  choose(path: string, existing: Existing): Promise<void>;
  /** Watches it. Throws `folder-unavailable`. */
  open(path: string, existing: Existing): Promise<void>;
  settingsChanged(settings: Settings): void;
};

export const createChoice = (options: {
  ports: Pick<Ports, 'settings' | 'ledger' | 'clock' | 'places' | 'log'>;
  feed: Feed;
  watching: Watching;
  isRunning: () => boolean;
}): Choice => {
  const { feed, watching, isRunning } = options;
  const { settings, ledger, clock, places, log } = options.ports;
  let isChoosing = false;
  /** Not for files given by hand alone. */
  let watches = false;
  let before = settings.current().folder;

  /** What is wanted with the files already there is kept until they have been read: a crash must not forget it. */
  const open = async (path: string, existing: Existing): Promise<void> => {
    watches = true;
    const wanted = wantedBefore(path) ?? existing;
    if (wanted !== 'skip') ledger.facts.set('existing', { folder: path, existing: wanted }, clock.wallMs());
    await watching.open(path, wanted);
    if (ledger.folders.byPath(path)?.baselineDone === true) ledger.facts.remove('existing');
  };

  /** What was wanted when the folder was chosen, perhaps while nothing ran. */
  const wantedBefore = (folder: string): Existing | null => {
    const value = ledger.facts.get('existing')?.value;
    if (typeof value !== 'object' || value === null || !('folder' in value) || !('existing' in value))
      return null;
    if (value.folder !== folder) return null;
    if (value.existing === 'upload') return 'upload';
    return Array.isArray(value.existing) ? value.existing.filter((path) => typeof path === 'string') : null;
  };

  /** The old one is not shared from then on, whatever the new one is. */
  const follow = async (folder: string | null): Promise<void> => {
    await watching.close();
    if (folder !== null) await open(await places.acceptFolder(folder), 'skip');
  };

  return {
    open,
    async choose(path, existing) {
      // The folder of the settings need not be set: a policy may have locked it.
      if (settings.current().folder !== path) {
        isChoosing = true;
        await settings.set('folder', path).finally(() => {
          isChoosing = false;
        });
      }
      if (existing === 'skip') ledger.facts.remove('existing');
      else ledger.facts.set('existing', { folder: path, existing }, clock.wallMs());
      if (isRunning()) await open(path, existing);
      feed.record(null, path, { kind: 'folder-chosen', folder: path });
    },
    settingsChanged({ folder }) {
      const isOther = folder !== before;
      before = folder;
      if (!isRunning()) return;
      if (!isOther || isChoosing || !watches) void watching.rulesChanged();
      else follow(folder).catch((error: unknown) => log.warn('folder not opened', { error }));
    },
  };
};
