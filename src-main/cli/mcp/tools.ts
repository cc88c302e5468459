// What each tool does. Each call composes as a guest, as every command does: it sees the settings and the ledger as they
// are now, and keeps nothing open between calls. No tool confirms, changes a setting, pauses, or reads a key.
import type { FileId } from '../../contract/text/file-id.ts';
import type { Composed } from '../session.ts';
import { AppError, fromWire, toAppError } from '../../contract/errors.ts';
import { bucketOf, isTakenBack, type FileRow } from '../../contract/model.ts';
import { cardRows, cardText } from '../../contract/text/card.ts';
import type { Upload } from '../../engine/ports.ts';
import { joinPath } from '../../engine/shared/paths.ts';
import { printable } from '../output/terminal-text.ts';
import { completed } from '../output/file-json.ts';
import { expiryFrom } from '../output/words.ts';
import { createElsewhere, createSignal } from '../uploads/running-engine.ts';
import { endOf } from '../uploads/upload-ends.ts';
import type { Roots } from './roots.ts';
import { closedResult, errorOf, linkResult, notStarted, toldFile, uploadResult } from './results.ts';
import type { Sending } from './sending.ts';
import { createShare, type Share } from './share.ts';
import { mostListed, type Input, type ToolName, type ToolOutput, type UploadResult } from './shapes.ts';

export type Call = {
  composed: Composed;
  roots: Roots;
  sending: Sending;
  /** Uploads that were cancelled for the agent. Of this server: it may ask for them again. */
  cancelled: Set<number>;
  /** The client cancelled the call. */
  signal: AbortSignal;
  /** The client is gone. */
  closing: AbortSignal;
  /** `done` of `total` uploads, parts of one counted. */
  progress: (done: number, total: number, message: string) => void;
};

export type Tools = {
  [Name in ToolName]: (call: Call, input: Input<Name>) => Promise<ToolOutput<Name>>;
};

const lookEveryMs = 100;
/** At most this many files of one name are examined. */
const mostNamed = 500;
/** Asks how often it was downloaded, and deletes it. */
const requestsOfRecall = 2;
const shownHeld = 20;

