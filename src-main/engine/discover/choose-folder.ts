// Decides which folder is watched: one chosen here, one chosen in another process, or none. Also keeps what the user
// wants to do with the pre-existing files of that folder, and tells before what would happen with them.
import type { FolderInspection, FoundFile, FoundGroup } from '../../contract/commands.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Existing } from '../shared/folder.ts';
import type { Account } from '../account/account.ts';
import { refusal } from '../account/allowance.ts';
import type { Found, Ports, WatchedFolder } from '../ports.ts';
import { createNameRules, type NameVerdict } from '../shared/name-rules.ts';
import { joinPath, relativeTo } from '../shared/paths.ts';
import type { Core } from '../state/core.ts';
import { settledVerdict, stateWhenFound } from './intake-rules.ts';
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

const filesShown = 1000;
/** The count of files stops here. A longer list has no use for a reader. */
const mostInspected = 1_000_000;

/**
 * Reads a folder that may be chosen and groups its files by the same rules that decide later. Only the comparison of
 * content is left out.
 */
export const createInspection =
  (
    ports: Pick<Ports, 'files' | 'ledger' | 'settings' | 'ignore'>,
    account: Pick<Account, 'maxFileSizeBytes'>,
  ) =>
  async (folder: string, signal: AbortSignal): Promise<FolderInspection> => {
    const settings = ports.settings.current();
    const rules = createNameRules(settings, ports.ignore);
    const groups = { goes: emptyGroup(), held: emptyGroup(), skipped: emptyGroup() };
    const limits = { ...settings, maxFileSizeBytes: account.maxFileSizeBytes() };
    const pending = [folder];
    let total = 0;
    for (let dir = pending.pop(); dir !== undefined; dir = pending.pop()) {
      if (signal.aborted || total >= mostInspected) break;
      const listing = await ports.files.list(dir);
      if (!listing.ok) continue;
      for (const found of listing.found) {
        const path = joinPath(dir, found.name);
        if (found.type === 'folder' && settings.recursive) pending.push(path);
        if (found.stamp === null) continue;
        total += 1;
        const relative = relativeTo(folder, path) ?? found.name;
        const why = reasonAgainst(path, found, rules.judge(relative), limits);
        const group = why === null ? groups.goes : why === 'secret-name' ? groups.held : groups.skipped;
        add(group, { path, relative, sizeBytes: found.stamp.sizeBytes, why });
      }
    }
    for (const group of Object.values(groups)) keepLargest(group);
    return { folder, ...groups, known: ports.ledger.folders.byPath(folder)?.baselineDone === true };
  };

/** What keeps a pre-existing file back that the user asks for; null: nothing. */
const reasonAgainst = (
  path: string,
  found: Found,
  name: NameVerdict,
  limits: Settings & { maxFileSizeBytes: number | null },
): FoundFile['why'] => {
  const state = stateWhenFound({ found, name, existing: true, existingWanted: true, olderThanLedger: false });
  if (state.kind === 'skipped') return state.rule;
  if (found.stamp === null) return 'special';
  const refused = refusal(path, found.stamp.sizeBytes, limits);
  if (refused !== null) return refused.code === 'too-large' ? 'too-large' : 'not-allowed';
  const settled = settledVerdict({ ...limits, stamp: found.stamp, name, confirmed: false, burst: false });
  switch (settled.kind) {
    case 'ready':
      return null;
    case 'held':
      return 'secret-name';
    case 'skipped':
      return settled.rule;
    case 'failed':
      return 'too-large';
  }
};

const emptyGroup = (): FoundGroup => ({ files: [], totalFiles: 0, totalBytes: 0 });

const add = (group: FoundGroup, file: FoundFile): void => {
  group.totalFiles += 1;
  group.totalBytes += file.sizeBytes;
  group.files.push(file);
  if (group.files.length > 10 * filesShown) keepLargest(group);
};

const keepLargest = ({ files }: FoundGroup): void => {
  files.sort((a, b) => b.sizeBytes - a.sizeBytes);
  files.length = Math.min(files.length, filesShown);
};
