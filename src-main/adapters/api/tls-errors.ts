// What a failed TLS handshake means, in sentences. The codes are those of Node and OpenSSL (`ERR_SSL_` and the reason
// in capitals). With TLS 1.3 the refusal of a client certificate comes after the handshake, in place of the answer.

export type TlsProblem = { message: string; remedy: string };

/** The first row that the code matches counts. `HOST` is the host that we called: the service, or the proxy before it. */
const rows: readonly (readonly [RegExp, TlsProblem])[] = [
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA)$/,
    {
      message: 'The certificate of HOST is not trusted on this machine.',
      remedy: 'If your organisation inspects its traffic, name its certificate file in the setting caFile.',
    },
  ],
  [
    /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/,
    {
      message: 'The certificate of HOST is not valid at this time.',
      remedy: 'Check the clock of this machine; if it is right, the service must renew its certificate.',
    },
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    { message: 'The certificate of HOST belongs to another address.', remedy: 'Check the base address.' },
  ],
  // The other side answers with bytes that are no TLS.
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_TOO_LARGE|UNKNOWN_PROTOCOL|HTTP_REQUEST)$/,
    {
      message: 'HOST answers without encryption (http:) where https: is expected.',
      remedy: 'Check the address and its port, the proxy setting, and whether this network has a login page.',
    },
  ],
  // The text before ALERT differs between versions of OpenSSL: SSLV3, TLSV1, TLSV13, SSL/TLS.
  [
    /ALERT_(CERTIFICATE_REQUIRED|NO_CERTIFICATE|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)$/,
    {
      message: 'HOST requires a client certificate.',
      remedy:
        'Outtray cannot send one. Ask the people who run the service for an address that needs only the API key.',
    },
  ],
  [
    /(ALERT_PROTOCOL_VERSION|_UNSUPPORTED_PROTOCOL|_VERSION_TOO_LOW|_WRONG_SSL_VERSION|_UNSUPPORTED_SSL_VERSION)$/,
    {
      message: 'HOST offers only an outdated version of TLS; Outtray needs TLS 1.2 or newer.',
      remedy: 'Ask the people who run the service, or the proxy, to update it.',
    },
  ],
  [
    /UNRECOGNIZED_NAME$/,
    {
      message: 'HOST has no certificate for this host name.',
      remedy: 'Check the host name in the base address.',
    },
  ],
  [
    /(ALERT_HANDSHAKE_FAILURE|ALERT_INSUFFICIENT_SECURITY|_DH_KEY_TOO_SMALL)$/,
    {
      message:
        'HOST refuses the secure connection: it requires a client certificate, or settings that are not secure.',
      remedy:
        'Outtray cannot send a client certificate. Ask the people who run the service for another address.',
    },
  ],
  [
    /^ERR_SSL|^ERR_TLS|^EPROTO$|CERT/,
    {
      message: 'No secure connection to HOST could be made.',
      remedy: 'Check the address and the proxy setting.',
    },
  ],
];

/** Null: the code is not about TLS. */
export const toldOfTls = (code: string, host: string): TlsProblem | null => {
  const problem = rows.find(([codes]) => codes.test(code))?.[1];
  return problem === undefined ? null : { ...problem, message: problem.message.replace('HOST', () => host) };
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
