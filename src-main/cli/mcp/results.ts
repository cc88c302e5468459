// Rows of the ledger as the tools report them. Names and messages are other people's text, so they are made printable.
import type { Wording } from '../../contract/text/wording.ts';
import type { Composed } from '../session.ts';
import { AppError, toWire, type WireError } from '../../contract/errors.ts';
import { isBusy, isTakenBack, skipRow, type FileRow, type QueueGate } from '../../contract/model.ts';
import { sentenceFor } from '../../engine/handlers/why.ts';
import type { Upload } from '../../engine/ports/uploads.ts';
import { idNow } from '../../engine/shared/links.ts';
import { linkedFileOf } from '../../engine/shared/same-content.ts';
import { splitPath } from '../../engine/shared/paths.ts';
import { printable } from '../../contract/text/printable.ts';
import {
  fileJson,
  ofFileRow,
  ofUpload,
  type FileJson,
  type KnownFile,
} from '../../engine/state/file-json.ts';
import { withoutCommands } from './plain-answers.ts';
import { isoOrNull } from '../../contract/text/formats.ts';
import { uploadEndOf } from '../uploads/upload-ends.ts';
import type { LinkResult, ToolError, ToolName, ToolOutput, UploadResult } from './shapes.ts';

const orNull = (text: string | null): string | null => (text === null ? null : printable(text));

/** A wait in the form for clients. `atMs` null: only a person ends it. */
export const retryAt = (
  atMs: number | null,
  nowMs: number,
): { retryAfterSeconds?: number; until?: string } =>
  atMs === null
    ? {}
    : {
        retryAfterSeconds: Math.max(1, Math.ceil((atMs - nowMs) / 1000)),
        until: new Date(atMs).toISOString(),
      };

/** The closed gate in the form of the status tool. */
export const closedResult = ({
  reason,
  untilMs,
  message,
  remedy,
}: Extract<QueueGate, { kind: 'closed' }>) => ({
  reason,
  until: isoOrNull(untilMs),
  message: plain(message),
  remedy: plain(remedy),
});

/** What an agent may read of it. */
const plain = (text: Wording): string => printable(withoutCommands(text));

const remedyFor = ({ code, remedy }: Pick<WireError, 'code' | 'remedy'>): string =>
  code === 'not-a-file' ? 'Name regular files, or use bundle_files for a folder.' : plain(remedy);

export const errorOf = (caught: unknown): ToolError => {
  const { code, message, remedy } = toWire(caught);
  const after = caught instanceof AppError ? (caught.retryAfterMs ?? null) : null;
  const nowMs = Date.now();
  return {
    code,
    message: plain(message),
    remedy: remedyFor({ code, remedy }),
    ...retryAt(after === null ? null : nowMs + after, nowMs),
  };
};

/** For a file without a row: it was refused, or is over the share. */
export const notStarted = (composed: Composed, path: string | null, error: ToolError): UploadResult => {
  const { code, ...rest } = error;
  return { ...toldFile(composed, { path }), ...noReason, state: 'not-started', reason: code, ...rest };
};

const noReason = { reason: null, message: null, remedy: null };

/** Names, paths and links are other people's text. */
export const toldFile = ({ spool }: Pick<Composed, 'spool'>, known: KnownFile): FileJson => {
  const file = fileJson(known);
  const filename = file.filename ?? (file.path === null ? null : splitPath(file.path).name);
  return {
    ...file,
    filename: orNull(filename),
    // The path of a file that Outtray made is of no use.
    path: file.path === null || spool.holds(splitPath(file.path).dir) ? null : printable(file.path),
    public_link: orNull(file.public_link),
  };
};

