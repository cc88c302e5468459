// POST /files/upload (section 4): one form field `file`, streamed to the store. An incomplete body leaves nothing.
import type { Account } from './accounts.ts';
import { errorAnswer, idOf, json, linkOf, type Answer } from './answers.ts';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';
import { tooLarge } from './gate.ts';
import type { Incoming } from './incoming.ts';
import { boundaryOf, createMultipart } from './multipart.ts';
import type { OtherFile } from './spoil.ts';
import type { StoredFile } from './store.ts';

const keptStartBytes = 2048;
const keptEndBytes = 256;
// Tests look at a few parts; a hostile body may have any number.
const mostPartRecords = 64;

/** Ends the reading if the knob `refusal` demands the answer before the end of the body. */
class TooLong extends Error {}

/** What an endpoint did; the knob `refusal` sets how `refused` answers are sent. */
export type Done = { answer: Answer; otherFile?: OtherFile; refused?: boolean };

export async function upload(context: Context, exchange: Exchange, account: Account): Promise<Done> {
  const boundary = boundaryOf(exchange.request.headers['content-type']);
  const bad = (message: string) => ({ answer: errorAnswer(400, message) });
  if (boundary === null) {
    await exchange.readBody(() => null);
    return bad('The request is not multipart/form-data');
  }
  const received = await receive(context, exchange, account, boundary);
  if (received.kind === 'none') return bad('The file parameter is required');
  const { incoming, sentName } = received;
  try {
    if (received.kind === 'too-large') return { answer: tooLarge, refused: true };
    await exchange.pass('read');
    // Several bodies may have been under way when there was room for one.
    if (!account.uploads.hasRoom(context.clock.now())) {
      return {
        answer: errorAnswer(403, 'Daily upload limit exceeded'),
      };
    }
    const mine = () => context.store.of(account.name);
    const file = await context.store.keep(incoming, {
      account: account.name,
      filename: sentName,
      sentName,
      storedAtMs: context.clock.now(),
      request: exchange.record.number,
    });
    account.uploads.count(context.clock.now());
    exchange.record.fileId = file.id;
    exchange.record.sha256 = file.sha256;
    return { answer: uploadAnswer(context, file), otherFile: () => findOther(context, mine(), file) };
  } finally {
    await incoming.drop();
  }
}

type Received = { kind: 'none' } | { kind: 'file' | 'too-large'; incoming: Incoming; sentName: string };

async function receive(
  context: Context,
  exchange: Exchange,
  account: Account,
  boundary: string,
): Promise<Received> {
  const { record } = exchange;
  const mostBytes = account.limits.maxFileSizeBytes ?? Infinity;
  const early = context.knobs.refusal !== 'late';
  // Held in an object because it is filled from a callback.
  const found: { file?: Incoming; tooLong: boolean } = { tooLong: false };
  let sentName = '';
  let busy: Promise<void> | null = null;

  const form = createMultipart({
    boundary,
    onPart: (part) => {
      if (record.parts.length < mostPartRecords) record.parts.push(part);
    },
    onFile: (filename) => {
      const file = context.store.receive();
      found.file = file;
      sentName = filename;
      record.filename = filename;
      exchange.nameFile(filename);
      return (chunk) => {
        found.tooLong ||= file.sizeBytes() + chunk.length > mostBytes;
        if (!found.tooLong) busy = file.write(chunk) ?? busy;
      };
    },
  });

  try {
    let end: Buffer = Buffer.alloc(0);
    await exchange.readBody(async (chunk) => {
      if (record.bodyStart.length < keptStartBytes) {
        record.bodyStart += chunk.toString('latin1', 0, keptStartBytes - record.bodyStart.length);
      }
      end =
        chunk.length >= keptEndBytes
          ? chunk.subarray(-keptEndBytes)
          : Buffer.concat([end, chunk]).subarray(-keptEndBytes);
      await form.write(chunk);
      if (busy) await busy;
      busy = null;
      if (found.tooLong && early) throw new TooLong();
    });
    record.bodyEnd = end.toString('latin1');
    const whole = await form.end();
    const { file } = found;
    if (!file) return { kind: 'none' };
    if (!whole) {
      await file.drop();
      return { kind: 'none' };
    }
    return { kind: found.tooLong ? 'too-large' : 'file', incoming: file, sentName };
  } catch (error) {
    const { file } = found;
    if (error instanceof TooLong && file) return { kind: 'too-large', incoming: file, sentName };
    if (file && context.knobs.cutUpload === 'kept')
      await keepHalf(context, exchange, account, file, sentName);
    else await file?.drop();
    throw error;
  }
}

/** Acts as a service that takes a part of the body for the whole file. */
async function keepHalf(
  context: Context,
  exchange: Exchange,
  account: Account,
  incoming: Incoming,
  sentName: string,
): Promise<void> {
  await context.store.keep(incoming, {
    account: account.name,
    filename: sentName,
    sentName,
    storedAtMs: context.clock.now(),
    request: exchange.record.number,
  });
}

function uploadAnswer({ knobs, host }: Context, file: StoredFile): Answer {
  return json(200, {
    success: true,
    file_id: idOf(file, knobs),
    public_link: linkOf(file, knobs, host()),
    size: file.sizeBytes,
    filename: file.filename,
  });
}

function findOther({ knobs, host }: Context, mine: StoredFile[], file: StoredFile): ReturnType<OtherFile> {
  const other = mine.findLast((each) => each.id !== file.id);
  if (!other) return { fileId: file.id + 1000, link: null };
  return { fileId: other.id, link: linkOf(other, knobs, host()) };
}
