// What all tests of the service share: one service per test, time that stands still unless a test advances it, and
// clients that send exactly what the test gives them.
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ServiceOptions } from '../options.ts';
import { startService, type Service } from '../service.ts';

export const boundary = 'b0undary';
export let service: Service;

const beginMs = Date.UTC(2026, 0, 31, 23, 59, 0);
export let nowMs = beginMs;

export function advance(ms: number): void {
  nowMs += ms;
}

export async function start(options: ServiceOptions = {}): Promise<void> {
  const made = await startService({ key: 'the-key', clock: { now: () => nowMs }, seed: 1, ...options });
  service = made;
  onTestFinished(async () => {
    await made.close();
    nowMs = beginMs;
  });
}

type Asking = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

export function ask(path: string, { headers, ...init }: Asking = {}): Promise<Response> {
  return fetch(service.baseUrl + path, {
    redirect: 'manual',
    ...init,
    headers: { authorization: `Bearer ${service.key}`, ...headers },
  });
}

export type Json = Record<string, unknown>;
export const askJson = async (path: string, init?: Asking) => (await (await ask(path, init)).json()) as Json;

export function upload(
  filename: string,
  content: string | Uint8Array<ArrayBuffer>,
  init: Asking = {},
): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([content]), filename);
  return ask('/files/upload', { method: 'POST', body: form, ...init });
}

export const uploadJson = async (filename: string, content: string) =>
  (await (await upload(filename, content)).json()) as Json;

export function partOf(disposition: string, content: string): string {
  return `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`;
}

/** A form written by hand, for heads that no client library would send. */
export function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
  const type = `multipart/form-data; boundary=${boundary}`;
  const bytes = new Uint8Array(Buffer.from(body));
  return ask('/files/upload', { method: 'POST', body: bytes, headers: { 'content-type': type, ...headers } });
}

export const postFile = (disposition: string, content = 'x') =>
  post(`${partOf(disposition, content)}--${boundary}--\r\n`);

/** Sends the pieces one by one, then reads until the other side ends or `leave` hangs up. */
export function talk(pieces: (string | Buffer)[], leave = false): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(service.port, '127.0.0.1', () => {
      const next = (index: number) => {
        const piece = pieces[index];
        if (piece !== undefined) socket.write(piece, () => setImmediate(next, index + 1));
        else if (leave) socket.resetAndDestroy();
      };
      next(0);
    });
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
  });
}

export function uploadHead(length: number, more = ''): string {
  return (
    `POST /api/v1/files/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer the-key\r\n${more}` +
    `Content-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${length}\r\n\r\n`
  );
}

export async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('It never came true');
}
