// An nginx of its own on loopback, with the server block that a test gives.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../../support/flow/poll.ts';
import { accepts, freePort } from './ports.ts';

export type Nginx = {
  /** Base address of the service behind the proxy. */
  baseUrl: string;
  errors(): Promise<string>;
  close(): Promise<void>;
};

export type NginxOptions = {
  /** Origin that requests go to, such as `http://127.0.0.1:1234`. */
  origin: string;
  /** Directives of the server block, such as `proxy_request_buffering off;`. */
  server?: string;
  /** Directives of the http block, such as `limit_req_zone …;`. */
  http?: string;
};

/** Starts nginx in the foreground in a temporary folder; `close` ends it and removes the folder. */
export const startNginx = async ({ origin, server = '', http = '' }: NginxOptions): Promise<Nginx> => {
  const root = await mkdtemp(path.join(tmpdir(), 'outtray-nginx-'));
  await mkdir(path.join(root, 'temp'));
  const port = await freePort();
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${root}/temp/${name};`)
    .join(' ');
  const config = `
    daemon off; pid ${root}/pid; error_log ${root}/error.log warn; worker_processes 1;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 512; }
    http {
      access_log off; ${temps} client_max_body_size 0;
      ${http}
      server {
        listen 127.0.0.1:${port};
        ${server}
        location / { proxy_pass ${origin}; proxy_http_version 1.1; proxy_set_header Host $http_host; }
      }
    }`;
  await writeFile(path.join(root, 'nginx.conf'), config);
  const child = spawn('nginx', ['-p', root, '-c', path.join(root, 'nginx.conf'), '-e', `${root}/error.log`], {
    stdio: 'ignore',
    env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const errors = () => readFile(path.join(root, 'error.log'), 'utf8').catch(() => '');
  await eventually('nginx listens', () => accepts(port));
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    errors,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(root, { recursive: true, force: true });
    },
  };
};
