// What menus, details and dialogs do with links of this machine. Not needed for the first picture.
import type { VerifyResult } from '../../../src-main/contract/answers.ts';
import type { ExpireWish } from '../../../src-main/contract/expiry.ts';
import type { FileRow } from '../../../src-main/contract/model.ts';
import type { CardForm } from '../../../src-main/contract/text/card.ts';
import type { FileId } from '../../../src-main/contract/text/file-id.ts';
import { callForAll, fileIdsOf, offersLink } from '../../state/actions.ts';
import type { Session } from '../../state/session.svelte.ts';
import { plainName } from '../../words/name.ts';
import { say } from '../../words/say.svelte.ts';
import { at, followPrice, problem } from '../../words/show.ts';

/** Files of this machine that have a link: they can expire, be on a card, and be verified. */
export const ownLinks = (rows: readonly FileRow[]): FileRow[] =>
  rows.filter((row) => row.uploadId !== null && row.fileId !== null && offersLink(row));

/** One card of all these files, or none. */
export const copyCard = async (session: Session, rows: readonly FileRow[], as: CardForm): Promise<void> => {
  const fileIds = fileIdsOf(rows);
  const result = await session.attempt(() => session.client.call('window.copyCard', { fileIds, as }));
  if (result === undefined) return;
  session.given.retire();
  if (result.sure) session.tellCopied(say('card.copied', { count: result.count }));
  else session.tell('note', say('do.copyUnsure'));
};

/** Reads these links, one after the other, and reports whether each serves what was sent. Returns the sentence. */
export const verifyFiles = async (
  session: Session,
  rows: readonly FileRow[],
): Promise<{ isRight: boolean; text: string } | null> => {
  session.tell('note', say('verify.doing', { count: fileIdsOf(rows).length }));
  const verify = (files: { fileId: FileId }[]) => session.client.call('files.verify', { files });
  const results = (await callForAll(session, rows, verify, 1))?.flat();
  if (results === undefined) return null;
  const wrong = results.filter(({ ok }) => ok !== true);
  const [first] = wrong;
  const text =
    first === undefined
      ? say('verify.ok', { count: results.length })
      : say('verify.wrong', { count: wrong.length, all: results.length, first: textOfWrong(first, rows) });
  session.tell(first === undefined ? 'done' : 'problem', text);
  return { isRight: first === undefined, text };
};

const textOfWrong = ({ fileId, reason, error }: VerifyResult, rows: readonly FileRow[]): string => {
  if (error !== null) return problem(error);
  const name = plainName(rows.find((row) => row.fileId === fileId)?.name ?? '');
  return reason === null ? name : say(`verify.${reason}`, { name });
};

export const copySha256 = async (session: Session, uploadId: number): Promise<boolean> =>
  (await session.attempt(() => session.client.call('window.copySha256', { uploadId })))?.sure ?? false;

/** Starts or stops reporting downloads of these links, and reports what the checks cost. */
export const followFiles = async (
  session: Session,
  rows: readonly FileRow[],
  isWanted: boolean,
): Promise<void> => {
  const answers = await callForAll(session, rows, (files) =>
    session.client.call(isWanted ? 'files.follow' : 'files.unfollow', { files }),
  );
  session.happened();
  const price = answers?.at(-1)?.price;
  if (answers === undefined || price === undefined) return;
  const results = answers.flatMap((answer) => answer.results);
  const failed = results.flatMap(({ error }) => error ?? []);
  const [first] = failed;
  if (first !== undefined)
    session.tell('problem', say('follow.failed', { count: failed.length, message: problem(first) }));
  else if (isWanted)
    session.tell('done', say('follow.done', { count: results.length, price: followPrice(price) }));
  else session.tell('done', say('follow.undone', { count: results.length }));
};

/** Sets when these links end. */
export const expireFiles = async (
  session: Session,
  rows: readonly Pick<FileRow, 'fileId'>[],
  expire: ExpireWish,
): Promise<void> => {
  const answers = await callForAll(session, rows, (files) =>
    session.client.call('files.expire', { files, expire }),
  );
  if (answers === undefined) return;
  const results = answers.flat();
  const failed = results.flatMap(({ error }) => error ?? []);
  const [first] = failed;
  const endsMs = results.find(({ error }) => error === null)?.expiresAtMs ?? null;
  if (first !== undefined)
    session.tell('problem', say('expiry.failed', { count: failed.length, message: problem(first) }));
  else if (endsMs !== null)
    session.tell('done', say('expiry.done', { count: results.length, when: at(Date.now(), endsMs) }));
  else if (results.length > 0) session.tell('done', say('expiry.doneNever', { count: results.length }));
};
