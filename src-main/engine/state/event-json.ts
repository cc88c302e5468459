// Entries of the ledger as the events that `upload` and `watch` print.
import type { Entry, EntryBody, Progress } from '../../contract/entries.ts';
import { unreachable } from '../../contract/errors.ts';
import { linkStateOf } from '../../contract/files/taken-back.ts';
import type { Ledger } from '../ports/ledger.ts';
import { completed, fileJson, type KnownFile } from './file-json.ts';

/** `path` null: it is about no file. */
export type Event = { event: string; at: string; path: string | null } & Record<string, unknown>;
type Tables = Pick<Ledger, 'accounts' | 'uploads' | 'remote'>;

const iso = (atMs: number): string => new Date(atMs).toISOString();

const noLink = { file_id: null, public_link: null, uploadedAt: null, expiresAt: null, downloads: null };

/** Null for entries that are not printed as an event. */
export const eventOf = (ledger: Tables, { atMs, path, body, uploadId }: Entry): Event | null => {
  const about = (told: KnownFile) =>
    path === null && uploadId === null
      ? { path: null }
      : fileJson(completed(ledger, { uploadId, path, ...told }));
  const head = (event: string, told: KnownFile = {}) => ({ event, at: iso(atMs), ...about(told) });
  /** For a file that had no link at that time. It may have one by the time this is printed. */
  const before = (event: string, told?: KnownFile) => ({
    ...head(event, told),
    ...(path === null ? {} : noLink),
  });
  switch (body.kind) {
    case 'queued':
      return before('queued', body);
    case 'uploading':
      return before('uploading');
    case 'uploaded':
      return {
        ...head('uploaded', body),
        new: body.wasThere !== true,
        // As the service reported it.
        size: body.size,
        ...(body.withoutLocation === true ? { withoutLocation: true } : {}),
      };
    case 'waiting':
    case 'queue-closed':
      return {
        ...before('waiting'),
        reason: body.reason,
        until: body.untilMs === null ? null : iso(body.untilMs),
        ...(body.kind === 'waiting' && body.written !== undefined ? { written: body.written } : {}),
        ...(body.kind === 'queue-closed' ? { message: body.message, remedy: body.remedy } : {}),
      };
    case 'held':
      return {
        ...before('held'),
        reason: body.reason,
        ...(body.removable === undefined ? {} : { removable: body.removable }),
        ...(body.rule === undefined ? {} : { rule: body.rule, line: body.line ?? null }),
        ...(body.message === undefined ? {} : { message: body.message }),
        ...(body.untilMs === undefined ? {} : { until: iso(body.untilMs) }),
      };
    case 'skipped':
      return {
        ...head('skipped', body),
        rule: body.rule,
        ...(body.pattern === undefined ? {} : { pattern: body.pattern }),
      };
    case 'unwanted':
      return head('unwanted', body);
    case 'recalled':
      return { ...head('recalled', body), ...recalledFields(body) };
    case 'failed':
      return { ...before('failed'), code: body.code, message: body.message, remedy: body.remedy };
    case 'expired':
      return {
        ...head('expired'),
        files: body.files,
        alive: body.alive,
        answers: body.answers ?? 0,
        lateSeconds: Math.round(body.lateMs / 1000),
      };
    case 'lost':
      return head('lost', body);
    case 'verified':
      return {
        ...head('verified', body),
        ok: body.reason === null,
        reason: body.reason,
      };
    case 'downloaded':
      return head('downloaded', body);
    case 'downloads':
      return {
        ...head('downloads'),
        links: body.links,
        downloads: body.downloads,
        files: body.files.map((file) => fileJson(completed(ledger, file))),
      };
    case 'confirmed':
    case 'follow-set':
    case 'expiry-set':
    case 'moved':
    case 'program-failed':
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

/** The fields of a recall beside those of the file. */
export const recalledFields = (body: Omit<Extract<EntryBody, { kind: 'recalled' }>, 'kind'>) => ({
  publicSeconds: body.publicSeconds,
  dead: body.dead,
  linkState: linkStateOf(body),
  ...(body.againAtMs === undefined ? {} : { againAt: iso(body.againAtMs) }),
  ...(body.lateMs === undefined ? {} : { reason: 'expired', lateSeconds: Math.round(body.lateMs / 1000) }),
});

export const progressEvent = (ledger: Tables, progress: Progress, atMs: number): Event => ({
  event: 'progress',
  at: iso(atMs),
  ...fileJson(completed(ledger, { uploadId: progress.uploadId, path: progress.path })),
  sentBytes: progress.sentBytes,
  totalBytes: progress.totalBytes,
  ...(progress.sentBytes === progress.totalBytes ? { storing: true } : {}),
});
