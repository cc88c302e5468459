// Links that a person or an agent takes back, lets end or keeps, and files of other machines that are deleted.
import { call, wording } from '../../../contract/text/wording.ts';
import type { FileId } from '../../../contract/text/file-id.ts';
import type { DeleteResult, RecallResult } from '../../../contract/answers.ts';
import type { Handlers } from '../../../contract/commands.ts';
import { AppError, isAboutOneFile, toAppError, toWire } from '../../../contract/errors.ts';
import { stateRow } from '../../../contract/model.ts';
import { tellingPlan } from '../../account/forbidden.ts';
import { createLinkEnds, getsNone } from '../../account/link-ends.ts';
import { ofAnotherAccount, type AskOne } from '../../account/copies/removal.ts';
import { idNow } from '../../shared/links.ts';
import { joinPath } from '../../shared/paths.ts';
import type { Upload } from '../../ports/uploads.ts';
import type { Ended } from '../../recall/rounds.ts';
import { hasEnded } from '../named/at-path.ts';
import { linksNamed, noLinkOf, whichFile, withOrWithoutLink } from '../named/named.ts';
import type { Kit } from '../kit.ts';
import {
  deletionOf,
  isAnotherNow,
  kept,
  notRecorded,
  notThere,
  nothing,
  type TakenBack,
} from './deletion.ts';

/** Entries of one upload that are looked through. */
const mostEntries = 50;
/** One for a look at the id, one for the deletion. */
const requestsOfRecall = 2;

export const takeBackHandlers = (kit: Kit) => {
  const { ports } = kit;
  const { ledger } = ports;
  const { setEnd } = createLinkEnds(kit, kit.service.expiry, kit.discovery.choice.folderOf);

  /** Files of other machines whose DELETE has not left. */
  const toRemove = new Set<FileId>();
  return {
    async 'files.delete'({ fileIds, byLink = [], accountId = ledger.accounts.present() }, signal) {
      const isShown = (): boolean => ledger.accounts.present() === accountId;
      const own = isShown() ? fileIds.flatMap((fileId) => ledger.uploads.byFileId(fileId) ?? []) : [];
      const ownIds = new Set(own.map((row) => row.fileId));
      const others = new Set(fileIds.filter((fileId) => !ownIds.has(fileId)));
      for (const fileId of others) toRemove.add(fileId);
      const taken = await takeBack(
        kit,
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
        return await removeOther(kit, toRemove, fileId, byLink.includes(fileId), signal);
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
            leave(ledger, accountId, fileId);
            kit.feed.record(null, null, { kind: 'deleted', fileId });
          });
          results.push({ fileId, deleted: true, message, error: null, linkState: null, goesOn: false });
        } catch (caught) {
          const error = toAppError(caught);
          if (error.code === 'not-found') leave(ledger, accountId, fileId);
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
      const taken = await takeBack(kit, reads, signal, byAgent ? 'agent' : 'user');
      return named.map(({ file }, index): RecallResult => {
        const one = taken[index] ?? { row: null, fate: notRecorded() };
        const { row, fate } = one;
        const { error, linkState } = deletionOf(one);
        return {
          ...(row === null ? whichFile(file) : fileOf(ledger, row)),
          recalled: fate instanceof AppError ? null : recalled(ledger, fate),
          // A link that is still open was looked at again: its state is the answer.
          error: linkState === 'dead' || (linkState !== null && wasTakenBack(one)) ? null : error,
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
    async 'files.expire'({ files, expire }) {
      const named = await linksNamed(kit, files, () => 'No end can be set for it.', withOrWithoutLink);
      const results = ledger.atomically(() =>
        named.map(({ file, row: read }) => {
          try {
            const row = read();
            if (row.publicLink === null && getsNone(row)) throw noLinkOf(row);
            const path = joinPath(row.dir, row.name);
            const now = setEnd(row, expire);
            if (now === 'stale') throw hasEnded(path);
            const { publicLink, ends } = now;
            return { ...fileOf(ledger, now), publicLink, expiresAtMs: ends?.atMs ?? null, error: null };
          } catch (caught) {
            return { ...whichFile(file), publicLink: null, expiresAtMs: null, error: toWire(caught) };
          }
        }),
      );
      kit.nudge();
      return results;
    },
  } satisfies Partial<Handlers>;
};

const fileOf = (ledger: Kit['ports']['ledger'], row: Upload) => ({
  fileId: idNow(ledger, row),
  path: joinPath(row.dir, row.name),
});

/** The user wants it gone, so no list shows it any more. In another account the id is that of another file. */
const leave = ({ accounts, remote }: Kit['ports']['ledger'], accountId: number, fileId: FileId): void => {
  if (accounts.present() !== accountId) return;
  remote.markGone(fileId);
  remote.removeGone([fileId]);
};

const wantedBack = (kit: Kit, read: () => Upload): Upload | AppError => {
  try {
    return kit.recaller.want(read());
  } catch (caught) {
    const error = toAppError(caught);
    // What cannot be written is said of all: none of them is recorded.
    if (error.storage !== undefined) throw error;
    return error;
  }
};

/**
 * Takes back the links of these uploads, so that their files are not uploaded again by themselves either. `read` may
 * throw why there is none. Returns for each what came of it, or why it is not done.
 */
const takeBack = async (
  kit: Kit,
  reads: readonly (() => Upload)[],
  signal: AbortSignal,
  lane: 'user' | 'agent' = 'user',
): Promise<TakenBack[]> => {
  // All of them are recorded before the first request, so that none is lost when this process ends.
  const wanted = kit.ports.ledger.atomically(() => reads.map((read) => wantedBack(kit, read)));
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

/** That the service does not have the file is no news: only its link was open. */
const wasTakenBack = ({ row }: TakenBack): boolean =>
  row?.state.kind === 'recalling' && row.state.before?.kind === 'recalled';

/** What its last entry says of a row that was taken back, with the last look at its link. */
const recalled = (
  { entries }: Kit['ports']['ledger'],
  { row, againAtMs }: Ended,
): RecallResult['recalled'] => {
  if (row.state.kind !== 'recalled') return null;
  const entry = entries.ofUpload(row.id, mostEntries).findLast(({ body }) => body.kind === 'recalled');
  if (entry?.body.kind !== 'recalled') throw notRecorded();
  const { kind: _, ...facts } = entry.body;
  const { look } = row.state;
  return { ...facts, ...(look === undefined || againAtMs === null ? {} : { look, againAtMs }) };
};

/**
 * A file that no upload here has; null: a person wants to keep it. By a bare id only if none had it before: the id of our
 * file may be another's now.
 */
const removeOther = async (
  kit: Kit,
  toRemove: Set<FileId>,
  fileId: FileId,
  isByLink: boolean,
  signal: AbortSignal,
): Promise<string | null> => {
  const { ledger, api } = kit.ports;
  const { ask, removal } = kit.service;
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
