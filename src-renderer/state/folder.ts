// Choosing the watched folder: the system's dialog, then a look at what is in it. Nothing is watched yet.
import type { FolderInspection } from '../../src-main/contract/commands.ts';
import type { Session } from './session.svelte.ts';

export type ChosenFolder = { inspection: FolderInspection };

/** Undefined when the user chose none, or when the folder cannot be watched (the notice says why). */
export const chooseFolder = async (session: Session): Promise<ChosenFolder | undefined> => {
  const answer = await session.attempt(() => session.shell.call('window.chooseFolder', {}));
  return answer === undefined || answer.folder === null
    ? undefined
    : await inspectFolder(session, answer.folder);
};

export const inspectFolder = async (session: Session, folder: string): Promise<ChosenFolder | undefined> => {
  const inspection = await session.attempt(() => session.client.call('folder.inspect', { folder }));
  return inspection === undefined ? undefined : { inspection };
};