export const tools: Tools = {
  async upload_files(call, { paths, expire, wait_seconds }) {
    const { composed, roots } = call;
    const { client, clock, ledger } = composed;
    const wish = expire === undefined ? {} : { expire: expiryFrom(expire, clock.wallMs()) };
    await requireKey(composed);
    const share = createShare(composed);
    const accept = async (path: string) => {
      try {
        return { real: await roots.accept(path), refused: null };
      } catch (error) {
        return { real: null, refused: notStarted(path, errorOf(error)) };
      }
    };
    const named = await Promise.all(paths.map(accept));
    const files = [...new Set(named.flatMap(({ real }) => real ?? []))];
    const results = new Map<string, UploadResult>();
    // What has its place already costs nothing.
    const fresh: string[] = [];
    const queued: string[] = [];
    /** By row: what it was sent before costs nothing now. */
    const attempts = new Map<number, number>();
    const sentTimes = (id: number): number => ledger.attempts.ofUpload(id).length;
    for (const file of files) {
      const row = await known(composed, file);
      if (row !== null) attempts.set(row.id, sentTimes(row.id));
      (isSettled(row) ? queued : fresh).push(file);
    }
    const { granted, retryAfterMs } = share.take(fresh.length);
    for (const file of fresh.slice(granted))
      results.set(file, notStarted(file, errorOf(overShare(retryAfterMs))));
    queued.push(...fresh.slice(0, granted));
    const started = new Set(fresh.slice(0, granted));
    const before = ledger.uploads.lastId();
    const agent = { roots: [...roots.folders], mayReopen: [...call.cancelled] };
    const taken = await given(share, granted, () =>
      queued.length === 0
        ? Promise.resolve([])
        : client.call('files.upload', { paths: queued, agent, ...wish }),
    );
    const views = taken.flatMap(({ upload }) => upload ?? []);
    const ids = views.map(({ id }) => id);
    const own = views.flatMap(({ id, path }) => (id > before || started.has(path) ? [id] : []));
    const stop = await untilEnded(call, ids, own, wait_seconds);
    let spared = 0;
    for (const [index, file] of queued.entries()) {
      const { upload = null, error = null } = taken[index] ?? {};
      if (error !== null) {
        results.set(file, notStarted(file, errorOf(fromWire(error))));
        if (started.has(file)) spared += 1;
      }
      const row = upload === null ? null : ledger.uploads.byId(upload.id);
      if (row === null) continue;
      results.set(file, uploadResult(composed, row, stop));
      const isSpared = endOf(composed, row.id) !== null && sentTimes(row.id) === (attempts.get(row.id) ?? 0);
      if (started.has(file) && isSpared) spared += 1;
    }
    share.giveBack(spared);
    return { files: named.flatMap(({ real, refused }) => refused ?? results.get(real) ?? []) };
  },

  async bundle(call, { paths, name, expire, wait_seconds }) {
    const { composed, roots } = call;
    const { client, clock, ledger } = composed;
    const wish = expire === undefined ? {} : { expire: expiryFrom(expire, clock.wallMs()) };
    await requireKey(composed);
    const files = await Promise.all(paths.map((path) => roots.accept(path)));
    const share = createShare(composed);
    const { granted, retryAfterMs } = share.take(1);
    if (granted === 0) throw overShare(retryAfterMs);
    const agent = { roots: [...roots.folders], mayReopen: [...call.cancelled] };
    const packing = client.call('files.bundle', { paths: files, name: name ?? null, agent, ...wish });
    const packed = await given(share, 1, () => unlessAborted(call, packing));
    const { id } = packed.upload;
    const stop = await untilEnded(call, [id], [id], wait_seconds);
    const row = ledger.uploads.byId(id);
    if (row === null) throw new AppError('internal', 'The zip was not recorded.');
    if (endOf(composed, id) !== null && ledger.attempts.ofUpload(id).length === 0) share.giveBack(1);
    const leftOut = packed.leftOut.reduce((sum, { count }) => sum + count, 0);
    return { zip: uploadResult(composed, row, stop), files: packed.files, leftOut };
  },

  find_links(call, { query, limit, cursor }) {
    const order = query.trim() === '' ? newestFirst : bestFirst;
    const { found, next } = linksOf(call, { search: query, limit, after: cursor ?? null, order }, () => true);
    return Promise.resolve({ files: found.map(linkResult), nextCursor: next });
  },

  async link_of(call, { path, file_id }) {
    const { composed, roots } = call;
    if ((path === undefined) === (file_id === undefined))
      throw new AppError('bad-use', 'Name one file: its path or its file_id.', 'Give path or file_id.');
    const file = path === undefined ? null : await roots.accept(path);
    const name = file?.split(/[/\\]/).at(-1) ?? '';
    const own = file_id === undefined ? null : composed.ledger.uploads.byFileId(file_id);
    const search = file === null ? (own?.name ?? '') : name;
    if (file === null && own === null) throw notFound();
    const { found } = linksOf(call, { search, limit: mostListed, after: null, order: newestFirst }, (row) =>
      file === null ? row.fileId === file_id : row.path === file,
    );
    const now = file === null ? null : await known(composed, file);
    // Its content may be shared under another name, of which nothing is told: it may lie outside.
    const twin = now === null ? null : twinOf(composed, now);
    const link = twin === null || isTakenBack(twin.state) ? null : twin.publicLink;
    // The link of the file that is there now comes first.
    if (twin !== null && link !== null) found.unshift({ ...rowOf(twin, link), name, path: file });
    else found.sort((a, b) => Number(b.uploadId === now?.id) - Number(a.uploadId === now?.id));
    if (found.length === 0) throw notFound();
    return { files: found.map(linkResult) };
  },

  async status({ composed, roots }) {
    const { client, engine, holder, ledger } = composed;
    engine.checkDisk();
    const now = await client.call('app.status', {});
    const trouble = engine.trouble();
    if (trouble !== null) throw trouble;
    const seen = (['held', 'uncertain'] as const)
      .flatMap((kind) => ledger.uploads.inState(kind, mostNamed))
      .filter((row) => bucketOf(row.state) === 'held' && mayHear(composed, roots, row));
    const { minute, day } = now.budget;
    return {
      roots: roots.folders.map(printable),
      counts: now.counts,
      paused: now.paused,
      running: holder !== null,
      ...(now.gate.kind === 'closed' ? { waits: closedResult(now.gate) } : {}),
      budget: { minute, day },
      agentShare: createShare(composed).view(),
      held: seen.slice(0, shownHeld).map((row) => uploadResult(composed, row, null)),
      heldTotal: seen.length,
    };
  },

  async card(call, { files, format }) {
    const wanted = await Promise.all(files.map((file) => accepted(call, file)));
    const results = await call.composed.client.call('files.card', { files: wanted });
    const [first] = results.flatMap(({ error }) => error ?? []);
    if (first !== undefined) throw fromWire(first);
    const found = results.flatMap((result) => result.card ?? []);
    const rows = cardRows(found).map((row) => ({ ...row, filename: printable(row.filename) }));
    return { format, card: cardText(found, format, 'en'), files: rows };
  },

  async recall(call, { files }) {
    const { composed, roots } = call;
    await requireKey(composed);
    const wanted = await Promise.all(files.map((file) => accepted(call, file)));
    for (const file of wanted) {
      const row = 'path' in file ? await known(composed, file.path) : null;
      const twin = row === null ? null : twinOf(composed, row);
      if (twin !== null && !mayHear(composed, roots, twin)) throw sharedOutside();
    }
    const share = createShare(composed);
    const cost = wanted.length * requestsOfRecall;
    const { granted, retryAfterMs } = share.take(cost);
    if (granted < cost) {
      share.giveBack(granted);
      throw overShare(retryAfterMs);
    }
    const results = await unlessAborted(call, composed.client.call('files.recall', { files: wanted }));
    share.giveBack(results.filter(({ fileId }) => fileId === null).length * requestsOfRecall);
    return {
      links: results.map(({ fileId, path, recalled, error }) => ({
        ...toldFile(completed(composed.ledger, { fileId, path, ...recalled })),
        publicSeconds: recalled?.publicSeconds ?? null,
        dead: recalled?.dead === true,
        ...(error === null ? {} : { error: errorOf(fromWire(error)) }),
      })),
    };
  },
};

