// Thunar's custom actions: one file of the user's, `Thunar/uca.xml`, with the actions of all kinds of programs in it.
// We add and remove only our own action; every other byte stays, in any encoding: the file is read as Latin-1, one
// character a byte. Without the file Thunar shows the system's, so ours begins as a copy of that. Thunar's own
// documents, in github.com/xfce-mirror/thunar, plugins/thunar-uca: README.md (%F), thunar-uca-model.c (what it reads
// and writes, and that /bin/sh reads the command), uca.xml.in; `%%`, and how paths are quoted, in
// libxfce4util/xfce-miscutils.c of github.com/xfce-mirror/libxfce4util (xfce_expand_desktop_entry_field_codes).
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { AppError } from '../../contract/errors.ts';
import { foldersAbove, makeFolder, removeEmpty, writing } from './own-files.ts';
import { inXml, shellWords } from './words.ts';

const ourId = 'app.outtray.upload';
const bare = '<?xml version="1.0" encoding="UTF-8"?>\n<actions>\n</actions>\n';

/** A note in our action: what its removal undoes. `list`: an empty list of the user, which Thunar drops on saving. */
type Made = { folders: number; file: boolean; list: string | null };
const madeIn = /<!-- folders-made=(\d+)( file-made)?(?: list-was (<actions\s*\/>))? -->/;
const madeText = ({ folders, file, list }: Made): string =>
  `<!-- folders-made=${folders}${file ? ' file-made' : ''}${list === null ? '' : ` list-was ${list}`} -->`;

/** The marks that count, and comments, CDATA sections and declarations, in which marks do not count. */
const marks =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<!DOCTYPE[^[>]*(?:\[[\s\S]*?\]\s*)?>|<action>|<\/action>|<actions\s*\/>|<\/actions>/g;

type List = {
  before: string;
  ours: string | null;
  after: string;
  /** Where the last action may end, in `before` + `after`; null when there is no list. */
  end: { at: number; emptyList: string | null } | null;
};

/** Finds our action, with the line feed that was written behind it, and the end of the list. */
const readList = (text: string): List => {
  let start = 0;
  let own: { start: number; end: number } | null = null;
  let end: List['end'] = null;
  for (const { 0: mark, index } of text.matchAll(marks)) {
    const behind = index + mark.length;
    if (mark === '<action>') start = index;
    else if (mark === '</action>') {
      const isOurs = text.slice(start, behind).includes(`<unique-id>${ourId}</unique-id>`);
      if (isOurs)
        own = { start, end: behind + (/^\r?\n/.exec(text.slice(behind, behind + 2))?.[0].length ?? 0) };
    } else if (mark === '</actions>') end = { at: index, emptyList: null };
    else if (/^<actions\s*\/>$/.test(mark)) end = { at: index, emptyList: mark };
  }
  if (own === null) return { before: text, ours: null, after: '', end };
  const cut = own.end - own.start;
  return {
    before: text.slice(0, own.start),
    ours: text.slice(own.start, own.end),
    after: text.slice(own.end),
    end: end === null ? null : { ...end, at: end.at < own.end ? end.at : end.at - cut },
  };
};

const madeOf = (ours: string): Made => {
  const found = madeIn.exec(ours);
  return { folders: Number(found?.[1] ?? 0), file: found?.[2] !== undefined, list: found?.[3] ?? null };
};

/** The list without our action. */
const withoutAction = ({ before, ours, after }: List): string => {
  const list = ours === null ? null : madeOf(ours).list;
  if (list !== null && before.endsWith('<actions>') && after.startsWith('</actions>'))
    return before.slice(0, -'<actions>'.length) + list + after.slice('</actions>'.length);
  return before + after;
};

/** What Thunar runs: %F becomes the paths, each quoted for the shell that reads the line; `%` is doubled. */
const commandOf = (words: readonly string[]): string => `${shellWords(words).replaceAll('%', '%%')} %F`;

const actionOf = (words: readonly string[], label: string, made: Made): string =>
  inBytes(
    [
      '<action>',
      `\t${madeText(made)}`,
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
    async madeFolders(): Promise<string[]> {
      const ours = await ourAction();
      return ours === null ? [] : foldersAbove(file, madeOf(ours).folders);
    },
    /** `madeByUs`: folders that other entries made. Throws `disk`, and `bad-use` for what Thunar would not write. */
    async add(madeByUs: ReadonlySet<string>): Promise<void> {
      const text = await read(file);
      const list = readList(text ?? (await defaultText()));
      if (list.end === null)
        throw new AppError(
          'bad-use',
          'Outtray does not understand Thunar’s list of custom actions, so it changed nothing there.',
          'Open Thunar, Edit, Configure custom actions, and save them once; then try again.',
        );
      const rest = list.before + list.after;
      const { at, emptyList } = list.end;
      await writing(file, async () => {
        const folders = await makeFolder(path.dirname(file), madeByUs);
        const made =
          list.ours === null ? { folders, file: text === null, list: emptyList } : madeOf(list.ours);
        const action = actionOf(words, label, made);
        const whole =
          emptyList === null
            ? rest.slice(0, at) + action + rest.slice(at)
            : `${rest.slice(0, at)}<actions>${action}</actions>${rest.slice(at + emptyList.length)}`;
        await write(whole, text === null);
      });
    },
    /** Deletes the file if it was made for our action and the rest is what Thunar shows without the file. */
    async remove(): Promise<boolean> {
      const list = readList((await read(file)) ?? '');
      if (list.ours === null) return false;
      const made = madeOf(list.ours);
      const rest = withoutAction(list);
      const isOursAlone = made.file && rest === (await defaultText());
      await writing(file, () => (isOursAlone ? rm(file) : write(rest, false)));
      if (isOursAlone) await removeEmpty(foldersAbove(file, made.folders));
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
