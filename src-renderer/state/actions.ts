// What can be done with files: copy, open, show, delete, upload. Each calls the engine or the shell and reports the
// outcome; used by rows, menus and the keyboard alike.
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import type { FileRow } from '../../src-main/contract/model.ts';
import { anchor, pictured, type LinkForm } from '../../src-main/contract/text/link-text.ts';
import type { FileRef, GivenGroup } from '../../src-main/contract/window.ts';
import { say } from '../words/say.svelte.ts';
import { plainName } from '../words/name.ts';
import { bitesOf, MAX_IDS } from './list/bites.ts';
import type { Session } from './session.svelte.ts';

type Link = Parameters<typeof anchor>[0];

/** As `MAX_IDS` for files, whose ids may be text of 20 digits. */
const FILE_BITE = 2_000;

export const refOf = (row: FileRow): FileRef | null => {
  if (row.uploadId !== null) return { uploadId: row.uploadId };
  return row.fileId === null ? null : { fileId: row.fileId };
};

/** A link that was taken back is not offered any more. */
export const offersLink = (row: FileRow): row is FileRow & { publicLink: string } =>
  row.publicLink !== null && row.linkState === null;

/** True when the link(s) are on the clipboard. Without `as`: in the form of the settings. `said` announces one link. */
export const copyLinks = async (
  session: Session,
  rows: readonly FileRow[],
  as?: LinkForm,
  said: () => void = () => {
    session.announce(say('files.firstCopied', { name: plainName(rows[0]?.name ?? '') }));
  },
): Promise<boolean> => {
  const linked = rows.filter(offersLink);
  const areLong = linked.some(({ fileId }) => typeof fileId === 'string');
  const taken = linked.slice(0, areLong ? FILE_BITE : MAX_IDS);
  if (taken.length === 0) {
    const name = plainName(rows[0]?.name ?? '');
    session.tell('note', say('files.noneToCopy', { count: rows.length, name }));
    return false;
  }
  const uploadIds = taken.flatMap(({ uploadId }) => uploadId ?? []);
  const fileIds = fileIdsOf(taken.filter(({ uploadId }) => uploadId === null));
  const result = await session.attempt(() =>
    session.client.call('window.copyLinks', { uploadIds, fileIds, ...(as === undefined ? {} : { as }) }),
  );
  if (result === undefined) return false;
  session.given.retire();
  if (!result.sure) session.tell('note', say('do.copyUnsure'));
  else if (linked.length > taken.length)
    session.tell('note', say('files.onlyFirst', { count: taken.length }));
  else if (rows.length === 1) said();
  else session.tellCopied(say('files.linksCopied', { count: result.count }));
  return result.sure;
};

/** The links of files that were given together; the card that shows them stays. */
export const copyGroup = async (session: Session, group: GivenGroup): Promise<boolean> => {
  const result = await session.attempt(() =>
    session.client.call('window.copyLinks', { uploadIds: group.uploadIds, fileIds: [] }),
  );
  if (result === undefined) return false;
  if (!result.sure) session.tell('note', say('do.copyUnsure'));
  else if (result.count < group.linked) session.tell('note', say('files.onlyFirst', { count: result.count }));
  else session.announce(say('files.linksCopied', { count: result.count }));
  return result.sure;
};

export const fileIdsOf = (rows: readonly Pick<FileRow, 'fileId'>[]): FileId[] =>
  rows.flatMap(({ fileId }) => (fileId === null ? [] : [fileId]));

/** The answers of as many calls as these files need. Undefined: one failed, which is reported. */
export const callForAll = <Answer>(
  session: Session,
  rows: readonly Pick<FileRow, 'fileId'>[],
  call: (files: { fileId: FileId }[]) => Promise<Answer>,
  most = FILE_BITE,
): Promise<Answer[] | undefined> =>
  session.attempt(async () => {
    const files = fileIdsOf(rows).map((fileId) => ({ fileId }));
    const answers: Answer[] = [];
    for (const some of bitesOf(files, most)) answers.push(await call(some));
    return answers;
  });

