// Files that the app is given, in any way. Folders among them become one link for all, or one for each file in them: the
// setting decides, or the user does.
import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { Client } from '../../contract/client.ts';
import type { GivenPath } from '../../contract/answers.ts';
import type { CommandInput } from '../../contract/commands.ts';
import { fromWire, type WireError } from '../../contract/errors.ts';
import type { LeftOut, LeftOutReason, UploadView } from '../../contract/model.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Say } from '../../contract/text/speech.ts';
import type { UserFiles } from '../app-context.ts';

type Way = Exclude<Settings['givenFolders'], 'ask'>;
/** `again`, `expire`: also for a folder that becomes a zip. */
export type GivenInput = Pick<CommandInput<'files.upload'>, 'door' | 'again' | 'expire'> & {
  paths: readonly string[];
};
/** `leftOut`: what a zip does not have of its folders, and what is no regular file. `refused`: the first other refusal. */
type Taken = { taken: UploadView[]; leftOut: LeftOut[]; refused: WireError | null };

/** As many as a zip names. */
const mostNamed = 100;

const noFiles: readonly LeftOutReason[] = ['link', 'special', 'too-deep', 'unreadable'];

/** In the order of the buttons; after them comes Cancel. */
const ways: readonly Way[] = ['zip', 'files'];

export type Giving = {
  /**
   * Returns what is taken: nothing when the user cancels. Throws for a path that was refused and is no symbolic link or
   * the like, which its drop names; the others are uploaded. `isShare`: another program gave them.
   */
  upload(given: GivenInput, isShare?: boolean): Promise<UploadView[]>;
  /** A held burst as one zip. */
  zip(input: CommandInput<'queue.zip'>): Promise<UploadView>;
};

/** `follow` hears of all uploads: their links are copied. */
export const createGiving = (options: {
  files: Pick<UserFiles, 'look'>;
  client: Pick<Client, 'call'>;
  frame: () => BrowserWindow | null;
  say: () => Say;
  settings: { current(): Settings; set(name: 'givenFolders', value: Way): Promise<void> };
  follow: (uploadIds: readonly number[], leftOut: readonly LeftOut[], isShare: boolean) => void;
}): Giving => {
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

  const take = async ({ door, ...given }: GivenInput): Promise<Taken> => {
    const asked = { ...given, paths: [...given.paths] };
    const each = async (recursive: boolean): Promise<Taken> =>
      await takenOf(
        options.files,
        await client.call('files.upload', { ...asked, ...(door === undefined ? {} : { door }), recursive }),
      );
    if (!(await hasFolder(options.files, asked.paths))) return await each(false);
    const { givenFolders } = settings.current();
    const way = givenFolders === 'ask' ? await ask() : givenFolders;
    if (way === null) return { taken: [], leftOut: [], refused: null };
    if (way === 'files') return await each(true);
    // With this number the window shows the progress of the zip and can stop it.
    const packing = (lastPacking += 1);
    const { upload, leftOut } = await client.call('files.bundle', { ...asked, packing });
    return { taken: [upload], leftOut, refused: null };
  };
  return {
    async upload(given, isShare = false) {
      const { taken, leftOut, refused } = await take(given);
      const ids = taken.map(({ id }) => id);
      options.follow(ids, leftOut, isShare);
      if (refused !== null) throw fromWire(refused);
      return taken;
    },
    async zip(input) {
      const upload = await client.call('queue.zip', input);
      options.follow([upload.id], [], false);
      return upload;
    },
  };
};

const takenOf = async (files: Pick<UserFiles, 'look'>, given: readonly GivenPath[]): Promise<Taken> => {
  const taken = given.flatMap(({ upload }) => upload ?? []);
  const leftOut = new Map<LeftOutReason, LeftOut>();
  let refused: WireError | null = null;
  for (const { path, error } of given) {
    if (error === null) continue;
    const why = await noFileAt(files, path);
    if (why === null) refused ??= error;
    else {
      const { count, paths } = leftOut.get(why) ?? { count: 0, paths: [] };
      leftOut.set(why, { why, count: count + 1, paths: [...paths, path].slice(0, mostNamed) });
    }
  }
  return { taken, leftOut: [...leftOut.values()], refused };
};

/** What lies there in place of a regular file. Null: a file or folder, or nothing. */
const noFileAt = async (files: Pick<UserFiles, 'look'>, path: string): Promise<LeftOutReason | null> => {
  const found = await files.look(path).catch(() => null);
  return noFiles.find((type) => type === found?.type) ?? null;
};

const hasFolder = async (files: Pick<UserFiles, 'look'>, paths: readonly string[]): Promise<boolean> => {
  // If a path cannot be read, the upload that follows reports it.
  const found = await Promise.all(paths.map((path) => files.look(path).catch(() => null)));
  return found.some((one) => one?.type === 'folder');
};
