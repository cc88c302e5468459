// Which links Outtray trusts: those on the API's own host and on hosts that settings or policy name.
import { isLoopbackHost } from '../../contract/text/address.ts';
import type { LinkFault } from '../../contract/window.ts';

/** Longer links do not survive mail programs and chats, where users paste them. */
const maxLength = 2048;
/**
 * Controls, format characters (bidi, zero width), surrogates, unassigned, any space; and the backslash, which parsers
 * turn into `/`.
 */
const unsafe = /[\p{C}\p{Z}\\]/u;

/**
 * Why a link may not be opened, copied by itself or fetched; null when it may (security.md, Opening things): `https:`,
 * or `http:` on this machine when the API is there too; no user-info; the API's host and port, or one of `linkHosts`.
 */
export const createLinkFault = (
  base: URL,
  linkHosts: readonly string[],
): ((link: string) => LinkFault | null) => {
  const hosts = new Set([base.host, ...linkHosts.map(hostOf)]);
  return (link) => {
    if (link.length > maxLength || unsafe.test(link) || !/^https?:\/\//i.test(link)) return 'unusable';
    const url = URL.parse(link);
    if (url === null || url.username !== '' || url.password !== '' || url.pathname === '/') return 'unusable';
    if (!hosts.has(url.host)) return 'new-host';
    const isHere = base.protocol === 'http:' && isLoopbackHost(url.hostname);
    return url.protocol === 'https:' || isHere ? null : 'not-encrypted';
  };
};

/** Whether it may. */
export const createLinkCheck = (...of: Parameters<typeof createLinkFault>): ((link: string) => boolean) => {
  const fault = createLinkFault(...of);
  return (link) => fault(link) === null;
};

/** As in a URL: lower case, without the port that `https:` has anyway. */
const hostOf = (entry: string): string => URL.parse(`https://${entry}`)?.host ?? entry;
