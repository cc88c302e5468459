// Our own implementation of service.md over real HTTP, for tests, the demo and benchmarks. It is reached by URL
// only and shares no code with the program. `startService` joins the parts; read `routes.ts` next.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAccounts, type AccountView } from './accounts.ts';
import { linkOf } from './answers.ts';
import { basePath } from './base-path.ts';
import { createServiceClock } from './clock.ts';
import type { Context } from './context.ts';
import { answerControl } from './control.ts';
import { createExchange, Cut } from './exchange.ts';
import { createFaults, type FaultRule } from './faults.ts';
import { knobsOf, type AccountOptions, type Knobs, type ServiceOptions } from './options.ts';
import { createRequestLog, type RequestRecord } from './request-log.ts';
import { serve } from './routes.ts';
import { startServer } from './server.ts';
import { createStore, type StoredFile } from './store.ts';

export type NewFile = {
  filename: string;
  content: string | Uint8Array;
  account?: string;
  storedAtMs?: number;
};

/** `path` is where the bytes are, if they are kept. */
export type StoredFileView = StoredFile & { path: string | null; link: string };

export type Service = {
  /** With the version segment: `http://127.0.0.1:port/api/v1`. */
  baseUrl: string;
  controlUrl: string;
  port: number;
  dir: string;
  /** The initial key of the first account. */
  key: string;
  accounts(): AccountView[];
  /** The one of that name, or the first. */
  account(name?: string): AccountView;
  /** An unknown name makes a new account. */
  changeAccount(options: AccountOptions): void;
  revokeKey(name?: string): void;
  setKey(key: string, name?: string): void;
  /** Of all accounts, in order of arrival. */
  files(): StoredFileView[];
  /** Puts a file there as if another device had uploaded it. */
  addFile(file: NewFile): Promise<StoredFileView>;
  removeFile(id: number): Promise<void>;
  /** As if the service had been set up again: no file is left, and ids begin with the first one. */
  reset(): Promise<void>;
  /** Requests since the start or the last `clearRequests`. */
  requests(): RequestRecord[];
  clearRequests(): void;
  /** The most API requests of known accounts within any span of this length. */
  busiest(spanMs: number): number;
  /** How many requests were answered with 429. */
  violations(): number;
  faults: { add(...rules: FaultRule[]): void; clear(): void };
  change(knobs: Partial<Knobs>): void;
  /** Pushes the service's clock forward. */
  tick(ms: number): void;
  /** The system refuses new connections; open exchanges go on. `listen` undoes this on the same port. */
  refuseConnections(): void;
  listen(): Promise<void>;
  close(): Promise<void>;
};

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const temporary = options.dir === undefined ? await mkdtemp(join(tmpdir(), 'outtray-service-')) : null;
  const dir = resolve(temporary ?? options.dir ?? '');
  await mkdir(dir, { recursive: true });
  const knobs = knobsOf(options);
  const clock = createServiceClock(options.clock);
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  const { store: mode = 'disk', firstFileId = 1001 } = options;
  const store = createStore({ dir, mode, seed, firstFileId, knobs });
  const log = createRequestLog();
  const faults = createFaults(seed);
  const accounts = createAccounts(options.accounts ?? [options], clock);
  const closing = new AbortController();
  const host = () => server.origin;
  const context: Context = {
    ...{ knobs, seed, clock, accounts, store, log, faults, host },
    closing: closing.signal,
  };

  const running = new Set<Promise<void>>();
  const answer = (request: IncomingMessage, response: ServerResponse, isExpectant: boolean) => {
    const exchange = answerOne(context, request, response, isExpectant);
    running.add(exchange);
    void exchange.finally(() => running.delete(exchange));
  };
  const server = await startServer({
    port: options.port ?? 0,
    tls: options.tls,
    onRequest: (request, response) => answer(request, response, false),
    onExpectant: (request, response) => answer(request, response, true),
  });
  const controlServer = await startServer({
    port: options.controlPort ?? 0,
    onRequest: (request, response) => void answerControl(service, request, response),
  });

  const view = (file: StoredFile): StoredFileView => ({
    ...file,
    path: store.pathOf(file),
    link: linkOf(file, knobs, server.origin),
  });
  const account = (name?: string) => {
    const wanted = accounts.byName(name).name;
    const found = accounts.view().find((each) => each.name === wanted);
    if (!found) throw new Error(`No account ${wanted}`);
    return found;
  };

  const service: Service = {
    baseUrl: `${server.origin}${basePath}`,
    controlUrl: `${controlServer.origin}/__control`,
    port: server.port,
    dir,
    key: account().key ?? '',
    accounts: () => accounts.view(),
    account,
    changeAccount: (change) => accounts.change(change),
    revokeKey: (name) => accounts.setKey(null, name),
    setKey: (key, name) => accounts.setKey(key, name),
    files: () => store.all().map(view),
    addFile: async ({ filename, content, account: name, storedAtMs = clock.now() }) => {
      const incoming = store.receive();
      await incoming.write(Buffer.from(content));
      const owner = accounts.byName(name).name;
      const arrival = { account: owner, filename, sentName: filename, storedAtMs, request: null };
      return view(await store.keep(incoming, arrival));
    },
    removeFile: async (id) => {
      const file = store.all().find((each) => each.id === id);
      if (file) await store.remove(file);
    },
    reset: () => store.reset(),
    requests: () => log.all(),
    clearRequests: () => log.clear(),
    busiest: (spanMs) => log.busiest(spanMs),
    violations: () => log.violations(),
    faults,
    change: (change) => void Object.assign(knobs, change),
    tick: (ms) => clock.tick(ms),
    refuseConnections: () => server.refuse(),
    listen: () => server.listen(),
    close: async () => {
      server.close();
      controlServer.close();
      closing.abort();
      await Promise.allSettled(running);
      if (temporary !== null) await rm(temporary, { recursive: true, force: true });
    },
  };
  return service;
}

async function answerOne(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
  isExpectant: boolean,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const record = context.log.begin(request, context.clock.now(), path);
  response.on('error', () => {});
  const exchange = createExchange(context, request, response, record, isExpectant);
  try {
    await serve(context, exchange);
  } catch (error) {
    if (error instanceof Cut || exchange.gone.aborted) return;
    // A fault of this service, not of the program under test, which must not treat it as an answer.
    process.emitWarning(error instanceof Error ? error : String(error));
    response.destroy();
  } finally {
    if (record.outcome === 'pending') record.outcome = 'client-gone';
    record.endedAtMs = context.clock.now();
  }
}
