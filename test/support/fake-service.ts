// The service as a model in memory, behind the engine's `Api` port: it keeps what it was sent, counts requests as
// one of the rate models, refuses and loses answers on request. Virtual time only.
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import { createHash } from 'node:crypto';
import { AppError, type ErrorCode } from '../../src-main/contract/errors.ts';
import type { RemoteFile, ServiceStats } from '../../src-main/contract/model.ts';
import type { Api, UploadRequest } from '../../src-main/engine/ports/api.ts';
import type { Clock } from '../../src-main/engine/ports/ports.ts';

/** What happens to one upload instead of a good answer. */
export type UploadFault =
  /** The service has the file, but its answer is lost. */
  | 'answer-lost'
  /** Both the file and the answer are lost. */
  | 'tail-lost'
  /** The connection breaks while the body flows. */
  | 'cut-before-tail'
  /** The service has the file, but these fields of the answer are of another file. */
  | { receipt: Partial<{ file_id: number; public_link: string; size: number; filename: string }> }
  /** A definite answer, or a connection that cannot be made. Before the tail unless `afterTail` is set. */
  | { code: ErrorCode; status?: number; afterTail?: boolean; created?: boolean; retryAfterMs?: number };

export type StoredFile = {
  fileId: number;
  account: string;
  /** Another device put it there. */
  isForeign: boolean;
  name: string;
  bytes: Buffer;
  sha256: string;
  /** By the wall clock of this machine, and by the monotonic clock, which cannot be set. */
  atMs: number;
  atMonoMs: number;
  link: string;
  deleted: boolean;
  downloads: number;
};

export type FakeService = {
  api: Api;
  /** Of the present key. */
  account: () => string;
  /** How ids are given: counted for all, in each account, or the first one above those that are there. */
  ids: 'global' | 'account' | 'again';
  /** Called for each file just before it is deleted. */
  onRemove: (file: StoredFile) => void;
  /** Everything ever created, deleted ones included. */
  stored: StoredFile[];
  requests: { kind: 'upload' | 'list' | 'info' | 'remove' | 'stats'; atMs: number; ok: boolean }[];
  /** The next uploads get these, in order. */
  faults: UploadFault[];
  /** While set, every request is refused with this. */
  refuse: { code: ErrorCode; status?: number; retryAfterMs?: number } | null;
  /** While set, a proxy that buffers takes whole uploads and answers every request with this status. */
  gatewayDown: number | null;
  /** While set, lists are refused with this. */
  refuseLists: { code: ErrorCode; status?: number } | null;
  stats: ServiceStats;
  order: 'newest' | 'oldest' | 'shuffled';
  pageSize: number;
  /** Fields that list entries lack. */
  without: (keyof RemoteFile)[];
  /** The list lacks the ids of files with these names. */
  withoutIdOf: string[];
  /** The list does not show what is younger than this. */
  listLagMs: number;
  /** What is deleted is still served under its link. */
  keepsLinks: boolean;
  /** The next deletions get these: the request, or the answer to it, is lost. */
  removeFaults: ('request-lost' | 'answer-lost')[];
  /** Links that cannot be fetched. */
  linksBroken: boolean;
  /** Milliseconds that a link takes to be read. */
  linkMs: number;
  /** When links were read, each by the monotonic clock. */
  linkReads: { link: string; atMs: number }[];
  /** Milliseconds of each way: as a number or drawn for each request. */
  latencyMs: number | (() => number);
  /** Whether a request that arrives at this time is within the rate; the default allows all. */
  accepts: (atMs: number) => boolean;
  /** Another device puts a file there. */
  addForeign(name: string, content: string): StoredFile;
  namesOf(): string[];
  count(kind: FakeService['requests'][number]['kind']): number;
};

