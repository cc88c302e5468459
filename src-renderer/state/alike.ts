// Groups of uploads that have the same fate, so that one decision serves all of them. Pure.
import type { HoldReason, UploadView } from '../../src-main/contract/model.ts';

export type Failure = { code: string; message: string; remedy: string };
export type FailedGroup = { failure: Failure; uploads: UploadView[] };
export type HeldGroup = { reason: HoldReason; uploads: UploadView[] };

const gather = <Item, Group>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  open: (item: Item) => Group,
  add: (group: Group, item: Item) => void,
): Group[] => {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const key = keyOf(item);
    let group = groups.get(key);
    if (group === undefined) {
      group = open(item);
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
    (upload): FailedGroup => ({ failure: failureOf(upload), uploads: [] }),
    (group, upload) => group.uploads.push(upload),
  );

/** An upload whose answer was lost counts as held for that reason while Outtray still looks. */
export const holdReasonOf = (upload: UploadView): HoldReason =>
  upload.state.kind === 'held' ? upload.state.reason : 'uncertain';

export const groupHeld = (uploads: readonly UploadView[]): HeldGroup[] =>
  gather(
    uploads,
    holdReasonOf,
    (upload): HeldGroup => ({ reason: holdReasonOf(upload), uploads: [] }),
    (group, upload) => group.uploads.push(upload),
  );
