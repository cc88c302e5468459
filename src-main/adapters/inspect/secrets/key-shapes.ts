// Private and similar keys, in every armour.
import { createHash } from 'node:crypto';
import { always, decoded, wholeWord, type Shape } from './shape.ts';

/** What may be between the lines of an armour: line ends, as such or escaped, and marks of quotations and strings. */
const gap = String.raw`(?:[^A-Za-z0-9]|\\[nrt]|<br ?\/?>|&#1[03];|%0[AaDd]){1,60}`;

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base58Check of Bitcoin: a sum of four bytes at the end. */
const hasBase58Sum = (match: string): boolean => {
  let number = 0n;
  for (const letter of match) number = number * 58n + BigInt(base58.indexOf(letter));
  const hex = number.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();
  return sha256(sha256(bytes.subarray(0, -4)))
    .subarray(0, 4)
    .equals(bytes.subarray(-4));
};

export const keyShapes: readonly Shape[] = [
  {
    rule: 'privatekey',
    source: 'RFC 7468, RFC 4716, RFC 9580, OpenSSH PROTOCOL.key',
    near: ['PRIVATE KEY', 'SECRET KEY'],
    pattern: new RegExp(
      `---- ?BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE|SECRET) KEY(?: BLOCK)? ?----${gap}(?:[A-Za-z-]{1,30}: [^\\n]{0,200}\\n[\\s>]{0,9}){0,6}[A-Za-z0-9+/=]{40}`,
      'g',
    ),
    isReal: (match) => !/(?:example|x{16}|\.{3})/i.test(match) && new Set(match.slice(-40)).size > 8,
  },
  {
    rule: 'privatekey',
    source: 'RFC 8017, RFC 5958, RFC 5915, RFC 8410: how the DER of such keys begins, in base64',
    near: ['MII', 'MHcCAQEE', 'MIGHAgEA', 'MC4CAQAw', 'b3BlbnNzaC1rZXkt'],
    pattern:
      /(?<![\w+/])(?:MII[\w+/]{2}[AQgw]IB(?:AAKC[AQgw]|ADANBgkqhkiG9w0BAQEFAASC)|MHcCAQEEI|MIGHAgEAMBMGByqGSM49|MC4CAQAwBQYDK2VwBCIEI|b3BlbnNzaC1rZXktdjEA)[\w+/=]{20}/g,
  },
  {
    rule: 'privatekey',
    source: 'RFC 7468 within base64, as in kubeconfig',
    near: ['LS0tLS1CRUdJTi'],
    pattern: /LS0tLS1CRUdJTi[\w+/]{60,200}/g,
    isReal: (match) => /BEGIN [A-Z ]{0,20}PRIVATE KEY/.test(decoded(match)),
  },
  {
    rule: 'pkcs12',
    source: 'RFC 7292: how a PFX begins, in base64',
    near: ['IBAzCC', 'IBAzCA'],
    pattern: /(?<![\w+/])MII[\w+/]{2}[AQgw]IBAzC[AC][\w+/=\r\n]{100}/g,
    isReal: always,
  },
  {
    rule: 'putty',
    source: 'PuTTY manual, appendix C',
    near: ['Private-Lines'],
    pattern: new RegExp(`Private-Lines: \\d{1,3}${gap}[A-Za-z0-9+/=]{20}`, 'g'),
    isReal: always,
  },
  {
    rule: 'openvpn',
    source: 'OpenVPN manual: static key',
    near: ['OpenVPN Static key'],
    pattern: new RegExp(`BEGIN OpenVPN Static key V1-----${gap}[0-9a-f]{30}`, 'g'),
    isReal: always,
  },
  {
    rule: 'openvpn',
    source: 'OpenVPN manual: tls-crypt-v2',
    near: ['OpenVPN tls-crypt-v2'],
    pattern: new RegExp(`BEGIN OpenVPN tls-crypt-v2 (?:client|server) key-----${gap}[A-Za-z0-9+/=]{40}`, 'g'),
    isReal: always,
  },
  {
    rule: 'minisign',
    source: 'minisign and signify: secret keys',
    near: ['secret key'],
    pattern: new RegExp(`secret key${gap}RW(?:RTY0Iy|QAAEIy|RCSw)[A-Za-z0-9+/]{40}`, 'g'),
    isReal: always,
  },
  {
    rule: 'gnupg',
    source: 'GnuPG agent/keyformat.txt',
    near: ['private-key'],
    pattern: /\((?:(?:shadowed|protected)-)?private-key\s{0,4}\((?:rsa|ecc|dsa|elg)[\s(]{1,4}[a-z]/g,
    isReal: always,
  },
  {
    rule: 'jwk',
    source: 'RFC 7517, RFC 7518 6.2.2, 6.3.2, 6.4.1',
    near: ['"kty"', '\\"kty\\"'],
    pattern: /\\?"[dk]\\?"\s{0,4}:\s{0,4}\\?"([\w-]{27,900})\\?"/g,
    isReal: always,
  },
  {
    rule: 'rsakeyvalue',
    source: '.NET RSA.ToXmlString',
    near: ['<RSAKeyValue>'],
    pattern: /<D>[A-Za-z0-9+/=\s]{40}/g,
    isReal: always,
  },
  {
    rule: 'age',
    source: 'age-encryption.org/v1',
    near: ['AGE-'],
    pattern: /AGE-SECRET-KEY-(?:PQ-)?1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g,
  },
  {
    rule: 'wallet',
    source: 'BIP 32 serialization format',
    near: ['xprv', 'yprv', 'zprv', 'tprv'],
    pattern: wholeWord('[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107}'),
  },
  {
    rule: 'wallet',
    source: 'en.bitcoin.it: wallet import format',
    near: 51,
    reach: 200,
    pattern: /(?<![\w/+])(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![\w/+])/g,
    isReal: hasBase58Sum,
  },
  {
    rule: 'wallet',
    source: 'docs.anza.xyz: the keypair file of Solana, 64 bytes as a list',
    near: ['['],
    pattern: /^\s{0,4}\[(?:\s{0,4}\d{1,3},){63}\s{0,4}\d{1,3}\s{0,4}\]\s{0,4}$/g,
    isReal: (match, text) => match.length === text.length,
  },
  {
    rule: 'wallet',
    source: 'polkadot.js.org: exported accounts',
    near: ['"pkcs8"'],
    pattern: /"content"\s{0,4}:\s{0,4}\[\s{0,9}"pkcs8"/g,
    isReal: always,
  },
  {
    rule: 'borg',
    source: 'borgbackup.readthedocs.io: key export',
    near: ['BORG_KEY '],
    pattern: /BORG_KEY [0-9a-f]{64}\s{1,2}[\w+/]{40}/g,
    isReal: always,
  },
  {
    rule: 'wallet',
    source: 'hardhat.org: accounts of a network',
    near: ['accounts'],
    pattern: /\baccounts["']?\s{0,4}[:=]\s{0,4}\[\s{0,20}["'](?:0x)?[0-9a-fA-F]{64}["']/g,
  },
  {
    rule: 'passwordhash',
    source: 'htpasswd(1), crypt(5), RFC 2307, PHC string format, grub-mkpasswd-pbkdf2(1)',
    near: [':$', '{', 'hash', 'password', '.pbkdf2.'],
    pattern:
      /(?:\b\w{0,20}pw|assword:{0,2})[ \t]{1,20}\{(?:S?(?:SHA|MD5)\d{0,3}|CRYPT|PBKDF2[\w-]{0,8}|ARGON2)\}[\w+/$.=,-]{12}|grub\.pbkdf2\.sha512\.\d{3,7}\.[\dA-F]{32}|(?<![\w.@-])[\w.@-]{1,64}:(?:\${1,2}[a-z\d][\w-]{0,20}\${1,2}[./\w$,=+-]{20}|\{[A-Z\d-]{3,16}\}[A-Za-z0-9+/$.]{20}|\{(?:PLAIN|CLEARTEXT)\}[^\s:]{6})|\b(?:hash|password)["']?: {1,4}["']?\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}(?![\w/])/g,
    isReal: always,
  },
];
