// Groups of uploads that have the same fate, so that a reason is shown once and one decision serves all of them.
import type { FilesAlike, QueueView } from '../../src-main/contract/answers.ts';
import type { Client } from '../../src-main/contract/client.ts';
import { fateOf, type AlikeUploads, type UploadView } from '../../src-main/contract/model.ts';
import { bitesOf } from './list/bites.ts';

/** `uploads`: of those that were loaded, as many as a person looks through. */
export type AlikeGroup = AlikeUploads & { key: string; uploads: UploadView[] };

export const groupAlike = (view: QueueView, kind: 'held' | 'failed' | 'skipped'): AlikeGroup[] =>
  view.alike
    .filter(({ state }) => state.kind === kind)
    .map((alike) => {
      const key = fateOf(alike.state);
      return {
        ...alike,
        key,
        uploads: view[kind].filter(({ state }) => state.kind === kind && fateOf(state) === key).slice(0, 200),
      };
    });

/** The parts of the sum of a run. */
export const outcomes = ['ready', 'uploading', 'waiting', 'needYou', 'leftOut'] as const;
export type Outcome = (typeof outcomes)[number];

/** These uploads by fate, all of them. */
export const readAlike = async (
  client: Pick<Client, 'call'>,
  ids: readonly number[],
): Promise<FilesAlike[]> => {
  const groups = new Map<string, FilesAlike>();
  for (const some of bitesOf(ids))
    for (const one of await client.call('queue.alike', { ids: some })) {
      const [first] = one.uploads;
      const key = first === undefined ? '' : `${first.state.kind} ${fateOf(first.state)}`;
      const { ids: before = [], asOfMs = 0, uploads = one.uploads } = groups.get(key) ?? {};
      groups.set(key, { uploads, asOfMs: Math.max(asOfMs, one.asOfMs), ids: [...before, ...one.ids] });
    }
  return [...groups.values()];
};

/** Neighbours in the queue that are in one folder and wait for the same reason. */
export type WaitingRun = { key: string; folder: string; uploads: UploadView[] };

const folderOf = (path: string): string => path.replace(/[\\/][^\\/]*$/, '');

const reasonOf = ({ state }: UploadView): string => (state.kind === 'waiting' ? state.reason : state.kind);

export const groupWaiting = (uploads: readonly UploadView[]): WaitingRun[] => {
  const runs: WaitingRun[] = [];
  for (const upload of uploads) {
    const path = folderOf(upload.path);
    const key = `${path}\n${reasonOf(upload)}`;
    const last = runs.at(-1);
    if (last?.key.startsWith(`${key}\n`) === true) last.uploads.push(upload);
    else {
      const folder = path.split(/[\\/]/).at(-1) ?? '';
      runs.push({ key: `${key}\n${String(runs.length)}`, folder, uploads: [upload] });
    }
  }
  return runs;
};