/** `stop`: why no upload can proceed. */
export const uploadResult = (composed: Composed, row: Upload, stop: AppError | null): UploadResult => {
  const { ledger } = composed;
  const { state } = row;
  const end = uploadEndOf(composed, row.id);
  const link = end?.link ?? linkedFileOf(ledger.uploads, row);
  const linked = row.sameAsId !== null && state.kind === 'skipped' ? ledger.uploads.byId(row.sameAsId) : row;
  const told = {
    ...toldFile(composed, {
      ...ofUpload(ledger, row),
      fileId: link === null || linked === null ? null : idNow(ledger, linked),
      publicLink: link?.link ?? null,
      expiresAtMs: link === null ? null : (linked?.ends?.atMs ?? null),
    }),
    ...noReason,
  };
  // The same content already has a link: for the agent, that is the link it asked for.
  if (link !== null && (end?.bucket === 'uploaded' || state.kind === 'skipped'))
    return {
      ...told,
      state: 'uploaded',
      reason: state.kind === 'skipped' && state.rule === 'already-shared' ? 'already-shared' : null,
    };
  const message = plain(sentenceFor(state, null, { gate: { kind: 'open' }, paused: false, running: true }));
  if (end === null || end.bucket === 'waiting')
    return { ...told, state: 'waiting', ...whyWaiting(composed, row, stop) };
  switch (state.kind) {
    case 'held':
    case 'uncertain': {
      const reason = state.kind === 'held' ? state.reason : 'uncertain';
      const remedy = 'A person decides, in the window of Outtray. No tool can.';
      return { ...told, state: 'held', reason, message, remedy };
    }
    case 'failed':
      return {
        ...told,
        state: 'failed',
        reason: state.code,
        message,
        remedy: plain(state.remedy),
      };
    default: {
      const reason = state.kind === 'skipped' ? state.rule : state.kind;
      const isForPerson =
        state.kind === 'skipped'
          ? skipRow(state.rule).run !== undefined
          : state.kind === 'uploaded' || isTakenBack(state);
      const remedy = isForPerson ? 'A person can upload it again, in the window of Outtray.' : null;
      return { ...told, state: end.bucket === 'failed' ? 'failed' : 'skipped', reason, message, remedy };
    }
  }
};

const whyWaiting = (composed: Composed, { state }: Upload, stop: AppError | null) => {
  const { engine, clock } = composed;
  const nowMs = clock.wallMs();
  const goesOn = 'It stays queued and is uploaded by itself; the same call shows how far it is.';
  if (stop !== null)
    return {
      reason: stop.code,
      message: plain(stop.message),
      remedy: `${plain(stop.remedy)} It stays queued.`.trim(),
      ...retryAt(stop.retryAfterMs === undefined ? null : nowMs + stop.retryAfterMs, nowMs),
    };
  const { gate } = engine.queueNow();
  if (state.kind === 'ready' && gate.kind === 'closed')
    return {
      reason: gate.reason,
      message: plain(gate.message),
      remedy: `${plain(gate.remedy)} It stays queued.`.trim(),
      ...retryAt(gate.untilMs, nowMs),
    };
  const wait = engine.wait();
  if (state.kind === 'ready' && wait !== null)
    return {
      reason: wait.why,
      message: 'Waiting: the request budget.',
      remedy: goesOn,
      ...retryAt(nowMs + wait.waitMs, nowMs),
    };
  const message = plain(sentenceFor(state, null, { gate: { kind: 'open' }, paused: false, running: true }));
  if (isBusy(state))
    return { reason: 'busy', message, remedy: goesOn, ...retryAt(state.nextLookAtMs, nowMs) };
  const reason = state.kind === 'waiting' ? state.reason : state.kind;
  return { reason, message, remedy: goesOn, ...retryAt(nowMs + 5000, nowMs) };
};

export const linkResult = (composed: Composed, row: FileRow & { publicLink: string }): LinkResult => ({
  ...toldFile(composed, ofFileRow(row)),
  filename: printable(row.name),
  public_link: printable(row.publicLink),
});

/** True when no part of the request succeeded and none will proceed by itself. */
export const isInVain = <Name extends ToolName>(name: Name, answer: ToolOutput<Name>): boolean => {
  const ends = uploadsIn(answer);
  if (name === 'upload_files' || name === 'bundle_files' || name === 'share_text')
    return ends.every(({ state }) => state !== 'uploaded' && state !== 'waiting' && state !== 'held');
  if (!('failed' in answer) || answer.failed === undefined) return false;
  const done = 'links' in answer ? answer.links : 'files' in answer ? answer.files : [];
  return Array.isArray(done) && done.length === 0;
};

const uploadsIn = (answer: object): UploadResult[] => {
  const { files, zip } = answer as Partial<ToolOutput<'upload_files'> & ToolOutput<'bundle_files'>>;
  return [...(Array.isArray(files) ? files : []), ...(zip === undefined ? [] : [zip])];
};

export type ShownLink =
  { type: 'text'; text: string } | { type: 'resource_link'; uri: string; name: string; size?: number };

/** What has become public, for clients that show links. A link of another host is text that names the host. */
export const linksIn = (answer: object, isOurs: (link: string) => boolean): ShownLink[] =>
  uploadsIn(answer).flatMap(({ state, public_link, filename, sizeBytes }): ShownLink[] => {
    if (state !== 'uploaded' || public_link === null) return [];
    const name = filename ?? public_link;
    if (!isOurs(public_link)) {
      const host = URL.parse(public_link)?.host ?? 'no host';
      return [{ type: 'text', text: `${name}: ${public_link} (another host than the service's: ${host})` }];
    }
    const size = sizeBytes === null ? {} : { size: sizeBytes };
    return [{ type: 'resource_link', uri: public_link, name, ...size }];
  });
