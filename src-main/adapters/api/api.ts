// The service (service.md) as the engine's port `Api`: each call is exactly one request. This file defines the requests
// and what an answer means; `exchange.ts` carries them, `http-errors.ts` names what goes wrong.
import { fileIdFrom, type FileId } from '../../contract/text/file-id.ts';
import type * as v from 'valibot';
import { AppError } from '../../contract/errors.ts';
import { isAllowedAddress } from '../../contract/text/address.ts';
import type { Api } from '../../engine/ports/api.ts';
import type { Secret } from '../secret.ts';
import {
  fileAnswer,
  hasDuplicateKeys,
  listAnswer,
  readAnswer,
  receiptAnswer,
  removalAnswer,
  statsAnswer,
} from './answers.ts';
import type { CaPem, Dial } from './connect.ts';
import { createDigest } from './digest.ts';
import type { HttpAnswer, Plan } from './exchange.ts';
import { aborted, dateOf, type Endpoint, faultOfStatus, intercepted, unusable } from './http-errors.ts';
import { defaultLimits, type TransferLimits } from './limits.ts';
import { createLinkCheck } from './links.ts';
import { createPart } from './multipart.ts';
import { createBandwidth, type Bandwidth } from './bandwidth.ts';
import { proxyFromEnvironment, type ResolveProxy } from './proxy.ts';
import { createUploadBody } from './upload.ts';

export type ApiOptions = {
  /** With the version segment; `https:`, or `http:` on this machine. */
  baseUrl: string;
  /** The key, asked for with each request; may throw `key-missing`. */
  key: () => Secret;
  settings: {
    proxy: string;
    /** Certificates in PEM to trust beside the usual ones: the content of the setting `caFile`. */
    caPem: CaPem;
    linkHosts: readonly string[];
    /** Shared by all uploads. Default: no cap. */
    bandwidth?: Bandwidth;
  };
  /** How the system's proxy is found; the environment variables when left out. */
  resolveProxy?: ResolveProxy;
  userAgent?: string;
  limits?: Partial<TransferLimits>;
  clock?: {
    /** Epoch ms: a `Retry-After` date without a `Date` beside it is compared with this. */
    wallMs?: () => number;
  };
};

/** Everything in flight stops as `aborted` on `close`. */
export type ServiceApi = Api & {
  /** Names of header lines about a rate limit that answers have had so far, in lower case. */
  rateHeaders(): readonly string[];
  /** Epoch ms by the service's clock, from the `Date` of the last answer, whole seconds; null when none had one. */
  serviceDateMs(): number | null;
  /** Takes no more requests. Resolves when the running ones have ended by themselves. */
  retire(): Promise<void>;
  /** Ends the running requests. */
  close(): Promise<void>;
};

/** The requests under way. */
const createRunning = () => {
  const inFlight = new Map<AbortController, Promise<unknown>>();

  let isClosed = false;

  /** Runs one request under a signal that also ends with the Api, and when the request is over. */
  const run = async <T>(signal: AbortSignal, act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    if (isClosed || signal.aborted) throw aborted(signal.reason);
    const controller = new AbortController();
    const stop = () => controller.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const running = act(controller.signal);
    inFlight.set(controller, running);
    try {
      return await running;
    } finally {
      signal.removeEventListener('abort', stop);
      inFlight.delete(controller);
      controller.abort();
    }
  };
  /** Takes no more requests, and waits for those that run. */
  const retire = async (): Promise<void> => {
    isClosed = true;
    await Promise.allSettled(inFlight.values());
  };
  const close = async (): Promise<void> => {
    const ended = retire();
    for (const controller of inFlight.keys()) controller.abort();
    await ended;
  };

  return { run, retire, close };
};

/** Carries requests, and keeps what the headers of their answers tell. */
const createCarrier = (
  {
    settings,
    resolveProxy = proxyFromEnvironment(process.env),
  }: Pick<ApiOptions, 'settings' | 'resolveProxy'>,
  limits: TransferLimits,
) => {
  // The network code is loaded with the first request, so that a command without one starts at once.
  let dial: Promise<Dial> | null = null;

  const loadDial = async (): Promise<Dial> => {
    const { createDial } = await import('./connect.ts');
    return createDial({
      proxy: { setting: settings.proxy, resolve: resolveProxy },
      caPem: settings.caPem,
    });
  };

  let serviceDateMs: number | null = null;

  const rateHeaders = new Set<string>();

  const carry = async (plan: Omit<Plan, 'dial' | 'limits'>): Promise<HttpAnswer> => {
    const { exchange } = await import('./exchange.ts');
    // What could not be loaded, without a free file handle for example, is loaded with the next request.
    dial ??= loadDial().catch((error: unknown) => {
      dial = null;
      throw error;
    });
    const answer = await exchange({ ...plan, dial: await dial, limits });
    serviceDateMs = dateOf(answer.headers) ?? serviceDateMs;
    for (const name of Object.keys(answer.headers)) if (aboutRate.test(name)) rateHeaders.add(name);
    return answer;
  };
  return { carry, serviceDateMs: () => serviceDateMs, rateHeaders: () => [...rateHeaders] };
};

