// Files of the account and of this machine.
import { see } from '../../../contract/text/wording.ts';
import type { FileId } from '../../../contract/text/file-id.ts';
import type { ListedFile } from '../../../contract/answers.ts';
import type { Handlers, CommandAnswer } from '../../../contract/commands.ts';
import { AppError, toWire } from '../../../contract/errors.ts';
import { isTakenBack, type RemoteFile } from '../../../contract/model.ts';
import { firstSeenAtMs } from '../../account/copies/first-seen.ts';
import { createPagedReading } from '../../reconcile/paged-reading.ts';
import { tellingPlan } from '../../account/forbidden.ts';
import { ofAnotherAccount } from '../../account/copies/removal.ts';
import { idNow } from '../../shared/links.ts';
import { joinPath } from '../../shared/paths.ts';
import { sentBytes } from '../../shared/same-content.ts';
import { fileNamed, isAtPath, noLinkOf, whichFile } from '../named/named.ts';
import { copiesOf, rowsById, type Kit } from '../kit.ts';
import { noteReading } from './readings.ts';
import { createLostFiles } from './lost-files.ts';

/** One refresh reads at most this many pages, so that it does not use up the requests of the day. */
const mostRefreshRequests = 500;
/** As much of a file's story as one screen shows. */
const mostVersions = 20;
const [mostHistory, mostCounts] = [50, 30];
/** The details of a zip show these, and count the rest. */
const mostInside = 200;
export const filesHandlers = (kit: Kit) => {
  const { ports, accountList } = kit;
  const { ask } = kit.service;
  const { ledger, clock, api } = ports;
  const paged = createPagedReading();

  const asked = <Answer>(signal: AbortSignal, request: Parameters<typeof ask<Answer>>[2]) =>
    tellingPlan(ask, api, signal, () => ask('user', signal, request));

  const listed = <File extends RemoteFile>(file: File): File & ListedFile => {
    const { file_id: fileId } = file;
    const row = fileId === undefined ? null : ledger.uploads.byFileId(fileId);
    const learned = fileId === undefined ? null : ledger.remote.byId(fileId);
    return {
      ...file,
      expiresAtMs: row?.ends?.atMs ?? null,
      sentBytes: row === null ? (learned?.sizeBytes ?? null) : sentBytes(row),
    };
  };

  const info = (fileId: FileId, accountId: number, signal: AbortSignal): Promise<RemoteFile> =>
    asked(signal, (stop, key) => {
      if (key.accountId !== accountId) throw ofAnotherAccount();
      return api.info(fileId, stop);
    });
  const lostFiles = createLostFiles(kit);

  /**
   * Stores entries of this account's list. `reading`: with these it was read from `startMs` until now. `isProof`: nothing
   * is missing. `tellsIds`: every entry has an id, so an own file that is not found has no entry.
   */
  const saw = async (
    accountId: number,
    files: readonly RemoteFile[],
    reading: { startMs: number; isComplete: boolean; isProof: boolean; tellsIds: boolean } | null,
    signal: AbortSignal,
  ): Promise<void> => {
    // The wall clock may have been set back while the list was read.
    const readMs = clock.wallMs();
    ledger.remote.saw(accountId, files, clock.wallMs(), firstSeenAtMs(ports));
    if (reading === null) return;
    const { startMs, isComplete, isProof, tellsIds } = reading;
    if (isComplete && tellsIds)
      await lostFiles.look({ accountId, sinceMs: Math.min(startMs, readMs), isProof }, signal);
    const nowMs = clock.wallMs();
    ledger.atomically(() => {
      if (isComplete) ledger.facts.set('list-seen', { complete: true }, nowMs);
      noteReading(ledger, nowMs);
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
      const { isComplete } = pass;
      await saw(pass.accountId, pass.files, { startMs, isComplete, isProof: isComplete, tellsIds }, signal);
      return { requests: pass.requests, total: pass.total };
    },
    async 'files.list'({ page, limit }, signal) {
      const query = { ...(page === undefined ? {} : { page }), ...(limit === undefined ? {} : { limit }) };
      paged.allow({ page, limit });
      const startMs = clock.wallMs();
      const { accountId, ...answer } = await asked(signal, async (stop, key) => ({
        ...(await api.list(query, stop)),
        accountId: key.accountId,
      }));
      await saw(accountId, answer.files, paged.add({ page, limit, startMs }, answer), signal);
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
            return { uploadId: null, ...whichFile(file), error: toWire(caught) };
          }
        }),
      ),
    async 'files.info'({ fileId, accountId = ledger.accounts.present() }, signal) {
      const file = await info(fileId, accountId, signal);
      ledger.remote.saw(accountId, [file], clock.wallMs(), firstSeenAtMs(ports));
      const row = ledger.uploads.byFileId(fileId);
      const copies = row === null ? [] : copiesOf(ports, row);
      return copies.length === 0 ? listed(file) : { ...listed(file), copies };
    },
    'files.remove'({ fileIds }) {
      const removed = ledger.remote.removeGone(fileIds);
      kit.feed.filesChanged();
      return removed;
    },
    'file.story': ({ uploadId }) => storyOf(kit, uploadId),
    'files.links'({ uploadIds }) {
      return rowsById(kit, uploadIds)
        .toSorted((a, b) => a.id - b.id)
        .flatMap((row) =>
          row.publicLink === null || isTakenBack(row.state)
            ? []
            : [{ uploadId: row.id, name: row.name, publicLink: row.publicLink }],
        );
    },
  } satisfies Partial<Handlers>;
};

const storyOf = (kit: Kit, uploadId: number): CommandAnswer<'file.story'> => {
  const { ledger } = kit.ports;
  rowsById(kit, [uploadId]);
  const versions = ledger.uploads.versionsOf(uploadId, mostVersions).flatMap((row) => {
    if (row.publicLink === null || row.fileId === null) return [];
    const fileId = idNow(ledger, row);
    const remote = fileId === null ? null : ledger.remote.byId(fileId);
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
};
