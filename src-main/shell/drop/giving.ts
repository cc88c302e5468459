// Files that the app is given, in any way. Folders among them become one link for all, or one for each file in them: the
// setting decides, or the user does.
import { dialog, type BrowserWindow, type MessageBoxOptions } from 'electron';
import type { Client } from '../../contract/client.ts';
import type { FilesIn, GivenPath } from '../../contract/answers.ts';
import type { CommandInput } from '../../contract/commands.ts';
import type { LeftOutReason, UploadView } from '../../contract/model.ts';
import { toAppError, type WireError } from '../../contract/errors.ts';
import { createLeftOut } from '../../contract/files/left-out.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Say } from '../../contract/text/speech.ts';
import type { LostWhy } from '../../contract/window.ts';
import type { UserFiles } from '../app-context.ts';
import type { FilesAtStart } from '../start/given-files.ts';
import type { Lost } from './drop.ts';

type Way = Exclude<Settings['givenFolders'], 'ask'>;
/** `again`, `expire`: also for a folder that becomes a zip. */
export type GivenInput = Pick<CommandInput<'files.upload'>, 'door' | 'again' | 'expire'> & {
  paths: readonly string[];
};
type Taken = { taken: UploadView[]; lost: Lost[] };

/** In the order of the buttons; after them comes Cancel. */
const ways: readonly Way[] = ['zip', 'files'];

export type Giving = {
  /**
   * Returns what is taken: nothing when the user cancels. Its drop names the files that are not. `isShare`: another
   * program gave them.
   */
  upload(given: GivenInput, isShare?: boolean): Promise<UploadView[]>;
  /** Its drop names these files, and a press uploads them. */
  late(paths: readonly string[]): void;
  /** Gives again, in their order, what was given while the records could not be written. */
  again(): void;
  /** What is still to be given again. */
  unrecorded(): readonly FilesAtStart[];
  /** A held burst as one zip. */
  zip(input: CommandInput<'queue.zip'>): Promise<UploadView>;
};

