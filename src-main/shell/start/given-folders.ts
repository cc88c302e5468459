// Folders among the files that the app is given, in any way: one link for all, or one for each file in them. The
// setting decides, or the user does.
import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { Client } from '../../contract/client.ts';
import type { GivenPath } from '../../contract/commands.ts';
import type { WireError } from '../../contract/errors.ts';
import type { Door, LeftOut, UploadView } from '../../contract/model.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Say } from '../../contract/text/speech.ts';
import type { UserFiles } from '../app-context.ts';

type Way = Exclude<Settings['givenFolders'], 'ask'>;
/** `leftOut`: what a zip does not have of its folders. `refused`: the first path that is no regular file. */
export type Taken = { taken: UploadView[]; leftOut: LeftOut[]; refused: WireError | null };

/** In the order of the buttons; after them comes Cancel. */
const ways: readonly Way[] = ['zip', 'files'];

/** Returns what is taken: nothing when the user cancels. */
export const createGiving = (options: {
  files: Pick<UserFiles, 'look'>;
  client: Pick<Client, 'call'>;
  frame: () => BrowserWindow | null;
  say: () => Say;
  settings: { current(): Settings; set(name: 'givenFolders', value: Way): Promise<void> };
}): ((paths: readonly string[], door: Door) => Promise<Taken>) => {
  const { client, settings } = options;
  let lastPacking = 0;

  const ask = async (): Promise<Way | null> => {
    const say = options.say();
    const frame = options.frame();
    const question: MessageBoxOptions = {
      type: 'question',
      message: say('folders.question'),
      detail: say('folders.detail'),
      buttons: [...ways.map((way) => say(`settings.givenFolders.${way}`)), say('do.cancel')],
      defaultId: 0,
      cancelId: ways.length,
      checkboxLabel: say('folders.always'),
    };
    const { response, checkboxChecked } =
      frame === null || !frame.isVisible()
        ? await dialog.showMessageBox(question)
        : await dialog.showMessageBox(frame, question);
    const way = ways[response] ?? null;
    if (way !== null && checkboxChecked) await settings.set('givenFolders', way);
    return way;
  };

  return async (given, door) => {
    const paths = [...given];
    const each = async (recursive: boolean): Promise<Taken> =>
      takenOf(await client.call('files.upload', { paths, recursive, door }));
    if (!(await hasFolder(options.files, paths))) return await each(false);
    const { givenFolders } = settings.current();
    const way = givenFolders === 'ask' ? await ask() : givenFolders;
    if (way === null) return takenOf([]);
    if (way === 'files') return await each(true);
    // With this number the window shows the progress of the zip and can stop it.
    const packing = (lastPacking += 1);
    const { upload, leftOut } = await client.call('files.bundle', { paths, packing });
    return { taken: [upload], leftOut, refused: null };
  };
};

export const takenOf = (given: readonly GivenPath[]): Taken => ({
  taken: given.flatMap(({ upload }) => upload ?? []),
  leftOut: [],
  refused: given.find(({ error }) => error !== null)?.error ?? null,
});

export const hasFolder = async (
  files: Pick<UserFiles, 'look'>,
  paths: readonly string[],
): Promise<boolean> => {
  // If a path cannot be read, the upload that follows reports it.
  const found = await Promise.all(paths.map((path) => files.look(path).catch(() => null)));
  return found.some((one) => one?.type === 'folder');
};
