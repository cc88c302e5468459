// Thunar's custom actions: one file of the user's, `Thunar/uca.xml`, with the actions of all kinds of programs in it.
// Only our own action is added and cut out; every other byte stays. Without the file Thunar shows the system's, so ours
// begins as a copy of that. (docs.xfce.org/xfce/thunar/custom-actions; plugins/thunar-uca/thunar-uca-model.c of Thunar.)
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { AppError } from '../../contract/errors.ts';
import { makeFolder, removeEmpty, writing } from './own-files.ts';
import { inXml, shellWords, uploadArguments } from './program.ts';

const ourId = 'app.outtray.upload';
const bare = '<?xml version="1.0" encoding="UTF-8"?>\n<actions>\n</actions>\n';
const anAction = /[ \t]*<action>[\s\S]*?<\/action>[ \t]*\n?/g;
const foldersMade = /<!-- folders-made=(\d+) -->/;

/** The list without our action, and our action; null when there is none. */
export const splitActions = (text: string): { rest: string; ours: string | null } => {
  let ours: string | null = null;
  const rest = text.replaceAll(anAction, (action) => {
    if (!action.includes(`<unique-id>${ourId}</unique-id>`)) return action;
    ours = action;
    return '';
  });
  return { rest, ours };
};

/** What Thunar runs: %F becomes the paths, each quoted for GLib's shell rules; `%` stands doubled. */
const commandOf = (program: readonly string[]): string =>
  `${shellWords([...program, ...uploadArguments]).replaceAll('%', '%%')} %F`;

const actionOf = (program: readonly string[], label: string, made: number): string =>
  [
    '<action>',
    `\t<!-- folders-made=${made} -->`,
    '\t<icon>outtray</icon>',
    `\t<name>${inXml(label)}</name>`,
    `\t<unique-id>${ourId}</unique-id>`,
    `\t<command>${inXml(commandOf(program))}</command>`,
    '\t<description></description>',
    '\t<patterns>*</patterns>',
    // Each kind of file, no folders.
    ...['audio', 'image', 'other', 'text', 'video'].map((kind) => `\t<${kind}-files/>`),
    '</action>',
    '',
  ].join('\n');

/** An empty list with room for an action. */
const opened = (text: string): string => text.replace(/<actions\s*\/>/, '<actions>\n</actions>');

/** Throws `bad-use` when the file is not what Thunar writes. */
export const withAction = (text: string, action: string): string => {
  const rest = opened(splitActions(text).rest);
  const end = rest.lastIndexOf('</actions>');
  if (end >= 0) return `${rest.slice(0, end)}${action}${rest.slice(end)}`;
  if (/<actions\s*\/>/.test(rest))
    return rest.replace(/<actions\s*\/>/, () => `<actions>\n${action}</actions>`);
  throw new AppError(
    'bad-use',
    'The list of Thunar’s custom actions is not understood, so nothing was changed in it.',
    'Open Thunar, Edit, Configure custom actions, and save them once; then try again.',
  );
};

/** Thunar writes the file again when an action is edited there: with other blanks and more elements, the same meaning. */
const valueIn = (action: string, element: string): string | undefined =>
  new RegExp(`<${element}>([\\s\\S]*?)</${element}>`)
    .exec(action)?.[1]
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&apos;|&#39;/g, "'")
    .replaceAll('&amp;', '&');

/** `defaults`: the lists of the system, the first that is there counts. */
export const thunarActions = (options: {
  file: string;
  defaults: readonly string[];
  program: readonly string[];
  label: string;
}) => {
  const { file, program, label } = options;
  const read = (one: string): Promise<string | null> => readFile(one, 'utf8').catch(ifMissing(one));
  const defaultText = async (): Promise<string> => {
    for (const one of options.defaults) {
      const text = await read(one);
      if (text !== null) return text;
    }
    return bare;
  };
  return {
    async state(): Promise<'on' | 'old' | 'off'> {
      const ours = splitActions((await read(file)) ?? '').ours;
      if (ours === null) return 'off';
      return valueIn(ours, 'command') === commandOf(program) && valueIn(ours, 'name') === label
        ? 'on'
        : 'old';
    },
    async add(): Promise<void> {
      const text = await read(file);
      const known = foldersMade.exec(splitActions(text ?? '').ours ?? '')?.[1];
      // Judged before anything is made.
      const start = text ?? (await defaultText());
      withAction(start, '');
      await writing(file, async () => {
        const made = await makeFolder(path.dirname(file));
        const action = actionOf(program, label, known === undefined ? made : Number(known));
        await writeFileAtomic(file, withAction(start, action), { mode: 0o600 });
      });
    },
    /** A list that is again what Thunar shows without one was ours alone. */
    async remove(): Promise<boolean> {
      const text = await read(file);
      const { rest, ours } = splitActions(text ?? '');
      if (ours === null) return false;
      const isDefault = rest === opened(await defaultText());
      await writing(file, async () => {
        if (isDefault) await rm(file);
        else await writeFileAtomic(file, rest, { mode: 0o600 });
      });
      if (isDefault) await removeEmpty(path.dirname(file), Number(foldersMade.exec(ours)?.[1] ?? 0));
      return true;
    },
  };
};

const ifMissing =
  (file: string) =>
  (cause: unknown): null => {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR'))
      return null;
    throw new AppError('disk', `${file} cannot be read.`, 'Check its permissions.', { cause });
  };
