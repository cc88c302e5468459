// Which entries are worth a notification, and its text. Pure.
import { givesLink, type Entry, type EntryBody } from '../../contract/entries.ts';
import { linkStateOf } from '../../contract/files/taken-back.ts';
import { lateFromMs } from '../../contract/expiry.ts';
import { waitRow, type WaitReason } from '../../contract/model.ts';
import { plainName } from '../texts.ts';
import type { Say } from '../../contract/text/speech.ts';

export type Notable =
  /**
   * `grace`: it can be taken back. `answers`, `not-proven`: a link that was taken back. `dead`, `differs`: a link that was
   * read back.
   */
  | {
      kind: (typeof tolds)[number];
      uploadId: number;
      name: string;
    }
  /** The first new download of a followed link, and what all of them gained since yesterday. */
  | { kind: 'downloaded'; uploadId: number; name: string; downloads: number }
  | Extract<EntryBody, { kind: 'expired' | 'downloads' }>
  | { kind: 'stopped'; reason: WaitReason };

/** What a click on the notification does. */
export type NotificationClick =
  | { kind: 'copy-links' | 'cancel'; uploadIds: number[] }
  | { kind: 'show-file'; uploadId: number }
  | { kind: 'show-queue' | 'show-files' };
export type NotificationText = { title: string; body: string; click: NotificationClick };

export const notableOf = (entries: readonly Entry[]): Notable[] =>
  entries.flatMap(({ uploadId, path, body }): Notable[] => {
    if (body.kind === 'queue-closed' && waitRow(body.reason).forAll === true) {
      return [{ kind: 'stopped', reason: body.reason }];
    }
    if (body.kind === 'expired' || body.kind === 'downloads') return [body];
    if (uploadId === null || path === null) return [];
    const name = nameOf(path);
    if (body.kind === 'downloaded')
      return [{ kind: 'downloaded', uploadId, name, downloads: body.downloads }];
    if (givesLink(body)) return [{ kind: 'uploaded', uploadId, name }];
    if (body.kind === 'waiting' && body.reason === 'grace') return [{ kind: 'grace', uploadId, name }];
    if (body.kind === 'lost') return [{ kind: 'lost', uploadId, name }];
    if (body.kind === 'verified' && body.reason === 'gone') return [{ kind: 'dead', uploadId, name }];
    if (body.kind === 'verified' && body.reason === 'differs') return [{ kind: 'differs', uploadId, name }];
    // Expired links are reported together.
    if (body.kind === 'recalled' && body.lateMs !== undefined) return [];
    if (body.kind === 'recalled') {
      const state = linkStateOf(body);
      return [{ kind: state === 'dead' ? 'recalled' : state, uploadId, name }];
    }
    if (body.kind === 'failed') return [{ kind: 'failed', uploadId, name }];
    // An uncertain upload is first searched for in the service's list; it is held only if that does not settle it.
    return body.kind === 'held' && body.reason !== 'uncertain' ? [{ kind: 'held', uploadId, name }] : [];
  });

const elsewhere: readonly Notable['kind'][] = [
  'downloaded',
  'downloads',
  'expired',
  'lost',
  'dead',
  'differs',
];
/** It happened on the service or at a set time: the window does not show it live. */
export const isUnseen = ({ kind }: Notable): boolean => elsewhere.includes(kind);

const nameOf = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

const tolds = [
  'recalled',
  'uploaded',
  'grace',
  'failed',
  'held',
  'lost',
  'answers',
  'not-proven',
  'dead',
  'differs',
] as const;

/**
 * At most one per kind, the one that needs the user last, so that it stays on top. Links, and files that got none,
 * share one. `copied`: the links are on the clipboard. */
