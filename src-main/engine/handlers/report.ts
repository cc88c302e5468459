// Reports: every link of a content, links that need a look, and everything for an export. They ask the ledger alone, so
// they are as old as the last look at the account's list. They include the time of that look.
import { call, wording } from '../../contract/text/wording.ts';
import { fileIdFrom, type FileId } from '../../contract/text/file-id.ts';
import type { Handlers } from '../../contract/commands.ts';
import { AppError } from '../../contract/errors.ts';
import {
  noReviewCounts,
  type ExportedFile,
  type Remedy,
  type Review,
  type ReviewedLink,
  type ReviewFinding,
  type ReviewKind,
} from '../../contract/report.ts';
import { headBytes } from '../inspect/content.ts';
import type { ReviewedLinks } from '../ports/ledger.ts';
import { splitPath } from '../shared/paths.ts';
import { sentContent } from '../shared/same-content.ts';
import { importHandlers } from './files/imports.ts';
import { linkedAt } from './named/at-path.ts';
import { rowsById, type Kit } from './kit.ts';

const dayMs = 24 * 3_600_000;
/** No screen shows more links of one content, and an answer needs a limit. */
const mostLinks = 10_000;
/** A link that ends within this time is listed. */
const soonMs = 7 * dayMs;
/** A link that is younger may still be on its way to people. */
const unusedMs = 7 * dayMs;
/** From this part of a limit on, the review reports it. */
const nearlyAll = 0.8;
/** This number of the largest files can make room. */
const mostLargest = 5;

export const reportHandlers = (kit: Kit) => {
  const { ports } = kit;
  const { ledger, clock } = ports;
  const { account, expiry } = kit.service;
  const { reports } = ledger;

  const asOfMs = (): number | null => ledger.facts.get('list-seen')?.atMs ?? null;

  const hashesOf = async (
    asked: { sha256: string } | { path: string } | { uploadId: number },
    signal: AbortSignal,
  ): Promise<string[]> => {
    if ('sha256' in asked) return [asked.sha256];
    if ('uploadId' in asked) {
      const [row] = rowsById(kit, [asked.uploadId]);
      return row === undefined ? [] : [row.sha256, sentContent(row).sha256].filter(isKnown);
    }
    const { path } = asked;
    const there = await contentsOf(ports, path, signal);
    if (there !== null) return there;
    const { dir, name } = splitPath(path);
    const linked = await linkedAt(kit, path);
    const known = linked === null ? [] : [linked.sha256, sentContent(linked).sha256].filter(isKnown);
    if (known.length > 0) return known;
    const last = reports.lastContentAt(dir, name, path);
    if (last !== null) return [last];
    throw new AppError(
      'not-found',
      `There is no file at ${path}, and what was there is not known here.`,
      'Check the path, or give the SHA-256 of the content.',
    );
  };

  /** If the policy lets this link live no longer, only a new upload helps. */
  const longer = ({ fileId, path, uploadedAtMs, expiresAtMs }: ReviewedLink): Remedy => {
    const ceilingMs = expiry.ceilingMs();
    return ceilingMs !== null && (expiresAtMs ?? 0) >= uploadedAtMs + ceilingMs
      ? { do: 'again', path }
      : { do: 'expire', fileId };
  };

  /** A limit that refuses all, and is none of those that the service reports, may be the total size. */
  const isFull = (): boolean => {
    const { gate } = kit.queueNow();
    return gate.kind === 'closed' && gate.reason === 'limit';
  };

  const review = (oldDays: number, limit: number): Review => {
    const nowMs = clock.wallMs();
    const soon = nowMs + soonMs;
    const oldMs = nowMs - oldDays * dayMs;
    const counts = { ...noReviewCounts };
    const findings: ReviewFinding[] = [];
    const add = (
      kind: ReviewKind,
      { total, links }: ReviewedLinks,
      remedy: (link: ReviewedLink) => Remedy,
    ): void => {
      counts[kind] += total;
      for (const { sinceMs, ...link } of links) findings.push({ kind, link, sinceMs, remedy: remedy(link) });
    };
    const recall = ({ fileId }: ReviewedLink): Remedy => ({ do: 'recall', fileId });
    const maxBytes = account.likelyMaxFileBytes();

    add('wrong', reports.wrong(limit), recall);
    add('dead', reports.openRecalls(limit), recall);
    add('dead', reports.goneButOnDisk(limit), ({ fileId }) => ({ do: 'remove', fileId }));
    add('expiring', reports.expiring(soon, limit), longer);
    add('duplicate', reports.duplicates(limit), ({ fileId }) => ({ do: 'compare', fileId }));
    add('never-downloaded', reports.neverDownloaded(Math.max(oldMs, nowMs - unusedMs), soon, limit), recall);
    add('old', reports.old(oldMs, soon, limit), recall);
    const daily = account.rules().dailyUploads;
    const used = ledger.attempts.committedSince(nowMs - dayMs);
    if (daily !== null && daily > 0 && used >= daily * nearlyAll) {
      counts['daily-uploads'] = 1;
      const quota = { used: { uploads: used, limit: daily }, remedy: { do: 'pause' } as const };
      findings.push({ kind: 'daily-uploads', link: null, sinceMs: null, ...quota });
    }
    add('total-size', isFull() ? reports.largest(1, Math.min(limit, mostLargest)) : none, recall);
    add(
      'largest-file',
      maxBytes === null ? none : reports.largest(maxBytes * nearlyAll, limit),
      ({ path }) => ({ do: 'zip', path }),
    );
    return { findings, counts, asOfMs: asOfMs() };
  };

  return {
    async 'report.copies'(input, signal) {
      const hashes = await hashesOf(input, signal);
      const links = reports.linksOf(hashes, mostLinks);
      const uncertain = reports.openWith(hashes, mostLinks);
      const [sha256] = hashes;
      if (sha256 === undefined || links.length + uncertain.length === 0)
        throw new AppError(
          'not-found',
          'No link to this content is known here.',
          wording`Another machine may have uploaded it: ${call('list', '--all')} asks the service.`,
        );
      return { sha256, links, uncertain, asOfMs: asOfMs() };
    },
    'report.review': ({ oldDays, limit }) => review(oldDays, limit),
    'report.export': ({ after, limit }) => page(ledger, after, limit),
    ...importHandlers(kit),
  } satisfies Partial<Handlers>;
};