/** Throws `bad-use`, `not-found`, and what the roots throw. */
const accepted = async (
  { composed, roots }: Call,
  { path, file_id }: Input<'recall'>['files'][number],
): Promise<{ path: string } | { fileId: FileId }> => {
  if ((path === undefined) === (file_id === undefined))
    throw new AppError('bad-use', 'Name each file by its path or its file_id.', 'Give path or file_id.');
  if (path !== undefined) return { path: await roots.accept(path) };
  const fileId = file_id ?? 0;
  const row = composed.ledger.uploads.byFileId(fileId);
  // What lies outside its roots is no different from what is not there.
  if (row === null || !mayHear(composed, roots, row)) throw notFound();
  return { fileId };
};

/** The upload at another path whose link this file has, because its content is the same. */
const twinOf = ({ ledger }: Composed, row: Upload): Upload | null =>
  row.state.kind === 'skipped' && row.sameAsId !== null ? ledger.uploads.byId(row.sameAsId) : null;

const sharedOutside = (): AppError =>
  new AppError(
    'outside',
    'The same content is shared from a file outside the folders that agents may use.',
    'A person takes its link back, in the window of Outtray or by `outtray recall PATH`.',
  );

const notFound = (): AppError =>
  new AppError(
    'not-found',
    'No such file has a link that this machine knows.',
    '`find_links` searches; `upload_files` makes a link.',
  );

const overShare = (retryAfterMs: number | null): AppError =>
  new AppError(
    'budget',
    retryAfterMs === null
      ? 'Agents may use no requests here (setting agentShare).'
      : 'The share of requests that agents may use is used up.',
    retryAfterMs === null
      ? 'A person can change that: `outtray settings set agentShare 0.25`.'
      : 'Call again after that time, or pack the files: `bundle` needs one request.',
    retryAfterMs === null ? {} : { retryAfterMs },
  );

/** Nothing is queued that nothing could send. */
const requireKey = async ({ holder, keys }: Composed): Promise<void> => {
  if (holder === null) await keys.require();
};

/** Queues something; a failure costs no requests. */
const given = async <T>(share: Share, requests: number, act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    share.giveBack(requests);
    throw error;
  }
};

const known = async ({ client, ledger }: Composed, path: string): Promise<Upload | null> => {
  const { upload } = await client.call('file.why', { path });
  return upload === null ? null : ledger.uploads.byId(upload.id);
};

/** It has a link or waits for a person: to name it again makes no request, unless its content changed. */
const isSettled = (row: Upload | null): boolean =>
  row !== null &&
  ['settling', 'ready', 'sending', 'committing', 'uncertain', 'held'].includes(row.state.kind);

/** A file in the roots, or a zip of files that are all in them. */
const mayHear = ({ ledger }: Composed, roots: Roots, { id, dir, name }: Upload): boolean => {
  if (roots.covers(joinPath(dir, name))) return true;
  const inside = ledger.bundled.pathsIn(id);
  return inside.length > 0 && inside.every((path) => roots.covers(path));
};

