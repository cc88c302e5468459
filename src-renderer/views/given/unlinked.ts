// The files of a drop that got no link, grouped by reason, and what can be done with them.
import type { FilesAlike } from '../../../src-main/contract/answers.ts';
import { fateOf, isSecret, skipRow, type UploadView } from '../../../src-main/contract/model.ts';
import type { GivenGroup, LostFiles, LostWhy } from '../../../src-main/contract/window.ts';
import { lostKey } from '../../state/given.svelte.ts';
import { tooLarge } from '../../words/given.ts';
import { plainName } from '../../words/name.ts';
import { plainPath } from '../../words/path.svelte.ts';
import { say } from '../../words/say.svelte.ts';
import * as show from '../../words/show.ts';

/** `hide`: the line goes, and nothing else happens. `queue`, `show`: where the file is. */
export type Act = 'keep' | 'publish' | 'dismiss' | 'undo' | 'queue' | 'upload' | 'choose' | 'hide' | 'show';

/** `names`: the first of `count`. `alike`: if they are recorded. `token`: of all that can be uploaded or chosen again. */
export type Line = {
  key: string;
  sign: 'held' | 'failed' | 'skipped';
  names: string[];
  count: number;
  reason: string;
  acts: { act: Act; label: string }[];
  alike: FilesAlike | null;
  token: string | null;
};

type Given = Pick<GivenGroup, 'needYou' | 'without' | 'lost' | 'rows'>;

/** What needs the user comes first, then what was left out, then what the user left out, then what was shared before. */
export const linesOf = (alike: readonly FilesAlike[], group: Given, most: number | null): Line[] => {
  const recorded = alike.flatMap((one) => recordedLine(one, most));
  const isOwn = ({ acts }: Line): boolean => acts[0]?.act === 'undo';
  return [
    ...recorded.filter(({ sign }) => sign === 'held'),
    ...recorded.filter(({ sign }) => sign === 'failed'),
    ...group.lost.map(lostLine),
    ...recorded.filter((line) => line.sign === 'skipped' && !isOwn(line)),
    ...recorded.filter(isOwn),
    ...sharedLine(group),
  ];
};

/** None for what is on its way again. */
const recordedLine = (alike: FilesAlike, most: number | null): Line[] => {
  const { ids, uploads } = alike;
  const [first] = uploads;
  if (first === undefined || !['held', 'uncertain', 'failed', 'skipped'].includes(first.state.kind))
    return [];
  const { kind } = first.state;
  return [
    {
      key: `${kind} ${fateOf(first.state)}`,
      sign: kind === 'failed' || kind === 'skipped' ? kind : 'held',
      names: uploads.map(({ name }) => name),
      count: ids.length,
      reason: reasonOf(first, alike, most),
      acts: recordedActs(first, ids.length),
      alike,
      token: null,
    },
  ];
};

const recordedActs = (first: UploadView, count: number): Line['acts'] => {
  const { state } = first;
  if (isSecret(first))
    return [
      { act: 'keep', label: say('secrets.keep', { count }) },
      { act: 'publish', label: say('secrets.publish') },
    ];
  if (state.kind === 'failed') return [{ act: 'dismiss', label: say('do.dismiss') }];
  if (state.kind !== 'skipped') return [{ act: 'queue', label: say('given.show') }];
  if (state.rule === 'cancelled') return [{ act: 'undo', label: say('queue.undo') }];
  return skipRow(state.rule).neverOpened === true
    ? [{ act: 'hide', label: say('do.dismiss') }]
    : [{ act: 'publish', label: say('queue.uploadAnyway') }];
};

const reasonOf = (first: UploadView, { ids, uploads }: FilesAlike, most: number | null): string => {
  const { state } = first;
  if (isSecret(first)) return say('given.secret');
  if (state.kind === 'uncertain') return say('hold.uncertain');
  if (state.kind === 'held') return say(`hold.${state.reason}`);
  if (state.kind === 'skipped') return say(`skip.${state.rule}`);
  if (state.kind !== 'failed') return '';
  if (state.code !== 'too-large') return show.failure(state, ids.length === 1);
  const sizes = uploads.map(({ sizeBytes }) => sizeBytes);
  return tooLarge(say, sizes, most, show.size);
};

const lostLine = (lost: LostFiles): Line => {
  const { why, count, files, token, uploads } = lost;
  const [first] = files;
  const to = count === 1 ? plainPath(first?.to ?? '') : '';
  const [act, usual] = token === null ? (['hide', say('do.dismiss')] as const) : lostActs(why, count, to);
  const isPart = act === 'upload' && uploads < count;
  const label = isPart ? say('given.uploadSome', { count: uploads, all: count }) : usual;
  return {
    key: lostKey(lost),
    sign: 'skipped',
    names: files.map((one) =>
      count === 1 ? one.name : [one.path, one.to ?? []].flat().map(plainPath).join(' → '),
    ),
    count,
    reason: lostReason(why, to),
    acts: [{ act, label }],
    alike: null,
    token,
  };
};

const lostReason = (why: LostWhy, to: string): string => {
  if (why === 'gone' || why === 'late') return say(`given.${why}`);
  if (why === 'unrecorded') return say('wait.disk');
  if (why === 'renamed') return say('given.renamed', { name: to });
  return why === 'link' && to !== '' ? say('given.linkTo', { name: to }) : say(`skip.${why}`);
};

const lostActs = (why: LostWhy, count: number, to: string): [Act, string] => {
  switch (why) {
    case 'gone':
      return ['choose', say('given.chooseAgain')];
    case 'renamed':
      return ['upload', say('given.uploadAs', { name: to })];
    case 'link':
      return ['upload', say('given.uploadLinked', { count })];
    case 'unreadable':
    case 'unrecorded':
      return ['upload', say('do.retry')];
    default:
      return ['upload', say('queue.uploadAnyway')];
  }
};

/** Beside new links: a drop without one says in its head what was there before. */
const sharedLine = ({ rows }: Given): Line[] => {
  const before = rows.filter(({ isNew }) => !isNew);
  const count = before.length;
  const sharedAtMs = before[0]?.sharedAtMs ?? null;
  if (count === 0 || count === rows.length) return [];
  return [
    {
      key: 'shared',
      sign: 'skipped',
      names: before.map(({ name }) => name),
      count,
      reason:
        sharedAtMs === null
          ? say('skip.already-shared')
          : say('given.sharedBefore', { count, day: show.day(Date.now(), sharedAtMs), all: rows.length }),
      acts: [{ act: 'show', label: say('given.show') }],
      alike: null,
      token: null,
    },
  ];
};

/** Enough to hear; the user can look up the others. */
const mostNames = 2;

/** For screen readers: ".env looks like a secret", "3 × a.img, b.img are over 10.7 GB". */
export const spokenOf = ({ names, count, reason }: Line): string => {
  const text = names.slice(0, mostNames).map(plainName).join(', ');
  return `${say('queue.alike', { count, text })} ${reason}`;
};
