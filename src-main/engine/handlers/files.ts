// Files of the account and of this machine.
import { command, see } from '../../contract/text/command-text.ts';
import type { Named } from '../../contract/text/named-file.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import type { DeleteResult, Handlers, ListedFile, RecallResult } from '../../contract/commands.ts';
import { AppError, toAppError, toWire, type WireError } from '../../contract/errors.ts';
import type { ExpireWish } from '../../contract/expiry.ts';
import { fateOf, isTakenBack, type RemoteFile } from '../../contract/model.ts';
import { requireRight } from '../../contract/rights.ts';
import { liesIn } from '../candidate/allowance.ts';
import { isKeptFromAgents, type ByAgent } from '../discover/given-by-path.ts';
import { folderOf, zipNameIn } from '../plan/burst.ts';
import { seenAtMs } from '../reconcile/first-seen.ts';
import { createPagedReading } from '../reconcile/paged-reading.ts';
import { tellingPlan } from '../account/forbidden.ts';
import { joinPath, splitPath } from '../shared/paths.ts';
import { createPackings, lostZip, packBundle, type Bundle } from '../upload/bundle.ts';
import { membersOf } from '../upload/bundle-members.ts';
import { noLinks, type Files, type Upload } from '../ports.ts';
import { hasEnded } from './named/at-path.ts';
import { fileNamed, isAtPath, linksNamed, noLinkOf, told } from './named/named.ts';
import { copiesOf, rowsById, type Kit } from './kit.ts';

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
  | 'files.remove'
  | 'files.upload'
  | 'files.bundle'
  | 'files.stopPacking'
  | 'files.links'
  | 'file.story'
  | 'queue.zip'
>;

/** Pages of one refresh: the day budget, not the list, is what must not run out. */
const mostRefreshRequests = 500;
/** As much of a file's story as one screen shows. */
const mostVersions = 20;
const mostHistory = 50;
const mostCounts = 30;
/** The details of a zip show these, and count the rest. */
const mostInside = 200;

