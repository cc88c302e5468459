// Puts an answer on the wire: whole or cut short.
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Answer } from './answers.ts';

/** Resolves when the answer was handed to the system, or the client has gone. `atByte`: where the body is cut. */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  atByte: number | undefined,
): Promise<void> {
  const body = bodyOf(answer);
  const headers = headersOf(answer, body);
  const { socket } = response;
  if (atByte !== undefined && socket) {
    const head = rawHead(answer.status, headers);
    // A plain close, not a reset: what was written must arrive.
    await new Promise<void>((resolve) =>
      socket.end(Buffer.concat([Buffer.from(head, 'latin1'), body.subarray(0, atByte)]), resolve),
    );
    socket.destroy();
    return;
  }
  response.writeHead(answer.status, headers);
  await new Promise<void>((resolve) => {
    response.once('close', () => resolve());
    response.end(body, () => resolve());
  });
}

/** A reset rather than an orderly end; under TLS only the socket below could send one, and there it is a bare close. */
export function destroyHard(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
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
