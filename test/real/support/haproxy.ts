// A haproxy of its own on loopback, with the directives that a test gives.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../../support/flow/poll.ts';
import { accepts, freePort } from './ports.ts';

export type Haproxy = {
  /** Base address of the service behind the proxy. */
  baseUrl: string;
  close(): Promise<void>;
};

export type HaproxyOptions = {
  /** Origin that requests go to, such as `http://127.0.0.1:1234`. */
  origin: string;
  /** Directives, one a line, such as `option http-buffer-request`; a timeout given here replaces the usual one. */
  directives?: readonly string[];
};

/** Starts haproxy in the foreground with a configuration in a temporary folder; `close` ends it and removes the folder. */
export const startHaproxy = async ({ origin, directives = [] }: HaproxyOptions): Promise<Haproxy> => {
  const root = await mkdtemp(path.join(tmpdir(), 'outtray-haproxy-'));
  const port = await freePort();
  const config = [
    'global',
    '  maxconn 200',
    // A port that another server has is an error, not a share.
    '  noreuseport',
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 10m',
    '  timeout server 10m',
    'listen service',
    `  bind 127.0.0.1:${port}`,
    ...directives.map((directive) => `  ${directive}`),
    `  server one ${new URL(origin).host}`,
  ];
  await writeFile(path.join(root, 'haproxy.cfg'), `${config.join('\n')}\n`);
  const child = spawn('haproxy', ['-db', '-f', path.join(root, 'haproxy.cfg')], {
    stdio: 'ignore',
    env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await eventually('haproxy listens', () => accepts(port));
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(root, { recursive: true, force: true });
    },
  };
};
