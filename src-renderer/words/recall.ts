// The texts about links that are taken back: the progress and the results.
import { openEnds, type RecallEnd, type Recalled, type Recalling } from '../state/recall/recalling.svelte.ts';
import { plainName } from './name.ts';
import { say } from './say.svelte.ts';
import * as show from './show.ts';

/** In the order in which they are reported. */
const told = ['dead', 'gone', 'kept', ...openEnds, 'later', 'failed'] as const satisfies readonly RecallEnd[];

/** `isOpen`: this part is not the result that the user wanted. */
export type TitlePart = { text: string; isOpen: boolean };

export const recallTitle = (recalling: Recalling): TitlePart[] => {
  const { rows, answers, isRunning } = recalling;
  const part = (text: string, isOpen = false): TitlePart => ({ text, isOpen });
  if (isRunning) {
    const [first] = rows;
    const at = Math.min(answers.length + 1, rows.length);
    return [part(say('recall.going', { count: rows.length, at, name: plainName(first?.name ?? '') }))];
  }
  const ends = told.flatMap((end) => {
    const count = recalling.of(end).length;
    return count === 0
      ? []
      : [part(say(`recall.${end}`, { count }), told.indexOf(end) > told.indexOf('kept'))];
  });
  const past = recalling.isSettled ? publicText(recalling.of('dead')) : null;
  return past === null ? ends : [...ends, part(past)];
};

/** How long they were public; null: not known for each. */
const publicText = (dead: readonly Recalled[]): string | null => {
  const spans = dead.map(({ row, atMs }) =>
    row.uploadedAtMs === null || row.uploadedAtMs === undefined ? null : atMs - row.uploadedAtMs,
  );
  if (spans.length === 0 || spans.includes(null)) return null;
  const texts = new Set(spans.map((ms) => show.lasted(ms ?? 0)));
  const span = show.lasted(Math.max(...spans.map((ms) => ms ?? 0)));
  return texts.size > 1
    ? say('recall.publicUpTo', { span })
    : say('recall.public', { count: dead.length, span });
};

export const recallMore = (recalling: Recalling): string => {
  const { rows, answers, stay, held, isRunning, isCleared } = recalling;
  const dead = recalling.of('dead').length;
  const toGo = rows.length - answers.length;
  if (isRunning)
    return [
      ...(dead > 0 && rows.length > 1 ? [say('recall.dead', { count: dead })] : []),
      ...(answers.length > 0 && toGo > 0 ? [say('recall.toGo', { count: toGo })] : []),
      ...openEnds.flatMap((end) => {
        const count = recalling.of(end).length;
        return count > 0 ? [say(`recall.${end}`, { count })] : [];
      }),
      say('recall.proof', { count: rows.length }),
    ].join(' · ');
  const downloads = recalling
    .of('dead', 'gone')
    .reduce((sum, { row }) => sum + Math.max(0, row.downloads ?? 0), 0);
  return [
    ...(downloads > 0 ? [say('recall.downloads', { count: downloads })] : []),
    ...(stay.length > 0
      ? [say('recall.shared', { count: stay.length, name: plainName(stay[0] ?? '') })]
      : []),
    ...(held === null ? [] : [say('recall.held', { count: dead })]),
    ...(isCleared ? [say('recall.cleared')] : []),
  ].join(' · ');
};

/** Why a link was not taken back, or when it is checked again. */
export const recallReason = ({ end, error, againAtMs = 0 }: Recalled, nowMs: number): string => {
  const message = error === null ? '' : show.problem(error);
  const open = openEnds.find((one) => one === end);
  if (open !== undefined) {
    const again =
      againAtMs > nowMs ? say('recall.again', { when: show.at(nowMs, againAtMs) }) : say('recall.againSoon');
    return [`${say(`recall.why.${open}`)} · ${again}`, message].filter((text) => text !== '').join('. ');
  }
  if (end === 'later') return say('recall.soon', { message });
  return message;
};

/** For screen readers, at its end. */
export const recallText = (recalling: Recalling): string =>
  [
    recallTitle(recalling)
      .map(({ text }) => text)
      .join(' · '),
    recallMore(recalling),
  ]
    .filter((text) => text !== '')
    .join('. ');
