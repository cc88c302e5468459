// What each tool does. Each call composes as a guest, as every command does: it sees the settings and the ledger as
// they are now, and keeps nothing open between calls. No tool confirms, changes a setting, pauses, or reads a key.
import { AppError, fromWire, toAppError, toWire } from '../../contract/errors.ts';
import { linkStateOf } from '../../contract/files/taken-back.ts';
import { bucketOf, isUnwanted, stateRow } from '../../contract/model.ts';
import { requireNoRoots } from '../../contract/rights.ts';
import { cardRows, cardText } from '../../contract/text/card.ts';
import type { Upload } from '../../engine/ports/uploads.ts';
import { splitPath } from '../../engine/shared/paths.ts';
import { printable } from '../../contract/text/printable.ts';
import { agentPart } from '../../engine/limiter/policy.ts';
import { completed } from '../../engine/state/file-json.ts';
import { bytesText, expiryFrom } from '../output/words.ts';
import { createElsewhere, createSignal } from '../uploads/running-engine.ts';
import { requireSender } from '../uploads/sender.ts';
import { uploadEndOf } from '../uploads/upload-ends.ts';
import { closedResult, errorOf, linkResult, notStarted, toldFile, uploadResult } from './results.ts';
import type { Sending } from './sending.ts';
import {
  mostTextBytes,
  type ToolInput,
  type ToolFile,
  type ToolName,
  type ToolOutput,
  type UploadResult,
} from './shapes.ts';
import {
  type ToolCall,
  knownUpload,
  newestFirst,
  bestFirst,
  linksOf,
  eachOf,
  linksOfFile,
  mostNamed,
  mayHear,
  accepted,
  toolPathOf,
  twinOf,
} from './named.ts';

export type Tools = {
  [Name in ToolName]: (call: ToolCall, input: ToolInput<Name>) => Promise<ToolOutput<Name>>;
};

const lookEveryMs = 100;
/** The longest name that a file system takes. */
const mostNameBytes = 255;
const shownHeld = 20;

