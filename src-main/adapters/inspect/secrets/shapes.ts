// Secrets that are known by their shape: a prefix or an armour that nothing else has. The rules of secretlint come first
// (look-worker.ts); a row stands here if they lack its kind or find it in some places only. Repetitions are bounded and do
// not lie in each other: a pattern takes time in proportion to the text.
import { keyShapes } from './key-shapes.ts';
import { decoded, word, type Shape } from './shape.ts';
import { tokenRows } from './token-shapes.ts';
import { isRandom } from './values.ts';

/** An identifier and its secret stand together. */
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
  // The one of the format's own papers is everywhere.
  return /"(?:alg|enc|typ)"/.test(head) && !/"sub": ?"1234567890"/.test(body) && !/example/i.test(body);
};

const others: Shape[] = [
  {
    rule: 'aws',
    source: 'docs.aws.amazon.com: IAM access keys',
    near: ['AKIA', 'ASIA'],
    pattern: word('A[KS]IA[A-Z2-7]{16}'),
    isReal: (id, text, at) => !id.includes('EXAMPLE') && besideId('40')(id, text, at),
  },
  {
    rule: 'webtoken',
    source: 'RFC 7519',
    near: ['eyJ'],
    pattern: /(?<![\w.-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,8000}\.[\w-]{20,1000}/g,
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
      /X-(?:Amz|Goog)-Signature=[a-f0-9]{64,600}|(?:GoogleAccessId|AWSAccessKeyId)=[^\s"']{10,300}Signature=[\w%/+]{26,600}|[?&;](?:sv|sp|se|api-version)=[^\s"'<>]{4,400}&(?:amp;)?sig=[\w%/+-]{40,90}|[?&]sig=[\w%/+-]{40,90}[^\s"'<>]{0,20}&(?:amp;)?(?:sv|sp|se)=/g,
  },
  {
    rule: 'webhook',
    source: 'docs of Slack, Discord, Google Chat, Zapier, Make: incoming webhooks',
    near: ['hooks.', '/webhooks/', 'chat.googleapis', 'hook.'],
    pattern:
      /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{8,13}\/[A-Z0-9]{8,20}\/[\w/-]{16,80}|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{17,20}\/[\w-]{60}|chat\.googleapis\.com\/v1\/spaces\/[\w-]{6,20}\/messages\?key=[\w-]{30,50}|hooks\.zapier\.com\/hooks\/catch\/\d{4,9}\/\w{5,9}|hook\.(?:eu\d|us\d|integromat)\.(?:make\.com|com)\/[a-z0-9]{32}/g,
  },
  {
    rule: 'discord',
    source: 'discord.com/developers: bot tokens',
    near: ['M', 'N', 'O'],
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
    rule: 'master-key',
    source: 'guides.rubyonrails.org: config/master.key',
    near: ['0', '1', '2', '3'],
    pattern: /^(?:[0-9a-f]{32}|[0-9a-f]{64}|[0-9a-f]{128})\s{0,4}$/g,
    isReal: (match, text) => match.length === text.length,
  },
];

export const shapes: readonly Shape[] = [
  ...keyShapes,
  ...tokenRows.map(([rule, source, near, inner]): Shape => ({
    rule,
    source,
    near: typeof near === 'string' ? [near] : near,
    pattern: word(inner),
  })),
  ...others,
];
