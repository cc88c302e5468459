// Thunar's custom actions: one file of the user's, `Thunar/uca.xml`, with the actions of all kinds of programs in it.
// We add and remove only our own action. Every other byte stays, in any encoding, but an empty list gets an end of its
// own: `<actions></actions>`. The file is read as Latin-1, one character a byte. Without the file Thunar shows the
// system's, so ours begins as a copy of that. Thunar's own documents, in github.com/xfce-mirror/thunar,
// plugins/thunar-uca: README.md (%F), thunar-uca-model.c (what it reads and writes, and that /bin/sh reads the command),
// uca.xml.in; `%%`, and how paths are quoted, in libxfce4util/xfce-miscutils.c of
// github.com/xfce-mirror/libxfce4util (xfce_expand_desktop_entry_field_codes).
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { AppError } from '../../contract/errors.ts';
import { makeFolder, removeEmpty, writing } from './own-files.ts';
import { inXml, shellWords } from './words.ts';

const ourId = 'app.outtray.upload';
const bare = '<?xml version="1.0" encoding="UTF-8"?>\n<actions>\n</actions>\n';

/** The marks that count, and comments, CDATA sections and declarations, in which marks do not count. */
const marks =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<!DOCTYPE[^[>]*(?:\[[\s\S]*?\]\s*)?>|<action>|<\/action>|<actions\s*\/>|<\/actions>/g;

/** `ours`: our action. `rest`: all the others. `end`: where the last of these may end; null: there is no list. */
type List = { ours: string | null; rest: string; end: number | null };

/** An empty list gets an end of its own, and our action the line feed that was written behind it. */
const readList = (written: string): List => {
  const text = written.replaceAll(marks, (mark) =>
    mark.startsWith('<actions') ? '<actions></actions>' : mark,
  );
  let start = 0;
  let ours: string | null = null;
  let rest = text;
  for (const { 0: mark, index } of text.matchAll(marks)) {
    if (mark === '<action>') start = index;
    else if (mark === '</action>' && text.slice(start, index).includes(`<unique-id>${ourId}</unique-id>`)) {
      const behind = index + mark.length;
      ours = text.slice(start, behind) + (/^\r?\n/.exec(text.slice(behind, behind + 2))?.[0] ?? '');
      rest = text.slice(0, start) + text.slice(start + ours.length);
    }
  }
  const end = [...rest.matchAll(marks)].findLast(({ 0: mark }) => mark === '</actions>')?.index ?? null;
  return { ours, rest, end };
};

/** What Thunar runs: %F becomes the paths, each quoted for the shell that reads the line; `%` is doubled. */
const commandOf = (words: readonly string[]): string => `${shellWords(words).replaceAll('%', '%%')} %F`;

const actionOf = (words: readonly string[], label: string): string =>
  inBytes(
    [
      '<action>',
      '\t<icon>outtray</icon>',
      `\t<name>${inXml(label)}</name>`,
      `\t<unique-id>${ourId}</unique-id>`,
      `\t<command>${inXml(commandOf(words))}</command>`,
      '\t<description></description>',
      '\t<patterns>*</patterns>',
      // Each kind of file, no folders.
      ...['audio', 'image', 'other', 'text', 'video'].map((kind) => `\t<${kind}-files/>`),
      '</action>',
      '',
    ].join('\n'),
  );

/** The bytes of a text, one character each. */
const inBytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Thunar rewrites the file when an action is edited there: with other blanks and more elements, the same meaning. */
const valueIn = (action: string, element: string): string | undefined =>
  new RegExp(`<${element}>([\\s\\S]*?)</${element}>`)
    .exec(action)?.[1]
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&apos;|&#39;/g, "'")
    .replaceAll('&amp;', '&');

/** `defaults`: the system's lists; the first that exists counts. */
export const thunarActions = (options: {
  file: string;
  /** A folder above it that stays. */
  root: string;
  defaults: readonly string[];
  words: readonly string[];
  label: string;
}) => {
  const { file, words, label } = options;
  const read = (one: string): Promise<string | null> => readFile(one, 'latin1').catch(ifMissing(one));
  /** A file that is there keeps its mode. */
  const write = (text: string, isNew: boolean): Promise<void> =>
    writeFileAtomic(file, text, { encoding: 'latin1', ...(isNew ? { mode: 0o600 } : {}) });
  const defaultText = async (): Promise<string> => {
    for (const one of options.defaults) {
      const text = await read(one);
      if (text !== null) return text;
    }
    return bare;
  };
  const ourAction = async (): Promise<string | null> => readList((await read(file)) ?? '').ours;
  return {
    async state(): Promise<'on' | 'old' | 'off'> {
      const ours = await ourAction();
      if (ours === null) return 'off';
      const isCurrent =
        valueIn(ours, 'command') === inBytes(commandOf(words)) && valueIn(ours, 'name') === inBytes(label);
      return isCurrent ? 'on' : 'old';
    },
    /** Throws `disk`, and `bad-use` for what Thunar would not write. */
    async add(): Promise<void> {
      const text = await read(file);
      const { rest, end } = readList(text ?? (await defaultText()));
      if (end === null)
        throw new AppError(
          'bad-use',
          'Outtray does not understand Thunar’s list of custom actions, so it changed nothing there.',
          'Open Thunar, Edit, Configure custom actions, and save them once; then try again.',
        );
      await writing(file, async () => {
        await makeFolder(path.dirname(file));
        await write(rest.slice(0, end) + actionOf(words, label) + rest.slice(end), text === null);
      });
    },
    /** Deletes the file if the rest is what Thunar shows without it. */
    async remove(): Promise<boolean> {
      const { ours, rest } = readList((await read(file)) ?? '');
      if (ours === null) return false;
      const isNeedless = rest === (await defaultText());
      await writing(file, () => (isNeedless ? rm(file) : write(rest, false)));
      if (isNeedless) await removeEmpty(path.dirname(file), options.root);
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
