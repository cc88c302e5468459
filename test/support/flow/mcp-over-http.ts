// `outtray mcp` behind HTTP, for tools that speak the streamable transport only: one process for each session, its
// messages passed on unchanged.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { cli } from './command.ts';

type Message = { id?: string | number; method?: string };

type Session = { child: ChildProcess; waiting: Map<string | number, ServerResponse> };

export type Bridge = { url: string; close(): Promise<void> };

/** Every process gets `env` and nothing else. */
export const serveMcpOverHttp = async (env: Record<string, string | undefined>): Promise<Bridge> => {
  const sessions = new Map<string, Session>();

  const open = (): Session => {
    const child = spawn(process.execPath, [cli, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const waiting: Session['waiting'] = new Map();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, method } = JSON.parse(line) as Message;
      const isAnswer = id !== undefined && method === undefined;
      // A message that is no answer belongs to the running request.
      const to = isAnswer ? waiting.get(id) : [...waiting.values()].at(-1);
      to?.write(`event: message\ndata: ${line}\n\n`);
      if (!isAnswer) return;
      to?.end();
      waiting.delete(id);
    });
    child.once('exit', () => {
      for (const response of waiting.values()) response.destroy();
    });
    return { child, waiting };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = request.headers['mcp-session-id'];
    const known = typeof name === 'string' ? sessions.get(name) : undefined;
    if (request.method === 'DELETE') {
      known?.child.stdin?.end();
      response.writeHead(known === undefined ? 404 : 200).end();
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST, DELETE' }).end();
      return;
    }
    const body = await text(request);
    const { id, method } = JSON.parse(body) as Message;
    const session = known ?? (method === 'initialize' ? open() : undefined);
    if (session === undefined) {
      response.writeHead(404).end();
      return;
    }
    const key = typeof name === 'string' ? name : randomUUID();
    sessions.set(key, session);
    if (id === undefined || method === undefined) response.writeHead(202).end();
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': key });
      session.waiting.set(id, response);
    }
    session.child.stdin?.write(`${JSON.stringify(JSON.parse(body))}\n`);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      server.close();
      const running = [...sessions.values()].filter(
        ({ child }) => child.exitCode === null && child.signalCode === null,
      );
      await Promise.all(
        running.map(async ({ child }) => {
          const ended = once(child, 'exit');
          child.stdin?.end();
          await ended;
        }),
      );
    },
  };
};