export const tools: Tools = {
  async upload_files(call, { files: given, expire, wait_seconds }) {
    const { composed, roots } = call;
    const { client, clock, ledger } = composed;
    const wish = expire === undefined ? {} : { expire: expiryFrom(expire, clock.wallMs()) };
    await requireSender(composed);
    const accept = async (one: ToolFile) => {
      try {
        return { real: await toolPathOf(call, one), refused: null };
      } catch (error) {
        return { real: null, refused: notStarted(composed, one.path ?? null, errorOf(error)) };
      }
    };
    const named = await Promise.all(given.map(accept));
    const files = [...new Set(named.flatMap(({ real }) => real ?? []))];
    const results = new Map<string, UploadResult>();
    const queued = new Set<string>();
    for (const file of files) if (isQueued(await knownUpload(composed, file))) queued.add(file);
    const before = ledger.uploads.lastId();
    const agent = { roots: [...roots.folders], mayReopen: mayReopen(call) };
    const taken =
      files.length === 0 ? [] : await client.call('files.upload', { paths: files, agent, ...wish });
    const views = taken.flatMap(({ upload }) => upload ?? []);
    const ids = views.map(({ id }) => id);
    const own = views.flatMap(({ id, path }) => (id > before || !queued.has(path) ? [id] : []));
    const stop = await untilEnded(call, ids, own, wait_seconds);
    for (const [index, file] of files.entries()) {
      const { upload = null, error = null } = taken[index] ?? {};
      if (error !== null) results.set(file, notStarted(composed, file, errorOf(fromWire(error))));
      const row = upload === null ? null : ledger.uploads.byId(upload.id);
      if (row !== null) results.set(file, uploadResult(composed, row, stop));
    }
    return { files: named.flatMap(({ real, refused }) => refused ?? results.get(real) ?? []) };
  },

  async bundle_files(call, { files: given, name, expire, wait_seconds }) {
    const { composed, roots } = call;
    const { client, clock, ledger } = composed;
    const wish = expire === undefined ? {} : { expire: expiryFrom(expire, clock.wallMs()) };
    await requireSender(composed);
    const files = await Promise.all(given.map((one) => toolPathOf(call, one)));
    const agent = { roots: [...roots.folders], mayReopen: mayReopen(call) };
    const packing = client.call('files.bundle', { paths: files, name: name ?? null, agent, ...wish });
    const packed = await unlessAborted(call, packing);
    const { id } = packed.upload;
    const stop = await untilEnded(call, [id], [id], wait_seconds);
    const row = ledger.uploads.byId(id);
    if (row === null) throw new AppError('internal', 'The zip was not recorded.');
    const leftOut = packed.leftOut.reduce((sum, { count }) => sum + count, 0);
    return { zip: uploadResult(composed, row, stop), files: packed.files, leftOut };
  },

  async share_text(call, { name, content, expire, wait_seconds }) {
    const { composed } = call;
    const { client, clock, ledger, settings, spool } = composed;
    const wish = expire === undefined ? {} : { expire: expiryFrom(expire, clock.wallMs()) };
    requireNoRoots(settings.current());
    await requireSender(composed);
    const path = await spool.keep(name, textPieces(name, content), call.signal);
    const { dir } = splitPath(path);
    const agent = { roots: [dir], mayReopen: mayReopen(call), isText: true as const };
    const record = async (): Promise<number> => {
      const [taken] = await client.call('files.upload', { paths: [path], agent, ...wish });
      const { upload = null, error = null } = taken ?? {};
      if (upload !== null) return upload.id;
      throw error === null ? new AppError('internal', 'The text was not recorded.') : fromWire(error);
    };
    const id = await record().catch(async (caught: unknown) => {
      await spool.remove(dir);
      const wire = toWire(caught);
      // The agent knows the text by its name alone.
      throw fromWire({ ...wire, message: wire.message.replaceAll(path, name) });
    });
    const stop = await untilEnded(call, [id], [id], wait_seconds);
    const row = ledger.uploads.byId(id);
    return { files: row === null ? [] : [uploadResult(composed, row, stop)] };
  },

  find_links(call, { query, limit, cursor }) {
    const order = query.trim() === '' ? newestFirst : bestFirst;
    const { found, next } = linksOf(call, { search: query, limit, after: cursor ?? null, order }, () => true);
    return Promise.resolve({ files: found.map((row) => linkResult(call.composed, row)), nextCursor: next });
  },

  async get_links(call, { files }) {
    const { done, failed } = await eachOf(files, (file) => linksOfFile(call, file));
    return { files: done.flat().map((row) => linkResult(call.composed, row)), failed };
  },

  async get_status({ composed, roots }) {
    const { client, engine, holder, ledger } = composed;
    engine.checkDisk();
    const now = await client.call('app.status', {});
    const trouble = engine.trouble();
    if (trouble !== null) throw trouble;
    const seen = (['held', 'uncertain'] as const)
      .flatMap((kind) => ledger.uploads.inState(kind, mostNamed))
      .filter((row) => bucketOf(row.state) === 'held' && mayHear(composed, roots, row));
    const { minute, day, lanes } = now.budget;
    const { agentShare } = composed.settings.current();
    const shareOf = (span: 'minute' | 'day') => ({
      used: lanes[span].agent,
      limit: agentPart(now.budget[span].limit, agentShare),
    });
    return {
      roots: roots.folders.map(printable),
      counts: now.counts,
      paused: now.paused,
      running: holder !== null,
      ...(now.gate.kind === 'closed' ? { waits: closedResult(now.gate) } : {}),
      budget: { minute, day },
      agentShare: { minute: shareOf('minute'), day: shareOf('day') },
      held: seen.slice(0, shownHeld).map((row) => uploadResult(composed, row, null)),
      heldTotal: seen.length,
    };
  },

  async make_card(call, { files, format }) {
    const wanted = await eachOf(files, async (file, index) => ({
      index,
      named: await sharedHere(call, file),
    }));
    const named = wanted.done.map((one) => one.named);
    const results = named.length === 0 ? [] : await call.composed.client.call('files.card', { files: named });
    const without = results.flatMap(({ error }, at) => {
      const index = wanted.done[at]?.index;
      return error === null || index === undefined ? [] : [{ index, error: errorOf(fromWire(error)) }];
    });
    const found = results.flatMap((result) => result.card ?? []);
    const rows = cardRows(found).map((row) => ({ ...row, filename: printable(row.filename) }));
    const card = rows.length === 0 ? '' : cardText(found, format, 'en');
    return { format, card, files: rows, failed: [...wanted.failed, ...without] };
  },

  async recall_links(call, { files }) {
    const { composed } = call;
    await requireSender(composed);
    const { done: wanted, failed } = await eachOf(files, (given) => sharedHere(call, given));
    if (wanted.length === 0) return { links: [], failed };
    const recalling = composed.client.call('files.recall', { files: wanted, byAgent: true });
    const results = await unlessAborted(call, recalling);
    return {
      links: results.map(({ fileId, path, recalled, error }) => ({
        ...toldFile(composed, completed(composed.ledger, { fileId, path, ...recalled })),
        publicSeconds: recalled?.publicSeconds ?? null,
        ...(recalled === null ? {} : { linkState: linkStateOf(recalled) }),
        ...(error === null ? {} : { error: errorOf(fromWire(error)) }),
      })),
      failed,
    };
  },
};

/** As `accepted`, and the link of its content is not that of a file outside the roots: its name is not revealed. */
const sharedHere = async (call: ToolCall, given: ToolFile): ReturnType<typeof accepted> => {
  const { composed, roots } = call;
  const file = await accepted(call, given);
  const row = 'path' in file ? await knownUpload(composed, file.path) : null;
  const twin = row === null ? null : twinOf(composed, row);
  if (twin !== null && !mayHear(composed, roots, twin)) throw sharedOutside();
  return file;
};

