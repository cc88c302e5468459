// The SHA-256 of what a public link serves: the proof that an uncertain upload arrived (upload-protocol.md, Looking).
import { createHash } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import type { HttpAnswer, Plan } from './exchange.ts';
import { faultOfStatus, header, unusable } from './http-errors.ts';
import type { TransferLimits } from './limits.ts';

/** A service may redirect from the public page to the file itself, on its own host. */
const maxRedirects = 3;

/** A slower link would hold the reader of all links for days. A timer cannot be set for more than 24 days. */
const slowestBytesPerMs = 1;
const longestMs = 7 * 24 * 3_600_000;

export type DigestOptions = {
  carry: (plan: Omit<Plan, 'dial' | 'limits'>) => Promise<HttpAnswer>;
  isSaneLink: (link: string) => boolean;
  limits: TransferLimits;
  wallMs: () => number;
  userAgent: string;
};

/**
 * Lower-case hex, or null when the link serves another number of bytes. Sends no key. Throws `refused` for a link
 * that is not allowed, `moved` for a redirect to another host.
 */
export const createDigest =
  ({ carry, isSaneLink, limits, wallMs, userAgent }: DigestOptions) =>
  async (link: string, sizeBytes: number, signal: AbortSignal): Promise<string | null> => {
    if (!isSaneLink(link)) {
      throw new AppError(
        'refused',
        'The link leads to a host that is not allowed.',
        'See the setting linkHosts.',
      );
    }
    let target = new URL(link);
    for (let redirects = 0; ; redirects += 1) {
      const hash = createHash('sha256');
      const seen = { bytes: 0, isOther: false };
      const answer = await carry({
        target,
        method: 'GET',
        headers: { 'user-agent': userAgent, accept: '*/*' },
        body: null,
        totalMs: limits.totalMs,
        answerBytes: limits.answerBytes,
        listenMs: Math.min(longestMs, limits.bodyMs + sizeBytes / slowestBytesPerMs),
        listen: ({ status, headers }) => {
          if (status !== 200) return null;
          const announced = header(headers, 'content-length');
          seen.isOther = announced !== '' && Number(announced) !== sizeBytes;
          return (piece) => {
            seen.bytes += piece.length;
            seen.isOther ||= seen.bytes > sizeBytes;
            if (!seen.isOther) hash.update(piece);
            return !seen.isOther;
          };
        },
        signal,
      });
      const { status, headers, body, broken } = answer;
      if (status === 200) {
        // Encoded bytes are not the file's, although we asked for none. Their number proves nothing.
        if (!['', 'identity'].includes(header(headers, 'content-encoding').toLowerCase())) {
          throw unusable('encoded content', { status });
        }
        if (seen.isOther) return null;
        if (broken !== null) throw broken;
        // Such an answer ends with the connection, which may have broken off too early.
        const isOpenEnded = ['content-length', 'transfer-encoding'].every(
          (name) => header(headers, name) === '',
        );
        if (isOpenEnded && seen.bytes < sizeBytes) throw unusable('half of the content', { status });
        return seen.bytes === sizeBytes ? hash.digest('hex') : null;
      }
      const next = URL.parse(header(headers, 'location'), target.href);
      const isRedirect = status >= 300 && status < 400;
      if (!isRedirect || next?.host !== target.host || !isSaneLink(next.href) || redirects === maxRedirects) {
        if (status < 300) throw unusable('no content', { status });
        throw faultOfStatus(answer, body, { endpoint: 'link', secret: null, nowMs: wallMs() });
      }
      target = next;
    }
  };
