// What a failed TLS handshake means, in sentences. The codes are those of Node and OpenSSL (`ERR_SSL_` and the reason
// in capitals). With TLS 1.3 the refusal of a client certificate comes after the handshake, in place of the answer.

export type TlsProblem = { message: string; remedy: string };

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
]);
const untimely = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** The other side answers with bytes that are no TLS. */
const plain =
  /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_TOO_LARGE|UNKNOWN_PROTOCOL|HTTP_REQUEST)$/;
/** The text before ALERT differs between versions of OpenSSL: SSLV3, TLSV1, TLSV13, SSL/TLS. */
const wantsCertificate =
  /ALERT_(CERTIFICATE_REQUIRED|NO_CERTIFICATE|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)$/;
const oldVersion =
  /(ALERT_PROTOCOL_VERSION|_UNSUPPORTED_PROTOCOL|_VERSION_TOO_LOW|_WRONG_SSL_VERSION|_UNSUPPORTED_SSL_VERSION)$/;
const noCommon = /(ALERT_HANDSHAKE_FAILURE|ALERT_INSUFFICIENT_SECURITY|_DH_KEY_TOO_SMALL)$/;

/** Null: the code is not about TLS. `host` is the host that we called: the service, or the proxy on the way to it. */
export const toldOfTls = (code: string, host: string): TlsProblem | null => {
  if (untrusted.has(code)) {
    return {
      message: `The certificate of ${host} is not trusted on this machine.`,
      remedy: 'If your organisation inspects its traffic, name its certificate file in the setting caFile.',
    };
  }
  if (untimely.has(code)) {
    return {
      message: `The certificate of ${host} is not valid at this time.`,
      remedy: 'Check the clock of this machine; if it is right, the service must renew its certificate.',
    };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return {
      message: `The certificate of ${host} belongs to another address.`,
      remedy: 'Check the base address.',
    };
  }
  if (plain.test(code)) {
    return {
      message: `${host} answers without encryption (http:) where https: is expected.`,
      remedy: 'Check the address and its port, the proxy setting, and whether this network has a login page.',
    };
  }
  if (wantsCertificate.test(code)) return clientCertificate(host);
  if (oldVersion.test(code)) {
    return {
      message: `${host} offers only an outdated version of TLS; Outtray needs TLS 1.2 or newer.`,
      remedy: 'Ask the people who run the service, or the proxy, to update it.',
    };
  }
  if (code.endsWith('UNRECOGNIZED_NAME')) {
    return {
      message: `${host} has no certificate for this host name.`,
      remedy: 'Check the host name in the base address.',
    };
  }
  if (noCommon.test(code)) {
    return {
      message: `${host} refuses the secure connection: it requires a client certificate, or settings that are not secure.`,
      remedy:
        'Outtray cannot send a client certificate. Ask the people who run the service for another address.',
    };
  }
  return code.startsWith('ERR_SSL') ||
    code.startsWith('ERR_TLS') ||
    code === 'EPROTO' ||
    code.includes('CERT')
    ? {
        message: `No secure connection to ${host} could be made.`,
        remedy: 'Check the address and the proxy setting.',
      }
    : null;
};

export const clientCertificate = (host: string): TlsProblem => ({
  message: `${host} requires a client certificate.`,
  remedy:
    'Outtray cannot send one. Ask the people who run the service for an address that needs only the API key.',
});

/** The first bytes of a TLS record: an alert or a handshake, version 3.x. */
export const isTls = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0x15 || bytes[0] === 0x16) && bytes[1] === 3;

/** The base address begins with http:, but its port speaks TLS. */
export const needsHttps: TlsProblem = {
  message: 'The service speaks TLS (https:) on this port, but the base address says http:.',
  remedy: 'Change the base address so that it begins with https://.',
};
