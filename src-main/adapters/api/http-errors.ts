// The one place where faults of the system, TLS, a proxy or the HTTP parser, and every status, become AppErrors
// (upload-protocol.md, What each fault means). Messages are for the person in front of the screen.
import { AppError, mayBeOfOneFile, type ErrorCode, type ErrorDetails } from '../../contract/errors.ts';
import type { Wording } from '../../contract/text/wording.ts';
import type { Secret } from '../secret.ts';
import { fromHandles } from '../system/storage.ts';
import { clientCertificate, isTls, needsHttps, toldOfTls, type TlsProblem } from './tls-errors.ts';
import { clean, messageIn, quotable } from './words.ts';

export type Headers = Record<string, string | string[] | undefined>;
export type Head = { status: number; headers: Headers };

/** The kind of address of a request: a 404 of a file is not a 404 of the whole service. */
export type Endpoint = 'upload' | 'list' | 'stats' | 'file' | 'link';

export const header = (headers: Headers, name: string): string => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
};

export const aborted = (cause?: unknown): AppError => new AppError('aborted', 'Stopped.', '', { cause });

// ---------------------------------------------------------------- no connection

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** `host` is the host that we called: the service, or the proxy on the way to it. */
export const faultOfConnect = (error: unknown, host: string): AppError => {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const offline = (message: string, remedy: Wording) =>
    new AppError('offline', message, remedy, { cause: error, ...(code !== '' && { evidence: code }) });
  const problem = fromHandles(error) ?? toldOfTls(code, host);
  if (problem !== null) return offline(problem.message, problem.remedy);
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'ENODATA':
      return offline(`${host} cannot be found.`, 'Check the network connection and the address.');
    case 'ECONNREFUSED':
      return offline(`${host} refuses connections.`, 'Try again later, or check the address.');
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return noConnectionInTime(host, error);
  }
  // Node's HTTP parser failed on the answer to CONNECT.
  if (code.startsWith('HPE_')) {
    return offline(`${host} does not speak HTTP, so it is no proxy for Outtray.`, 'Check the proxy setting.');
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return offline(
      `${host} ends the connection before it can be used.`,
      'Check the address, its port and the proxy setting; a firewall may stand in between.',
    );
  }
  return offline(`There is no connection to ${host}.`, 'Check the network connection and the proxy setting.');
};

export const noConnectionInTime = (host: string, cause?: unknown): AppError =>
  new AppError('offline', `${host} does not answer.`, 'Check the network connection and the proxy setting.', {
    cause,
  });

/** `sentLogin`: a name and a password went with the request, so the proxy knows them and refuses them. */
export const faultOfProxy = (
  status: number,
  { host, sentLogin }: { host: string; sentLogin: boolean },
): AppError => {
  const details = { evidence: `proxy answered ${status}` };
  if (status !== 407)
    return new AppError(
      'offline',
      `The proxy ${host} does not let Outtray through (${status}).`,
      'Check the proxy setting, or ask the people who run the proxy to allow the service’s address.',
      details,
    );
  return sentLogin
    ? new AppError(
        'offline',
        `The proxy ${host} rejects the user name or the password.`,
        'Correct both in HTTPS_PROXY (http://name:password@host:port; write special characters as %40, %3A, %2F).',
        details,
      )
    : new AppError(
        'offline',
        `The proxy ${host} requires a user name and a password.`,
        'Use a proxy that requires none; the command takes both from HTTPS_PROXY (http://name:password@host:port).',
        details,
      );
};

// ---------------------------------------------------------------- broken on the way

const triesAgain = 'Outtray tries again by itself.';
/** Such a service ends the connection without a single byte of an answer, and without an alert. */
const ifItWantsCertificate =
  'If this persists, the service may require a client certificate, which Outtray cannot send.';
const ifItSpeaksTls = 'If the service speaks TLS on this port, the base address must begin with https://.';

const interruption = (message: string, details: ErrorDetails): AppError =>
  new AppError('interrupted', message, triesAgain, details);

/** undici's error reports how many bytes the socket has read. */
const isSilentEnd = (error: unknown): boolean =>
  error instanceof Error &&
  'socket' in error &&
  typeof error.socket === 'object' &&
  error.socket !== null &&
  'bytesRead' in error.socket &&
  error.socket.bytesRead === 0;

const toldBy = (
  { message, remedy }: Pick<AppError, 'message' | 'remedy'>,
  code: ErrorCode,
  details: ErrorDetails,
): AppError => new AppError(code, message, remedy, details);