const sharedOutside = (): AppError =>
  new AppError(
    'outside',
    'The same content is shared from a file outside the folders that agents may use.',
    'A person can take its link back, in the window of Outtray.',
  );

/** It is under way, or waits for a person or a time: the call did not begin it, and does not end it. */
const isQueued = (row: Upload | null): boolean =>
  row !== null &&
  ['settling', 'ready', 'waiting', 'sending', 'committing', 'uncertain', 'held'].includes(row.state.kind);

/** Entries of one upload that are looked through. */
const mostEntries = 100;

/** What this server cancelled for the agent, and no person has cancelled since. */
const mayReopen = ({ composed: { ledger }, cancelled }: ToolCall): number[] =>
  [...cancelled].flatMap(([id, before]) => {
    const since = ledger.entries.ofUpload(id, mostEntries).filter(({ seq }) => seq > before);
    const noes = since.filter(({ body }) => body.kind === 'skipped' && body.rule === 'cancelled');
    return noes.length === 1 ? [id] : [];
  });

/** Rejects when the client cancels or goes; what the work recorded stays recorded. */
const unlessAborted = async <T>({ signal, closing, composed }: ToolCall, work: Promise<T>): Promise<T> => {
  const stop = AbortSignal.any([signal, closing]);
  let undo = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    const end = (): void => {
      // Closing ends the work of this call, which then removes what it has written.
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
 * Waits until all have ended or the time is over; after that they continue without the call. Returns null, or why none
 * can proceed. A cancelled call takes its `own` uploads out of the queue; when the client is gone, they stay in it.
 */
const untilEnded = async (
  call: ToolCall,
  ids: readonly number[],
  own: readonly number[],
  waitSeconds: number,
): Promise<AppError | null> => {
  const { composed, sending, signal, closing } = call;
  const { clock, client, ledger, spool } = composed;
  const stirred = createSignal(clock);
  const elsewhere = createElsewhere(composed);
  const isLeft = (id: number): boolean => uploadEndOf(composed, id) === null;
  sending.add(ids.filter(isLeft));
  const endMs = clock.monoMs() + waitSeconds * 1000;
  let reported = -1;
  for (;;) {
    const left = ids.filter(isLeft);
    const done = ids.length - left.length + left.reduce((sum, id) => sum + partOf(sending.sent(id)), 0);
    if (done > reported) {
      reported = done;
      call.progress(done, ids.length, progressText(call, ids.length, left));
    }
    if (left.length === 0) return null;
    if (closing.aborted) throw new AppError('aborted', 'The client is gone.');
    if (signal.aborted) {
      for (const id of own.filter(isLeft)) {
        // What may be public already stays: only a person takes it back. Or a person has said no already.
        const row = ledger.uploads.byId(id);
        if (row === null || stateRow(row.state.kind).wasSent === true || isUnwanted(row.state)) continue;
        const before = ledger.entries.lastSeq();
        await client
          .call('queue.cancel', { ids: [id] })
          .then(() => call.cancelled.set(id, before), toAppError);
        // The next call makes such a file again, and no person has said no to its content.
        if (call.cancelled.has(id) && spool.holds(row.dir)) await spool.remove(row.dir);
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

const partOf = (sent: ReturnType<Sending['sent']>): number =>
  sent === null || sent.totalBytes === 0 ? 0 : sent.sentBytes / sent.totalBytes;

/** "report.pdf: 3.1 MB of 12 MB; 1 of 3 uploads have ended." */
const progressText = ({ composed, sending }: ToolCall, total: number, left: readonly number[]): string => {
  const [now] = left.flatMap((id) => {
    const sent = sending.sent(id);
    return sent === null ? [] : { name: composed.ledger.uploads.byId(id)?.name ?? '', ...sent };
  });
  const file =
    now === undefined
      ? ''
      : `${printable(now.name)}: ${bytesText(now.sentBytes)} of ${bytesText(now.totalBytes)}; `;
  return `${file}${total - left.length} of ${total} uploads have ended.`;
};

/** Throws `bad-use` before anything is written. */
const textPieces = (name: string, content: string): AsyncIterable<Uint8Array> => {
  if (!content.isWellFormed() || !name.isWellFormed() || name.includes('\0'))
    throw new AppError('bad-use', 'The name or the text is not valid Unicode.');
  const bytes = Buffer.from(content);
  if (bytes.length > mostTextBytes)
    throw new AppError('bad-use', 'The text is larger than 1 MiB.', 'Share it as a file, or in parts.');
  if (Buffer.byteLength(name) > mostNameBytes)
    throw new AppError('bad-use', `The name has more than ${mostNameBytes} bytes.`, 'Give a shorter one.');
  return (async function* () {
    yield bytes;
  })();
};