const rowOf = (row: Upload, publicLink: string): FileRow & { publicLink: string } => ({
  key: String(row.id),
  uploadId: row.id,
  fileId: row.fileId,
  name: row.name,
  size: row.stamp?.sizeBytes ?? null,
  sizeIsBytes: true,
  uploadedAtMs: row.uploadedAtMs,
  uploadDate: null,
  downloads: null,
  publicLink,
  sha256: row.sha256,
  path: joinPath(row.dir, row.name),
  place: 'this-machine',
  superseded: false,
  isFollowed: false,
  isWatched: false,
  wrong: null,
  expiresAtMs: row.ends?.atMs ?? null,
});

type Asked = { search: string; limit: number; after: string | null; order: Order };
type Order = { sort: 'uploaded' | 'match'; descending: boolean };
const newestFirst: Order = { sort: 'uploaded', descending: true };
const bestFirst: Order = { sort: 'match', descending: false };

/** Links of this machine that the agent may hear of, in this order. `next`: of the page after it. */
const linksOf = (
  { composed, roots }: Call,
  { search, limit, after, order }: Asked,
  isIt: (row: FileRow) => boolean,
): { found: (FileRow & { publicLink: string })[]; next: string | null } => {
  const { ledger } = composed;
  const found: (FileRow & { publicLink: string })[] = [];
  let next = after;
  for (let looked = 0; found.length < limit && looked < mostNamed;) {
    const left = limit - found.length;
    const query = { search, place: 'ours', ...order, after: next } as const;
    const page = ledger.uploads.page({ ...query, limit: left });
    for (const row of page.rows) {
      const { publicLink, uploadId } = row;
      const own = uploadId === null ? null : ledger.uploads.byId(uploadId);
      if (publicLink === null || own === null || isTakenBack(own.state)) continue;
      if (isIt(row) && mayHear(composed, roots, own)) found.push({ ...row, publicLink });
    }
    looked += page.rows.length;
    next = page.next;
    if (next === null) break;
  }
  return { found, next };
};

/** Rejects when the client cancels or goes; what the work recorded stays recorded. */
const unlessAborted = async <T>({ signal, closing, composed }: Call, work: Promise<T>): Promise<T> => {
  const stop = AbortSignal.any([signal, closing]);
  let undo = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    const end = (): void => {
      // It ends the work of this call, which then removes what it has written.
      void composed.close();
      reject(new AppError('aborted', 'The call was cancelled.'));
    };
    if (stop.aborted) end();
    else stop.addEventListener('abort', end, { once: true });
    undo = () => stop.removeEventListener('abort', end);
  });
  try {
    return await Promise.race([work, stopped]);
  } catch (error) {
    if (stop.aborted) await work.catch(() => undefined);
    throw error;
  } finally {
    undo();
  }
};

/**
 * Until all have ended, or the time is over: then they go on without the call. Null, or why nothing goes on. A call that
 * is cancelled takes its `own` uploads out of the queue; when the client is gone, they stay in it.
 */
const untilEnded = async (
  call: Call,
  ids: readonly number[],
  own: readonly number[],
  waitSeconds: number,
): Promise<AppError | null> => {
  const { composed, sending, signal, closing } = call;
  const { clock, client } = composed;
  const stirred = createSignal(clock);
  const elsewhere = createElsewhere(composed);
  const isLeft = (id: number): boolean => endOf(composed, id) === null;
  sending.add(ids.filter(isLeft));
  const endMs = clock.monoMs() + waitSeconds * 1000;
  let told = -1;
  for (;;) {
    const left = ids.filter(isLeft);
    const done = ids.length - left.length + left.reduce((sum, id) => sum + sending.partSent(id), 0);
    if (done > told) {
      told = done;
      call.progress(done, ids.length, `${ids.length - left.length} of ${ids.length} uploads have ended.`);
    }
    if (left.length === 0) return null;
    if (closing.aborted) throw new AppError('aborted', 'The client is gone.');
    if (signal.aborted) {
      for (const id of own.filter(isLeft)) {
        // After its tail it is too late.
        await client.call('queue.cancel', { ids: [id] }).catch((error: unknown) => toAppError(error));
        call.cancelled.add(id);
      }
      throw new AppError('aborted', 'The call was cancelled.');
    }
    const fatal = composed.engine.fatal();
    if (fatal !== null) throw fatal;
    const stop = sending.problem() ?? elsewhere.standstill();
    if (stop !== null) return stop;
    if (clock.monoMs() >= endMs) return null;
    await stirred.wait(lookEveryMs);
  }
};
