// Made-up tokens of services in files where people leave them, for the measure of look inside. Prefixes are written in parts,
// so that no scanner takes this file for a leak. The same seed makes the same files.
/* eslint-disable @typescript-eslint/no-unnecessary-template-expression -- prefixes in parts: no scanner takes this file for a leak */
import { createText, type CorpusFile, type Text } from './text.ts';

type Kind = (text: Text) => string;

const word =
  (prefix: string, length: number, letters: keyof Text['letters'] = 'plain', end = ''): Kind =>
  (text) =>
    prefix + text.of(letters, length) + end;

/** One kind a line: what it is called, and how one is made. */
const tokens: Record<string, Kind> = {
  'GitHub token': word('gh' + 'p_', 36),
  'GitHub OAuth token': word('gh' + 'o_', 36),
  'GitHub app token': word('gh' + 's_', 36),
  'GitHub fine-grained token': (text) => `github_${'pat'}_${text.of('plain', 22)}_${text.of('plain', 59)}`,
  'GitHub stateless app token': (text) =>
    `gh${'s_'}${text.of('digits', 7)}_ey${'J'}${text.of('plain', 40)}.${text.of('plain', 120)}.${text.of('plain', 43)}`,
  'Vercel token': word('vc' + 'p_', 24),
  'Vercel gateway key': word('vc' + 'k_', 56),
  'Cloudflare token': (text) => `cf${'ut'}_${text.of('plain', 40)}${text.of('hex', 8)}`,
  'database with a chosen password': (text) => `postgres://shop:${text.of('lower', 9)}@db.lan/shop`,
  'GitLab token': word('gl' + 'pat-', 20),
  'GitLab runner token': word('gl' + 'rt-', 20),
  'npm token': word('np' + 'm_', 36),
  'PyPI token': word('py' + 'pi-AgEIcHlwaS5vcmcC', 150),
  'RubyGems key': word('ruby' + 'gems_', 48, 'hex'),
  'Docker token': word('dckr_' + 'pat_', 27),
  'Google API key': word('AI' + 'zaSy', 33),
  'Google client secret': word('GOC' + 'SPX-', 28),
  'Azure client secret': (text) => `${text.of('plain', 3)}8Q~${text.of('plain', 34)}`,
  'Slack bot token': (text) =>
    `xo${'xb'}-${text.of('digits', 12)}-${text.of('digits', 13)}-${text.of('plain', 24)}`,
  'Slack user token': (text) =>
    `xo${'xp'}-${text.of('digits', 12)}-${text.of('digits', 12)}-${text.of('digits', 13)}-${text.of('hex', 32)}`,
  'Slack webhook': (text) =>
    `https://hooks.${'slack'}.com/services/T${text.of('upper', 8)}/B${text.of('upper', 10)}/${text.of('plain', 24)}`,
  'Discord bot token': (text) => `M${text.of('plain', 23)}.${text.of('plain', 6)}.${text.of('plain', 38)}`,
  'Discord webhook': (text) =>
    `https://discord.com/api/${'webhooks'}/${text.of('digits', 18)}/${text.of('plain', 68)}`,
  'Telegram bot token': (text) => `${text.of('digits', 10)}:AA${text.of('plain', 33)}`,
  'Stripe key': word('sk_' + 'live_', 99),
  'Stripe restricted key': word('rk_' + 'live_', 99),
  'Stripe webhook secret': word('wh' + 'sec_', 32),
  'Square token': word('EAAA' + 'E', 59),
  'Braintree token': (text) => `access_token$${'production'}$${text.of('hex', 16)}$${text.of('hex', 32)}`,
  'SendGrid key': (text) => `S${'G'}.${text.of('plain', 22)}.${text.of('plain', 43)}`,
  'Mailgun key': word('ke' + 'y-', 32, 'hex'),
  'Mailchimp key': word('', 32, 'hex', '-u' + 's12'),
  'OpenAI key': (text) => `sk-${'proj'}-${text.of('plain', 74)}T3${'Blbk'}FJ${text.of('plain', 74)}`,
  'Anthropic key': word('sk-' + 'ant-api03-', 93, 'plain', 'AA'),
  'Hugging Face token': word('h' + 'f_', 34, 'letters'),
  'Groq key': word('gs' + 'k_', 52),
  'Vault token': word('hv' + 's.', 96),
  'Grafana token': (text) => `gl${'sa'}_${text.of('plain', 32)}_${text.of('hex', 8)}`,
  'Shopify token': word('shp' + 'at_', 32, 'hex'),
  'Notion token': (text) => `nt${'n_'}${text.of('digits', 11)}${text.of('plain', 35)}`,
  'Linear key': word('lin_' + 'api_', 40),
  'Figma token': word('fi' + 'gd_', 40),
  'DigitalOcean token': word('dop_' + 'v1_', 64, 'hex'),
  'Databricks token': word('da' + 'pi', 32, 'hex'),
  'Tailscale key': (text) => `ts${'key'}-auth-${text.of('plain', 17)}-${text.of('plain', 32)}`,
  'Atlassian token': (text) => `ATA${'TT3'}xFfGF0${text.of('plain', 180)}=${text.of('upperHex', 8)}`,
  'New Relic key': word('NR' + 'AK-', 27, 'upper'),
  'age key': word('AGE-' + 'SECRET-KEY-1', 58, 'bech32'),
  'PostgreSQL address': (text) =>
    `postgres${'ql'}://app_${text.of('lower', 5)}:${text.of('plain', 18)}@db.${text.of('lower', 8)}.net:5432/prod`,
  'MySQL address': (text) =>
    `my${'sql'}://root:${text.of('plain', 16)}@10.2.${text.of('digit', 1)}.7:3306/shop`,
  'MongoDB address': (text) =>
    `mongodb${'+srv'}://svc:${text.of('plain', 20)}@cluster0.${text.of('lower', 5)}.mongodb.net/data`,
  'Redis address': (text) =>
    `re${'dis'}://default:${text.of('plain', 24)}@cache.${text.of('lower', 7)}.io:6379`,
  'address with password': (text) =>
    `ht${'tps'}://deploy:${text.of('plain', 20)}@git.${text.of('lower', 9)}.com/team/site.git`,
};