/** The connection was made, but no complete answer arrived. */
export const faultOfBreak = (error: unknown, target: URL): AppError => {
  if (error instanceof AppError) return error;
  const below = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = codeOf(below);
  const details: ErrorDetails = { cause: error, ...(code !== '' && { evidence: code }) };
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return unusable('header lines over the limit', details);
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return unusable('contradicting lengths', details);
  // The parser's error also carries the received bytes, which may hold anything; only its message is kept.
  if (error instanceof Error && error.name === 'HTTPParserError') {
    const cause = new Error(error.message);
    const received = 'data' in error && typeof error.data === 'string' ? error.data : '';
    return isTls(Buffer.from(received.slice(0, 3), 'latin1'))
      ? toldBy(needsHttps, 'offline', { cause })
      : unusable('not HTTP', { cause });
  }
  const problem = fromHandles(below) ?? toldOfTls(code, target.hostname);
  if (problem !== null) return toldBy(problem, 'interrupted', details);
  const hint = target.protocol === 'http:' ? ifItSpeaksTls : ifItWantsCertificate;
  return isSilentEnd(error)
    ? new AppError('interrupted', 'The connection broke.', `${triesAgain} ${hint}`, details)
    : interruption('The connection broke.', details);
};

export const stalled = (): AppError =>
  interruption('The connection stopped moving.', { evidence: 'stalled' });

export const noAnswerInTime = (): AppError =>
  interruption('The service did not answer in time.', { evidence: 'no answer in time' });

// ---------------------------------------------------------------- answers

/** An answer came, but not one that the service's specification allows. `problem` is for the diagnostics. */
export const unusable = (problem: string, details: ErrorDetails = {}): AppError =>
  new AppError(
    'unusable-answer',
    'The service gave an answer that Outtray cannot use.',
    'Try again later; if this persists, check the base address.',
    { ...details, evidence: clean(problem) },
  );

/** Something else answered in place of the service. Status 200 proves nothing then. */
export const intercepted = (problem: string, details: ErrorDetails = {}): AppError =>
  new AppError(
    'intercepted',
    'Something other than the service answered, perhaps a login page.',
    'Open a web page in a browser and sign in to the network if it asks; if it does not, check the base address.',
    { ...details, evidence: clean(problem) },
  );

/** `secret`: the key that was sent; null: no key was sent, and then nothing is quoted. */
export type StatusContext = { endpoint: Endpoint; secret: Secret | null; nowMs: number };

/** The error of an answer that is not 2xx. The status decides; the body, complete or not, is only quoted. */
export const faultOfStatus = (
  { status, headers }: Head,
  body: Uint8Array,
  { endpoint, secret, nowMs }: StatusContext,
): AppError => {
  const quote = (text: string) => (secret === null ? null : quotable(text, secret));
  const said = quote(messageIn(mediaType(headers), body));
  const make = (code: ErrorCode, message: string, remedy: string, details: ErrorDetails = {}) =>
    new AppError(code, message, remedy, { status, ...(said !== null && { evidence: said }), ...details });
  const quoted = (sentence: string) => (said === null ? `${sentence}.` : `${sentence}: “${said}”`);

  const wrongSide = status >= 400 && endpoint !== 'link' ? toldByServer(status, body) : null;
  if (wrongSide !== null) return make(wrongSide.code, wrongSide.told.message, wrongSide.told.remedy);
  if (endpoint === 'upload' && mayBeOfOneFile(status) && isPage(headers, body)) {
    return make(
      'blocked',
      'Something on the way to the service, for example a firewall, blocked this file.',
      'Rename the file and retry it, or ask the people who run the network or the service.',
    );
  }
  if (status >= 300 && status < 400) {
    const to = quote(header(headers, 'location'));
    return endpoint === 'link'
      ? make('moved', 'The link leads to another place.', '', to === null ? {} : { evidence: to })
      : make(
          'moved',
          'The service has moved; nothing was sent to the other address.',
          'Ask the service for its new base address; if this network has a login page, sign in there first.',
          to === null ? {} : { evidence: to },
        );
  }
  const slowDown = (): AppError => {
    const retryAfterMs = retryAfter(headers, nowMs);
    return make(
      'rate',
      'The service asks to send fewer requests.',
      'Outtray waits and continues by itself.',
      retryAfterMs === null ? {} : { retryAfterMs },
    );
  };
  if (status === 503 && (retryAfter(headers, nowMs) !== null || isFromNginx(body))) return slowDown();
  // RFC 6585 §6: the network demands a login.
  if (status === 511 && endpoint !== 'link') return intercepted('the network asks for a login', { status });
  if (status >= 500 || status < 200) {
    return make('unusable-answer', `The service has problems (it answered ${status}).`, 'Try again later.');
  }
  if (endpoint === 'link' && (status === 401 || status === 403)) {
    return make('refused', 'The link does not serve the file publicly.', '');
  }
  switch (status) {
    case 401:
      return make('key-refused', 'The service does not accept the API key.', 'Enter the current key.');
    case 403:
      return make(
        'limit',
        quoted('The service denies access'),
        'The plan may not include the API, or a limit of the account is used up.',
      );
    case 404:
    case 405:
    case 410:
      if (endpoint === 'link' || (endpoint === 'file' && status !== 405)) {
        return make(
          'not-found',
          'The service does not have this file.',
          'See the list of files for what there is.',
        );
      }
      if (status === 410) break;
      return make(
        'wrong-address',
        'The base address is not the one of the service.',
        'Check the base address.',
      );
    case 408:
    case 417:
    case 421:
    case 425:
      return make(
        'interrupted',
        'The service could not take the request just now.',
        'Outtray tries again by itself.',
      );
    case 413:
      return make('too-large', 'The file is larger than the service accepts.', 'Upload a smaller file.');
    case 429:
      return slowDown();
  }
  return make(
    'refused',
    quoted(`The service does not accept this ${status === 415 ? 'file type' : 'request'} (${status})`),
    remedyOf(status, endpoint),
  );
};