/** Throws `bad-setting` for an address that is not allowed. */
export const createApi = (options: ApiOptions): ServiceApi => {
  const { baseUrl, key, settings } = options;
  const { bandwidth = createBandwidth(() => 0) } = settings;
  const { wallMs = Date.now } = options.clock ?? {};
  if (!isAllowedAddress(baseUrl)) {
    throw new AppError(
      'bad-setting',
      'The base address must be an https: address.',
      'Check the base address.',
    );
  }
  const base = new URL(baseUrl.replace(/\/+$/, ''));
  const limits: TransferLimits = { ...defaultLimits, ...options.limits };
  const isSaneLink = createLinkCheck(base, settings.linkHosts);

  const { carry, serviceDateMs, rateHeaders } = createCarrier(options, limits);
  const { run, retire, close } = createRunning();
  const target = (path: string): URL => {
    const url = new URL(base.href.replace(/\/$/, '') + path);
    // The key goes to the configured origin and nowhere else.
    if (url.origin !== base.origin) throw new AppError('internal', 'A request was made for another address.');
    return url;
  };

  const headersWith = (secret: Secret): Record<string, string> => ({
    authorization: `Bearer ${secret.reveal()}`,
    accept: 'application/json',
    'user-agent': options.userAgent ?? 'Outtray',
  });

  const ask = <Schema extends v.GenericSchema>(
    method: 'GET' | 'DELETE',
    url: URL,
    schema: Schema,
    endpoint: Endpoint,
    outer: AbortSignal,
  ): Promise<v.InferOutput<Schema>> =>
    run(outer, async (signal) => {
      const secret = key();
      const answerBytes = endpoint === 'list' ? limits.listBytes : limits.answerBytes;
      const answer = await carry({
        target: url,
        method,
        headers: headersWith(secret),
        body: null,
        totalMs: limits.totalMs,
        answerBytes,
        signal,
      });
      return read(answer, schema, endpoint, secret, wallMs);
    });

  return {
    serviceDateMs,
    upload: (request) =>
      run(request.signal, async (signal) => {
        const secret = key();
        const part = createPart(request.sentName, request.sizeBytes);
        const body = createUploadBody({ ...request, signal }, part, bandwidth);
        const answer = await carry({
          target: target('/files/upload'),
          method: 'POST',
          headers: {
            ...headersWith(secret),
            'content-type': part.contentType,
            'content-length': String(part.contentLength),
          },
          body: body.pieces,
          totalMs: null,
          headMs: request.answerWaitMs,
          answerBytes: limits.answerBytes,
          signal,
        });
        const receipt = read(answer, receiptAnswer, 'upload', secret, wallMs);
        if (!body.tailLeft())
          throw unusable('success before the whole file was sent', { status: answer.status });
        return receipt;
      }),

    list: async (query, signal) => {
      const url = target('/files');
      if (query.page !== undefined) url.searchParams.set('page', String(wholeNumber(query.page)));
      if (query.limit !== undefined) url.searchParams.set('limit', String(wholeNumber(query.limit)));
      return ask('GET', url, listAnswer, 'list', signal);
    },

    info: async (fileId, signal) => {
      const file = await ask('GET', target(`/files/${pathId(fileId)}`), fileAnswer, 'file', signal);
      if (file.file_id !== undefined && file.file_id !== fileId)
        throw unusable('another file', { status: 200 });
      return file;
    },

    remove: async (fileId, signal) =>
      ask('DELETE', target(`/files/${pathId(fileId)}`), removalAnswer, 'file', signal),

    stats: (signal) => ask('GET', target('/stats'), statsAnswer, 'stats', signal),

    digestOfLink: (link, sizeBytes, outer) =>
      run(outer, (signal) => {
        const digest = createDigest({
          carry,
          isSaneLink,
          limits,
          wallMs,
          userAgent: options.userAgent ?? 'Outtray',
        });
        return digest(link, sizeBytes, signal);
      }),

    isSaneLink,
    rateHeaders,

    retire,
    close,
  };
};

/** The value of a complete 2xx answer with `success: true`; throws the error that any other answer means. */
const read = <Schema extends v.GenericSchema>(
  answer: HttpAnswer,
  schema: Schema,
  endpoint: Endpoint,
  secret: Secret,
  wallMs: () => number,
): v.InferOutput<Schema> => {
  const { status, body, broken } = answer;
  if (status < 200 || status > 299) {
    throw faultOfStatus(answer, body, { endpoint, secret, nowMs: wallMs() });
  }
  if (broken !== null) throw broken;
  // The answer is stored and shown, so the key must not be in it.
  if (secret.reveal().length >= 8 && body.includes(secret.reveal())) {
    throw unusable('the key in the answer', { status });
  }
  const result = readAnswer(schema, body);
  if (!result.ok) {
    throw result.isForeign ? intercepted(result.problem, { status }) : unusable(result.problem, { status });
  }
  if (endpoint === 'upload' && hasDuplicateKeys(body.toString()))
    throw unusable('duplicate keys', { status });
  return result.value;
};

/** A closed list, so that a service cannot make it grow with names of its own. */
const aboutRate = /^(retry-after|(x-)?rate-?limit(-(limit|remaining|reset|used|policy))?)$/;

const wholeNumber = (value: number): number => {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new AppError('bad-use', 'This must be a whole number over 0.');
  return value;
};

const pathId = (fileId: FileId): string => {
  if (fileIdFrom(String(fileId)) !== fileId) throw new AppError('bad-use', 'This must be the id of a file.');
  return String(fileId);
};
