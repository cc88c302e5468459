// Our own implementation of service-api.md over real HTTP, for tests, the demo and benchmarks. It is reached by URL
// only and shares no code with the program. `startService` joins the parts; read `routes.ts` next.
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAccounts, type AccountView } from './accounts.ts';
import { createServiceClock } from './clock.ts';
import { basePath, type Context } from './context.ts';
import { createExchange, Cut } from './exchange.ts';
import { createFaults, type FaultRule } from './faults.ts';
import { knobsOf, type AccountOptions, type Knobs, type ServiceOptions } from './options.ts';
import { createRequestLog, type RequestRecord } from './request-log.ts';
import { serve } from './routes.ts';
import { createStore, type StoredFile } from './store.ts';

export type NewFile = {
  filename: string;
  content: string | Uint8Array;
  account?: string;
  storedAtMs?: number;
};

export type Service = {
  /** With the version segment: `http://127.0.0.1:port/api/v1`. */
  baseUrl: string;
  controlUrl: string;
  port: number;
  dir: string;
  /** The key of the first account as it was at the start. */
  key: string;
  accounts(): AccountView[];
  account(name?: string): AccountView;
  changeAccount(options: AccountOptions): void;
  revokeKey(name?: string): void;
  setKey(key: string, name?: string): void;
  /** Of all accounts, in order of arrival; `path` is where the bytes lie. */
  files(): StoredFileView[];
  /** Puts a file there as if somebody else had uploaded it. */
  addFile(file: NewFile): Promise<StoredFileView>;
  removeFile(id: number): Promise<void>;
  /** Requests since the start or the last `clearRequests`. */
  requests(): RequestRecord[];
  clearRequests(): void;
  /** The most API requests within any span of this length. */
  busiest(spanMs: number): number;
  /** How many requests were answered with 429. */
  violations(): number;
  faults: { add(...rules: FaultRule[]): void; clear(): void; pending(): FaultRule[] };
  knobs(): Knobs;
  change(knobs: Partial<Knobs>): void;
  now(): number;
  /** Pushes the service's clock forward. */
  tick(ms: number): void;
  /** Stops listening: connections are refused by the system, running ones go on. `listen` undoes it on the same port. */
  refuseConnections(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
};

export type StoredFileView = StoredFile & { path: string | null; link: string };

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const temporary = options.dir === undefined ? await mkdtemp(join(tmpdir(), 'outtray-service-')) : null;
  const dir = resolve(temporary ?? options.dir ?? '');
  await mkdir(dir, { recursive: true });
  const knobs = knobsOf(options);
  const clock = createServiceClock(options.clock);
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  const store = createStore({
    dir,
    mode: options.store ?? 'disk',
    seed,
    firstFileId: options.firstFileId ?? 1001,
  });
  const log = createRequestLog();
  const faults = createFaults(seed);
  const accounts = createAccounts(options.accounts ?? [options], knobs, clock);
  let port = options.port ?? 0;
  const host = () => `http://127.0.0.1:${port}`;
  const context: Context = { knobs, seed, clock, accounts, store, log, faults, host };

  const open = new Set<Promise<void>>();
  const answer = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    const exchange = answerOne(context, request, response, expectsContinue);
    open.add(exchange);
    void exchange.finally(() => open.delete(exchange));
  };
  const server = createServer(
    // Slow clients and large files are what this is for; only a test's own limits end an exchange.
    { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 60_000, noDelay: true },
    (request, response) => answer(request, response, false),
  );
  server.timeout = 0;
  server.on('checkContinue', (request, response) => answer(request, response, true));
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    if (faults.refuseConnection()) socket.resetAndDestroy();
  });
  const listen = () =>
    new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', fail);
        port = (server.address() as AddressInfo).port;
        done();
      });
    });
  await listen();

  const view = (file: StoredFile): StoredFileView => ({
    ...file,
    path: store.pathOf(file),
    link: `${knobs.linkHost ?? host()}/download/${file.token}`,
  });
  const account = (name?: string) => {
    const wanted = accounts.byName(name).name;
    const found = accounts.view().find((each) => each.name === wanted);
    if (!found) throw new Error(`No account ${wanted}`);
    return found;
  };

  return {
    baseUrl: `${host()}${basePath}`,
    controlUrl: `${host()}/__control`,
    port,
    dir,
    key: account().key ?? '',
    accounts: () => accounts.view(),
    account,
    changeAccount: (change) => accounts.change(change),
    revokeKey: (name) => accounts.setKey(null, name),
    setKey: (key, name) => accounts.setKey(key, name),
    files: () => store.all().map(view),
    addFile: async ({ filename, content, account: name, storedAtMs }) => {
      const incoming = store.receive();
      await incoming.write(Buffer.from(content));
      const file = await store.keep(incoming, {
        account: accounts.byName(name).name,
        filename,
        sentName: filename,
        storedAtMs: storedAtMs ?? clock.now(),
        request: null,
      });
      return view(file);
    },
    removeFile: async (id) => {
      const file = store.all().find((each) => each.id === id);
      if (file) await store.remove(file);
    },
    requests: () => log.all(),
    clearRequests: () => log.clear(),
    busiest: (spanMs) => log.busiest(spanMs),
    violations: () => log.violations(),
    faults: { add: faults.add, clear: faults.clear, pending: faults.pending },
    knobs: () => ({ ...knobs }),
    change: (change) => {
      Object.assign(knobs, change);
      if ('window' in change || 'dayWindow' in change || 'windowPhaseMs' in change) accounts.resetWindows();
    },
    now: () => clock.now(),
    tick: (ms) => clock.tick(ms),
    refuseConnections: () =>
      new Promise((done) => {
        server.close(() => {});
        server.closeIdleConnections();
        done();
      }),
    listen,
    close: async () => {
      if (server.listening) server.close();
      server.closeAllConnections();
      await Promise.allSettled(open);
      if (temporary !== null) await rm(temporary, { recursive: true, force: true });
    },
  };
}

async function answerOne(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
  expectsContinue: boolean,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const record = context.log.begin(request, context.clock.now(), path);
  response.on('error', () => {});
  const exchange = createExchange(context, request, response, record, expectsContinue);
  try {
    await serve(context, exchange);
  } catch (error) {
    if (!(error instanceof Cut) && !exchange.gone.aborted) {
      // A fault of this service, not of the program under test: never to be taken for an answer.
      process.emitWarning(error instanceof Error ? error : String(error));
      response.destroy();
    }
  } finally {
    if (record.outcome === 'pending') record.outcome = 'client-gone';
    record.endedAtMs = context.clock.now();
  }
}
