// One request and its answer on the wire, with the faults that meet it. The rest of the service reads bodies and
// sends answers only through here; where a fault ends the exchange, `Cut` unwinds the work that was going on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answers.ts';
import type { Context } from './context.ts';
import { isManner, type Fault, type Stage } from './faults.ts';
import type { RequestRecord } from './request-log.ts';
import { spoil, type SpoilContext } from './spoil.ts';
import { sendAnswer, sendAnswerRaw } from './send.ts';

/** The exchange is over: a fault cut it, or the client has gone. */
export class Cut extends Error {}

export type Exchange = {
  record: RequestRecord;
  request: IncomingMessage;
  /** Aborted when the connection closes. */
  gone: AbortSignal;
  /** Obeys what the script wants at this point. Throws `Cut`. */
  pass(stage: Exclude<Stage, 'body'>): Promise<void>;
  /** Asks the script once more, now that the name of the file is known. */
  nameFile(filename: string): void;
  /** Reads the body; resolves when all of it is there. Throws `Cut`. */
  readBody(onChunk: (chunk: Buffer) => Promise<void> | null): Promise<void>;
  send(answer: Answer, spoilContext?: SpoilContext): Promise<void>;
  /** For bodies that are not held in memory; `write` ends the response unless it stops short of the end. */
  sendStream(
    status: number,
    headers: Record<string, string>,
    write: (response: ServerResponse, atByte: number) => Promise<void>,
  ): Promise<void>;
  /** As the knob `refusal` wants it. */
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
  const { socket } = request;
  const leaving = new AbortController();
  const gone = leaving.signal;
  socket.once('close', () => leaving.abort());
  response.once('close', () => leaving.abort());
  const { clock, knobs } = context;

  const faults: Fault[] = [];
  const take = (filename: string | null) => {
    const hasOutcome = faults.some((fault) => !isManner(fault));
    const taken = context.faults.take({ method: record.method, path: record.path, filename }, hasOutcome);
    faults.push(...taken);
    record.faults.push(...taken.map((fault) => fault.kind));
  };
  take(null);
  const find = <K extends Fault['kind']>(kind: K) =>
    faults.find((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind);
  const findAll = <K extends Fault['kind']>(kind: K) =>
    faults.filter((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind);

  const cut = (): never => {
    record.outcome = 'cut';
    socket.resetAndDestroy();
    throw new Cut('reset');
  };
  const untilGone = () =>
    new Promise<void>((resolve) => {
      if (gone.aborted) resolve();
      else gone.addEventListener('abort', () => resolve());
    });
  const stall = async (): Promise<never> => {
    record.outcome = 'cut';
    request.pause();
    await untilGone();
    throw new Cut('stalled');
  };
  const obeyCuts = async (stage: Stage) => {
    const dueWithin = (fault: { afterBytes?: number }) =>
      stage !== 'body' || record.bytes >= (fault.afterBytes ?? 1);
    const reset = find('reset');
    if (stage === 'headers' && find('refuse')) cut();
    if (reset?.at === stage && dueWithin(reset)) cut();
    const stalled = find('stall');
    if (stalled?.at === stage && dueWithin(stalled)) await stall();
  };

  const send: Exchange['send'] = async (answer, spoilContext) => {
    if (gone.aborted) throw new Cut('gone');
    const spoiled = spoil(answer, faults, spoilContext);
    record.status = spoiled.status;
    await sendAnswer(response, spoiled, {
      truncate: find('truncate'),
      drip: find('drip-answer'),
      clock,
      gone,
    });
    record.outcome = find('truncate') ? 'cut' : 'answered';
  };
  const readBody: Exchange['readBody'] = async (onChunk) => {
    if (expectsContinue && !response.headersSent) response.writeContinue();
    const rate = find('drip-read')?.bytesPerSecond;
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
  const ignoreBody = () => readBody(() => null);

  return {
    record,
    request,
    gone,
    pass: async (stage) => {
      await obeyCuts(stage);
      if (stage === 'headers') {
        for (const { statuses } of findAll('interim')) await sendInterim(response, statuses);
      }
      for (const delay of findAll('delay')) {
        if ((delay.at ?? 'done') === stage) await clock.sleep(delay.ms, gone);
      }
      const scripted = find('answer') ?? redirectAnswer(find('redirect'));
      if (scripted && (scripted.at ?? 'read') === stage) {
        await send({ status: scripted.status, headers: scripted.headers ?? {}, body: scripted.body ?? '' });
        if (stage === 'headers') await ignoreBody();
        throw new Cut('answered by the script');
      }
    },
    nameFile: (filename) => take(filename),
    readBody,
    send,
    sendStream: async (status, headers, write) => {
      if (gone.aborted) throw new Cut('gone');
      const truncate = find('truncate');
      record.status = status;
      response.writeHead(status, headers);
      await write(response, truncate?.atByte ?? Infinity);
      if (truncate) {
        await new Promise<void>((resolve) => socket.end(() => resolve()));
        socket.destroy();
      }
      record.outcome = truncate ? 'cut' : 'answered';
    },
    refuse: async (answer) => {
      switch (knobs.refusal) {
        case 'late':
          if (!record.bodyComplete) await ignoreBody();
          await send(answer);
          return;
        case 'early':
          await send(answer);
          if (!record.bodyComplete) await ignoreBody();
          return;
        case 'early-close':
          record.status = answer.status;
          sendAnswerRaw(socket, answer);
          record.outcome = 'answered';
          await Promise.race([ignoreBody(), clock.sleep(lingerMs, gone)]).finally(() => socket.destroy());
          return;
        case 'early-cut':
          record.status = answer.status;
          sendAnswerRaw(socket, answer);
          record.outcome = 'answered';
          setImmediate(() => socket.destroy());
      }
    },
  };
}

function redirectAnswer(fault: Extract<Fault, { kind: 'redirect' }> | undefined) {
  if (!fault) return undefined;
  const { at, status = 302, location } = fault;
  return { ...(at === undefined ? {} : { at }), status, headers: { location }, body: '' };
}

async function sendInterim(response: ServerResponse, statuses: number[]): Promise<void> {
  for (const status of statuses) {
    await new Promise<void>((resolve) => {
      response.socket?.write(`HTTP/1.1 ${status} Interim\r\n\r\n`, () => resolve());
    });
  }
}
