// The files of a drop that got no link, grouped by reason, and what can be done with them.
import type { CommandAnswer } from '../../../src-main/contract/commands.ts';
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

/** `names`: the first of `count`. `tokens`: of what can be uploaded, or beside what can be chosen again. */
export type Line = {
  key: string;
  sign: 'held' | 'failed' | 'skipped';
  names: string[];
  count: number;
  reason: string;
  acts: { act: Act; label: string }[];
  uploads: UploadView[];
  tokens: string[];
};

type Alike = [UploadView, ...UploadView[]];
type Queued = Pick<CommandAnswer<'queue.get'>, 'held' | 'failed' | 'skipped'>;
type Given = Pick<GivenGroup, 'needYou' | 'without' | 'lost' | 'rows'>;

/** What needs the user comes first, then what was left out, then what the user left out, then what was shared before. */
export const linesOf = (queued: Queued | null, group: Given, most: number | null): Line[] => {
  const wanted = new Set([...group.needYou, ...group.without]);
  const alike = new Map<string, Alike>();
  const { held = [], failed = [], skipped = [] } = queued ?? {};
  for (const upload of [...held, ...failed, ...skipped.toReversed()]) {
    if (!wanted.has(upload.id)) continue;
    const key = `${upload.state.kind} ${fateOf(upload.state)}`;
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [upload]);
    else others.push(upload);
  }
  const recorded = [...alike].map(([key, uploads]) => recordedLine(key, uploads, most));
  const isOwn = ({ acts }: Line): boolean => acts[0]?.act === 'undo';
  return [
    ...recorded.filter(({ sign }) => sign !== 'skipped'),
    ...group.lost.map(lostLine),
    ...recorded.filter((line) => line.sign === 'skipped' && !isOwn(line)),
    ...recorded.filter(isOwn),
    ...sharedLine(group),
  ];
};

const recordedLine = (key: string, uploads: Alike, most: number | null): Line => {
  const { state } = uploads[0];
  return {
    key,
    sign: state.kind === 'failed' ? 'failed' : state.kind === 'skipped' ? 'skipped' : 'held',
    names: uploads.map(({ name }) => name),
    count: uploads.length,
    reason: reasonOf(uploads, most),
    acts: recordedActs(uploads),
    uploads,
    tokens: [],
  };
};

const recordedActs = ([first, ...others]: Alike): Line['acts'] => {
  const { state } = first;
  if (isSecret(first))
    return [
      { act: 'keep', label: say('secrets.keep', { count: others.length + 1 }) },
      { act: 'publish', label: say('secrets.publish') },
    ];
  if (state.kind === 'failed') return [{ act: 'dismiss', label: say('do.dismiss') }];
  if (state.kind !== 'skipped') return [{ act: 'queue', label: say('given.show') }];
  if (state.rule === 'cancelled') return [{ act: 'undo', label: say('queue.undo') }];
  return skipRow(state.rule).neverOpened === true
    ? [{ act: 'hide', label: say('do.dismiss') }]
    : [{ act: 'publish', label: say('queue.uploadAnyway') }];
};

const reasonOf = ([first, ...others]: Alike, most: number | null): string => {
  const { state } = first;
  if (isSecret(first)) return say('given.secret');
  if (state.kind === 'uncertain') return say('hold.uncertain');
  if (state.kind === 'held') return say(`hold.${state.reason}`);
  if (state.kind === 'skipped') return say(`skip.${state.rule}`);
  if (state.kind !== 'failed') return '';
  if (state.code !== 'too-large') return show.failure(state, others.length === 0);
  const sizes = [first, ...others].map(({ sizeBytes }) => sizeBytes);
  return tooLarge(say, sizes, most, show.size);
};

const lostLine = (lost: LostFiles): Line => {
  const { why, count, files } = lost;
  const [first] = files;
  const to = count === 1 ? plainPath(first?.to ?? '') : '';
  const tokens = files.flatMap(({ token }) => token ?? []);
  const [act, usual] = tokens.length > 0 ? lostActs(why, count, to) : (['hide', say('do.dismiss')] as const);
  const isPart = act === 'upload' && tokens.length < count;
  const label = isPart ? say('given.uploadSome', { count: tokens.length, all: count }) : usual;
  return {
    key: lostKey(lost),
    sign: 'skipped',
    names: files.map((one) =>
      count === 1 ? one.name : [one.path, one.to ?? []].flat().map(plainPath).join(' → '),
    ),
    count,
    reason: lostReason(why, to),
    acts: [{ act, label }],
    uploads: [],
    tokens,
  };
};

const lostReason = (why: LostWhy, to: string): string => {
  if (why === 'gone' || why === 'late') return say(`given.${why}`);
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
      uploads: [],
      tokens: [],
    },
  ];
};

/** Enough to hear; the user can look up the others. */
const mostNames = 2;

/** For screen readers: ".env looks like a secret", "3 × a.img, b.img are over 10.7 GB". */
export const spokenOf = ({ names, count, reason }: Line): string => {
  const text = names.slice(0, mostNames).map(plainName).join(', ');
  return `${count === 1 ? text : say('queue.alike', { count, text })} ${reason}`;
};
