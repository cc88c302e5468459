// Choosing a folder to watch: the system's dialog, then a look at what is in it. Nothing is watched yet.
import type { Existing, FolderInspection, FolderView, FoundGroup } from '../../src-main/contract/answers.ts';
import type { CommandInput, FolderPreset } from '../../src-main/contract/commands.ts';
import { toAppError } from '../../src-main/contract/errors.ts';
import type { Session } from './session.svelte.ts';

/** `isNew`: it does not exist yet and is created when the user starts. */
export type ChosenFolder = { inspection: FolderInspection; isNew: boolean };

/** Undefined when the user chose none, or when the folder cannot be watched (the notice gives the reason). */
export const chooseFolder = async (session: Session, beside = false): Promise<ChosenFolder | undefined> => {
  const answer = await session.attempt(() => session.client.call('window.chooseFolder', {}));
  if (answer === undefined || answer.folder === null) return undefined;
  const inspection = await inspectFolder(session, answer.folder, beside);
  return inspection === undefined ? undefined : { inspection, isNew: false };
};

/** Undefined when it cannot be watched (the notice gives the reason). `beside`: in addition to the others. */
export const inspectFolder = (
  session: Session,
  folder: string,
  beside: boolean,
): Promise<FolderInspection | undefined> =>
  session.attempt(() => session.client.call('folder.inspect', { folder, beside }));

/** The folder that is proposed at first run. Inspecting it does not create it. */
export const proposeFolder = async (session: Session): Promise<ChosenFolder | undefined> => {
  const folder = session.environment.proposedFolder;
  if (folder === '') return undefined;
  return await session.attempt(async () => {
    try {
      return { inspection: await session.client.call('folder.inspect', { folder }), isNew: false };
    } catch (error) {
      if (toAppError(error).code !== 'folder-unavailable') throw error;
      const inspection = { folder, goes: noFiles, held: noFiles, skipped: noFiles, known: false };
      return { inspection, isNew: true };
    }
  });
};

const noFiles: FoundGroup = { files: [], totalFiles: 0, totalBytes: 0 };

/** How many files this choice uploads. */
export const countOf = ({ goes, known }: FolderInspection, existing: Existing): number => {
  if (known || existing === 'skip') return 0;
  if (existing === 'upload') return goes.totalFiles;
  return 'allBut' in existing ? goes.totalFiles - existing.allBut.length : existing.length;
};

/** The wish with one file taken in or out. Not all files of a large folder are listed here. */
export const withFile = (
  { goes }: FolderInspection,
  existing: Existing,
  path: string,
  isWanted: boolean,
): Existing => {
  const isAllBut = existing === 'upload' || (existing !== 'skip' && 'allBut' in existing);
  const before = typeof existing === 'string' ? [] : 'allBut' in existing ? existing.allBut : existing;
  const paths = [...before.filter((one) => one !== path), ...(isAllBut === isWanted ? [] : [path])];
  const [none, all] = isAllBut ? (['upload', 'skip'] as const) : (['skip', 'upload'] as const);
  if (paths.length === 0) return none;
  if (paths.length === goes.totalFiles) return all;
  return isAllBut ? { allBut: paths } : paths;
};

/** Watches it. True on success; else the notice gives the reason. */
export const startWatching = async (
  session: Session,
  inspection: FolderInspection,
  existing: Existing,
): Promise<boolean> => {
  const { folder } = inspection;
  const wanted = wishOf(inspection, existing);
  const status = await session.attempt(() =>
    session.client.call('folder.choose', { folder, existing: wanted }),
  );
  return status !== undefined;
};

/** Watches it, too. `preset`: it is the system's folder of that name. Undefined: it failed, and the notice says why. */
export const addFolder = (
  session: Session,
  inspection: FolderInspection,
  existing: Existing,
  preset: FolderPreset | null,
): Promise<FolderView[] | undefined> =>
  session.attempt(() =>
    session.client.call('folders.add', {
      folder: preset === null ? { path: inspection.folder } : { preset },
      existing: wishOf(inspection, existing),
    }),
  );

const wishOf = (
  { known }: FolderInspection,
  existing: Existing,
): CommandInput<'folder.choose'>['existing'] => {
  if (known) return 'skip';
  if (typeof existing === 'string') return existing;
  return 'allBut' in existing ? { allBut: [...existing.allBut] } : [...existing];
};

export const lastPart = (folder: string): string =>
  folder.split(/[\\/]/).findLast((part) => part !== '') ?? folder;

/** The names of folders where their paths are not shown: the last part, or the path where two have the same. */
export const shortNames = (folders: readonly string[]): string[] => {
  const last = folders.map(lastPart);
  return last.map((name, at) =>
    last.indexOf(name) === last.lastIndexOf(name) ? name : (folders[at] ?? name),
  );
};