/** `follow` hears of all uploads: their links are copied. `attempt` reports a failure to the user. */
export const createGiving = (options: {
  files: Pick<UserFiles, 'look' | 'place'>;
  client: Pick<Client, 'call'>;
  surface: {
    frame: () => BrowserWindow | null;
    say: () => Say;
    attempt: (work: () => Promise<unknown>) => void;
  };
  settings: { current(): Settings; set(name: 'givenFolders', value: Way): Promise<void> };
  /** False while the disk with the records is at fault. */
  canRecord: () => boolean;
  follow: (uploadIds: readonly number[], lost: readonly Lost[], isShare: boolean) => void;
}): Giving => {
  const { client, settings } = options;
  let lastPacking = 0;

  const ask = async (): Promise<Way | null> => {
    const say = options.surface.say();
    const frame = options.surface.frame();
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
    // An answer that cannot be kept, as where a policy wants the question, holds for these folders all the same.
    if (way !== null && checkboxChecked) options.surface.attempt(() => settings.set('givenFolders', way));
    return way;
  };

  const take = async ({ door, ...given }: GivenInput): Promise<Taken> => {
    const asked = { ...given, paths: [...given.paths] };
    const each = async ({ paths, leftOut, unreadable }: FilesIn): Promise<Taken> => {
      const answer =
        paths.length === 0
          ? []
          : await client.call('files.upload', { ...asked, paths, ...(door === undefined ? {} : { door }) });
      const lost = await lostOf(options.files, answer);
      for (const { path } of unreadable) lost.add(path, 'unreadable');
      return { taken: answer.flatMap(({ upload }) => upload ?? []), lost: [...leftOut, ...lost.all()] };
    };
    if (!(await hasFolder(options.files, asked.paths)))
      return await each({ paths: asked.paths, leftOut: [], unreadable: [] });
    const { givenFolders } = settings.current();
    const way = givenFolders === 'ask' ? await ask() : givenFolders;
    if (way === null) return { taken: [], lost: [] };
    if (way === 'files') return await each(await client.call('files.walk', { paths: asked.paths }));
    // With this number the window shows the progress of the zip and can stop it.
    const packing = (lastPacking += 1);
    const { upload, leftOut } = await client.call('files.bundle', { ...asked, packing });
    return { taken: [upload], lost: leftOut };
  };

  let unrecorded: readonly { given: GivenInput; isShare: boolean }[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  const upload: Giving['upload'] = async (given, isShare = false) => {
    const { paths } = given;
    const now = new Set(paths);
    // Its turn has come, or it is given again by hand.
    unrecorded = unrecorded.filter((one) => !one.given.paths.every((path) => now.has(path)));
    try {
      const { taken, lost } = await take(given);
      const ids = taken.map(({ id }) => id);
      options.follow(ids, await Promise.all(lost.map((one) => withTargets(options.files, one))), isShare);
      return taken;
    } catch (caught) {
      if (toAppError(caught).code !== 'disk' || options.canRecord()) throw caught;
      unrecorded = [...unrecorded, { given, isShare }];
      options.follow([], [{ why: 'unrecorded', count: paths.length, paths }], isShare);
      return [];
    }
  };

  return {
    upload,
    again() {
      for (const one of unrecorded) {
        // One that fails keeps none of the others; one whose turn was before, or that is given by hand, is not there.
        turn = turn
          .catch(() => undefined)
          .then(() => (unrecorded.includes(one) ? upload(one.given, one.isShare) : []));
        options.surface.attempt(() => turn);
      }
    },
    unrecorded: () => unrecorded.map(({ given, isShare }) => ({ files: given.paths, isShare })),
    late(paths) {
      const lost = createLeftOut<LostWhy>();
      for (const path of paths) lost.add(path, 'late');
      options.follow([], lost.all(), false);
    },
    async zip(input) {
      const upload = await client.call('queue.zip', input);
      options.follow([upload.id], [], false);
      return upload;
    },
  };
};

/** The paths of which nothing is recorded. */
const lostOf = async (files: Pick<UserFiles, 'look'>, given: readonly GivenPath[]) => {
  const lost = createLeftOut<LostWhy>();
  for (const { path, error } of given) if (error !== null) lost.add(path, await lostWhy(files, path, error));
  return lost;
};

const noFiles: readonly LeftOutReason[] = ['link', 'special', 'too-deep'];

/** The engine's refusal decides; only of what is no file the kind is looked up. */
const lostWhy = async (
  files: Pick<UserFiles, 'look'>,
  path: string,
  { code }: WireError,
): Promise<LostWhy> => {
  if (code === 'gone') return 'gone';
  if (code === 'own-data') return 'own';
  const found = await files.look(path).catch(() => undefined);
  if (found === null) return 'gone';
  return noFiles.find((type) => type === found?.type) ?? 'unreadable';
};

/** Whatever the person says, nothing of these is uploaded. */
const noUploads: readonly LostWhy[] = ['special', 'too-deep', 'own'];

/** Links that are looked at together. */
const mostAtOnce = 100;

const withTargets = async (files: Pick<UserFiles, 'look' | 'place'>, lost: Lost): Promise<Lost> => {
  if (noUploads.includes(lost.why)) return { ...lost, targets: lost.paths.map(() => null) };
  if (lost.why !== 'link') return lost;
  const targets: (string | null)[] = [];
  for (let from = 0; from < lost.paths.length; from += mostAtOnce) {
    const some = lost.paths.slice(from, from + mostAtOnce);
    targets.push(...(await Promise.all(some.map((path) => targetOf(files, path)))));
  }
  return { ...lost, targets };
};

const targetOf = async (files: Pick<UserFiles, 'look' | 'place'>, path: string): Promise<string | null> => {
  const { names } = await files.place(path);
  const target = names.at(-1) ?? path;
  const found = await files.look(target).catch(() => null);
  return found?.type === 'file' || found?.type === 'folder' ? target : null;
};

const hasFolder = async (files: Pick<UserFiles, 'look'>, paths: readonly string[]): Promise<boolean> => {
  // If a path cannot be read, the upload that follows reports it.
  const found = await Promise.all(paths.map((path) => files.look(path).catch(() => null)));
  return found.some((one) => one?.type === 'folder');
};
