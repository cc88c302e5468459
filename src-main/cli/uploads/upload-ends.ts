// How an upload that `outtray upload` waits for has ended, and what is printed about it.
import { queueIdText } from '../../contract/text/named-file.ts';
import type { Composed } from '../session.ts';
import type { LinkedFile } from '../../contract/text/link-text.ts';
import {
  holdRow,
  isBusy,
  isUnfinished,
  isUnwanted,
  type Bucket,
  type WaitReason,
} from '../../contract/model.ts';
import type { Upload } from '../../engine/ports/uploads.ts';
import { sentenceFor } from '../../engine/handlers/why.ts';
import { linkedFileOf } from '../../engine/shared/same-content.ts';
import { typedText } from '../output/typed.ts';
import { nameText, timeText, unansweredText } from '../output/words.ts';

export type End = {
  bucket: Bucket;
  link: LinkedFile | null;
  remark: string | null;
  /** When its link ends, in words; null: never. */
  expires?: string | null;
  /** It is held because no usable answer came, and continues by itself. */
  isUnanswered?: true;
  /** The upload that already had this content and now follows the file: its event has the link. */
  followedBy?: number;
};

const heldEntryOf = ({ ledger }: Composed, id: number): { message?: string; untilMs?: number } => {
  const last = ledger.entries.ofUpload(id, 20).findLast(({ body }) => body.kind === 'held');
  return last?.body.kind === 'held' ? last.body : {};
};

/** It waits for another program, for a person, or for its folder to be there again. */
const endsWhileWaiting: ReadonlySet<WaitReason> = new Set(['locked', 'blocked', 'paused', 'folder']);

/** Null while the upload can still move. */
export const uploadEndOf = (composed: Composed, id: number): End | null => {
  const row = composed.ledger.uploads.byId(id);
  if (row === null) return { bucket: 'failed', link: null, remark: null };
  const link = linkedFileOf(composed.ledger.uploads, row);
  const remark = (): string => `${nameText(row.name)}: ${sentence(row, link?.link ?? null)}`;
  switch (row.state.kind) {
    case 'uploaded':
    case 'superseded':
      return { bucket: 'uploaded', link, remark: null, expires: endText(composed, row) };
    case 'skipped':
      return {
        bucket: 'skipped',
        link,
        remark: remark() + keptEnd(row),
      };
    case 'uncertain': {
      if (isUnwanted(row.state)) return { bucket: 'skipped', link: null, remark: remark() };
      if (isBusy(row.state)) return null;
      const text = unansweredText(heldEntryOf(composed, id), composed.clock.wallMs(), composed);
      return {
        bucket: 'held',
        link: null,
        remark: `${nameText(row.name)}: ${text} (outtray resolve ${queueIdText(id)})`,
        isUnanswered: true,
      };
    }
    case 'held': {
      const act = holdRow(row.state.reason).run;
      const id = queueIdText(row.id, act === 'confirm' ? row.changedAtMs : undefined);
      const without = row.state.removable === true ? `outtray confirm --without-location ${id}, ` : '';
      const how = ` (${without}outtray ${act} ${id})`;
      return { bucket: 'held', link: null, remark: `${remark()}${how}` };
    }
    case 'recalling':
    case 'recalled':
      return { bucket: 'skipped', link: null, remark: remark() };
    case 'failed':
      return { bucket: 'failed', link: null, remark: remark() };
    case 'gone': {
      // The ledger followed the file to a row that had its content already.
      const twin = composed.ledger.uploads.presentAt(row.folderId, row.dir, row.name);
      return twin?.state.kind === 'uploaded'
        ? {
            bucket: 'uploaded',
            link: linkedFileOf(composed.ledger.uploads, twin),
            remark: null,
            followedBy: twin.id,
          }
        : { bucket: 'failed', link: null, remark: remark() };
    }
    case 'waiting':
      return endsWhileWaiting.has(row.state.reason) || isUnfinished(row.state)
        ? { bucket: 'waiting', link: null, remark: remark() }
        : null;
    case 'settling':
    case 'ready':
    case 'sending':
    case 'committing':
      return null;
  }
};

const endText = ({ clock, locale }: Composed, { name, ends }: Upload): string | null =>
  ends === null
    ? null
    : `${nameText(name)}: its link expires ${timeText(ends.atMs, clock.wallMs(), { locale })}, if Outtray is running then.`;

/** The link of another file keeps its own end, whatever was asked for this one. */
const keptEnd = ({ state, expireWish }: Upload): string =>
  state.kind === 'skipped' && state.rule === 'already-shared' && expireWish !== null
    ? ' That link keeps its own expiry; `outtray upload --again --expire` makes another one.'
    : '';

const sentence = (row: Upload, link: string | null): string => {
  const text = typedText(
    sentenceFor(row.state, link, {
      gate: { kind: 'open' },
      paused: false,
      running: true,
    }),
  );
  return row.state.kind === 'failed' ? `${text} ${typedText(row.state.remedy)}` : text;
};
