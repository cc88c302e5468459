// The files of a drop that got no link, grouped by reason.
import type { CommandAnswer } from '../../../src-main/contract/commands.ts';
import { fateOf, isSecret, type UploadView } from '../../../src-main/contract/model.ts';
import type { GivenGroup } from '../../../src-main/contract/window.ts';
import { tooLarge } from '../../words/given.ts';
import { plainName } from '../../words/name.ts';
import { say } from '../../words/say.svelte.ts';
import * as show from '../../words/show.ts';

export type Alike = { key: string; uploads: [UploadView, ...UploadView[]] };

type Queued = Pick<CommandAnswer<'queue.get'>, 'held' | 'failed' | 'skipped'>;
type Given = Pick<GivenGroup, 'needYou' | 'without'>;

/** What needs the user comes first. */
export const alikeIn = (queued: Queued | null, { needYou, without }: Given): Alike[] => {
  const wanted = new Set([...needYou, ...without.map(({ uploadId }) => uploadId)]);
  const found: Alike[] = [];
  for (const upload of [
    ...(queued?.held ?? []),
    ...(queued?.failed ?? []),
    ...(queued?.skipped ?? []).toReversed(),
  ]) {
    if (!wanted.has(upload.id)) continue;
    const key = `${upload.state.kind} ${fateOf(upload.state)}`;
    const alike = found.find((one) => one.key === key);
    if (alike === undefined) found.push({ key, uploads: [upload] });
    else alike.uploads.push(upload);
  }
  return found;
};

/** Those whose files left before they were read. */
export const goneIn = ({ without }: Given): string[] =>
  without.flatMap(({ name, isGone }) => (isGone ? [plainName(name)] : []));

/** `most`: how large a file may be; null: not known. */
export const reasonOf = ([first, ...others]: Alike['uploads'], most: number | null): string => {
  if (isSecret(first)) return say('given.secret');
  if (first.state.kind === 'uncertain') return say('hold.uncertain');
  if (first.state.kind === 'held') return say(`hold.${first.state.reason}`);
  if (first.state.kind === 'failed' && first.state.code === 'too-large')
    return tooLarge(
      say,
      [first, ...others].map(({ sizeBytes }) => sizeBytes),
      most,
      show.size,
    );
  if (first.state.kind === 'skipped') return say(`skip.${first.state.rule}`);
  return first.state.kind === 'failed' ? show.failure(first.state, others.length === 0) : '';
};

/** Enough to hear; the user can look up the others. */
const mostNames = 2;

/** For screen readers: ".env looks like a secret", "3 × a.img, b.img are over 10.7 GB". */
export const spokenOf = ({ uploads }: Alike, most: number | null): string => {
  const count = uploads.length;
  const names = uploads.slice(0, mostNames).map(({ name }) => plainName(name));
  const text = names.join(', ');
  return `${count === 1 ? text : say('queue.alike', { count, text })} ${reasonOf(uploads, most)}`;
};
