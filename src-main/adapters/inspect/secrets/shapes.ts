// Secrets that are known by their shape: a prefix or an armour that nothing else has. Repetitions are bounded and not
// nested, so a pattern takes time in proportion to the text.
import { isValueOf } from './assignments.ts';
import { keyShapes } from './key-shapes.ts';
import { always, beginningsOf, decoded, wholeWord, type Shape } from './shape.ts';
import { tokenRows, uuid } from './token-shapes.ts';
import { isIdentifier, isRandom, isReference, isStandIn } from './values.ts';

/** An identifier counts only if its secret is near it. */
const besideId =
  (length: string) =>
  (id: string, text: string, at: number): boolean => {
    const around = text.slice(Math.max(0, at - 300), at + id.length + 400).replace(id, ' ');
    const found = around.matchAll(new RegExp(`(?<![\\w/+=.-])[A-Za-z0-9/+]{${length}}(?![\\w/+=-])`, 'g'));
    return [...found].some(
      ([one]) => /[A-Z]/.test(one) && /[a-z]/.test(one) && isRandom({ text: one, isQuoted: true }),
    );
  };

const isWebToken = (match: string): boolean => {
  const [head = '', body = ''] = match.split('.').map(decoded);
  // The example in the format's own documents is everywhere.
  return /"(?:alg|enc|typ)"/.test(head) && !/"sub": ?"1234567890"/.test(body) && !/example/i.test(body);
};

/** Marks of what is no secret: sums, files, rows of a database, objects of a service. */
const plainMark =
  /(?:^|[_-])(?:sha\d*|md5|hash|digest|etag|integrity|checksum|crc|commit|rev|ref|head|pk|pub|public|publishable|e?id|ids|uuid|guid|key_?id|site|img|image|photo|file|doc|page|post|chunk|bundle|build|dist|asset|font|icon|css|js|layer|node|module|cache|tmp|trace|span|req|request|resp|run|call|chatcmpl|msg|asst|thread|toolu|gen|batch|evt|event|cs|seti?|pi|pm|ch|py|po|ba|in|ii|si|sub|cus|card|src|acct|plink|price|txn?|ord|order|inv|invoice|prj|project|dpl|user|usr|org|team|acc|account|list|item|rec|row|ver|version|thr|conv|chat|room|grp|group|task|job|device|store|ws|workspace|useandom)[_.-](?:(?:live|test)_)?$/;
/** Makers put a mark before their tokens. What follows that of a token without a row is long, and random to its end. */
const isMarked = (match: string): boolean => {
  const mark =
    /^(?:(?:[a-z][a-z\d]{0,11}|[A-Z][A-Z\d]{1,5})[_.-])+?(?![a-z]{1,12}\d?[_.-])/.exec(match)?.[0] ?? '';
  const body = match.slice(mark.length).replace(/=+$/, '');
  if (mark === '' || plainMark.test(mark)) return false;
  // Words with a mark between them.
  if ((body.match(/[_-]/g)?.length ?? 0) > body.length / 8) return false;
  const digits = body.match(/\d/g)?.length ?? 0;
  const isOfBothCases = /[a-z]/.test(body) && /[A-Z][^A-Z]*[A-Z]/.test(body);
  // `styles.6f3a….css`
  if (mark.endsWith('.') && body.length < 40) return false;
  const isHex = /^[\da-f]+$/.test(body);
  const isLong = isOfBothCases
    ? body.length >= 20 && digits >= 1 && !isIdentifier(body)
    : /[a-z\d]{28}|[A-Z\d]{28}/.test(body) && digits >= (isHex ? 6 : 3);
  // `linux-` and a sum, as in the key of a cache.
  const isSum = mark.endsWith('-') && isHex;
  return isLong && !isSum && isRandom({ text: body, isQuoted: true });
};

/** Random, and no word with a number. */
const isBody = (body: string): boolean =>
  (body.match(/\d/g)?.length ?? 0) >= 3 && !isIdentifier(body) && isRandom({ text: body, isQuoted: true });