/** Web servers answer such connections with 400 and a page; 495 and 496 are nginx's own codes. */
const toldByServer = (status: number, body: Uint8Array): { code: ErrorCode; told: TlsProblem } | null => {
  if (![400, 403, 421, 495, 496, 497].includes(status)) return null;
  const page = isJson(body) ? '' : Buffer.from(body.subarray(0, 2048)).toString('latin1');
  if (status === 497 || /HTTP request (?:was )?(?:sent )?to (?:an )?HTTPS|plain HTTP to an SSL/i.test(page)) {
    return { code: 'wrong-address', told: needsHttps };
  }
  return [495, 496].includes(status) || /SSL certificate (?:error|was sent)|client certificate/i.test(page)
    ? { code: 'interrupted', told: clientCertificate('The service') }
    : null;
};

/** The remedy for a status that has no sentence of its own. */
const remedyOf = (status: number, endpoint: Endpoint): string => {
  if (endpoint === 'link') return '';
  if (status === 426)
    return 'The service, or a proxy before it, requires a newer protocol: update Outtray, and ask the people who run it for the current base address.';
  return endpoint === 'upload'
    ? 'Rename the file and retry it; if others fail in the same way, check the base address and ask the people who run the service.'
    : 'Check the base address, update Outtray, or ask the people who run the service.';
};

/** In small letters, because its case means nothing (RFC 9110 §8.3.1). */
const mediaType = (headers: Headers): string => header(headers, 'content-type').toLowerCase();

/** The service answers in JSON (service.md §1), whatever type it names. A message may quote the name of a file. */
const isJson = (body: Uint8Array): boolean =>
  /^\s*["{[]/.test(Buffer.from(body.subarray(0, 512)).toString('latin1'));

/** An HTML page may come from something in front of the service. */
const isPage = (headers: Headers, body: Uint8Array): boolean =>
  !isJson(body) &&
  (mediaType(headers).startsWith('text/html') ||
    /^\s*<(?:!doctype\s+html|html)/i.test(Buffer.from(body.subarray(0, 512)).toString('latin1')));

/**
 * nginx refuses what is over its `limit_req` or `limit_conn` with 503 and a page of its own; if it cannot reach a
 * service, it answers 502 or 504 (nginx documentation, ngx_http_limit_req_module, limit_req_status).
 */
const isFromNginx = (body: Uint8Array): boolean =>
  /<center>(?:nginx|openresty)[^<]*<\/center>/.test(Buffer.from(body).toString('latin1'));

/** A longer wait is no rate limit; our own budget knows the day's limit. */
const maxRetryAfterMs = 3_600_000;

/**
 * `Retry-After` in ms (RFC 9110 §10.2.3: seconds or a date), null when absent or not within an hour. A date is compared
 * with the answer's `Date` when it has one, because our clock may be wrong.
 */
export const retryAfter = (headers: Headers, nowMs: number): number | null => {
  const value = header(headers, 'retry-after').trim();
  const waitMs = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : dateMs(value) - (dateOf(headers) ?? nowMs);
  return waitMs >= 0 && waitMs <= maxRetryAfterMs ? waitMs : null;
};

/** When the service answered, by its own clock; null when the answer has no date. */
export const dateOf = (headers: Headers): number | null => {
  const atMs = dateMs(header(headers, 'date'));
  return Number.isNaN(atMs) ? null : atMs;
};

/**
 * An HTTP date only, in any of its three forms (RFC 9110 §5.6.7): `Date.parse` would take a bare number for a year. The
 * form of asctime names no zone and means UTC.
 */
const dateMs = (text: string): number =>
  /^[A-Z][a-z]{2,8},? .*(?:GMT|:\d\d \d{4})$/.test(text) ? Date.parse(text.replace(/\d$/, '$& GMT')) : NaN;