export const openLink = async (session: Session, row: FileRow): Promise<void> => {
  const file = row.publicLink === null ? null : refOf(row);
  if (file === null) return;
  const result = await session.attempt(() => session.client.call('window.openLink', { file }));
  if (result?.kind === 'refused') {
    session.tell('problem', say('files.openRefused', { reason: result.reason }));
  }
};

export const showInFolder = async (session: Session, uploadId: number): Promise<void> => {
  await session.attempt(() => session.client.call('window.showInFolder', { uploadId }));
};

/** A row is dragged out as its file if that is on this machine, else as its link; the link itself as the link. */
export const dragOut = (session: Session, row: FileRow, event: DragEvent, what: 'link' | 'row'): void => {
  const { uploadId } = row;
  if (what === 'row' && uploadId !== null && row.place === 'this-machine') {
    event.preventDefault();
    void session.attempt(() => session.client.call('window.startDrag', { uploadId }));
  } else if (offersLink(row)) offerLinks([{ name: row.name, link: row.publicLink }], event, anchor);
  else event.preventDefault();
};

/** A drag gives what the other side takes: addresses, which a folder keeps as files, text, or text with links. */
const offerLinks = (links: readonly Link[], { dataTransfer }: DragEvent, html: typeof anchor): void => {
  const addresses = links.map(({ link }) => link);
  dataTransfer?.setData('text/uri-list', addresses.join('\r\n'));
  dataTransfer?.setData('text/plain', addresses.join('\n'));
  dataTransfer?.setData('text/html', links.map(html).join('<br>\n'));
};

/** The same of a picture that stands for these links: images are given as images with their link. */
export const dragPicture = (links: readonly Link[], event: DragEvent): void => {
  offerLinks(links, event, pictured);
};

/** By their tokens. The shell reports their progress (given.svelte.ts). */
export const uploadGiven = async (session: Session, tokens: readonly string[]): Promise<void> => {
  if (tokens.length === 0) return;
  const taken = await session.attempt(() => session.client.call('files.upload', { paths: [...tokens] }));
  const ids = taken?.flatMap(({ upload }) => upload?.id ?? []) ?? [];
  if (ids.length > 0) session.did({ kind: 'dropped', ids });
  session.happened();
};

export const uploadDropped = async (session: Session, files: readonly unknown[]): Promise<void> =>
  uploadOnDisk(session, files, await session.tokensOf(files));

/** A picture of a web page, for example, is a file without a path: it is named. */
const uploadOnDisk = async (
  session: Session,
  files: readonly unknown[],
  tokens: readonly string[],
): Promise<void> => {
  await uploadGiven(session, tokens);
  if (tokens.length < files.length) session.tell('note', say('files.notOnDisk'));
};

/** Removes the unfinished zip. A finished one is uploaded: its row has Cancel. */
export const stopPacking = async (session: Session, packing: number): Promise<void> => {
  const stopped = await session.attempt(() => session.client.call('files.stopPacking', { packing }));
  if (stopped === true) session.tell('done', say('zip.stopped'));
};

/** `near`: the token of a file in whose folder the dialog opens. */
export const chooseAndUpload = async (session: Session, near?: string): Promise<void> => {
  const where = near === undefined ? {} : { near };
  const answer = await session.attempt(() => session.client.call('window.chooseFiles', where));
  if (answer !== undefined) await uploadGiven(session, answer.paths);
};

/** Files that were pasted on the window, else what the clipboard holds. */
export const uploadPasted = async (
  session: Session,
  { files, types }: { files: Iterable<unknown>; types: readonly string[] },
): Promise<void> => {
  const pasted = [...files];
  const isOurs = pasted.length > 0 || types.length === 0;
  if (pasted.length > 0 && (await session.isClipboardPrivate())) return;
  const tokens = await session.tokensOf(pasted);
  if (tokens.length > 0) {
    await uploadOnDisk(session, pasted, tokens);
    return;
  }
  const taken = isOurs
    ? await session.attempt(() => session.client.call('window.uploadClipboard', {}))
    : tokens;
  if (taken?.length === 0) session.tell('note', say('files.nothingToPaste'));
};

export const togglePause = async (session: Session): Promise<void> => {
  await session.attempt(() =>
    session.status?.paused === true
      ? session.client.call('queue.resume', {})
      : session.client.call('queue.pause', { untilMs: null }),
  );
};