/** Everything in a Secret of Kubernetes is one, except what is public or put in by a program. */
const hasPlainEntry = (block: string): boolean =>
  [...block.matchAll(/^[ \t]+([\w.-]{1,80}): {1,4}["']?([^\s"']{6,})/gm)].some(
    ([, name = '', value = '']) =>
      !/user|name|host|port|\bca\b|ca\.|crt$|cert$|\.pub$|ur[il]$/i.test(name) &&
      !isReference(value) &&
      !isStandIn(value) &&
      !isStandIn(decoded(value)),
  );

const valueFirst = /\b(?:value|v)["']?\s{0,4}[:=]\s{0,4}["']([^"'\\\n]{6,200})["']/i;
const nameBehind = /(?:name|designation|key)["']?\s{0,4}[:=]\s{0,4}["']([\w.-]{2,60})["']/i;

const others: Shape[] = [
  {
    rule: 'token',
    source: 'docs.github.com: secret scanning, tokens with a prefix of their maker',
    near: 20,
    reach: 900,
    pattern:
      /(?<![\w./$@#&-]|sha\d{1,3}=)(?:[a-z][a-z\d]{1,11}|[A-Z][A-Z\d]{1,5})[_.-](?=[\w.+/-]{20})(?=[A-Za-z_.+/-]{0,80}\d)(?:(?:[a-z\d-]{2,12}\.){0,2}[\w-]{20,200}(?:\.[\w-]{20,200}){0,3}={0,2}|[\w+/]{32,200}={1,2})(?![\w+/=]|[.-]\w)/g,
    isReal: isMarked,
  },
  {
    rule: 'token',
    source: 'the same, with a mark that says what it is',
    near: [
      'sk_',
      'sk-',
      'at_',
      'at-',
      'live_',
      'live-',
      'key_',
      'key-',
      'secret_',
      'secret-',
      'token_',
      'token-',
    ],
    pattern: new RegExp(
      String.raw`(?<![\w./$@#&-])(?!p(?:k|ub\w{0,10})[_-])(?:[a-z\d]{1,12}[_-]){0,3}(?:sk|[aps]at|live|(?:api_?)?key|secret|token)[_-](?:[a-z\d]{1,12}[_-])?(?:${uuid}|[A-Za-z0-9]{16,128})(?![\w+/=]|[.-]\w)`,
      'g',
    ),
    isReal: (match) =>
      !/key[_-](?:\w{1,12}[_-])?[\da-f-]+$/.test(match) &&
      isBody(/[_-]([\da-f-]{36}|[^_-]+)$/.exec(match)?.[1] ?? ''),
  },
  {
    rule: 'aws',
    source: 'docs.aws.amazon.com: IAM access keys',
    near: ['AKIA', 'ASIA'],
    pattern: wholeWord('A[KS]IA[A-Z2-7]{16}'),
    isReal: (id, text, at) => !id.includes('EXAMPLE') && besideId('40')(id, text, at),
  },
  {
    rule: 'webtoken',
    source: 'RFC 7519, RFC 7516: signed and encrypted tokens',
    near: ['eyJ'],
    pattern: /(?<![\w.-])eyJ[\w-]{10,2000}\.[\w-]{0,8000}\.[\w-]{16,1000}/g,
    reach: 9010,
    isReal: isWebToken,
  },
  {
    rule: 'azure',
    source: 'learn.microsoft.com: connection strings',
    near: ['Key='],
    pattern: /(?:Account|SharedAccess)Key=[A-Za-z0-9+/]{42,86}={0,2}/g,
  },
  {
    rule: 'signed-url',
    source: 'AWS Signature Version 4, Google V4 signing, Azure SAS: query parameters',
    near: ['ignature=', 'sig='],
    pattern:
      /X-(?:Amz|Goog)-Signature=[a-f0-9]{64,600}|Signature=[\w~-]{100,600}&(?:amp;)?Key-Pair-Id=|(?:GoogleAccessId|AWSAccessKeyId)=[^\s"']{10,300}Signature=[\w%/+]{26,600}|[?&;](?:sv|sp|se|api-version)=[^\s"'<>]{4,400}&(?:amp;)?sig=[\w%/+-]{40,90}|[?&]sig=[\w%/+-]{40,90}[^\s"'<>]{0,20}&(?:amp;)?(?:sv|sp|se)=/g,
  },
  {
    rule: 'webhook',
    source:
      'docs of Slack, Discord, Google Chat, Zapier, Make, Mattermost, PagerDuty, Lark, WeCom, IFTTT, Webex, Splunk: incoming webhooks; secret calendars; docs of Alchemy, QuickNode, Infura: addresses with a key',
    near: [
      'hooks',
      '/webhooks/',
      'chat.googleapis',
      'hook.',
      '/basic.ics',
      'pagerduty.com/integration',
      '/bot/v2/hook/',
      'qyapi.weixin',
      '.ifttt.com',
      'webhooks/incoming',
      'victorops.com',
      '.alchemy.com',
      'quiknode.pro',
      '.infura.io',
    ],
    pattern:
      /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{8,13}\/[A-Z0-9]{8,20}\/[\w/-]{16,80}|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{17,20}\/[\w-]{60}|chat\.googleapis\.com\/v1\/spaces\/[\w-]{6,20}\/messages\?key=[\w-]{30,50}|hooks\.zapier\.com\/hooks\/catch\/\d{4,9}\/\w{5,9}|hook\.(?:eu\d|us\d|integromat)\.(?:make\.com|com)\/[a-z0-9]{32}|:\/\/[\w.:-]{3,80}\/hooks\/[a-z0-9]{26}(?!\w)|\/private-[0-9a-f]{32}\/basic\.ics|events\.pagerduty\.com\/integration\/[0-9a-f]{32}|\/open-apis\/bot\/v2\/hook\/[0-9a-f-]{36}|qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=[0-9a-f-]{36}|maker\.ifttt\.com\/trigger\/\w{1,60}\/(?:json\/)?with\/key\/[\w-]{20,60}|\/v1\/webhooks\/incoming\/[\w-]{60,120}|victorops\.com\/integrations\/generic\/\d{8}\/alert\/[0-9a-f-]{36}|\.g\.alchemy\.com\/(?:v2|nft\/v\d)\/[\w-]{21,40}|\.quiknode\.pro\/[0-9a-f]{40}|\.infura\.io\/(?:ws\/)?v3\/[0-9a-f]{32}/g,
  },
  {
    rule: 'discord',
    source: 'discord.com/developers: bot tokens',
    near: 24,
    reach: 100,
    pattern: /(?<![\w-])[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w.-])/g,
    isReal: (match) =>
      /^\d{17,20}$/.test(decoded(match.split('.')[0] ?? '')) || isRandom({ text: match, isQuoted: true }),
  },
  {
    rule: 'otpauth',
    source: 'github.com/google/google-authenticator: key URI format',
    near: ['otpauth'],
    pattern: /otpauth(?:-migration)?:\/\/[^\s"'<>]{1,300}(?:secret|data)=[A-Za-z0-9%+/]{16,600}/g,
  },
  {
    rule: 'cookies',
    source: 'curl: HTTP cookies, the file format of Netscape',
    near: ['\tTRUE\t', '\tFALSE\t'],
    pattern:
      /^(?:#HttpOnly_)?\S{1,200}\t(?:TRUE|FALSE)\t\S{1,200}\t(?:TRUE|FALSE)\t\d{1,12}\t\S{1,100}\t\S{16}/gm,
    isReal: always,
  },
  {
    rule: 'wallet',
    source: 'BIP 39; Web3 secret storage',
    near: ['hrase', 'nemonic', 'NEMONIC', 'HRASE', '"kdf'],
    pattern:
      /(?:mnemonic|phrase)["']?(?: words| is|,? [^\n:=]{1,40})?[ \t]{0,4}[:=]?\s{0,6}["']?(?:[a-z]{3,8}[ ,]{1,2}){11}[a-z]{3,8}|"kdf"\s{0,4}:\s{0,4}"(?:scrypt|pbkdf2)"/gi,
    isReal: always,
  },
  {
    rule: 'wallet',
    source: 'BIP 39, as wallets print it: words in a line, or in a list with numbers',
    near: ['ecovery', 'seed', 'Seed', 'allet', 'edger', 'hrase', 'nemonic', 'rezor', 'etaMask'],
    pattern:
      /(?:(?<!\d)\d{1,2}[.)] [a-z]{3,8}(?:\s{1,4}|$)){12}|^(?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8}$/gm,
    isReal: (match, text, at) =>
      !/\b(?:the|and|for|with|was|from|have|your|not|are|his|her)\b/.test(match) &&
      /wallet|seed|phrase|mnemonic|recovery|ledger|trezor|metamask/i.test(
        text.slice(Math.max(0, at - 300), at),
      ),
  },
  {
    rule: 'wallet',
    source: 'docs.cardano.org: signing keys',
    near: ['SigningKey'],
    pattern: /"cborHex"\s{0,4}:\s{0,4}"58[248]0[0-9a-f]{64}/g,
    isReal: always,
  },
  {
    rule: 'wallet',
    source: 'BIP 39: a list alone, one word after another',
    near: ['1'],
    pattern: /^(?:\s{0,3}\d{1,2}[.):]? [a-z]{3,8}[ \t\r]{0,4}(?:\n|$)){12,24}$/g,
    isReal: (match, text) => match.length === text.length && /^\D{0,3}1\D[^]*\n\D{0,3}12\D/.test(match),
  },
  {
    rule: 'ldif',
    source: 'RFC 2849: a value in base64',
    near: ['assword:: '],
    pattern: /^\w{0,20}[Pp]assword:: [\w+/]{8,400}={0,2}/gm,
    isReal: always,
  },
  {
    rule: 'recovery-codes',
    source: 'docs.github.com, support.google.com: codes for two-factor authentication',
    near: ['odes', 'ODES'],
    pattern:
      /(?:recovery|backup|verification|rescue) codes[^]{0,200}?\n(?:[^\n]{0,60}\n){0,4}?(?:[ \t*•☐-]{0,8}(?:\d{1,2}\. ?)?(?=[^\n]{0,11}\d)[a-z0-9]{4,8}(?:[- ][a-z0-9]{4,8}){0,2}[ \t]{0,4}\r?\n){4}/gi,
    isReal: always,
  },
  {
    rule: 'recovery-codes',
    source: 'docs.github.com: the file with the codes alone',
    near: ['-'],
    pattern: /^(?:(?=[^\n]{0,11}\d)[a-f0-9]{5}-[a-f0-9]{5}\s{1,2}){8,20}$/g,
    isReal: (match, text) => match.length === text.length,
  },
  {
    rule: 'hashicorp',
    source: 'developer.hashicorp.com: vault operator init',
    near: ['Unseal Key', 'Recovery Key'],
    pattern: /(?:Unseal|Recovery) Key \d{1,2}: [\w+/]{40,64}={0,2}/g,
  },
  {
    rule: 'bitlocker',
    source: 'learn.microsoft.com: BitLocker recovery password',
    near: 55,
    reach: 200,
    pattern: /(?<![\d-])\d{6}(?:-\d{6}){7}(?![\d-])/g,
  },
  {
    rule: 'wifi',
    source: 'github.com/zxing: WIFI codes',
    near: ['WIFI:'],
    pattern: /WIFI:[^\n]{0,120}?;?P:[^;\n]{8,63};/g,
    isReal: (match) => !isReference(match.slice(match.lastIndexOf('P:') + 2)),
  },
  {
    rule: 'openvpn',
    source: 'OpenVPN manual: auth-user-pass',
    near: ['<auth-user-pass>'],
    pattern: /<auth-user-pass>\s{1,4}[^\s<]{1,80}\s{1,4}[^\s<]{4}/g,
    isReal: always,
  },
  {
    rule: 'cookies',
    source: 'RFC 6265',
    near: ['ookie:', 'ookie"'],
    pattern:
      /Cookie["']?(?:: ?|,\s{0,40}["']value["']\s{0,2}:\s{0,2})["']?[^\n"']{0,200}?(?:sess|sid|auth|jwt)\w{0,20}=[\w%.+/-]{24,200}/gi,
    isReal: (match) => isRandom({ text: match.slice(match.lastIndexOf('=') + 1), isQuoted: true }),
  },
  {
    rule: 'registry',
    source: 'learn.microsoft.com: .reg files',
    near: ['=hex:', '=hex('],
    pattern: /"[^"\n]{0,40}(?:passw(?:or)?d|pwd|secret)[^"\n]{0,20}"=hex(?:\(\d\))?:(?:[0-9a-f]{2},){5}/gi,
    isReal: always,
  },
  {
    rule: 'userlist',
    source: 'zookeeper.apache.org, kafka.apache.org: users of a login module',
    near: ['LoginModule'],
    pattern: /LoginModule [^{}]{0,300}?\buser_\w{1,40} ?= ?"[^"\n]{6,100}"/g,
  },
  {
    rule: 'userlist',
    source: 'pgbouncer.org: userlist.txt',
    near: ['" "md5', '" "SCRAM'],
    pattern: /^"[^"\n]{1,64}" "(?:md5[0-9a-f]{32}|SCRAM-SHA-256\$)/gm,
    isReal: always,
  },
  {
    rule: 'assignment',
    source: 'a value before its name: 1Password Interchange Format, JSON, SQL, XML',
    near: ['"name"', '"designation"', '"k":"concealed"', '"key"', 'name='],
    pattern: new RegExp(`${valueFirst.source}[^{}]{0,160}?\\b${nameBehind.source}`, 'gi'),
    isReal: (match) => isValueOf(/([\w.-]+)["']$/.exec(match)?.[1] ?? '', valueFirst.exec(match)?.[1] ?? ''),
  },
  {
    rule: 'bundler',
    source: 'bundler.io: credentials of gem sources',
    near: ['BUNDLE_'],
    pattern: /\bBUNDLE_\w{1,60}__\w{1,60}(?::|=) ?["']?[\w.@%-]{1,80}:[\w%-]{8,100}/g,
  },
  {
    rule: 'kubernetes',
    source: 'kubernetes.io: Secret, data and stringData',
    near: ['kind: Secret'],
    pattern: /^(?:stringData|data):[ \t]*\r?\n(?:[ \t]+[^\n]*\n?){1,60}/gm,
    isReal: (match, text) => /^kind: Secret\s*$/m.test(text) && hasPlainEntry(match),
  },
  {
    rule: 'master-key',
    source: 'guides.rubyonrails.org: config/master.key',
    near: ['0', '1', '2', '3'],
    pattern: /^(?:[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{128})\s{0,4}$/g,
    isReal: (match, text) => match.length === text.length,
  },
];

export const shapes: readonly Shape[] = [
  ...keyShapes,
  ...tokenRows.map(({ rule, source, inner, near = beginningsOf(inner) }): Shape => ({
    rule,
    source,
    near,
    pattern: wholeWord(inner),
  })),
  ...others,
];
