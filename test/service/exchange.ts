// One request and its answer on the wire, with the faults that affect it. The rest of the service reads bodies and
// sends answers only through here; if a fault ends the exchange, `Cut` unwinds the work in progress.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answers.ts';
import { untilAborted } from './clock.ts';
import type { Context } from './context.ts';
import { chooseFaults } from './fault-choice.ts';
import type { Stage } from './faults.ts';
import type { RequestRecord } from './request-log.ts';
import { destroyHard, sendAnswer, sendAnswerRaw } from './send.ts';
import { spoil, type OtherFile } from './spoil.ts';

/** The exchange is over: a fault cut it, or the client has gone. */
export class Cut extends Error {}

export type Exchange = {
  record: RequestRecord;
  request: IncomingMessage;
  /** Aborted when the response is closed, sent or not. */
  gone: AbortSignal;
  /** Executes the script's faults for this stage. Throws `Cut`. */
  pass(stage: Exclude<Stage, 'body'>): Promise<void>;
  /** Asks the script once more, now that the name of the file is known. */
  nameFile(filename: string): void;
  /** Reads the body; resolves when all of it is there. Throws `Cut`. */
  readBody(onChunk: (chunk: Buffer) => Promise<void> | null): Promise<void>;
  send(answer: Answer, otherFile?: OtherFile): Promise<void>;
  /** For bodies that are not held in memory; `write` ends the response unless `atByte` stops it short. */
  sendStream(
    status: number,
    headers: Record<string, string>,
    write: (response: ServerResponse, atByte: number) => Promise<void>,
  ): Promise<void>;
  /** In the way that the knob `refusal` sets. */
  refuse(answer: Answer): Promise<void>;
};

// Long enough for a client to see the answer and stop; nginx lingers as long by default.
const lingerMs = 5_000;

export function createExchange(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
  record: RequestRecord,
  expectsContinue: boolean,
): Exchange {
  const { clock, knobs } = context;
  const { socket } = request;
  const leaving = new AbortController();
  const gone = leaving.signal;
  response.once('close', () => leaving.abort());
  response.sendDate = false;
  const faults = chooseFaults(context.faults, record);

  const cut = (): never => {
    record.outcome = 'cut';
    destroyHard(socket);
    throw new Cut('reset');
  };
  const stall = async (): Promise<never> => {
    record.outcome = 'cut';
    await untilAborted(gone, () => () => {});
    throw new Cut('stalled');
  };
  const obeyCuts = async (stage: Stage) => {
    const isDue = (fault: { at: Stage; afterBytes?: number } | undefined) =>
      fault?.at === stage && (stage !== 'body' || record.bytes >= (fault.afterBytes ?? 1));
    if (isDue(faults.find('reset'))) cut();
    if (isDue(faults.find('stall'))) await stall();
  };
  const dated = (headers: Record<string, string>) => ({
    date: new Date(clock.now()).toUTCString(),
    ...headers,
  });

  const send: Exchange['send'] = async (answer, otherFile) => {
    if (gone.aborted) throw new Cut('gone');
    const spoiled = spoil(answer, faults.all(), otherFile);
    const truncate = faults.find('truncate');
    record.status = spoiled.status;
    const sent = { ...spoiled, headers: dated(spoiled.headers) };
    await sendAnswer(response, sent, truncate?.atByte);
    record.outcome = truncate ? 'cut' : 'answered';
  };

  const read = async (onChunk: (chunk: Buffer) => Promise<void> | null) => {
    const rate = faults.find('drip-read')?.bytesPerSecond;
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        record.bytes += chunk.length;
        const busy = onChunk(chunk);
        if (busy) await busy;
        await obeyCuts('body');
        if (rate !== undefined) await clock.sleep((chunk.length / rate) * 1000, gone);
      }
    } catch (error) {
      if (error instanceof Cut || !gone.aborted) throw error;
    }
    if (!request.complete) throw new Cut('The client left within the body');
    record.bodyComplete = true;
  };
  const readBody: Exchange['readBody'] = async (onChunk) => {
    if (expectsContinue) response.writeContinue();
    await read(onChunk);
  };
  const ignoreRest = async () => {
    if (!record.bodyComplete) await read(() => null);
  };
  const sendRaw = (answer: Answer) => {
    if (gone.aborted) throw new Cut('gone');
    record.status = answer.status;
    record.outcome = 'answered';
    sendAnswerRaw(socket, { ...answer, headers: dated(answer.headers) });
  };
  const sendAndLinger = async (answer: Answer) => {
    sendRaw(answer);
    await Promise.race([ignoreRest(), clock.sleep(lingerMs, gone)]).finally(() => socket.destroy());
  };
  /** Starts reading first: once the answer is out, Node silently discards an unread body. */
  const sendAndReadOn = async (answer: Answer) => {
    const rest = ignoreRest();
    rest.catch(() => {});
    await send(answer);
    // An answered request gets no events of its socket either.
    const closed = new AbortController();
    const onClose = () => closed.abort();
    socket.once('close', onClose);
    if (socket.destroyed) onClose();
    await Promise.race([rest, untilAborted(closed.signal, () => () => {})]);
    socket.off('close', onClose);
  };
  /** Node would destroy a connection that is not kept alive; with an unread body, the answer would be lost. */
  const sendEarly = (answer: Answer) =>
    response.shouldKeepAlive ? sendAndReadOn(answer) : sendAndLinger(answer);

  return {
    record,
    request,
    gone,
    readBody,
    send,
    nameFile: (filename) => faults.chooseFor(filename),
    pass: async (stage) => {
      await obeyCuts(stage);
      for (const delay of faults.findAll('delay')) {
        const ends = stage === 'read' ? context.closing : gone;
        if ((delay.at ?? 'done') === stage) await clock.sleep(delay.ms, ends);
      }
      const scripted = faults.scriptedAnswer();
      if (scripted?.at !== stage) return;
      await (stage === 'headers' ? sendEarly(scripted.answer) : send(scripted.answer));
      throw new Cut('answered by the script');
    },
    sendStream: async (status, headers, write) => {
      if (gone.aborted) throw new Cut('gone');
      const truncate = faults.find('truncate');
      record.status = status;
      response.writeHead(status, dated(headers));
      await write(response, truncate?.atByte ?? Infinity);
      if (truncate) {
        // A plain close, not a reset: what was written must arrive.
        await new Promise<void>((resolve) => socket.end(() => resolve()));
        socket.destroy();
      }
      record.outcome = truncate ? 'cut' : 'answered';
    },
    refuse: async (answer) => {
      switch (knobs.refusal) {
        case 'late':
          if (!record.bodyComplete) await readBody(() => null);
          await send(answer);
          return;
        case 'early':
          await sendEarly(answer);
          return;
        case 'early-close':
          await sendAndLinger(answer);
          return;
        case 'early-cut':
          sendRaw(answer);
          setImmediate(() => socket.destroy());
      }
    },
  };
}
