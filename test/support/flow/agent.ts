// A client of `outtray mcp`, by the client of the official SDK: to a server in the test's process, or, in the deep ring,
// to one that it starts as its child.
import { PassThrough } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { cli } from './command.ts';
import { everyProcess } from './in-process.ts';
import type { Place } from './place.ts';

type Message = Parameters<Transport['send']>[0];

/** `hear` gets what the server writes on standard error. */
const toChild = (place: Place, hear: (text: string) => void): Transport => {
  const env = Object.fromEntries(
    Object.entries({ PATH: process.env['PATH'], ...place.env }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp'],
    env,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (part: Buffer) => hear(part.toString()));
  return transport;
};

const toServerHere = (place: Place, hear: (text: string) => void): Transport => {
  const input = new PassThrough();
  let unread = '';
  let ended: Promise<unknown> = Promise.resolve();
  const transport: Transport = {
    start: async () => {
      const server = place.start(['mcp'], {
        stdin: input,
        hear: (stream, text) => {
          if (stream === 'stderr') return hear(text);
          const lines = `${unread}${text}`.split('\n');
          unread = lines.pop() ?? '';
          for (const line of lines) transport.onmessage?.(JSON.parse(line) as Message);
        },
      });
      ended = server.ended.then(() => transport.onclose?.());
    },
    send: async (message) => {
      input.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      input.end();
      await ended;
    },
  };
  return transport;
};

export const transportTo = (place: Place, hear: (text: string) => void): Transport =>
  everyProcess ? toChild(place, hear) : toServerHere(place, hear);