/** Three lists, one after the other. A cursor holds the list and the position in it. */
const page = (
  { reports }: Kit['ports']['ledger'],
  after: string | null,
  limit: number,
): { files: ExportedFile[]; next: string | null } => {
  const cursor = after === null ? { list: 'uploads', id: 0, name: '' } : readCursor(after);
  if (cursor.list === 'uploads') {
    const found = reports.uploadsAfter(Number(cursor.id), limit);
    const last = found.at(-1);
    return {
      files: found.map(({ file }) => file),
      next: writeCursor(last === undefined ? { list: 'members' } : { list: 'uploads', id: last.id }),
    };
  }
  if (cursor.list === 'members') {
    const found = reports.membersAfter(Number(cursor.id), cursor.name, limit);
    const last = found.at(-1);
    return {
      files: found.map(({ file }) => file),
      next: writeCursor(
        last === undefined
          ? { list: 'others', id: -1 }
          : { list: 'members', id: last.uploadId, name: last.name },
      ),
    };
  }
  const found = reports.othersAfter(cursor.id, limit);
  const last = found.at(-1);
  return {
    files: found.map(({ file }) => file),
    next: last === undefined ? null : writeCursor({ list: 'others', id: last.fileId }),
  };
};

/** SHA-256 of the file, and of its copy without location when it has one. Null: nothing is there. */
const contentsOf = async (
  { files, inspect }: Pick<Kit['ports'], 'files' | 'inspect'>,
  path: string,
  signal: AbortSignal,
): Promise<string[] | null> => {
  const found = await files.look(path);
  if (found === null) return null;
  if (found.type !== 'file')
    throw new AppError(
      'bad-use',
      `${path} is a symbolic link or not a regular file.`,
      'Name the file itself.',
    );
  const file = await files.open(path, null);
  try {
    const photo = await inspect.photo(file, await file.head(headBytes), true);
    for await (const _ of file.pieces(signal))
      if (signal.aborted) throw new AppError('aborted', 'It was stopped; nothing has changed.');
    if (!(await file.unchanged()))
      throw new AppError('changed', `${path} changed while it was being read.`, 'Run it again.');
    const cut = photo?.cut?.sha256;
    return [await file.sha256(), ...(cut === undefined ? [] : [cut])];
  } finally {
    await file.close();
  }
};

const none: ReviewedLinks = { total: 0, links: [] };

const isKnown = (sha256: string | null): sha256 is string => sha256 !== null && sha256 !== '';

type List = 'uploads' | 'members' | 'others';
type Cursor = { list: List; id: FileId; name: string };

const writeCursor = ({ list, id = 0, name = '' }: { list: List; id?: FileId; name?: string }): string =>
  `${list}:${id}:${name}`;

const readCursor = (after: string): Cursor => {
  const [, list, id, name = ''] = /^(uploads|members|others):(-?\d{1,19}):(.*)$/s.exec(after) ?? [];
  const at = fileIdFrom(id ?? '') ?? Number(id);
  if (typeof at === 'string' ? list === 'others' : Number.isSafeInteger(at))
    for (const one of ['uploads', 'members', 'others'] as const)
      if (one === list) return { list: one, id: at, name };
  throw new AppError('bad-use', 'This page follows no page of the export.', 'Start again at the first page.');
};