export const filesHandlers = (kit: Kit): Group => {
  const { ports, accountList } = kit;
  const { ask, expiry } = kit.service;
  const { ledger, clock, api } = ports;
  const packings = createPackings(kit.feed);
  const paged = createPagedReading();

  const asked = <Answer>(signal: AbortSignal, request: (stop: AbortSignal) => Promise<Answer>) =>
    tellingPlan(ask, api, signal, () => ask('user', signal, request));

  /** The user wants it gone, so no list goes on showing it. */
  const leave = (fileId: FileId): void => {
    ledger.remote.markGone(fileId);
    ledger.remote.removeGone([fileId]);
  };

  /** The start of the first upload within the last `ms`, in the wall time of that moment. A clock jump adds no age. */
  const earliestWithin = (ms: number): number | null => {
    const first = kit.service.limiter.firstWithin(ms);
    return first === null ? null : ledger.attempts.earliestSince(first);
  };

  /** Our own file: its link is taken back, so that it does not go up again by itself. */
  const takeBack = (row: Upload, signal: AbortSignal) => {
    kit.recaller.want(row);
    kit.nudge();
    return finish(row, false, signal);
  };

  /** An engine of another process then tells of it, too. */
  const finish = async (row: Upload, isCounted: boolean, signal: AbortSignal) => {
    const ended = await kit.recaller.finish(row.id, isCounted, signal);
    kit.nudge();
    return ended;
  };

  type Wanted = { fileId: FileId | null; path: string | null; row: Upload | null; error: WireError | null };
  const wantedBack = ({ file, row: read }: { file: Named; row: () => Upload }): Wanted => {
    try {
      const row = read();
      kit.recaller.want(row);
      return { fileId: row.fileId, path: joinPath(row.dir, row.name), row, error: null };
    } catch (caught) {
      return { ...told(file), row: null, error: toWire(caught) };
    }
  };

  const recall = async (row: Upload, signal: AbortSignal): Promise<RecallResult['recalled']> => {
    await finish(row, true, signal);
    const told = ledger.entries
      .ofUpload(row.id, mostHistory)
      .findLast(({ body }) => body.kind === 'recalled');
    if (told?.body.kind !== 'recalled') throw new AppError('internal', 'The recall was not recorded.');
    const { kind: _, ...recalled } = told.body;
    return recalled;
  };

  const listed = <File extends RemoteFile>(file: File): File & ListedFile => {
    const row = file.file_id === undefined ? null : ledger.uploads.byFileId(file.file_id);
    return { ...file, expiresAtMs: row?.ends?.atMs ?? null };
  };

  /** Our links that the service has ended by itself, or another machine or person. */
  const tellLost = (fileIds: readonly FileId[]): void => {
    for (const fileId of fileIds) {
      const row = ledger.uploads.byFileId(fileId);
      if (row !== null && !isTakenBack(row.state))
        kit.feed.record(row.id, joinPath(row.dir, row.name), { kind: 'lost', fileId });
    }
  };

  /**
   * Stores entries of the list. `reading`: with these it was read from `startMs` until now. `tellsIds`: every entry has
   * an id, so that one of our files that is missing is no entry.
   */
  const saw = (
    files: readonly RemoteFile[],
    reading: { startMs: number; isComplete: boolean; tellsIds: boolean } | null,
  ): void => {
    ledger.atomically(() => {
      const nowMs = clock.wallMs();
      ledger.remote.saw(files, seenAtMs(ports));
      if (reading === null) return;
      if (reading.isComplete) {
        // The wall clock may have been set back while the list was read.
        const sinceMs = Math.min(reading.startMs, nowMs);
        // A very new file may be missing only because the list is slow (upload-protocol.md, Looking).
        const slowestMs = ports.settings.current().reconcileAfterMs;
        const knownBeforeMs = Math.min(sinceMs - slowestMs, earliestWithin(slowestMs) ?? Infinity);
        if (reading.tellsIds) tellLost(ledger.remote.markUnseenGone(sinceMs, knownBeforeMs));
        ledger.facts.set('list-seen', { complete: true }, nowMs);
      }
      ledger.facts.set('readings', (ledger.facts.get('readings')?.value ?? 0) + 1, nowMs);
    });
    if (reading === null) return;
    kit.feed.filesChanged();
    kit.follower.wake();
  };

  /** In a transaction. 'stale': its link is being taken back, or was. */
  const setEnd = (row: Upload, wish: ExpireWish): Upload | 'stale' => {
    const ends = row.publicLink === null ? null : expiry.wanted(wish, row.uploadedAtMs ?? row.createdAtMs);
    return kit.rows.apply(row.id, { kind: 'expire', wish, ends });
  };

  /** An agent never lets a link live longer than a person wants it, or than it asked for before. */
  const setEndByAgent = (row: Upload, wish: ExpireWish): Upload | 'stale' => {
    if (row.publicLink === null) return row.expireWish === null ? setEnd(row, wish) : row;
    const ends = expiry.wanted(wish, row.uploadedAtMs ?? row.createdAtMs);
    const isEarlier = ends !== null && ends.atMs < (row.ends?.atMs ?? Infinity);
    return isEarlier ? setEnd(row, wish) : row;
  };

  /** Throws `outside` for a file that only a person may share again. */
  const requireShareable = async (packed: Bundle['files'], agent: ByAgent): Promise<void> => {
    for (const file of packed)
      if (await isKeptFromAgents(ports, kit.discovery.choice.folderIdOf, file, agent))
        throw new AppError(
          'outside',
          `A person left ${file.path} out, or took its link back.`,
          `Nothing is uploaded. A person shares it by ${command('upload')}, or in the window.`,
        );
  };

  /** Packs them and records the zip. `andThen`: what else is asked for, in the same transaction. */
  const bundle = async (
    {
      paths,
      name,
      from = null,
      packing,
    }: { paths: readonly string[]; name: string | null; from?: string | null; packing?: number | undefined },
    signal: AbortSignal,
    {
      again,
      agent,
      andThen,
    }: { again: boolean; agent: ByAgent | null; andThen: (row: Upload, packed: Bundle) => Upload | 'stale' },
  ) => {
    const mostBytes = Math.min(
      kit.service.account.maxFileSizeBytes() ?? Infinity,
      ports.settings.current().maxFileBytes ?? Infinity,
    );
    const root = agent === null ? null : noLinks;
    const packed = await packings.run(packing, signal, (stop, tell) =>
      packBundle(ports, { paths, name, from, mostBytes, root, tell }, stop),
    );
    const record = (given: Upload): Upload => {
      ledger.bundled.add(given.id, packed.files);
      ledger.run.weigh(given.id, packed.files.length);
      const wished = andThen(given, packed);
      const recorded = wished === 'stale' ? given : wished;
      if (packed.held === null) return recorded;
      // It needs no time to settle: it was looked into when it was packed, and no other program writes to the spool.
      const { id, stamp } = recorded;
      const held = kit.rows.apply(id, { kind: 'settled', stamp, ...packed.held });
      return held === 'stale' ? recorded : held;
    };
    const door = agent === null ? 'zip' : 'agent';
    const asked = { again, door, agent, andThen: record } as const;
    const given = agent === null ? Promise.resolve() : requireShareable(packed.files, agent);
    const added = given.then(() => kit.discovery.addByHand([packed.path], asked));
    const recorded = added.then(([taken]) => {
      if (taken === undefined || taken.row === null) throw lostZip(packed.path);
      return taken.row;
    });
    const row = await recorded.catch(async (error: unknown) => {
      await ports.spool.remove(splitPath(packed.path).dir);
      throw error;
    });
    kit.nudge();
    return { ...packed, row };
  };

  return {
    'files.page'({ folder, ...query }) {
      const row = folder === null ? null : ledger.folders.byPath(folder);
      if (folder !== null && row === null)
        throw new AppError('not-found', `${folder} is not watched.`, see('folders'));
      const page = ledger.uploads.page({ ...query, folderId: row?.id });
      return { ...page, asOfMs: ledger.facts.get('list-seen')?.atMs ?? null };
    },
    async 'files.refresh'(_, signal) {
      const startMs = clock.wallMs();
      const pass = await accountList.pass({ lane: 'user', signal, most: mostRefreshRequests });
      const tellsIds = pass.files.every((file) => file.file_id !== undefined);
      saw(pass.files, { startMs, isComplete: pass.isComplete, tellsIds });
      return { requests: pass.requests, total: pass.total ?? pass.files.length };
    },
    async 'files.list'({ page, limit }, signal) {
      const query = { ...(page === undefined ? {} : { page }), ...(limit === undefined ? {} : { limit }) };
      paged.allow({ page, limit });
      const startMs = clock.wallMs();
      const answer = await asked(signal, (stop) => api.list(query, stop));
      saw(answer.files, paged.add({ page, limit, startMs }, answer));
      return { ...answer, files: answer.files.map(listed) };
    },
    'files.find': ({ files, use }) =>
      Promise.all(
        files.map(async (file) => {
          try {
            if (use === 'path' && 'path' in file && (await isAtPath(kit, file)))
              return { uploadId: null, fileId: null, path: file.path, error: null };
            const { row, fileId } = await fileNamed(kit, file, use);
            if (use === 'service' && row?.fileId === null) throw noLinkOf(row);
            const path = row === null ? null : joinPath(row.dir, row.name);
            return { uploadId: row?.id ?? null, fileId, path, error: null };
          } catch (caught) {
            return { uploadId: null, ...told(file), error: toWire(caught) };
          }
        }),
      ),
    async 'files.info'({ fileId }, signal) {
      const file = await asked(signal, (stop) => api.info(fileId, stop));
      saw([file], null);
      const row = ledger.uploads.byFileId(fileId);
      const copies = row === null ? [] : copiesOf(ports, row);
      return copies.length === 0 ? listed(file) : { ...listed(file), copies };
    },
    async 'files.delete'({ fileIds }, signal) {
      // Ids of another service would name other files.
      if (!kit.service.identity.holds()) await kit.service.identity.prove(signal);
      const results: DeleteResult[] = [];
      for (const fileId of fileIds) {
        const ours = ledger.uploads.byFileId(fileId);
        try {
          if (ours !== null) {
            const { row, message, refusal } = await takeBack(ours, signal);
            const dead = row.state.kind === 'recalled' && row.state.dead;
            const error = refusal === null ? null : toWire(refusal);
            results.push({ fileId, deleted: dead || refusal === null, message, error, dead, goesOn: false });
            continue;
          }
          const { message } = await asked(signal, (stop) => api.remove(fileId, stop));
          ledger.atomically(() => {
            leave(fileId);
            kit.feed.record(null, null, { kind: 'deleted', fileId });
          });
          results.push({ fileId, deleted: true, message, error: null, dead: null, goesOn: false });
        } catch (caught) {
          const error = toAppError(caught);
          if (error.code === 'not-found') leave(fileId);
          // The wish to take back our link is recorded, if the ledger can be written.
          const goesOn = ours !== null && error.storage === undefined;
          const told = toWire(goesOn ? recalledLater(error) : error);
          results.push({ fileId, deleted: false, message: null, error: told, dead: null, goesOn });
          // What is wrong with the key, the plan or the network is wrong for the rest too.
          if (error.code !== 'not-found' && error.code !== 'refused') break;
        }
      }
      return results;
    },
    async 'files.recall'({ files }, signal) {
      // Ids of another service would name other files.
      if (!kit.service.identity.holds()) await kit.service.identity.prove(signal);
      const named = await linksNamed(
        kit,
        files,
        (fileId) => `${command('delete', String(fileId))} deletes a file of another machine.`,
      );
      // All of them are recorded before the first request, so that none is lost when this process ends.
      const wanted = ledger.atomically(() => named.map(wantedBack));
      kit.nudge();
      const results: RecallResult[] = [];
      let stopped: WireError | null = null;
      for (const { fileId, path, row, error: refused } of wanted) {
        let error: WireError | null = refused ?? stopped;
        let recalled: RecallResult['recalled'] = null;
        try {
          if (row !== null && error === null) recalled = await recall(row, signal);
        } catch (caught) {
          error = toWire(recalledLater(caught));
          // What is wrong with the key, the plan or the network is wrong for the rest too.
          stopped = error;
        }
        results.push({ fileId, path, recalled, error });
      }
      return results;
    },
    'files.remove'({ fileIds }) {
      const removed = ledger.remote.removeGone(fileIds);
      kit.feed.filesChanged();
      return removed;
    },
    async 'files.expire'({ files, expire }) {
      const named = await linksNamed(kit, files, () => 'No end can be set for it.');
      const results = ledger.atomically(() =>
        named.map(({ file, row: read }) => {
          try {
            const row = read();
            if (row.publicLink === null) throw noLinkOf(row);
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
    async 'files.upload'({ paths, again, recursive, expire, door, agent }, signal) {
      requireRight(ports.settings, 'allowGivenFiles');
      if (expire !== undefined) expiry.allow(expire);
      const found = recursive ? await membersOf(ports, ports.settings.current(), paths, signal) : null;
      const files = found?.members.map(({ path }) => path) ?? paths;
      await requireRoots(ports.files, files, again, agent);
      const taken = await kit.discovery.addByHand(files, {
        again,
        door: agent === undefined ? door : 'agent',
        agent: agent ?? null,
        andThen(row) {
          const set = agent === undefined ? setEnd : setEndByAgent;
          const now = expire === undefined ? row : set(row, expire);
          return now === 'stale' ? row : now;
        },
      });
      kit.nudge();
      return taken.map((one) =>
        one.row === null
          ? { path: one.path, upload: null, error: toWire(one.error) }
          : { path: one.path, upload: kit.view(one.row), error: null },
      );
    },
    async 'files.bundle'({ agent, again, expire, ...what }, signal) {
      requireRight(ports.settings, 'allowGivenFiles');
      await requireRoots(ports.files, what.paths, again, agent);
      if (expire !== undefined) expiry.allow(expire);
      const { row, files, leftOut, packedAgain } = await bundle(what, signal, {
        again,
        agent: agent ?? null,
        andThen(given) {
          const set = agent === undefined ? setEnd : setEndByAgent;
          return expire === undefined ? given : set(given, expire);
        },
      });
      return { upload: kit.view(row), files: files.length, leftOut, packedAgain };
    },
    async 'queue.zip'({ asOfMs, packing }, signal) {
      requireRight(ports.settings, 'allowGivenFiles');
      const ids = ledger.uploads.idsAlike({ kind: 'held', fate: 'burst', asOfMs });
      const asked = rowsById(kit, ids);
      if (asked.length === 0) throw new AppError('bad-use', 'No burst is held now.', see('held'));
      const dirs = asked.map(({ dir }) => dir);
      const paths = asked.map(({ dir, name }) => joinPath(dir, name));
      const what = { paths, name: zipNameIn(dirs), from: folderOf(dirs), packing };
      const { row } = await bundle(what, signal, {
        again: false,
        agent: null,
        andThen(given, { versions }) {
          for (const now of rowsById(kit, ids)) {
            // What a person has decided meanwhile, or has changed since, does not become public by this answer.
            if (fateOf(now.state) !== 'burst' || now.stamp?.key !== versions.get(joinPath(now.dir, now.name)))
              throw new AppError('changed', 'The burst changed while it was packed.', 'Look at it again.');
            kit.rows.apply(now.id, { kind: 'left-out' });
          }
          const ends = asked.flatMap((one) => expiry.ofUpload(one, clock.wallMs())?.atMs ?? []);
          if (ends.length === 0) return given;
          // None of them is public for longer than its folder wants.
          return setEnd(given, { afterMs: Math.max(1, Math.min(...ends) - clock.wallMs()) });
        },
      });
      return kit.view(row);
    },
    'files.stopPacking': ({ packing }) => packings.stop(packing),
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
      const downloads = ledger.followed.countsOf(uploadId, mostCounts);
      const inside = ledger.bundled.inside(uploadId, mostInside);
      return {
        versions,
        history,
        follow: kit.follower.stateOf(uploadId),
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

/** An agent names nothing outside its roots, and asks for nothing twice. Throws `outside`, `bad-use`. */
const requireRoots = async (
  files: Pick<Files, 'place'>,
  paths: readonly string[],
  again: boolean,
  agent: { roots: readonly string[] } | undefined,
): Promise<void> => {
  if (agent === undefined) return;
  if (again) throw new AppError('bad-use', 'An agent cannot ask for another link to the same content.');
  const roots = await Promise.all(agent.roots.map((root) => files.place(root)));
  const remedy = 'Name a file in one of the folders that agents may use (setting agentRoots).';
  for (const path of paths) {
    const place = await files.place(path);
    if (!roots.some((root) => liesIn(place, root)))
      throw new AppError('outside', `${path} is outside the folders that agents may use.`, remedy);
  }
};

const recalledLater = (caught: unknown): AppError => {
  const { code, message } = toAppError(caught);
  return new AppError(code, message, 'The recall is recorded, and goes on by itself while Outtray runs.');
};
