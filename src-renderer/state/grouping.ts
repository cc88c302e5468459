// Groups of uploads that have the same fate, so that one decision serves all of them. Pure.
import type { HoldReason, UploadView } from '../../src-main/contract/model.ts';

export type Failure = { code: string; message: string; remedy: string };
/** `key`: what its uploads have in common, for as long as the group lives. */
export type FailedGroup = { key: string; failure: Failure; uploads: UploadView[] };
export type HeldGroup = { key: HoldReason; reason: HoldReason; uploads: UploadView[] };

const gather = <Item, Group, Key extends string>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
  open: (item: Item, key: Key) => Group,
  add: (group: Group, item: Item) => void,
): Group[] => {
  const groups = new Map<Key, Group>();
  for (const item of items) {
    const key = keyOf(item);
    let group = groups.get(key);
    if (group === undefined) {
      group = open(item, key);
      groups.set(key, group);
    }
    add(group, item);
  }
  return [...groups.values()];
};

const failureOf = (upload: UploadView): Failure =>
  upload.state.kind === 'failed'
    ? { code: upload.state.code, message: upload.state.message, remedy: upload.state.remedy }
    : { code: 'internal', message: '', remedy: '' };

/** By code and remedy, not by message: messages name sizes and files. */
export const groupFailed = (uploads: readonly UploadView[]): FailedGroup[] =>
  gather(
    uploads,
    (upload) => `${failureOf(upload).code}\n${failureOf(upload).remedy}`,
    (upload, key): FailedGroup => ({ key, failure: failureOf(upload), uploads: [] }),
    (group, upload) => group.uploads.push(upload),
  );

/** An upload whose answer was lost counts as held for that reason while Outtray still looks. */
const holdReasonOf = (upload: UploadView): HoldReason =>
  upload.state.kind === 'held' ? upload.state.reason : 'uncertain';

export const groupHeld = (uploads: readonly UploadView[]): HeldGroup[] =>
  gather(
    uploads,
    holdReasonOf,
    (_upload, reason): HeldGroup => ({ key: reason, reason, uploads: [] }),
    (group, upload) => group.uploads.push(upload),
  );
