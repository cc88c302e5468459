// Which certificate authorities are trusted: those that come with Node (as in `default`: with NODE_EXTRA_CA_CERTS where
// that works), those of the system's own store, and those in the file of the setting `caFile`.
import { X509Certificate } from 'node:crypto';
// The whole module, not its names: a runtime without `getCACertificates` must not fail when it loads this file.
import tls from 'node:tls';
import { AppError } from '../../contract/errors.ts';

/** Certificates in PEM. Throws where the runtime or the system does not give them. */
export type ReadSystemStore = () => readonly string[];

export type SystemAuthorities = {
  /** Each certificate once. */
  pems: readonly string[];
  /** Why there are none, in the runtime's words; null when the store could be read. */
  problem: string | null;
};

/**
 * Linux: SSL_CERT_FILE or SSL_CERT_DIR, else /etc/ssl/cert.pem and /etc/ssl/certs, like curl's OpenSSL. Node reads
 * them once a process (nodejs.org/api/tls.html#tlsgetcacertificatestype): 80 ms on Debian with 144 authorities.
 */
export const systemAuthorities = (
  read: ReadSystemStore = () => tls.getCACertificates('system'),
): SystemAuthorities => {
  // Electron's Node is built with BoringSSL, and no real Electron has been tried. Without the function the program
  // uses the other authorities, and `outtray doctor` reports it.
  try {
    // Debian's folder holds each certificate four times: as a file, as a link by its hash, and in the bundle.
    const pems = [...new Set(read())];
    return { pems, problem: pems.length === 0 ? 'the store is empty' : null };
  } catch (error) {
    return { pems: [], problem: error instanceof Error ? error.message : 'the store is not readable' };
  }
};

/** All that is trusted. Throws `bad-setting` when `caPem` holds no certificate. */
export const trustedAuthorities = (caPem: string | null, read?: ReadSystemStore): string[] => [
  ...new Set([
    ...ownAuthorities(),
    ...systemAuthorities(read).pems,
    ...(caPem === null ? [] : certificatesIn(caPem)),
  ]),
];

const ownAuthorities = (): readonly string[] => {
  try {
    return tls.getCACertificates('default');
  } catch {
    return tls.rootCertificates;
  }
};

/** A TLS context accepts any text without an error, so each certificate is parsed once before. */
const certificatesIn = (caPem: string): string[] => {
  try {
    const own = (caPem.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? []).map((pem) =>
      new X509Certificate(pem).toString(),
    );
    if (own.length === 0) throw new Error('no certificate in it');
    return own;
  } catch (cause) {
    throw new AppError(
      'bad-setting',
      'The certificate file in the setting caFile cannot be read.',
      'Name a file with certificates in PEM form, or clear the setting.',
      { cause },
    );
  }
};
