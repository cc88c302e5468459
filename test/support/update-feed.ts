// A feed of updates on this machine, and electron-updater's AppImage updater under plain Node against it. The
// "AppImage" is a file of random pages with the block map at its end, as electron-builder appends it.
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { AppUpdater } from 'electron-updater';

const require = createRequire(import.meta.url);
const { AppImageUpdater } = require('electron-updater') as {
  AppImageUpdater: new (options: null, app: object) => AppUpdater;
};

const pageBytes = 16_384;

/** The new program is started once by its installer, so it begins as a script that ends at once. */
const script = Buffer.from('#!/bin/sh\nexit 0\n');

/** Pages of random content; those of `from` are taken over but the given number of last ones. */
export const makeAppImage = (pages: number, from?: Buffer, fresh = pages): Buffer => {
  const kept = from?.subarray(0, (pages - fresh) * pageBytes) ?? script;
  const content = Buffer.concat([kept, randomBytes(pages * pageBytes - kept.length)]);
  const checksums: string[] = [];
  const sizes: number[] = [];
  for (let at = 0; at < content.length; at += pageBytes) {
    const page = content.subarray(at, at + pageBytes);
    checksums.push(createHash('sha256').update(page).digest('base64').slice(0, 24));
    sizes.push(page.length);
  }
  const map = { version: '2', files: [{ name: 'file', offset: 0, checksums, sizes }] };
  const packed = deflateRawSync(JSON.stringify(map));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(packed.length);
  return Buffer.concat([content, packed, size]);
};

export type LocalFeed = {
  address: string;
  /** The requests, as `PATH RANGE`. */
  asked: string[];
  /** Bytes of installers that were sent. */
  sentBytes: () => number;
  files: Map<string, Buffer | ((request: IncomingMessage, response: ServerResponse) => void)>;
  /** Announces an installer on a channel; `more` are further lines of the file. */
  publish(
    version: string,
    content: Buffer,
    more?: { channel?: string; url?: string; lines?: string[] },
  ): void;
  close(): Promise<void>;
};

/** `tls`: with this certificate instead of plain http:. */
export const startFeed = async (tls: { cert: string; key: string } | null = null): Promise<LocalFeed> => {
  const files: LocalFeed['files'] = new Map();
  const asked: string[] = [];
  let sentBytes = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const name = (request.url ?? '').split('?')[0] ?? '';
    const range = request.headers.range ?? '';
    asked.push(`${name} ${range}`.trim());
    const file = files.get(name);
    if (file === undefined) return void response.writeHead(404).end('nothing here');
    if (typeof file === 'function') {
      file(request, response);
      return;
    }
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const piece = first === undefined ? file : file.subarray(Number(first), Number(last) + 1);
    if (!name.endsWith('.yml')) sentBytes += piece.length;
    const headers: Record<string, string | number> = { 'content-length': piece.length };
    if (first !== undefined) headers['content-range'] = `bytes ${first}-${last ?? ''}/${file.length}`;
    response.writeHead(first === undefined ? 200 : 206, headers).end(piece);
  };
  const server = tls === null ? http.createServer(answer) : https.createServer(tls, answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    address: `${tls === null ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    sentBytes: () => sentBytes,
    files,
    publish(version, content, { channel = 'latest', url, lines = [] } = {}) {
      const name = `outtray-${version}-linux-x86_64.AppImage`;
      const sha512 = createHash('sha512').update(content).digest('base64');
      const mapBytes = content.readUInt32BE(content.length - 4);
      files.set(`/${name}`, content);
      files.set(
        `/${channel}-linux.yml`,
        Buffer.from(
          [
            `version: ${version}`,
            'files:',
            `  - url: ${url ?? name}`,
            `    sha512: ${sha512}`,
            `    size: ${content.length}`,
            `    blockMapSize: ${mapBytes}`,
            `path: ${url ?? name}`,
            `sha512: ${sha512}`,
            ...lines,
            "releaseDate: '2026-11-20T00:00:00.000Z'",
            '',
          ].join('\n'),
        ),
      );
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};

export type Installation = {
  updater: AppUpdater;
  /** The installed program. */
  program: () => Promise<Buffer>;
  /** The program ends: electron-updater installs what it may. */
  quit: () => void;
  remove(): Promise<void>;
};

/** An installed AppImage of this version. Sets APPIMAGE, which names the running one. */
export const installAppImage = async (version: string, content: Buffer): Promise<Installation> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'outtray-update-'));
  const program = path.join(folder, 'installed', `outtray-${version}-linux-x86_64.AppImage`);
  await mkdir(path.dirname(program));
  await writeFile(program, content);
  await chmod(program, 0o755);
  await writeFile(
    path.join(folder, 'app-update.yml'),
    'provider: generic\nupdaterCacheDirName: outtray-updater\n',
  );
  process.env['APPIMAGE'] = program;
  const atEnd: ((exitCode: number) => void)[] = [];
  const updater = new AppImageUpdater(null, {
    version,
    name: 'outtray',
    isPackaged: true,
    appUpdateConfigPath: path.join(folder, 'app-update.yml'),
    userDataPath: folder,
    baseCachePath: path.join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: (hear: (exitCode: number) => void) => void atEnd.push(hear),
  });
  Object.assign(updater, { httpExecutor: makeExecutor() });
  return {
    updater,
    async program() {
      // Its name carries the version, and follows an update.
      const [name = '', ...others] = await readdir(path.dirname(program));
      if (others.length > 0)
        throw new Error(`More than one program is installed: ${name}, ${others.join(', ')}`);
      return readFile(path.join(path.dirname(program), name));
    },
    quit() {
      for (const hear of atEnd) hear(0);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

/** electron-updater's own needs Electron's network; this one is Node's. */
const makeExecutor = (): object => {
  type Options = Record<string, unknown>;
  const runtime = createRequire(require.resolve('electron-updater'))('builder-util-runtime') as {
    HttpExecutor: new () => { doDownload(request: Options, options: Options, redirects: number): void };
    configureRequestUrl(url: URL, options: Options): void;
    configureRequestOptions(options: Options): void;
  };
  class NodeExecutor extends runtime.HttpExecutor {
    createRequest(
      options: http.RequestOptions,
      hear: (response: IncomingMessage) => void,
    ): http.ClientRequest {
      return http.request({ ...options, agent: false }, hear);
    }
    download(
      url: URL,
      destination: string,
      options: { headers?: Options; cancellationToken: Token },
    ): Promise<string> {
      return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
        const request: Options = { headers: options.headers };
        runtime.configureRequestUrl(url, request);
        runtime.configureRequestOptions(request);
        const callback = (error?: Error | null): void =>
          error instanceof Error ? reject(error) : resolve(destination);
        this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0);
      });
    }
  }
  type Token = {
    createPromise(
      run: (resolve: (value: string) => void, reject: (error: Error) => void, onCancel: unknown) => void,
    ): Promise<string>;
  };
  return new NodeExecutor();
};