/** Places where people leave secrets. */
const places: ((secret: string, text: Text) => string)[] = [
  (secret) => `PORT=8080\nLOG_LEVEL=info\nSERVICE_TOKEN=${secret}\nDEBUG=false\n`,
  (secret) =>
    JSON.stringify({ name: 'site', version: '1.4.0', service: { timeout: 30, key: secret } }, null, 2),
  (secret) =>
    `service:\n  url: https://api.example.org\n  # rotated in May\n  credential: "${secret}"\n  retries: 3\n`,
  (secret) => `import requests\n\nclient = Client('${secret}')\nprint(client.list())\n`,
  (secret, text) =>
    `${text.logLines(40)}2026-05-03T10:11:12Z DEBUG config loaded credential=${secret} retries=3\n${text.logLines(20)}`,
  (secret) => `# Notes\n\nThe server moved. Log in with \`${secret}\` until Friday.\n\n- then ask Kim\n`,
];

/** How many of each kind. */
const each = 6;

export const secretFiles = (seed = 1): CorpusFile[] => {
  const text = createText(seed);
  const make = (kind: string, at: number): string => {
    const place = places[at % places.length] ?? String;
    return place((tokens[kind] ?? String)(text), text);
  };
  return secretKinds.flatMap((kind) =>
    Array.from({ length: each }, (_, at) => ({ kind, name: `${kind} ${at}`, content: make(kind, at) })),
  );
};

export const secretKinds: readonly string[] = Object.keys(tokens);