const faultOf = (fault: { code: ErrorCode; status?: number; retryAfterMs?: number }): AppError =>
  new AppError(fault.code, `The service said ${fault.code}.`, 'Do what it says.', {
    ...(fault.status === undefined ? {} : { status: fault.status }),
    ...(fault.retryAfterMs === undefined ? {} : { retryAfterMs: fault.retryAfterMs }),
  });

export const createFakeService = (clock: Clock): FakeService => {
  let lastId = 1000;

  const pass = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new AppError('aborted', 'Stopped.'));
      const undo = clock.after(ms, resolve);
      signal.addEventListener('abort', () => {
        undo();
        reject(new AppError('aborted', 'Stopped.'));
      });
    });
  const way = (signal: AbortSignal): Promise<void> =>
    pass(typeof it.latencyMs === 'number' ? it.latencyMs : it.latencyMs(), signal);

  /** One way there, the refusals that any request can meet. */
  const arrive = async (
    kind: FakeService['requests'][number]['kind'],
    signal: AbortSignal,
  ): Promise<void> => {
    const refused = it.refuse ?? (kind === 'list' ? it.refuseLists : null);
    if (refused?.code === 'offline') {
      it.requests.push({ kind, atMs: clock.monoMs(), ok: false });
      throw faultOf(refused);
    }
    await way(signal);
    const isWithin = it.accepts(clock.monoMs());
    it.requests.push({ kind, atMs: clock.monoMs(), ok: isWithin && refused === null });
    if (!isWithin) throw faultOf({ code: 'rate', status: 429 });
    if (refused !== null) throw faultOf(refused);
    if (kind !== 'upload' && it.gatewayDown !== null)
      throw faultOf({ code: 'unusable-answer', status: it.gatewayDown });
  };

  const nextId = (account: string): number => {
    if (it.ids === 'global') return lastId;
    const held = it.stored.filter((one) => one.account === account && (it.ids === 'account' || !one.deleted));
    return Math.max(1000, ...held.map(({ fileId }) => fileId)) + 1;
  };
  const store = (name: string, bytes: Buffer, account: string, isForeign = false): StoredFile => {
    lastId += 1;
    const fileId = nextId(account);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const link = `https://share.example/download/T${lastId}k`;
    const [atMs, atMonoMs] = [clock.wallMs(), clock.monoMs()];
    const made = { fileId, account, isForeign, name, bytes, sha256, atMs, atMonoMs, link };
    const file = { ...made, deleted: false, downloads: 0 };
    it.stored.push(file);
    return file;
  };

  const upload = async (request: UploadRequest) => {
    const { signal } = request;
    const account = it.account();
    const fault = it.faults.shift();
    const early = typeof fault === 'object' && 'code' in fault && fault.afterTail !== true ? fault : null;
    if (early?.code === 'offline') throw faultOf(early);
    await arrive('upload', signal);
    const parts: Buffer[] = [];
    let sentBytes = 0;
    for await (const piece of request.pieces(signal)) {
      parts.push(Buffer.from(piece));
      sentBytes += piece.length;
      request.progress(sentBytes);
      await pass(1, signal);
      if (fault === 'cut-before-tail') throw new AppError('interrupted', 'The connection broke.');
    }
    if (early !== null) throw faultOf(early);
    await request.beforeTail();
    const late = typeof fault === 'object' && 'code' in fault ? fault : null;
    const isCreated = fault !== 'tail-lost' && (late === null || late.created === true);
    const bytes = Buffer.concat(parts);
    if (it.gatewayDown !== null) {
      await way(signal);
      throw faultOf({ code: 'unusable-answer', status: it.gatewayDown });
    }
    // The tail is on the wire: the service stores the file, also when the caller no longer waits for the answer.
    const file = isCreated ? store(request.sentName, bytes, account) : null;
    await way(signal);
    if (late !== null) throw faultOf(late);
    if (file === null || fault === 'answer-lost') throw new AppError('interrupted', 'The connection broke.');
    return {
      file_id: file.fileId,
      public_link: file.link,
      size: bytes.length,
      filename: file.name,
      ...(typeof fault === 'object' && 'receipt' in fault ? fault.receipt : {}),
    };
  };

  const remoteOf = (file: StoredFile): RemoteFile & { file_id: number } => ({
    file_id: file.fileId,
    filename: file.name,
    size: file.bytes.length,
    upload_date: new Date(file.atMs).toISOString(),
    download_count: file.downloads,
    public_link: file.link,
  });

  const listed = (): StoredFile[] => {
    const shown = it.stored.filter(
      (one) => one.account === it.account() && !one.deleted && one.atMonoMs <= clock.monoMs() - it.listLagMs,
    );
    if (it.order === 'oldest') return shown;
    if (it.order === 'newest') return shown.toReversed();
    return shown.toSorted((a, b) => a.sha256.localeCompare(b.sha256));
  };

  const byId = (fileId: FileId): StoredFile => {
    const file = it.stored.find(
      (one) => one.fileId === fileId && one.account === it.account() && !one.deleted,
    );
    if (file === undefined) throw faultOf({ code: 'not-found', status: 404 });
    return file;
  };

  const it: FakeService = {
    api: {
      upload,
      async list({ page = 1, limit = 20 }, signal) {
        await arrive('list', signal);
        await way(signal);
        const size = Math.min(limit, it.pageSize);
        const all = listed();
        const files = all.slice((page - 1) * size, page * size).map((file) => {
          const entry: RemoteFile = remoteOf(file);
          for (const field of it.without) delete entry[field];
          if (it.withoutIdOf.includes(entry.filename ?? '')) delete entry.file_id;
          return entry;
        });
        const pages = Math.ceil(all.length / size);
        return { files, pagination: { page, limit: size, total: all.length, pages } };
      },
      async info(fileId, signal) {
        await arrive('info', signal);
        return remoteOf(byId(fileId));
      },
      async remove(fileId, signal) {
        await arrive('remove', signal);
        const fault = it.removeFaults.shift();
        if (fault === 'request-lost') throw faultOf({ code: 'interrupted' });
        const file = byId(fileId);
        it.onRemove(file);
        file.deleted = true;
        if (fault === 'answer-lost') throw faultOf({ code: 'interrupted' });
        return { message: 'File deleted' };
      },
      async stats(signal) {
        await arrive('stats', signal);
        return it.stats;
      },
      async digestOfLink(link, sizeBytes, signal) {
        it.linkReads.push({ link, atMs: clock.monoMs() });
        if (it.linkMs > 0) await pass(it.linkMs, signal);
        if (it.linksBroken) throw new AppError('interrupted', 'The link cannot be fetched.');
        const file = it.stored.find((one) => one.link === link);
        if (file?.deleted === true && !it.keepsLinks)
          throw new AppError('not-found', 'No such file.', '', { status: 404 });
        if (file?.bytes.length !== sizeBytes) return null;
        file.downloads += 1;
        return file.sha256;
      },
      isSaneLink: () => true,
    },
    account: () => 'a',
    ids: 'global',
    onRemove: () => undefined,
    stored: [],
    requests: [],
    faults: [],
    refuse: null,
    gatewayDown: null,
    refuseLists: null,
    stats: {
      stats: { total_files: 0, total_size: 0 },
      limits: { max_file_size: 0, daily_uploads: 0 },
      plan: 'Pro',
    },
    order: 'newest',
    pageSize: 20,
    without: [],
    withoutIdOf: [],
    listLagMs: 0,
    keepsLinks: false,
    removeFaults: [],
    linksBroken: false,
    linkMs: 0,
    linkReads: [],
    latencyMs: 20,
    accepts: () => true,
    addForeign: (name, content) => store(name, Buffer.from(content), it.account(), true),
    namesOf: () => it.stored.filter((one) => !one.deleted).map((one) => one.name),
    count: (kind) => it.requests.filter((one) => one.kind === kind).length,
  };
  return it;
};
