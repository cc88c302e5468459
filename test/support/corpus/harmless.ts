// Files that have no secret in them but look as if they could: the measure of false alarms. Half of them are made, half
// are files of this project: sources, and files of packages (scripts, minified scripts, maps, papers).
/* eslint-disable @typescript-eslint/no-unnecessary-template-expression -- prefixes in parts: no scanner takes this file for a leak */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createText, type CorpusFile, type Text } from './text.ts';

const root = path.resolve(import.meta.dirname, '../../..');

const pem = (label: string, text: Text, length: number): string =>
  `-----BEGIN ${label}-----\n${text.base64(length).replace(/(.{64})/g, '$1\n')}\n-----END ${label}-----\n`;

const made: Record<string, (text: Text) => string> = {
  'access.log': (text) =>
    text.lines(
      200,
      () =>
        `10.0.${text.below(255)}.${text.below(255)} - - [${text.time()}] "GET /${text.word()}/${text.uuid()}?q=${text.of('plain', 12)} HTTP/1.1" 200 ${text.below(90_000)} "-" "Mozilla/5.0"`,
    ),
  'app.log': (text) => text.logLines(200),
  'trace.jsonl': (text) =>
    text.lines(100, () =>
      JSON.stringify({
        at: text.time(),
        traceId: text.of('hex', 32),
        spanId: text.of('hex', 16),
        message: text.sentence(8),
        tokens: text.below(4000),
      }),
    ),
  'customers.csv': (text) =>
    `id,name,mail,joined,total\n${text.lines(150, (at) => `${at},${text.word()} ${text.word()},${text.word()}@example.org,${text.time()},${text.below(99_999)}`)}`,
  'sensors.csv': (text) =>
    text.lines(300, () =>
      [text.time(), ...Array.from({ length: 6 }, () => text.below(10_000) / 100)].join(';'),
    ),
  'certificate.pem': (text) =>
    pem('CERTIFICATE', text, 1600) + pem('CERTIFICATE', text, 1400) + pem('CERTIFICATE', text, 1500),
  'public.pem': (text) => pem('PUBLIC KEY', text, 392),
  'request.csr': (text) => pem('CERTIFICATE REQUEST', text, 960),
  'signature.asc': (text) => pem('PGP SIGNATURE', text, 800),
  'public.asc': (text) => pem('PGP PUBLIC KEY BLOCK', text, 2000),
  'uuids.txt': (text) => text.lines(400, () => text.uuid()),
  'sha256sums.txt': (text) =>
    text.lines(200, () => `${text.of('hex', 64)}  ${text.word()}-${text.below(99)}.zip`),
  'md5sums.txt': (text) => text.lines(200, () => `${text.of('hex', 32)} *${text.word()}.iso`),
  'sha1.txt': (text) => text.lines(200, () => text.of('hex', 40)),
  'history.txt': (text) => text.lines(120, () => `${text.of('hex', 40)} ${text.sentence(7)}`),
  'hashes.base64': (text) => text.lines(200, () => text.base64(44)),
  'identifiers.txt': (text) =>
    text.lines(200, () => `${text.of('plain', 22)} ${text.of('upper', 26)} ${text.of('digits', 18)}`),
  'page.html': (text) =>
    `<!doctype html><html><body>${text.lines(30, () => `<p id="${text.of('plain', 10)}">${text.sentence(20)}</p>`)}<img src="data:image/png;base64,${text.base64(4000)}"></body></html>`,
  'style.css': (text) =>
    `${text.lines(80, () => `.${text.word()}-${text.of('lower', 5)} { color: #${text.of('hex', 6)}; }`)}@font-face { src: url(data:font/woff2;base64,${text.base64(3000)}); }`,
  'app.min.js': (text) =>
    Array.from(
      { length: 700 },
      () =>
        `function ${text.of('letters', 2)}(${text.of('lower', 1)},${text.of('lower', 1)}){return ${text.of('lower', 1)}.${text.word()}("${text.of('plain', 8)}",0x${text.of('hex', 6)})}`,
    ).join(';'),
  'app.js.map': (text) =>
    JSON.stringify({
      version: 3,
      sources: ['a.ts'],
      names: [text.word()],
      mappings: text.of('base64', 6000),
    }),
  'drawing.svg': (text) =>
    `<svg xmlns="http://www.w3.org/2000/svg">${text.lines(80, () => `<path d="M${text.below(900)} ${text.below(900)}L${text.below(900)} ${text.below(900)}z" fill="#${text.of('hex', 6)}"/>`)}</svg>`,
  'notebook.ipynb': (text) =>
    JSON.stringify({
      cells: Array.from({ length: 8 }, () => ({
        id: text.of('hex', 8),
        source: [text.sentence(10)],
        outputs: [{ 'image/png': text.base64(2000) }],
      })),
    }),
  'dump.sql': (text) =>
    text.lines(
      150,
      (at) =>
        `INSERT INTO users VALUES (${at}, '${text.word()}', '$2b$12$${text.of('plain', 53)}', '${text.time()}');`,
    ),
  'compose.yaml': (text) =>
    `services:\n  web:\n    image: ${text.word()}:1.${text.below(30)}@sha256:${text.of('hex', 64)}\n    environment:\n      DB_PASSWORD: \${DB_PASSWORD}\n      DATABASE_URL: postgres://\${DB_USER}:\${DB_PASSWORD}@db:5432/app\n      CACHE: redis://cache:6379\n      TOKEN_FILE: /run/secrets/token\n`,
  'guide.md': (text) =>
    `# ${text.sentence(3)}\n\nSet \`API_KEY=YOUR_API_KEY\`, then \`curl -H "Authorization: Bearer $TOKEN" https://api.example.com/${text.word()}\`.\n\nThe key of AWS's papers is AKIA${'IOSFODNN7'}EXAMPLE. A key looks like this:\n\n    -----${'BEGIN'} PRIVATE KEY-----\n    ...\n    -----${'END'} PRIVATE KEY-----\n\n\n${text.lines(20, () => text.sentence(14))}`,
  'login.py': (text) =>
    `def login(password, token=None):\n    """${text.sentence(8)}"""\n    secret = os.environ["APP_SECRET"]\n    api_key = settings.API_KEY\n    return check(password, secret, token or get_token("${text.word()}"))\n`,
  'Login.java': (text) =>
    `public class Login {\n  private static final String TOKEN_HEADER = "X-${text.word()}-Token";\n  String password = config.getString("${text.word()}.password");\n  long serialVersionUID = ${text.of('digits', 18)}L;\n}\n`,
  'words.json': (text) =>
    JSON.stringify({
      password: 'Password',
      token: 'Token',
      'password.wrong': text.sentence(6),
      secret: 'Geheimnis',
    }),
  'de.json': (text) =>
    JSON.stringify({
      login: { password: 'Passwort', passwordHint: 'Mindestens 8 Zeichen, 1 Ziffer', token: 'Kennung' },
      errors: { password: `Passwort falsch, noch ${text.below(9)} Versuche`, secret: text.sentence(4) },
    }),
  'schema.json': (text) =>
    JSON.stringify({
      properties: {
        password: { type: 'string', minLength: 8 + text.below(8), format: 'password', default: '' },
        apiKey: { type: 'string', pattern: '^[A-Za-z0-9]{32}$', description: text.sentence(6) },
      },
      required: ['password', 'apiKey'],
    }),
  'openapi.yaml': (text) =>
    `components:\n  securitySchemes:\n    bearerAuth:\n      type: http\n      scheme: bearer\n      bearerFormat: JWT\n  schemas:\n    Login:\n      properties:\n        password:\n          type: string\n          example: your-password-${text.below(9)}\n`,
  'workflow.yml': (text) =>
    `jobs:\n  build:\n    env:\n      NPM_TOKEN: \${{ secrets.NPM_TOKEN }}\n    steps:\n      - uses: actions/checkout@${text.of('hex', 40)}\n        with:\n          token: \${{ github.token }}\n          cache-key: ${text.word()}-${text.of('hex', 64)}\n`,
  'main.tf': (text) =>
    `variable "db_password" {\n  type      = string\n  sensitive = true\n}\n\nresource "db" "${text.word()}" {\n  password   = var.db_password\n  kms_key_id = "arn:aws:kms:eu-west-1:${text.of('digits', 12)}:key/${text.uuid()}"\n  token      = data.vault_secret.db2.data["token"]\n}\n`,
  'values.yaml': (text) =>
    `auth:\n  password: ""\n  existingSecret: ${text.word()}-secret-${text.below(9)}\n  secretKeys:\n    adminPasswordKey: postgres-password\n  passwordFile: /run/secrets/${text.word()}1\n`,
  'config.test.ts': (text) =>
    `test('${text.sentence(4)}', () => {\n  const user = { name: '${text.word()}', password: 'password123', token: 'test-token-${text.below(99)}' };\n  expect(login(user).apiKey).toBe('my-api-key-1');\n});\n`,
  'types.d.ts': (text) =>
    `export interface Options {\n  password?: string;\n  accessToken: Token2<${text.word()}>;\n  apiKey: string | undefined;\n  readonly secretKey: CryptoKey;\n}\nexport declare const TOKEN_TYPE2: "${text.word()}";\n`,
  'settings.sample.ini': (text) =>
    `[mail]\nuser = ${text.word()}@example.org\npassword = <your password>\n; api_key = insert-your-key-here\ntoken = %(MAIL_TOKEN)s\nsecret = {{ secret_${text.below(9)} }}\n`,
  'objects.csv': (text) =>
    `id,sha256,etag,key,token_count\n${text.lines(80, (at) => `${text.uuid()},${text.of('hex', 64)},${text.of('hex', 32)},${text.word()}/${at}.png,${text.below(999)}`)}`,
  'usage.log': (text) =>
    text.lines(
      80,
      () =>
        `${text.time()} INFO prompt_tokens=${text.below(4000)} max_tokens=${text.below(4096)} cache_key=${text.of('hex', 32)} request_id=${text.uuid()}`,
    ),
  'notes.txt': (text) =>
    `The password is asked for twice. A token is valid for ${text.below(60)} minutes. Your password must have 8 letters, 1 digit.\nPassword: see the safe, shelf ${text.below(9)}\nWLAN: ask ${text.word()}\n${text.sentence(30)}\n`,
  'calendar.ics': (text) =>
    text.lines(
      30,
      () => `BEGIN:VEVENT\nUID:${text.uuid()}@example.org\nSUMMARY:${text.sentence(4)}\nEND:VEVENT`,
    ),
  'film.srt': (text) =>
    text.lines(80, (at) => `${at}\n00:${at}:01,000 --> 00:${at}:04,000\n${text.sentence(9)}\n`),
  'changes.patch': (text) =>
    `index ${text.of('hex', 7)}..${text.of('hex', 7)} 100644\n--- a/${text.word()}.ts\n+++ b/${text.word()}.ts\n${text.lines(40, () => `+const ${text.word()} = '${text.sentence(3)}';`)}`,
  'map.geojson': (text) =>
    JSON.stringify({
      type: 'LineString',
      coordinates: Array.from({ length: 200 }, () => [text.below(1e8) / 1e6, text.below(1e8) / 1e6]),
    }),
};

/** Of each kind that is made. */
const each = 26;
const fromHere = 1000;
const mostBytes = 1024 * 1024;
const textual = /\.(?:[cm]?[jt]s|svelte|json|md|map|css|html|yml|txt)$|^LICENSE$/;

/** Folders of sources, then of packages that stand for what people share. */
const folders = ['src-main', 'src-renderer', 'test', 'resources', 'node_modules'];

const textsBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    // What is hidden is no source: programs make and remove it while this runs.
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const inside = path.join(folder, entry.name);
      if (entry.isDirectory()) return textsBelow(inside);
      return entry.isFile() && textual.test(entry.name) && statSync(inside).size <= mostBytes ? [inside] : [];
    });

/** Evenly spread over all of them. */
const found = (): CorpusFile[] => {
  const all = folders.flatMap((folder) => textsBelow(path.join(root, folder)));
  const step = all.length / fromHere;
  return Array.from({ length: fromHere }, (_, at) => all[Math.floor(at * step)] ?? '').map((file) => ({
    kind: 'from this folder',
    name: path.relative(root, file),
    content: readFileSync(file, 'latin1'),
  }));
};

export const harmlessFiles = (seed = 2): CorpusFile[] => {
  const text = createText(seed);
  return [
    ...Object.entries(made).flatMap(([kind, make]) =>
      Array.from({ length: each }, (_, at) => ({ kind, name: `${at} ${kind}`, content: make(text) })),
    ),
    ...found(),
  ];
};
