// Files of the account and of this machine.
import { call, see, wording } from '../../../contract/text/wording.ts';
import type { FileId } from '../../../contract/text/file-id.ts';
import type { DeleteResult, ListedFile, RecallResult } from '../../../contract/answers.ts';
import type { Handlers } from '../../../contract/commands.ts';
import { AppError, isAboutOneFile, toAppError, toWire } from '../../../contract/errors.ts';
import { isTakenBack, stateRow, type RemoteFile } from '../../../contract/model.ts';
import { seenAtMs } from '../../account/copies/first-seen.ts';
import { createPagedReading } from '../../reconcile/paged-reading.ts';
import { tellingPlan } from '../../account/forbidden.ts';
import { ofAnotherAccount, type AskOne } from '../../account/copies/removal.ts';
import { joinPath } from '../../shared/paths.ts';
import { sentBytes } from '../../shared/same-content.ts';
import type { Upload } from '../../ports/uploads.ts';
import { hasEnded } from '../named/at-path.ts';
import { fileNamed, isAtPath, linksNamed, noLinkOf, told, withOrWithoutLink } from '../named/named.ts';
import { copiesOf, rowsById, type Kit } from '../kit.ts';
import {
  deletionOf,
  isAnotherNow,
  kept,
  notRecorded,
  notThere,
  nothing,
  type TakenBack,
} from './deletion.ts';
import { createLinkEnds, getsNone } from './link-ends.ts';
import { createLostFiles } from './lost-files.ts';

type Group = Pick<
  Handlers,
  | 'files.page'
  | 'files.refresh'
  | 'files.list'
  | 'files.find'
  | 'files.info'
  | 'files.delete'
  | 'files.recall'
  | 'files.expire'
  | 'files.keep'
  | 'files.remove'
  | 'files.links'
  | 'file.story'
>;

/** One refresh reads at most this many pages, so that it does not use up the requests of the day. */
const mostRefreshRequests = 500;
/** As much of a file's story as one screen shows. */
const mostVersions = 20;
const [mostHistory, mostCounts] = [50, 30];
/** The details of a zip show these, and count the rest. */
const mostInside = 200;
/** One for a look at the id, one for the deletion. */
const requestsOfRecall = 2;

