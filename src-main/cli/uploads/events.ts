// Entries of the ledger as the events that `upload` and `watch` print.
import type { Entry, EntryBody, Progress } from '../../contract/entries.ts';
import { unreachable } from '../../contract/errors.ts';
import { isoOrNull } from '../output/words.ts';

export type Event = { event: string; at: string; path: string | null } & Record<string, unknown>;

const iso = (atMs: number): string => new Date(atMs).toISOString();

/** Null for entries that are not printed as an event. */
export const eventOf = ({ atMs, path, body }: Entry): Event | null => {
  const head = (event: string) => ({ event, at: iso(atMs), path });
  switch (body.kind) {
    case 'queued':
      return { ...head('queued'), sizeBytes: body.sizeBytes };
    case 'uploading':
      return head('uploading');
    case 'uploaded':
      return {
        ...head('uploaded'),
        file_id: body.fileId,
        public_link: body.publicLink,
        size: body.size,
        filename: body.filename,
        sha256: body.sha256,
        ...(body.withoutLocation === true ? { withoutLocation: true } : {}),
        expiresAt: isoOrNull(body.expiresAtMs),
      };
    case 'waiting':
    case 'queue-closed':
      return {
        ...head('waiting'),
        reason: body.reason,
        until: body.untilMs === null ? null : iso(body.untilMs),
        ...(body.kind === 'queue-closed' ? { message: body.message, remedy: body.remedy } : {}),
      };
    case 'held':
      return {
        ...head('held'),
        reason: body.reason,
        ...(body.removable === undefined ? {} : { removable: body.removable }),
        ...(body.rule === undefined ? {} : { rule: body.rule, line: body.line ?? null }),
        ...(body.message === undefined ? {} : { message: body.message }),
        ...(body.untilMs === undefined ? {} : { until: iso(body.untilMs) }),
      };
    case 'skipped':
      return {
        ...head('skipped'),
        rule: body.rule,
        ...(body.pattern === undefined ? {} : { pattern: body.pattern }),
        ...(body.publicLink === undefined
          ? {}
          : { public_link: body.publicLink, expiresAt: isoOrNull(body.expiresAtMs ?? null) }),
      };
    case 'recalled':
      return { ...head('recalled'), ...recalledFields(body) };
    case 'failed':
      return { ...head('failed'), code: body.code, message: body.message, remedy: body.remedy };
    case 'expired':
      return {
        ...head('expired'),
        files: body.files,
        alive: body.alive,
        lateSeconds: Math.round(body.lateMs / 1000),
      };
    case 'lost':
      return { ...head('lost'), file_id: body.fileId };
    case 'verified':
      return {
        ...head('verified'),
        file_id: body.fileId,
        public_link: body.publicLink,
        ok: body.reason === null,
        reason: body.reason,
      };
    case 'downloaded':
      return {
        ...head('downloaded'),
        file_id: body.fileId,
        public_link: body.publicLink,
        downloads: body.downloads,
      };
    case 'downloads':
      return {
        ...head('downloads'),
        links: body.links,
        downloads: body.downloads,
        files: body.files.map(({ fileId, path, downloads }) => ({ file_id: fileId, path, downloads })),
      };
    case 'confirmed':
    case 'follow-set':
    case 'watch-set':
    case 'expiry-set':
    case 'moved':
    case 'gone':
    case 'deleted':
    case 'queue-opened':
    case 'folder-chosen':
    case 'folder-lost':
    case 'folder-back':
    case 'watch-degraded':
      return null;
    default:
      return unreachable(body);
  }
};

/** Under the names of the command's JSON. */
export const recalledFields = (body: Omit<Extract<EntryBody, { kind: 'recalled' }>, 'kind'>) => ({
  file_id: body.fileId,
  public_link: body.publicLink,
  publicSeconds: body.publicSeconds,
  downloads: body.downloads,
  dead: body.dead,
  ...(body.lateMs === undefined ? {} : { reason: 'expired', lateSeconds: Math.round(body.lateMs / 1000) }),
});

export const progressEvent = (progress: Progress, atMs: number): Event => ({
  event: 'progress',
  at: iso(atMs),
  path: progress.path,
  sentBytes: progress.sentBytes,
  totalBytes: progress.totalBytes,
  ...(progress.sentBytes === progress.totalBytes ? { storing: true } : {}),
});
