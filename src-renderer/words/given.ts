// What is said of files that were given by hand. Pure.
import type { Say } from '../../src-main/contract/text/speech.ts';
import type { GivenGroup } from '../../src-main/contract/window-commands.ts';

export type Piece = { text: string; name: boolean };
/** `rest`: what of the group has no link; null when all have, or are still on their way. */
export type GivenWords = { title: Piece[]; rest: string | null };

export const given = (say: Say, group: GivenGroup): GivenWords => {
  const { total, going, linked } = group;
  if (going > 0) {
    return words(say(group.copy === 'later' ? 'given.uploading' : 'given.uploadingOnly', { count: total }));
  }
  const left = total - linked;
  const rest = left === 0 ? null : say('given.without', { count: left });
  if (linked === 0) return words(rest ?? '');
  const isAllShared = group.broughtFileIds.length === 0 && left === 0;
  const title = isAllShared ? sharedTitle(say, group) : [plain(linkedText(say, group))];
  return { title, rest };
};

/** For screen readers, once it is ready. */
export const givenText = (say: Say, group: GivenGroup): string => {
  const { title, rest } = given(say, group);
  const text = title.map((piece) => piece.text).join('');
  return rest === null || rest === text ? text : `${text}. ${rest}`;
};

const linkedText = (say: Say, { copy, linked }: GivenGroup): string => {
  switch (copy) {
    case 'done':
      return say('files.linksCopied', { count: linked });
    case 'unsure':
      return say('do.copyUnsure');
    case 'later':
    case 'off':
      return say('given.linksReady', { count: linked });
  }
};

/** Stands for the name while the sentence is made; no name has it. */
const hole = '\u0000';

const sharedTitle = (say: Say, { copy, linked, first }: GivenGroup): Piece[] => {
  const name = linked === 1 && first?.isOther === true ? first.name : null;
  const [before = '', after] = (
    name === null ? say('given.shared') : say('given.sharedAs', { name: hole })
  ).split(hole);
  const pieces = [plain(before)];
  if (name !== null && after !== undefined) pieces.push({ text: name, name: true }, plain(after));
  if (copy === 'done') pieces.push(plain(` ${say('given.copied', { count: linked })}`));
  if (copy === 'unsure') pieces.push(plain(` ${say('do.copyUnsure')}`));
  return pieces;
};

const plain = (text: string): Piece => ({ text, name: false });
const words = (text: string): GivenWords => ({ title: [plain(text)], rest: null });

/** A link without its scheme: the host recedes, the id is read. */
export const linkParts = (link: string): { host: string; id: string } => {
  const bare = link.replace(/^https?:\/\//, '');
  const at = bare.lastIndexOf('/') + 1;
  return { host: bare.slice(0, at), id: bare.slice(at) };
};
