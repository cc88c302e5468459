// Puts an answer on the wire: whole, cut short or in drips.
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Answer } from './answers.ts';
import type { ServiceClock } from './clock.ts';
import type { Fault } from './faults.ts';

export type Manner = {
  truncate: Extract<Fault, { kind: 'truncate' }> | undefined;
  drip: Extract<Fault, { kind: 'drip-answer' }> | undefined;
  clock: ServiceClock;
  gone: AbortSignal;
};

/** Resolves when the answer was handed to the system, or the client has gone. */
export async function sendAnswer(response: ServerResponse, answer: Answer, manner: Manner): Promise<void> {
  const { truncate, drip, clock, gone } = manner;
  const body = bodyOf(answer);
  const headers = headersOf(answer, body);

  if (truncate) {
    const head = truncate.of === 'answer' ? '' : rawHead(answer.status, headers);
    const whole = truncate.of === 'answer' ? rawAnswer(answer) : body;
    const socket = response.socket;
    const start = Buffer.concat([Buffer.from(head, 'latin1'), whole.subarray(0, truncate.atByte)]);
    await new Promise<void>((resolve) => (socket ? socket.write(start, () => resolve()) : resolve()));
    // A plain close, not a reset: what was written must arrive.
    await new Promise<void>((resolve) => (socket ? socket.end(() => resolve()) : resolve()));
    socket?.destroy();
    return;
  }

  response.writeHead(answer.status, headers);
  if (drip) {
    response.flushHeaders();
    for (let from = 0; from < body.length && !gone.aborted; from += drip.bytes) {
      response.write(body.subarray(from, from + drip.bytes));
      await clock.sleep(drip.everyMs, gone);
    }
  }
  await new Promise<void>((resolve) => {
    response.once('close', () => resolve());
    response.end(drip ? undefined : body, () => resolve());
  });
}

/** A reset rather than an orderly end; under TLS only the socket below could send one, and there it is a bare close. */
export function destroyHard(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Informational answers (1xx) before the real one. */
export async function sendInterim(response: ServerResponse, statuses: number[]): Promise<void> {
  for (const status of statuses) {
    await new Promise<void>((resolve) => {
      if (!response.socket) return resolve();
      response.socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Interim'}\r\n\r\n`, () =>
        resolve(),
      );
    });
  }
}

/** Writes the answer past the response object, then closes our direction only. */
export function sendAnswerRaw(socket: Socket, answer: Answer): void {
  socket.end(rawAnswer({ ...answer, headers: { ...answer.headers, connection: 'close' } }));
}

function rawAnswer(answer: Answer): Buffer {
  const body = bodyOf(answer);
  return Buffer.concat([Buffer.from(rawHead(answer.status, headersOf(answer, body)), 'latin1'), body]);
}

function bodyOf({ body }: Answer): Buffer {
  return Buffer.from(typeof body === 'string' ? body : jsonOf(body));
}

/** As a service writes it: an id that no number holds, text here, has no quotes. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/("file_id":)"(\d{16,})"/g, '$1$2');

function headersOf(answer: Answer, body: Buffer): Record<string, string> {
  const type: Record<string, string> =
    typeof answer.body === 'string' ? {} : { 'content-type': 'application/json; charset=utf-8' };
  return { ...type, 'content-length': String(body.length), ...answer.headers };
}

function rawHead(status: number, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n${lines.join('')}\r\n`;
}
