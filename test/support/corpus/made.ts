// Made-up values of the right shape, from a seed: nothing here was ever a secret of anybody.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const lines64 = (text: string): string => (text.match(/.{1,64}/g) ?? []).join('\n');

const lowers = 'abcdefghijklmnopqrstuvwxyz';
const uppers = lowers.toUpperCase();
const digits = '0123456789';
const all = `${digits}${uppers}${lowers}`;
const base32 = `${uppers}234567`;

/** Letters to make a value of, and those that a password cannot contain in a place. */
export const alphabets: Readonly<Record<string, string>> = {
  base32,
  lowers,
  bech32: 'qpzry9x8gf2tvdw0s3jn54khce6mua7l',
  csvSafe: '",;',
  noColon: ':\\',
  noQuote: '"\'$`',
  /** Of WordPress's own salts, without quotes and backslash. */
  salt: `${all}!@#$%^&*()-_ []{}<>~+=,.;:/?|`,
  xmlSafe: '&<>"',
  yamlSafe: '"\'$`:#{}[]&*!|>%@,',
};

/** A mail with long lines broken (RFC 2045 §6.7: at most 76 letters, `=` and what is no ASCII as hexadecimal). */
export const quotedPrintable = (text: string): string => {
  const body = text.split('\n').map((line) => {
    const out: string[] = [''];
    for (const byte of Buffer.from(line)) {
      const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x3d;
      const shown = isPlain
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
      const last = out.at(-1) ?? '';
      if (last.length + shown.length > 75) {
        out[out.length - 1] = `${last}=`;
        out.push(shown);
      } else out[out.length - 1] = last + shown;
    }
    return out.join('\r\n');
  });
  const head = [
    'From: it@example.org',
    'Subject: access',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
  ];
  return [...head, '', ...body].join('\r\n');
};

const firstNames = 'Anna Ben Carmen David Elif Frank Grace Hugo Ines Jonas Li'.split(' ');
const names = ['admin', 'deploy', 'svc_backup', 'jmueller', 'root', 'shopuser', 'maria', 'ci-bot', 'reader'];
/** Words of BIP 39's English list. */
const words =
  'abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act action actor actress actual adapt add addict address adjust admit adult advance advice aerobic affair afford afraid again age agent agree ahead aim air airport aisle alarm album alcohol alert alien all alley allow almost alone alpha already also alter always amateur amazing among amount amused analyst anchor ancient anger angle angry animal ankle announce annual another answer antenna antique anxiety any apart apology appear apple approve april arch arctic area arena argue arm armed armor army around arrange arrest arrive arrow art artefact artist artwork ask aspect assault asset assist assume asthma athlete atom attack attend attitude attract auction audit august aunt author auto autumn average avocado avoid awake aware away awesome awful awkward axis'.split(
    ' ',
  );

const mulberry = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

export type Made = ReturnType<typeof madeFrom>;

/** The same seed gives the same values in the same order. */
export const madeFrom = (seed: number) => {
  const next = mulberry(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? '';
  const from = (letters: string, count: number): string =>
    Array.from({ length: count }, () => letters[below(letters.length)] ?? '').join('');
  const hex = (count: number): string => from('0123456789abcdef', count);
  const base62 = (count: number): string => from(all, count);
  const base64 = (count: number): string => from(`${all}+/`, count);
  const base64Url = (count: number): string => from(`${all}-_`, count);
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const random = (count: number): Buffer => Buffer.from(hex(count * 2), 'hex');
  /** GitHub and npm end a token with its CRC-32 in six letters of base 62. */
  const checked = (prefix: string): string => {
    const body = base62(30);
    let rest = crc32(body);
    let sum = '';
    for (; sum.length < 6; rest = Math.floor(rest / 62)) sum = (all[rest % 62] ?? '') + sum;
    return prefix + body + sum;
  };
  const passwordShapes: readonly (() => string)[] = [
    () => `${capital(pick(words))}${from(digits, 4)}!`,
    () => `${pick(words)}-${pick(words)}-${from(digits, 2)}`,
    () => `${from(lowers, 3)}${from(uppers, 3)}${from(digits, 3)}${from('!$%&*?+#', 2)}`,
    () => base62(12),
    () => `${capital(pick(words))}.${capital(pick(words))}#${from(digits, 2)}`,
    () => `${from(all, 8)}@${from(all, 4)}`,
  ];
  const password = (without = ''): string => {
    const made = (passwordShapes[below(passwordShapes.length)] ?? (() => base62(12)))();
    return Array.from(made, (letter) => (without.includes(letter) ? '+' : letter)).join('');
  };
  const chosen = (): string =>
    `${pick(['Sommer', 'Tiger', 'Kestrel', 'Wanderlust', 'Blaubeer'])}${from(digits, 3)}${pick(['!', '#', '_', '%'])}${from(lowers, 3)}`;
  const host = (): string => `${pick(words)}-${from(digits, 2)}.${pick(words)}.net`;
  const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    from,
    hex,
    base62,
    base64,
    base64Url,
    password,
    /** As a person chooses one, and as a program does. */
    chosen,
    value: () => `${base62(9)}7${base62(10)}q${from(digits, 1)}`,
    host,
    bytes: random,
    digits: (count: number) => from(digits, count),
    lower: (count: number) => from(lowers + digits, count),
    upper: (count: number) => from(uppers + digits, count),
    letters: (count: number) => from(uppers + lowers, count),
    first: () => pick(firstNames),
    user: () => pick(names),
    word: () => pick(words),
    email: () => `${pick(firstNames).toLowerCase()}@${host()}`,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${from('89ab', 1)}${hex(3)}-${hex(12)}`,
    phrase: (count: number) => Array.from({ length: count }, () => pick(words)).join(' '),
    awsId: (prefix = 'AKIA') => prefix + from(base32, 16),
    awsSecret: () => base64(40),
    github: checked,
    npm: () => checked('npm_'),
    pypi: () => `pypi-AgEIcHlwaS5vcmc${base64Url(150)}`,
    stripe: () => `sk_live_${base62(24)}`,
    slackBot: () => `xoxb-${from('123456789', 12)}-${from('123456789', 12)}-${base62(24)}`,
    telegram: () => `${from('123456789', 10)}:AA${base64Url(33)}`,
    openAi: () => `sk-proj-${base64Url(74)}T3BlbkFJ${base64Url(74)}`,
    anthropic: () => `sk-ant-api03-${base64Url(93)}AA`,
    wif: () => wifOf(random(32)),
    jwt: () =>
      `${json({ alg: 'HS256', typ: 'JWT' })}.${json({ sub: from(digits, 8), iat: 1741770000, exp: 1741773600 })}.${base64Url(43)}`,
    /** `size` bytes of content, behind the head of a DER sequence. */
    pem: (label: string, size: number): string => {
      const content = Buffer.concat([
        Buffer.from([0x30, 0x82, size >> 8, size & 0xff, 0x02, 0x01, 0x00]),
        random(size - 3),
      ]);
      return `-----BEGIN ${label}-----\n${lines64(content.toString('base64'))}\n-----END ${label}-----\n`;
    },
  };
};

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Version 0x80, key, mark of a compressed key, four bytes of the doubled SHA-256. */
const wifOf = (key: Buffer): string => {
  const payload = Buffer.concat([Buffer.from([0x80]), key, Buffer.from([1])]);
  const sum = hash('sha256', hash('sha256', payload, 'buffer'), 'buffer').subarray(0, 4);
  let rest = BigInt(`0x${Buffer.concat([payload, sum]).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = (base58[Number(rest % 58n)] ?? '') + text;
  return text;
};
