// What of the entries is worth a notification, and how it is said. Pure.
import { givesLink, type Entry } from '../../contract/entries.ts';
import type { WaitReason } from '../../contract/model.ts';
import { plainName } from '../texts.ts';
import type { Say } from '../../contract/speech.ts';

export type Notable =
  /** `grace`: it can be taken back. `alive`: a link that was taken back and still answers. */
  | { kind: 'uploaded' | 'held' | 'failed' | 'grace' | 'recalled' | 'alive'; uploadId: number; name: string }
  | { kind: 'stopped'; reason: WaitReason };

/** What a click on the notification does. */
export type NotificationClick =
  { kind: 'copy-links' | 'cancel'; uploadIds: number[] } | { kind: 'show-queue' };
export type NotificationText = { title: string; body: string; click: NotificationClick };

/** Closed for these, the queue waits for the user; for all others it goes on by itself. */
const stops: readonly WaitReason[] = ['key', 'plan', 'moved'];

export const notableOf = (entries: readonly Entry[]): Notable[] =>
  entries.flatMap(({ uploadId, path, body }): Notable[] => {
    if (body.kind === 'queue-closed' && stops.includes(body.reason)) {
      return [{ kind: 'stopped', reason: body.reason }];
    }
    if (uploadId === null || path === null) return [];
    const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    if (givesLink(body)) return [{ kind: 'uploaded', uploadId, name }];
    if (body.kind === 'waiting' && body.reason === 'grace') return [{ kind: 'grace', uploadId, name }];
    if (body.kind === 'recalled') return [{ kind: body.dead ? 'recalled' : 'alive', uploadId, name }];
    if (body.kind === 'failed') return [{ kind: 'failed', uploadId, name }];
    // An uncertain upload is looked for first and is held only when looking did not help.
    return body.kind === 'held' && body.reason !== 'uncertain' ? [{ kind: 'held', uploadId, name }] : [];
  });

/** At most one per kind, the one that needs the user last, so that it stays on top. `copied`: links lie on the clipboard. */
export const notificationsFor = (
  notable: readonly Notable[],
  copied: boolean,
  say: Say,
): NotificationText[] => {
  const told: NotificationText[] = [];
  const uploaded = idsOf(notable, 'uploaded');
  // What failed first and went up later in the same burst is not worth one any more.
  for (const kind of ['recalled', 'uploaded', 'grace', 'failed', 'held', 'alive'] as const) {
    const isLater = kind === 'failed' || kind === 'held' || kind === 'grace';
    const ids = idsOf(notable, kind).filter((id) => !isLater || !uploaded.includes(id));
    const first = notable.find((one) => one.kind === kind && one.uploadId === ids[0]);
    if (first === undefined || first.kind === 'stopped') continue;
    const values = { count: ids.length, name: plainName(first.name) };
    told.push(
      kind === 'uploaded'
        ? {
            title: say('notify.uploaded', values),
            body: say(copied ? 'notify.copiedText' : 'notify.uploadedText', values),
            click: { kind: 'copy-links', uploadIds: ids },
          }
        : kind === 'grace'
          ? {
              title: say('notify.grace', values),
              body: say('notify.graceText'),
              click: { kind: 'cancel', uploadIds: ids },
            }
          : { title: say(`notify.${kind}`, values), body: '', click: { kind: 'show-queue' } },
    );
  }
  const stopped = notable.findLast((one) => one.kind === 'stopped');
  if (stopped !== undefined) {
    const body = say(`gate.${stopped.reason}`);
    told.push({ title: say('notify.stopped'), body, click: { kind: 'show-queue' } });
  }
  return told;
};

const idsOf = (notable: readonly Notable[], kind: Notable['kind']): number[] => [
  ...new Set(notable.flatMap((one) => (one.kind === kind && one.kind !== 'stopped' ? [one.uploadId] : []))),
];
