// Harmless kinds of files that look like those with secrets: the half that the rules are written with.
import { file, kind, lines64, type Kind } from './made.ts';

export const seenHarmless: readonly Kind[] = [
  // placeholders
  kind('code that reads the environment', 'https://nodejs.org/api/process.html#processenv', (r) =>
    file(
      'config.ts',
      `export const config = {\n  name: '${r.word()}',\n  password: process.env.DB_PASSWORD,\n  apiKey: process.env['API_KEY'] ?? '',\n};\n`,
    ),
  ),
  kind('Python that reads the environment', 'https://docs.python.org/3/library/os.html#os.environ', (r) =>
    file(
      'settings.py',
      `import os\nAPP = "${r.word()}"\nSECRET_KEY = os.environ["SECRET_KEY"]\nPASSWORD = os.getenv("DB_PASSWORD", "")\n`,
    ),
  ),
  kind('Terraform variable', 'https://developer.hashicorp.com/terraform/language/values/variables', (r) =>
    file(
      'variables.tf',
      `variable "db_password" {\n  description = "Password of ${r.word()}"\n  type        = string\n  sensitive   = true\n}\npassword = var.db_password\n`,
    ),
  ),
  kind(
    'Spring placeholder',
    'https://docs.spring.io/spring-boot/reference/features/external-config.html',
    (r) =>
      file(
        'application.yml',
        `spring:\n  application:\n    name: ${r.word()}\n  datasource:\n    password: \${DB_PASSWORD:}\n`,
      ),
  ),
  kind(
    'documentation of AWS with its example keys',
    'https://docs.aws.amazon.com/IAM/latest/UserGuide/security-creds.html',
    (r) =>
      file(
        'guide.md',
        `# ${r.word()}\n\nSet \`AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\` and\n\`AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\`.\n`,
      ),
  ),
  kind('documentation with xs', 'https://docs.github.com/rest', (r) =>
    file(
      'README.md',
      `# ${r.word()}\n\nexport GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nexport OPENAI_API_KEY=sk-...\n`,
    ),
  ),
  kind('documentation of curl', 'https://curl.se/docs/manpage.html', (r) =>
    file(
      'api.md',
      `## ${r.word()}\n\n    curl -H "Authorization: Bearer $TOKEN" https://${r.host()}/v1\n    curl -u user:password https://example.com\n`,
    ),
  ),
  kind(
    'documentation with YOUR_API_KEY',
    'https://swagger.io/docs/specification/v3_0/authentication/api-keys/',
    (r) => file('quickstart.md', `GET /${r.word()}?key=YOUR_API_KEY\n\nX-API-Key: YOUR_API_KEY\n`),
  ),
  kind(
    'connection string with placeholders',
    'https://learn.microsoft.com/azure/azure-sql/database/connect-query-dotnet-core',
    (r) =>
      file(
        'connect.md',
        `Server=tcp:${r.word()}.database.windows.net,1433;User ID={your_username};Password={your_password};Encrypt=True;\n`,
      ),
  ),
  kind('redacted settings', 'https://www.consul.io/', (r) =>
    file('dump.yaml', `name: ${r.word()}\npassword: [REDACTED]\napi_key: "<redacted>"\n`),
  ),
  // words
  kind('German translation file', 'https://www.i18next.com/misc/json-format', (r) =>
    file(
      'de.json',
      JSON.stringify(
        {
          app: r.word(),
          password: 'Passwort',
          newPassword: 'Neues Passwort',
          passwordRepeat: 'Passwort wiederholen',
        },
        null,
        2,
      ),
    ),
  ),
  kind('JSON schema', 'https://json-schema.org/draft/2020-12/schema', (r) =>
    file(
      'schema.json',
      JSON.stringify(
        {
          $id: `https://${r.host()}/schema`,
          type: 'object',
          properties: {
            password: { type: 'string', minLength: 12 },
            apiKey: { type: 'string', description: 'The key of the service' },
          },
          required: ['password'],
        },
        null,
        2,
      ),
    ),
  ),
  kind('OpenAPI of a login', 'https://spec.openapis.org/oas/v3.1.0', (r) =>
    file(
      'openapi.yaml',
      `openapi: 3.1.0\ninfo: { title: ${r.word()}, version: '1' }\ncomponents:\n  schemas:\n    Login:\n      properties:\n        username: { type: string }\n        password: { type: string, format: password }\n`,
    ),
  ),
  kind('SQL schema', 'https://www.postgresql.org/docs/current/sql-createtable.html', (r) =>
    file(
      'schema.sql',
      `CREATE TABLE ${r.word()} (\n  id uuid PRIMARY KEY,\n  password_hash text NOT NULL,\n  api_token varchar(64)\n);\n`,
    ),
  ),
  kind('German mail about a password', 'plain text', (r) =>
    file(
      'passwort.txt',
      `Hallo ${r.first()},\n\ndas Passwort: bitte telefonisch erfragen. Benutzername: wie bisher.\n`,
    ),
  ),
  kind('meeting minutes about tokens', 'plain text', (r) =>
    file(
      'minutes.md',
      `# Minutes ${r.digits(2)}\n\n- Password: discussed, ${r.first()} sends it by phone\n- Token: rotate monthly\n`,
    ),
  ),
  kind('novel', 'plain text', (r) =>
    file(
      'novel.txt',
      `"What is the password?" asked ${r.first()}. "The password: a secret," said ${r.first()}, "is only known to the keeper of the key."\n`,
    ),
  ),
  kind('type declarations', 'https://www.typescriptlang.org/docs/', (r) =>
    file(
      'user.d.ts',
      `export interface ${r.first()} {\n  password: string;\n  apiKey?: string | null;\n  token: Promise<string>;\n}\n`,
    ),
  ),
  kind('code that compares passwords', 'https://www.typescriptlang.org/', (r) =>
    file(
      'auth.ts',
      `export const ${r.word()} = async (user: User, password: string) => {\n  const token = createToken(user);\n  if (password !== confirmPassword) throw new Error('Passwords differ');\n  return { password: await hash(password), token };\n};\n`,
    ),
  ),
  // hashes
  kind('SHA-256 sums', 'https://www.gnu.org/software/coreutils/manual/html_node/sha2-utilities.html', (r) =>
    file('SHA256SUMS', Array.from({ length: 6 }, () => `${r.hex(64)}  ${r.word()}.iso\n`).join('')),
  ),
  kind('MD5 list', 'https://www.gnu.org/software/coreutils/manual/html_node/md5sum-invocation.html', (r) =>
    file('files.md5', Array.from({ length: 6 }, () => `${r.hex(32)} *${r.word()}.zip\r\n`).join('')),
  ),
  kind('yarn lock file', 'https://classic.yarnpkg.com/lang/en/docs/yarn-lock/', (r) =>
    file(
      'yarn.lock',
      `# yarn lockfile v1\n\njs-tokens@^4.0.0:\n  version "4.0.0"\n  resolved "https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#${r.hex(40)}"\n  integrity sha512-${r.base64(86)}==\n`,
    ),
  ),
  kind('go.sum', 'https://go.dev/ref/mod#go-sum-files', (r) =>
    file(
      'go.sum',
      `github.com/golang-jwt/jwt v3.2.2 h1:${r.base64(43)}=\ngithub.com/golang-jwt/jwt v3.2.2/go.mod h1:${r.base64(43)}=\n`,
    ),
  ),
  kind('pip requirements with hashes', 'https://pip.pypa.io/en/stable/topics/secure-installs/', (r) =>
    file(
      'requirements.txt',
      `python-jose==3.3.0 \\\n    --hash=sha256:${r.hex(64)} \\\n    --hash=sha256:${r.hex(64)}\n`,
    ),
  ),
  kind('git log', 'https://git-scm.com/docs/git-log', (r) =>
    file(
      'log.txt',
      `commit ${r.hex(40)}\nAuthor: ${r.first()} <${r.email()}>\nDate:   Wed Mar 12 10:00:00 2025 +0100\n\n    Ask for the password before the token is renewed\n`,
    ),
  ),
  kind('git diff', 'https://git-scm.com/docs/git-diff', (r) =>
    file(
      'fix.patch',
      `diff --git a/login.js b/login.js\nindex ${r.hex(7)}..${r.hex(7)} 100644\n--- a/login.js\n+++ b/login.js\n@@ -1 +1 @@\n-const password = input.value;\n+const password = input.value.trim();\n`,
    ),
  ),
  // public
  kind('public SSH key', 'RFC 4253 §6.6', (r) =>
    file('id.pub', `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ${r.base64(340)} ${r.user()}@host\n`),
  ),
  kind('public key in PEM', 'RFC 7468 §13', (r) => file('pub.txt', r.pem('PUBLIC KEY', 294))),
  kind('signed message', 'RFC 9580', (r) =>
    file(
      'signed.asc',
      `-----BEGIN PGP SIGNATURE-----\n\n${lines64(r.base64(300))}\n=${r.base64(4)}\n-----END PGP SIGNATURE-----\n`,
    ),
  ),
  kind('public JWK set', 'RFC 7517', (r) =>
    file(
      'jwks.json',
      JSON.stringify({ keys: [{ kty: 'RSA', kid: r.hex(8), use: 'sig', n: r.base64Url(342), e: 'AQAB' }] }),
    ),
  ),
  kind('WireGuard peers without a private key', 'https://man7.org/linux/man-pages/man8/wg.8.html', (r) =>
    file(
      'peers.conf',
      `[Peer]\nPublicKey = ${r.base64(42)}A=\nEndpoint = ${r.host()}:51820\nAllowedIPs = 10.0.0.0/24\n`,
    ),
  ),
  kind('DKIM record', 'RFC 6376 §3.6', (r) =>
    file(
      'dns.zone',
      `mail._domainkey IN TXT "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A${r.base64(200)}"\n`,
    ),
  ),
  // data
  kind('minified code', 'https://terser.org/', (r) =>
    file(
      'app.min.js',
      `!function(e,t){var n=t.password,r=e.token||"${r.word()}";function o(e){return e.apiKey=n,e}t.exports=o,e.secret=function(e){return r+e}}(this,{});\n`,
    ),
  ),
  kind('source map', 'https://tc39.es/ecma426/', (r) =>
    file(
      'app.js.map',
      JSON.stringify({
        version: 3,
        sources: ['password.ts'],
        names: ['token'],
        mappings: `AAAA,${r.letters(200)};${r.letters(80)}`,
      }),
    ),
  ),
  kind('CSV of products', 'RFC 4180', (r) =>
    file(
      'products.csv',
      `sku,name,price\n${Array.from({ length: 6 }, () => `${r.upper(4)}-${r.digits(6)},${r.word()},${r.digits(2)}.99`).join('\n')}\n`,
    ),
  ),
  kind('CSV of users without passwords', 'RFC 4180', (r) =>
    file(
      'users.csv',
      `username,email,password_last_changed\n${Array.from({ length: 5 }, () => `${r.user()},${r.email()},2025-03-${r.from('12', 1)}${r.from('123456789', 1)}`).join('\n')}\n`,
    ),
  ),
  kind('ISBN list', 'ISO 2108', (r) =>
    file(
      'books.txt',
      Array.from(
        { length: 8 },
        () => `978-3-${r.digits(3)}-${r.digits(5)}-${r.digits(1)}  ${r.word()}\n`,
      ).join(''),
    ),
  ),
  kind('phone book', 'RFC 6350', (r) =>
    file(
      'contacts.vcf',
      `BEGIN:VCARD\nVERSION:3.0\nFN:${r.first()}\nEMAIL:${r.email()}\nTEL:+49${r.digits(10)}\nKEY:https://${r.host()}/key.asc\nEND:VCARD\n`,
    ),
  ),
  kind('calendar', 'RFC 5545', (r) =>
    file(
      'meeting.ics',
      `BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:${r.uuid()}@${r.host()}\nSUMMARY:Password rotation\nDTSTART:20250312T100000Z\nEND:VEVENT\nEND:VCALENDAR\n`,
    ),
  ),
  kind('test fixture', 'https://vitest.dev/', (r) =>
    file(
      'login.test.ts',
      `test('${r.word()}', async () => {\n  await login({ username: 'test', password: 'test' });\n  expect(screen.getByLabelText('Password')).toBeVisible();\n});\n`,
    ),
  ),
  kind('coordinates', 'RFC 7946', (r) =>
    file(
      'track.geojson',
      JSON.stringify({
        type: 'LineString',
        coordinates: Array.from({ length: 6 }, () => [
          Number(`8.${r.digits(6)}`),
          Number(`50.${r.digits(6)}`),
        ]),
      }),
    ),
  ),
  kind('list of English words', 'https://github.com/bitcoin/bips/blob/master/bip-0039/english.txt', (r) =>
    file(
      'words.txt',
      `${Array.from({ length: 30 }, () => r.word())
        .sort()
        .join('\n')}\n`,
    ),
  ),
  kind('nginx settings', 'https://nginx.org/en/docs/', (r) =>
    file(
      'site.conf',
      `server {\n  server_name ${r.host()};\n  ssl_certificate_key /etc/ssl/private/site.key;\n  auth_basic_user_file /etc/nginx/.htpasswd;\n}\n`,
    ),
  ),
];