export const notificationsFor = (
  notable: readonly Notable[],
  copied: boolean,
  say: Say,
): NotificationText[] => {
  const texts: NotificationText[] = [];
  const uploaded = idsOf(notable, 'uploaded');
  const expired = notable.filter((one) => one.kind === 'expired');
  if (expired.length > 0) texts.push(expiredText(expired, say));
  const daily = notable.findLast((one) => one.kind === 'downloads');
  if (daily !== undefined) texts.push(...dailyText(daily, say));
  const downloaded = notable.filter((one) => one.kind === 'downloaded');
  if (downloaded.length > 0) texts.push(...firstText(downloaded, say));
  let links: NotificationText | null = null;
  const asks: string[] = [];
  // A file that failed first and was uploaded later in the same burst needs no notification of its failure.
  for (const kind of tolds) {
    const isLater = kind === 'failed' || kind === 'held' || kind === 'grace';
    const ids = idsOf(notable, kind).filter((id) => !isLater || !uploaded.includes(id));
    const first = ofKind(notable, kind).find(({ uploadId }) => uploadId === ids[0]);
    if (first === undefined) continue;
    const values = { count: ids.length, name: plainName(first.name) };
    const title = say(`notify.${kind}`, values);
    if (kind === 'uploaded') {
      const body = say(copied ? 'notify.copiedText' : 'notify.uploadedText', values);
      links = { title, body, click: { kind: 'copy-links', uploadIds: ids } };
    } else if (kind === 'failed' || kind === 'held') asks.push(title);
    else if (kind === 'grace')
      texts.push({ title, body: say('notify.graceText'), click: { kind: 'cancel', uploadIds: ids } });
    else texts.push({ title, body: '', click: { kind: 'show-queue' } });
  }
  if (asks.length > 0) {
    // A click opens the queue, which needs the user, and copies nothing.
    const done = links === null ? [] : [links.title, ...(copied ? [links.body] : [])];
    const [title = '', ...rest] = [...done, ...asks];
    texts.push({ title, body: rest.join(' · '), click: { kind: 'show-queue' } });
  } else if (links !== null) texts.push(links);
  const stopped = notable.findLast((one) => one.kind === 'stopped');
  if (stopped !== undefined) {
    const body = say(`gate.${stopped.reason}`);
    texts.push({ title: say('notify.stopped'), body, click: { kind: 'show-queue' } });
  }
  return texts;
};

type OfFile = Extract<Notable, { uploadId: number }>;
const ofKind = (notable: readonly Notable[], kind: OfFile['kind']): OfFile[] =>
  notable.filter((one): one is OfFile => one.kind === kind);

const idsOf = (notable: readonly Notable[], kind: OfFile['kind']): number[] => [
  ...new Set(ofKind(notable, kind).map(({ uploadId }) => uploadId)),
];

const firstText = (
  downloaded: readonly Extract<Notable, { kind: 'downloaded' }>[],
  say: Say,
): NotificationText[] =>
  downloaded.slice(0, 1).map(({ uploadId, name }) => ({
    title: say('notify.downloaded', { count: downloaded.length, name: plainName(name) }),
    body: say('notify.downloadedText', {
      downloads: downloaded.reduce((sum, one) => sum + one.downloads, 0),
    }),
    click: { kind: 'show-file', uploadId },
  }));

/** The entry names ten: a notification has room for fewer. */
const mostNamed = 3;

/** Files of a drop that got no link: the window names the reasons. */
export const noLinkText = (names: readonly string[], say: Say): NotificationText => {
  const more = names.length > mostNamed ? [say('given.more', { count: names.length - mostNamed })] : [];
  return {
    title: say('given.without', { count: names.length }),
    body: [...names.slice(0, mostNamed).map((name) => plainName(name)), ...more].join(' · '),
    click: { kind: 'show-files' },
  };
};

const dailyText = (
  { links, downloads, files }: Extract<EntryBody, { kind: 'downloads' }>,
  say: Say,
): NotificationText[] =>
  files.slice(0, 1).map(({ uploadId, path }) => {
    const named = files
      .slice(0, mostNamed)
      .map((file) => `${plainName(nameOf(file.path))}: ${file.downloads}`);
    const more = links > named.length ? [say('given.more', { count: links - named.length })] : [];
    return {
      title: say('notify.downloads', { downloads, links, name: plainName(nameOf(path)) }),
      body: links === 1 ? '' : [...named, ...more].join(' · '),
      click: { kind: 'show-file', uploadId },
    };
  });

const expiredText = (
  expired: readonly Extract<EntryBody, { kind: 'expired' }>[],
  say: Say,
): NotificationText => {
  const sum = (of: 'files' | 'alive' | 'answers'): number =>
    expired.reduce((total, one) => total + (one[of] ?? 0), 0);
  const lateMs = Math.max(...expired.map((one) => one.lateMs));
  const hours = Math.round(lateMs / 3_600_000);
  const late =
    lateMs < lateFromMs
      ? []
      : hours < 48
        ? [say('notify.expiredLate', { hours: Math.max(1, hours) })]
        : [say('notify.expiredLateDays', { days: Math.round(hours / 24) })];
  const answers = sum('answers');
  const unproven = sum('alive') - answers;
  return {
    title: say('notify.expired', { count: sum('files') }),
    body: [
      ...(answers === 0 ? [] : [say('notify.expiredAnswers', { count: answers })]),
      ...(unproven === 0 ? [] : [say('notify.expiredNotProven', { count: unproven })]),
      ...late,
    ].join(' '),
    click: { kind: 'show-queue' },
  };
};