export const filesHandlers = (kit: Kit): Group => {
  const { ports, accountList } = kit;
  const { ask } = kit.service;
  const { ledger, clock, api } = ports;
  const { setEnd } = createLinkEnds(kit);
  const paged = createPagedReading();

  const asked = <Answer>(signal: AbortSignal, request: Parameters<typeof ask<Answer>>[2]) =>
    tellingPlan(ask, api, signal, () => ask('user', signal, request));

  /** The user wants it gone, so no list shows it any more. */
  const leave = (fileId: FileId): void => {
    ledger.remote.markGone(fileId);
    ledger.remote.removeGone([fileId]);
  };

  /**
   * Takes back the links of these uploads, so that their files are not uploaded again by themselves either. `read` may
   * throw why there is none. Returns for each what came of it, or why it is not done.
   */
  const takeBack = async (
    reads: readonly (() => Upload)[],
    signal: AbortSignal,
    lane: 'user' | 'agent' = 'user',
  ): Promise<TakenBack[]> => {
    // All of them are recorded before the first request, so that none is lost when this process ends.
    const wanted = ledger.atomically(() => reads.map(wantedBack));
    kit.nudge();
    const ids = [...new Set(wanted.flatMap((one) => (one instanceof AppError ? [] : [one.id])))];
    const ended = await kit.recaller.finish(ids, signal, lane);
    // After this nudge, an engine in another process reports them, too.
    kit.nudge();
    return wanted.map((one) =>
      one instanceof AppError
        ? { row: null, fate: one }
        : { row: one, fate: ended[ids.indexOf(one.id)] ?? notRecorded() },
    );
  };
  const wantedBack = (read: () => Upload): Upload | AppError => {
    try {
      return kit.recaller.want(read());
    } catch (caught) {
      const error = toAppError(caught);
      // What cannot be written is said of all: none of them is recorded.
      if (error.storage !== undefined) throw error;
      return error;
    }
  };

  /** Files of other machines whose DELETE has not left. */
  const toRemove = new Set<FileId>();
  /**
   * A file that no upload here has; null: a person wants to keep it. By a bare id only if none had it before: the id of our
   * file may be another's now.
   */
  const removeOther = async (
    fileId: FileId,
    isByLink: boolean,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const { removal } = kit.service;
    const shown = ledger.remote.byId(fileId);
    const accountId = ledger.accounts.present();
    const former = isByLink ? null : ledger.uploads.formerOf(fileId);
    if (former !== null) throw isAnotherNow(fileId, joinPath(former.dir, former.name));
    const copy = { accountId, fileId, publicLink: shown?.public_link ?? null };
    const asking: AskOne = (request) => tellingPlan(ask, api, signal, () => ask('user', signal, request));
    const seen = await removal.see(copy, asking);
    if (seen.kind === 'gone') throw notThere();
    if (seen.kind === 'another') throw isAnotherNow(fileId, shown?.filename ?? String(fileId));
    const removed = await removal.remove(copy, seen, asking, () => toRemove.delete(fileId));
    if (removed.kind === 'kept') return null;
    if (removed.kind === 'deleted') return removed.message;
    throw removed.kind === 'refused' ? removed.error : notThere();
  };

  /** What its last entry says of a row that was taken back. */
  const recalled = (row: Upload): RecallResult['recalled'] => {
    if (row.state.kind !== 'recalled') return null;
    const told = ledger.entries
      .ofUpload(row.id, mostHistory)
      .findLast(({ body }) => body.kind === 'recalled');
    if (told?.body.kind !== 'recalled') throw notRecorded();
    const { kind: _, ...facts } = told.body;
    return facts;
  };

  const listed = <File extends RemoteFile>(file: File): File & ListedFile => {
    const row = file.file_id === undefined ? null : ledger.uploads.byFileId(file.file_id);
    return {
      ...file,
      expiresAtMs: row?.ends?.atMs ?? null,
      sentBytes: row === null ? null : sentBytes(row),
    };
  };

  const info = (fileId: FileId, accountId: number, signal: AbortSignal): Promise<RemoteFile> =>
    asked(signal, (stop, key) => {
      if (key.accountId !== accountId) throw ofAnotherAccount();
      return api.info(fileId, stop);
    });
  const tellLost = createLostFiles(kit, info);

  /**
   * Stores entries of the list. `reading`: with these it was read from `startMs` until now. `tellsIds`: every entry has
   * an id, so an own file that is not found has no entry.
   */
  const saw = async (
    files: readonly RemoteFile[],
    reading: { startMs: number; isComplete: boolean; tellsIds: boolean } | null,
    signal: AbortSignal,
  ): Promise<void> => {
    // The wall clock may have been set back while the list was read.
    const readMs = clock.wallMs();
    ledger.remote.saw(files, seenAtMs(ports));
    if (reading === null) return;
    const { startMs, isComplete, tellsIds } = reading;
    if (isComplete && tellsIds) await tellLost(Math.min(startMs, readMs), signal);
    const nowMs = clock.wallMs();
    ledger.atomically(() => {
      if (isComplete) ledger.facts.set('list-seen', { complete: true }, nowMs);
      ledger.facts.set('readings', (ledger.facts.get('readings')?.value ?? 0) + 1, nowMs);
    });
    kit.feed.filesChanged();
    kit.watchedLinks.wake();
  };

  return {
    'files.page'({ folder, ...query }) {
      const row = folder === null ? null : ledger.folders.byPath(folder);
      if (folder !== null && row === null)
        throw new AppError('not-found', `${folder} is not watched.`, see('folders'));
      const page = ledger.views.page({ ...query, folderId: row?.id });
      const asOfMs = ledger.facts.get('list-seen')?.atMs ?? null;
      return { ...page, asOfMs, accountId: ledger.accounts.present() };
    },
    async 'files.refresh'(_, signal) {
      const startMs = clock.wallMs();
      const pass = await accountList.pass({ lane: 'user', signal, most: mostRefreshRequests });
      const tellsIds = pass.files.every((file) => file.file_id !== undefined);
      await saw(pass.files, { startMs, isComplete: pass.isComplete, tellsIds }, signal);
      return { requests: pass.requests, total: pass.total };
    },
    async 'files.list'({ page, limit }, signal) {
      const query = { ...(page === undefined ? {} : { page }), ...(limit === undefined ? {} : { limit }) };
      paged.allow({ page, limit });
      const startMs = clock.wallMs();
      const answer = await asked(signal, (stop) => api.list(query, stop));
      await saw(answer.files, paged.add({ page, limit, startMs }, answer), signal);
      return { ...answer, files: answer.files.map(listed) };
    },
    'files.find': ({ files, use }) =>
      Promise.all(
        files.map(async (file) => {
          try {
            if (use === 'path' && 'path' in file && (await isAtPath(kit, file, use)))
              return { uploadId: null, fileId: null, path: file.path, error: null };
            const { row, fileId } = await fileNamed(kit, file, use);
            if (use === 'service' && row?.publicLink === null) throw noLinkOf(row);
            const path = row === null ? null : joinPath(row.dir, row.name);
            return { uploadId: row?.id ?? null, fileId, path, error: null };
          } catch (caught) {
            return { uploadId: null, ...told(file), error: toWire(caught) };
          }
        }),
      ),
    async 'files.info'({ fileId, accountId = ledger.accounts.present() }, signal) {
      const file = await info(fileId, accountId, signal);
      ledger.remote.saw([file], seenAtMs(ports));
      const row = ledger.uploads.byFileId(fileId);
      const copies = row === null ? [] : copiesOf(ports, row);
      return copies.length === 0 ? listed(file) : { ...listed(file), copies };
    },
    async 'files.delete'({ fileIds, byLink = [], accountId = ledger.accounts.present() }, signal) {
      const isShown = (): boolean => ledger.accounts.present() === accountId;
      const own = isShown() ? fileIds.flatMap((fileId) => ledger.uploads.byFileId(fileId) ?? []) : [];
      const ownIds = new Set(own.map((row) => row.fileId));
      const others = new Set(fileIds.filter((fileId) => !ownIds.has(fileId)));
      for (const fileId of others) toRemove.add(fileId);
      const taken = await takeBack(
        own.map((row) => () => row),
        signal,
      ).catch((caught: unknown) => {
        for (const fileId of others) toRemove.delete(fileId);
        throw caught;
      });
      const fates = new Map(taken.map((one, index) => [own[index]?.fileId ?? null, one]));
      /** What is wrong with the key, the plan or the network is wrong for the rest, too. */
      let stopped: AppError | null = null;
      const removeUnlessKept = async (fileId: FileId): Promise<string | null> => {
        if (!toRemove.has(fileId)) return null;
        if (stopped !== null) throw stopped;
        await kit.service.identity.prove('user', signal);
        // In another account the id is that of another file.
        if (!isShown()) throw ofAnotherAccount();
        return await removeOther(fileId, byLink.includes(fileId), signal);
      };
      const results: DeleteResult[] = [];
      for (const fileId of new Set(fileIds)) {
        const fate = fates.get(fileId);
        if (fate !== undefined) {
          results.push({ fileId, ...deletionOf(fate) });
          continue;
        }
        try {
          const message = await removeUnlessKept(fileId);
          if (message === null) {
            results.push({ fileId, ...nothing, ...kept });
            continue;
          }
          ledger.atomically(() => {
            leave(fileId);
            kit.feed.record(null, null, { kind: 'deleted', fileId });
          });
          results.push({ fileId, deleted: true, message, error: null, dead: null, goesOn: false });
        } catch (caught) {
          const error = toAppError(caught);
          if (error.code === 'not-found') leave(fileId);
          else if (!isAboutOneFile(error.code) && error.code !== 'bad-use') stopped = error;
          results.push({ fileId, ...nothing, error: toWire(error), goesOn: false });
        } finally {
          toRemove.delete(fileId);
        }
      }
      return results;
    },
    async 'files.recall'({ files, byAgent }, signal) {
      const { agentShare } = kit.service;
      if (byAgent && agentShare.left() < files.length * requestsOfRecall) throw agentShare.refusal();
      const named = await linksNamed(
        kit,
        files,
        (fileId) => wording`${call('delete', String(fileId))} deletes a file of another machine.`,
      );
      const reads = named.map(({ row }) => row);
      const taken = await takeBack(reads, signal, byAgent ? 'agent' : 'user');
      return named.map(({ file }, index): RecallResult => {
        const one = taken[index] ?? { row: null, fate: notRecorded() };
        const { row, fate } = one;
        const { error, dead } = deletionOf(one);
        return {
          ...(row === null ? told(file) : { fileId: row.fileId, path: joinPath(row.dir, row.name) }),
          recalled: fate instanceof AppError ? null : recalled(fate.row),
          error: dead === true ? null : error,
        };
      });
    },
    'files.keep'({ fileIds }) {
      const stay = ledger.atomically(() =>
        fileIds.filter((fileId) => {
          const row = ledger.uploads.byFileId(fileId);
          if (row === null) return toRemove.delete(fileId);
          const after = kit.rows.apply(row.id, { kind: 'kept' });
          return after !== 'stale' && stateRow(after.state.kind).hasLink === true;
        }),
      );
      kit.feed.filesChanged();
      kit.nudge();
      return stay;
    },
    'files.remove'({ fileIds }) {
      const removed = ledger.remote.removeGone(fileIds);
      kit.feed.filesChanged();
      return removed;
    },
    async 'files.expire'({ files, expire }) {
      const named = await linksNamed(kit, files, () => 'No end can be set for it.', withOrWithoutLink);
      const results = ledger.atomically(() =>
        named.map(({ file, row: read }) => {
          try {
            const row = read();
            if (row.publicLink === null && getsNone(row)) throw noLinkOf(row);
            const now = setEnd(row, expire);
            if (now === 'stale') throw hasEnded(joinPath(row.dir, row.name));
            const { publicLink, ends } = now;
            const expiresAtMs = ends?.atMs ?? null;
            return {
              fileId: row.fileId,
              path: joinPath(row.dir, row.name),
              publicLink,
              expiresAtMs,
              error: null,
            };
          } catch (caught) {
            return { ...told(file), publicLink: null, expiresAtMs: null, error: toWire(caught) };
          }
        }),
      );
      kit.nudge();
      return results;
    },
    'file.story'({ uploadId }) {
      rowsById(kit, [uploadId]);
      const versions = ledger.uploads.versionsOf(uploadId, mostVersions).flatMap((row) => {
        if (row.publicLink === null || row.fileId === null) return [];
        const remote = ledger.remote.byId(row.fileId);
        return {
          uploadId: row.id,
          publicLink: row.publicLink,
          uploadedAtMs: row.uploadedAtMs,
          downloads: remote?.download_count ?? null,
          isGone: remote?.gone === true,
        };
      });
      const history = ledger.entries.ofUpload(uploadId, mostHistory);
      const downloads = ledger.watched.countsOf(uploadId, mostCounts);
      const inside = ledger.bundled.inside(uploadId, mostInside);
      return {
        versions,
        history,
        follow: kit.watchedLinks.downloads.stateOf(uploadId),
        downloads,
        inside: inside.total === 0 ? null : inside,
      };
    },
    'files.links'({ uploadIds }) {
      return rowsById(kit, uploadIds)
        .toSorted((a, b) => a.id - b.id)
        .flatMap((row) =>
          row.publicLink === null || isTakenBack(row.state)
            ? []
            : [{ uploadId: row.id, name: row.name, publicLink: row.publicLink }],
        );
    },
  };
};
