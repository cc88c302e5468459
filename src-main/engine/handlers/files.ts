// Files of the account and of this machine.
import type { DeleteResult, Handlers } from '../../contract/commands.ts';
import { toAppError, toWire } from '../../contract/errors.ts';
import { requireRight } from '../../contract/rights.ts';
import { seenAtMs } from '../reconcile/first-seen.ts';
import { tellingPlan } from '../account/forbidden.ts';
import { copiesOf, rowsById, type Kit } from './kit.ts';

type Group = Pick<
  Handlers,
  | 'files.page'
  | 'files.refresh'
  | 'files.list'
  | 'files.info'
  | 'files.delete'
  | 'files.remove'
  | 'files.upload'
  | 'files.links'
  | 'file.story'
>;

/** Pages of one refresh: the day budget, not the list, is what must not run out. */
const mostRefreshRequests = 500;
/** As much of a file's story as one screen shows. */
const mostVersions = 20;
const mostHistory = 50;

export const filesHandlers = (kit: Kit): Group => {
  const { ports, accountList } = kit;
  const { ask } = kit.service;
  const { ledger, clock, api } = ports;

  const asked = <Answer>(signal: AbortSignal, request: (stop: AbortSignal) => Promise<Answer>) =>
    tellingPlan(ask, api, signal, () => ask('user', signal, request));

  /** The user wants it gone, so no list goes on showing it. */
  const leave = (fileId: number): void => {
    ledger.remote.markGone(fileId);
    ledger.remote.removeGone([fileId]);
  };

  /** The start of the first upload within the last `ms`, in the wall time of that moment. A clock jump adds no age. */
  const earliestWithin = (ms: number): number | null => {
    const first = kit.service.limiter.firstWithin(ms);
    return first === null ? null : ledger.attempts.earliestSince(first);
  };

  return {
    'files.page'(query) {
      const page = ledger.uploads.page(query);
      return { ...page, asOfMs: ledger.facts.get('list-seen')?.atMs ?? null };
    },
    async 'files.refresh'(_, signal) {
      const startMs = clock.wallMs();
      const pass = await accountList.pass({ lane: 'user', signal, most: mostRefreshRequests });
      ledger.atomically(() => {
        const nowMs = clock.wallMs();
        ledger.remote.saw(pass.files, seenAtMs(ports));
        // The wall clock may have been set back while the list was read.
        const sinceMs = Math.min(startMs, nowMs);
        // A very new file may be missing only because the list is slow (upload-protocol.md, Looking).
        const slowestMs = ports.settings.current().reconcileAfterMs;
        const knownBeforeMs = Math.min(sinceMs - slowestMs, earliestWithin(slowestMs) ?? Infinity);
        if (pass.isComplete) ledger.remote.markUnseenGone(sinceMs, knownBeforeMs);
        ledger.facts.set('list-seen', { complete: pass.isComplete }, nowMs);
        ledger.facts.set('readings', (ledger.facts.get('readings')?.value ?? 0) + 1, nowMs);
      });
      kit.feed.statusChanged();
      return { requests: pass.requests, total: pass.total ?? pass.files.length };
    },
    async 'files.list'({ page, limit }, signal) {
      const query = { ...(page === undefined ? {} : { page }), ...(limit === undefined ? {} : { limit }) };
      const answer = await asked(signal, (stop) => api.list(query, stop));
      ledger.remote.saw(answer.files, seenAtMs(ports));
      return answer;
    },
    async 'files.info'({ fileId }, signal) {
      const file = await asked(signal, (stop) => api.info(fileId, stop));
      ledger.remote.saw([file], seenAtMs(ports));
      const row = ledger.uploads.byFileId(fileId);
      const copies = row === null ? [] : copiesOf(ports, row);
      return copies.length === 0 ? file : { ...file, copies };
    },
    async 'files.delete'({ fileIds }, signal) {
      // Ids of another service would name other files.
      if (!kit.service.identity.holds()) await kit.service.identity.prove(signal);
      const results: DeleteResult[] = [];
      for (const fileId of fileIds) {
        try {
          const { message } = await asked(signal, (stop) => api.remove(fileId, stop));
          ledger.atomically(() => {
            leave(fileId);
            kit.feed.record(ledger.uploads.byFileId(fileId)?.id ?? null, null, { kind: 'deleted', fileId });
          });
          results.push({ fileId, deleted: true, message, error: null });
        } catch (caught) {
          const error = toAppError(caught);
          if (error.code === 'not-found') leave(fileId);
          results.push({ fileId, deleted: false, message: null, error: toWire(error) });
          // What is wrong with the key, the plan or the network is wrong for the rest too.
          if (error.code !== 'not-found' && error.code !== 'refused') break;
        }
      }
      return results;
    },
    'files.remove': ({ fileIds }) => ledger.remote.removeGone(fileIds),
    async 'files.upload'({ paths, again }) {
      requireRight(ports.settings, 'allowGivenFiles');
      const rows = await kit.discovery.addByHand(paths, again);
      kit.nudge();
      return rows.map((row) => kit.view(row));
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
      return { versions, history: ledger.entries.ofUpload(uploadId, mostHistory) };
    },
    'files.links'({ uploadIds }) {
      return rowsById(kit, uploadIds)
        .toSorted((a, b) => a.id - b.id)
        .flatMap((row) =>
          row.publicLink === null ? [] : [{ uploadId: row.id, name: row.name, publicLink: row.publicLink }],
        );
    },
  };
};
