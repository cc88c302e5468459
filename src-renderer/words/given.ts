// The texts about files that a person gave: dropped, pasted or by path. Pure.
import type { Packing } from '../../src-main/contract/entries.ts';
import type { Say } from '../../src-main/contract/text/speech.ts';
import type { GivenGroup } from '../../src-main/contract/window.ts';
import { plainName } from './name.ts';

/** A size in words. */
type Shown = (bytes: number) => string;

export type Piece = { text: string; name: boolean };
/** `far` null: its files are still being counted. */
export type PackingWords = { title: Piece[]; far: string | null };
/** `rest`: the files of the group without a link; null when all have one, or are still being uploaded. */
export type GivenWords = { title: Piece[]; rest: string | null };

export const given = (say: Say, group: GivenGroup): GivenWords => {
  const { total, going, linked, lost } = group;
  if (total === 0) {
    return words(say('given.without', { count: lost.reduce((sum, one) => sum + one.count, 0) }));
  }
  if (going > 0) {
    return words(say('given.files', { count: total }));
  }
  const count = group.needYou.length;
  const others = total - linked - count;
  const rest =
    total === linked
      ? null
      : [
          ...(count > 0 ? [say('queue.sum.needYou', { count })] : []),
          ...(others > 0 ? [say('given.without', { count: others })] : []),
        ].join(' · ');
  if (linked === 0) return words(count > 0 ? say('given.none', { count }) : (rest ?? ''));
  const isAllShared = group.rows.every(({ isNew }) => !isNew) && total === linked;
  const title = isAllShared ? sharedTitle(say, group) : [plain(linkedText(say, group))];
  return { title, rest };
};

/**
 * While its files are uploaded. `takes`: how long all of them take; null: not known, or others are uploaded, too.
 * `others`: the number of those; `done`: when all will be there.
 */
export const onTheWay = (
  say: Say,
  group: GivenGroup,
  { others, takes, done }: { others: number; takes: string | null; done: string | null },
): { title: string; more: string } => {
  const title = [
    say('given.files', { count: group.total }),
    ...(group.linked > 0 ? [say('queue.sum.ready', { count: group.linked })] : []),
    ...(takes === null ? [] : [takes]),
  ];
  const more = [
    ...(group.copy === 'later' ? [say('given.later', { count: group.total })] : []),
    ...(others > 0 ? [say('given.others', { count: others })] : []),
    ...(others > 0 && done !== null ? [done] : []),
  ];
  return { title: title.join(' · '), more: more.join(' · ') };
};

/** The text in one piece, once the group is ready. */
export const givenText = (say: Say, group: GivenGroup): string => {
  const { rest } = given(say, group);
  const text = titleText(say, group);
  return rest === null || rest === text ? text : `${text}. ${rest}`;
};

/** For screen readers, during the uploads and at their end; `needing`: what needs the user, each with its reason. */
export const givenSpoken = (say: Say, group: GivenGroup, needing: readonly string[]): string => {
  const { going, total, linked, first, needYou } = group;
  const named = needing.join('; ');
  const withNames = (text: string): string => (named === '' ? text : `${text}: ${named}`);
  if (going === 0 && linked === 0) return withNames(givenText(say, group));
  if (going === 0 && needYou.length === 0)
    return isOneCopied(group) && first !== null
      ? say('files.firstCopied', { name: plainName(first.name) })
      : withNames(givenText(say, group));
  const head = going > 0 ? say('given.dropped', { count: total }) : `${titleText(say, group)}.`;
  return needYou.length === 0
    ? head
    : `${head} ${withNames(say('queue.sum.needYou', { count: needYou.length }))}`;
};

const isOneCopied = ({ total, linked, copy, rows }: GivenGroup): boolean =>
  total === 1 && linked === 1 && copy === 'done' && rows.every(({ isNew }) => isNew);

const titleText = (say: Say, group: GivenGroup): string =>
  given(say, group)
    .title.map(({ text }) => text)
    .join('');

const linkedText = (say: Say, { copy, linked }: GivenGroup): string => {
  switch (copy) {
    case 'done':
      return say('files.linksCopied', { count: linked });
    case 'unsure':
      return say('do.copyUnsure');
    case 'refused':
      return say('given.refused', { count: linked });
    case 'forbidden':
      return say('given.forbidden', { count: linked });
    case 'later':
    case 'off':
      return say('given.linksReady', { count: linked });
    default: {
      const url = URL.parse(copy.address);
      const about = { host: url?.host ?? '', count: linked };
      if (copy.fault === 'unusable') return say('given.unusable');
      if (copy.fault === 'not-encrypted') return say('given.notEncrypted', about);
      return say(url?.protocol === 'http:' ? 'given.newHostOpen' : 'given.newHost', about);
    }
  }
};

const sharedTitle = (say: Say, group: GivenGroup): Piece[] => {
  const { copy, linked, first } = group;
  const name = linked === 1 && first?.isOther === true ? first.name : null;
  const pieces =
    name === null
      ? [plain(say('given.shared'))]
      : withName((hole) => say('given.sharedAs', { name: hole }), name);
  if (copy === 'done') pieces.push(plain(` ${say('given.copied', { count: linked })}`));
  if (copy === 'unsure' || copy === 'refused' || copy === 'forbidden' || typeof copy === 'object')
    pieces.push(plain(` ${linkedText(say, group)}`));
  return pieces;
};

/** The placeholder for the name while the sentence is made; no name contains it. */
const hole = '\u0000';

/** A sentence with a name in it, which may run in another direction. */
const withName = (sentence: (name: string) => string, name: string): Piece[] => {
  const [before = '', after = ''] = sentence(hole).split(hole);
  return [plain(before), { text: name, name: true }, plain(after)];
};

/** The progress of a zip. */
export const packing = (say: Say, { name, files, totalFiles }: Packing, percent: string): PackingWords => ({
  title: withName((hole) => say('zip.packing', { name: hole }), name),
  far: totalFiles === 0 ? null : say('zip.far', { files, total: totalFiles, percent }),
});

/** By bytes: some files are a thousand times as large as others. Null: nothing is counted yet. */
export const packedShare = ({ files, totalFiles, bytes, totalBytes }: Packing): number | null => {
  if (totalFiles === 0) return null;
  // A file that grows is packed with more bytes than were counted; then everything is packed again.
  return totalBytes === 0 ? files / totalFiles : Math.min(1, bytes / totalBytes);
};

const plain = (text: string): Piece => ({ text, name: false });
const words = (text: string): GivenWords => ({ title: [plain(text)], rest: null });

/** For files that are too large, after their names: the limit, if it is known, and the size of a single file. */
export const tooLarge = (say: Say, sizes: readonly number[], most: number | null, size: Shown): string => {
  const count = sizes.length;
  const isOver = most !== null && sizes.every((bytes) => bytes > most);
  const over = isOver ? say('given.over', { count, most: size(most) }) : say('given.overPlan', { count });
  const [only] = sizes;
  return count === 1 && only !== undefined ? `${over} · ${say('given.has', { size: size(only) })}` : over;
};
