// Harmless files that look like those with secrets, written by an author who had not read the rules.
import { file, kind, lines64, type Kind, type Made } from '../made.ts';

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');
const sha = (r: Made): string => r.hex(64);

export const blindHarmless: readonly Kind[] = [
  kind('.env example', 'https://laravel.com/docs/configuration', (r) =>
    file(
      '.env.example',
      `APP_NAME=${r.word()}\nAPP_KEY=\nDB_PASSWORD=\nMAIL_PASSWORD=null\nAWS_SECRET_ACCESS_KEY=\n`,
    ),
  ),
  kind('.env with changeme', 'https://12factor.net/config', (r) =>
    file('.env.sample', `NAME=${r.word()}\nDB_PASSWORD=changeme\nAPI_KEY=your-api-key-here\nTOKEN=<token>\n`),
  ),
  kind('references of GitHub', 'https://docs.github.com/actions', (r) =>
    file(
      'ci.yml',
      `name: ${r.word()}\nenv:\n  NPM_TOKEN: \${{ secrets.NPM_TOKEN }}\n  PASSWORD: \${{ secrets.PASSWORD }}\n`,
    ),
  ),
  kind('references of GitLab', 'https://docs.gitlab.com', (r) =>
    file(
      '.gitlab-ci.yml',
      `${r.word()}:\n  script:\n    - docker login -u "$CI_REGISTRY_USER" -p "$CI_REGISTRY_PASSWORD" $CI_REGISTRY\n`,
    ),
  ),
  kind('compose with variables', 'https://docs.docker.com/compose', (r) =>
    file(
      'compose.yml',
      `services:\n  ${r.word()}:\n    environment:\n      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?required}\n      POSTGRES_PASSWORD_FILE: /run/secrets/db\n`,
    ),
  ),
  kind('Kubernetes secretKeyRef', 'https://kubernetes.io', (r) =>
    file(
      'd.yaml',
      `env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: ${r.word()}-credentials\n        key: password\n`,
    ),
  ),
  kind('sealed secret', 'https://github.com/bitnami-labs/sealed-secrets', (r) =>
    file(
      'rbac.yaml',
      `kind: Role\nrules:\n  - resources: ["secrets"]\n    verbs: ["get"]\n    resourceNames: ["${r.word()}-token"]\n`,
    ),
  ),
  kind('Ansible vault', 'https://docs.ansible.com', (r) =>
    file('vault.yml', `$ANSIBLE_VAULT;1.1;AES256\n${lines(8, () => r.hex(80))}`),
  ),
  kind('Ansible lookup', 'https://docs.ansible.com', (r) =>
    file(
      'play.yml',
      `- name: ${r.word()}\n  vars:\n    db_password: "{{ vault_db_password }}"\n    token: "{{ lookup('env', 'TOKEN') }}"\n`,
    ),
  ),
  kind('Terraform reference', 'https://developer.hashicorp.com', (r) =>
    file(
      'main.tf',
      `resource "aws_db_instance" "${r.word()}" {\n  username = var.user\n  password = random_password.db.result\n  kms_key_id = aws_kms_key.main.arn\n}\n`,
    ),
  ),
  kind('package-lock', 'https://docs.npmjs.com', (r) =>
    file(
      'package-lock.json',
      `{"packages":{${Array.from({ length: 6 }, () => `"node_modules/${r.word()}":{"version":"1.${r.digits(1)}.0","resolved":"https://registry.npmjs.org/a/-/a.tgz","integrity":"sha512-${r.base64(86)}=="}`).join(',')}}}\n`,
    ),
  ),
  kind('yarn.lock', 'https://yarnpkg.com', (r) =>
    file(
      'yarn.lock',
      lines(
        6,
        () =>
          `"${r.word()}@^1.0.0":\n  version "1.0.${r.digits(1)}"\n  resolved "https://registry.yarnpkg.com/a.tgz#${r.hex(40)}"\n  integrity sha512-${r.base64(86)}==`,
      ),
    ),
  ),
  kind('go.sum', 'https://go.dev/ref/mod', (r) =>
    file(
      'go.sum',
      lines(8, () => `github.com/${r.user()}/${r.word()} v1.${r.digits(2)}.0 h1:${r.base64(43)}=`),
    ),
  ),
  kind('Cargo.lock', 'https://doc.rust-lang.org', (r) =>
    file(
      'Cargo.lock',
      lines(
        6,
        () => `[[package]]\nname = "${r.word()}"\nversion = "0.${r.digits(1)}.1"\nchecksum = "${sha(r)}"`,
      ),
    ),
  ),
  kind('poetry.lock', 'https://python-poetry.org', (r) =>
    file(
      'poetry.lock',
      lines(4, () => `files = [{file = "${r.word()}.whl", hash = "sha256:${sha(r)}"}]`),
    ),
  ),
  kind('checksums', 'https://www.gnu.org/software/coreutils', (r) =>
    file(
      'SHA256SUMS',
      lines(9, () => `${sha(r)}  ${r.word()}-1.${r.digits(2)}.tar.gz`),
    ),
  ),
  kind('git log', 'https://git-scm.com', (r) =>
    file(
      'log.txt',
      lines(
        6,
        () =>
          `commit ${r.hex(40)}\nAuthor: ${r.first()} <${r.email()}>\n\n    Reset password of ${r.user()} when token expires\n`,
      ),
    ),
  ),
  kind('patch', 'https://git-scm.com', (r) =>
    file(
      'a.patch',
      `diff --git a/auth.py b/auth.py\nindex ${r.hex(7)}..${r.hex(7)} 100644\n--- a/auth.py\n+++ b/auth.py\n@@ -1,2 +1,2 @@\n-    password = form["password"]\n+    password = form.get("password", "")\n     # ${r.phrase(4)}\n`,
    ),
  ),
  kind('certificate', 'https://www.rfc-editor.org/rfc/rfc7468', (r) =>
    file('cert.pem', r.pem('CERTIFICATE', 900)),
  ),
  kind('public key', 'https://www.rfc-editor.org/rfc/rfc7468', (r) =>
    file('pub.pem', r.pem('PUBLIC KEY', 294)),
  ),
  kind('authorized_keys', 'https://man.openbsd.org/sshd', (r) =>
    file(
      'authorized_keys',
      lines(3, () => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.base64(43)} ${r.user()}@${r.word()}`),
    ),
  ),
  kind('known_hosts', 'https://man.openbsd.org/sshd', (r) =>
    file(
      'known_hosts',
      lines(
        3,
        () => `|1|${r.base64(27)}=|${r.base64(27)}= ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.base64(43)}`,
      ),
    ),
  ),
  kind('PGP signature', 'https://www.rfc-editor.org/rfc/rfc4880', (r) =>
    file(
      'a.asc',
      `-----BEGIN PGP SIGNATURE-----\n\n${lines64(r.base64(500))}\n-----END PGP SIGNATURE-----\n`,
    ),
  ),
  kind('PGP message', 'https://www.rfc-editor.org/rfc/rfc4880', (r) =>
    file('m.asc', `-----BEGIN PGP MESSAGE-----\n\n${lines64(r.base64(600))}\n-----END PGP MESSAGE-----\n`),
  ),
  kind('inline image', 'https://www.rfc-editor.org/rfc/rfc2397', (r) =>
    file('p.html', `<p>${r.phrase(5)}</p><img src="data:image/png;base64,iVBORw0KGgo${r.base64(900)}">\n`),
  ),
  kind('source map', 'https://tc39.es/ecma426/', (r) =>
    file(
      'a.js.map',
      `{"version":3,"sources":["${r.word()}.ts"],"names":["password","token","apiKey"],"mappings":"${r.from('ACEGIKMOQSUWYgkoswACDF;,', 600)}"}\n`,
    ),
  ),
  kind('minified code', 'https://esbuild.github.io', (r) =>
    file(
      'a.min.js',
      `!function(e,t){var ${r.letters(1)}_=e.password,n=t.token||"",r=function(e){return e.apiKey?e.apiKey:null};var secret=r(e);${lines(10, () => `function ${r.letters(2)}(e){return t(e.${r.word()},n)}`)}}();\n`,
    ),
  ),
  kind('TypeScript types', 'https://www.typescriptlang.org', (r) =>
    file(
      't.ts',
      `export interface ${r.letters(6)} {\n  password: string;\n  accessToken: string | undefined;\n  apiKey?: SecretKey<typeof ${r.word()}>;\n}\nconst token = await getToken();\nconst password = generatePassword(16);\n`,
    ),
  ),
  kind('login form', 'https://html.spec.whatwg.org', (r) =>
    file(
      'login.html',
      `<form action="/${r.word()}"><label for="password">Password:</label><input type="password" name="password" id="password" placeholder="Enter your password" autocomplete="current-password"><input type="hidden" name="next" value="/"></form>\n`,
    ),
  ),
  kind('translations', 'https://www.i18next.com', (r) =>
    file(
      'en.json',
      `${JSON.stringify({ password: 'Password', passwordHint: 'At least 8 characters, one number', tokenExpired: 'The token has expired.', apiKey: 'API key', title: r.phrase(3) }, null, 2)}\n`,
    ),
  ),
  kind('translations in German', 'https://www.gnu.org/software/gettext', (r) =>
    file(
      'de.po',
      `#: ${r.word()}.c:12\nmsgid "Password: "\nmsgstr "Passwort: "\n\nmsgid "Wrong password for %s"\nmsgstr "Falsches Passwort für %s"\n`,
    ),
  ),
  kind('OpenAPI', 'https://spec.openapis.org', (r) =>
    file(
      'openapi.yaml',
      `components:\n  securitySchemes:\n    ${r.word()}:\n      type: apiKey\n      name: X-API-Key\n      in: header\n  schemas:\n    Login:\n      properties:\n        password: { type: string, format: password, example: "••••••••" }\n        token: { type: string, description: "Opaque bearer token" }\n`,
    ),
  ),
  kind('SQL schema', 'https://www.postgresql.org/docs', (r) =>
    file(
      's.sql',
      `CREATE TABLE ${r.word()} (\n  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),\n  password_hash varchar(255) NOT NULL,\n  api_token text UNIQUE,\n  created timestamptz\n);\nALTER ROLE app PASSWORD :'password';\n`,
    ),
  ),
  kind('unit test of a login', 'https://vitest.dev', (r) =>
    file(
      'a.test.ts',
      `test('${r.phrase(3)}', async () => {\n  const result = await login({ user: 'alice', password: 'password' });\n  expect(result.token).toBeDefined();\n  expect(result.password).toBeUndefined();\n});\n`,
    ),
  ),
  kind('manual', 'https://curl.se', (r) =>
    file(
      'man.txt',
      `       -u, --user <user:password>\n              Specify the user name and password to use for ${r.word()}.\n       --oauth2-bearer <token>\n              Bearer token for OAUTH 2.0.\n       Example: curl -u name:secret https://example.com\n`,
    ),
  ),
  kind('letter about passwords', 'plain text', (r) =>
    file(
      'policy.txt',
      `Dear ${r.first()},\n\nyour password will expire in 7 days. Please choose a new password: it must have at least 12 characters.\nNever send your password by mail. Password: minimum length 12, history 5.\n\nIT\n`,
    ),
  ),
  kind('Markdown of settings', 'https://commonmark.org', (r) =>
    file(
      'README.md',
      `# ${r.word()}\n\n| Variable | Default | Meaning |\n| --- | --- | --- |\n| \`DB_PASSWORD\` | none | password of the database |\n| \`API_TOKEN\` | *(required)* | token from the console |\n`,
    ),
  ),
  kind('log without secrets', 'https://nginx.org', (r) =>
    file(
      'a.log',
      lines(
        20,
        () =>
          `2026-03-12T10:${r.digits(2)}:00Z INFO request ${r.uuid()} user=${r.user()} path=/login token=*** status=200 trace=${r.hex(32)}`,
      ),
    ),
  ),
  kind('log of a failed login', 'https://man.openbsd.org/sshd', (r) =>
    file(
      'auth.log',
      lines(
        12,
        () =>
          `Mar 12 10:00:${r.digits(2)} ${r.word()} sshd[${r.digits(4)}]: Failed password for invalid user ${r.user()} from 10.0.0.${r.digits(2)} port ${r.digits(5)} ssh2`,
      ),
    ),
  ),
  kind('table of orders', 'https://www.rfc-editor.org/rfc/rfc4180', (r) =>
    file(
      'orders.csv',
      `id,customer,sku,key,amount\n${lines(20, () => `${r.uuid()},${r.user()},${r.upper(10)},${r.digits(6)},${r.digits(3)}.00`)}`,
    ),
  ),
  kind('bookmarks', 'https://learn.microsoft.com', (r) =>
    file(
      'b.html',
      lines(
        6,
        () =>
          `<DT><A HREF="https://${r.host()}/reset-password?lang=en" ADD_DATE="1764${r.digits(6)}">Reset password</A>`,
      ),
    ),
  ),
  kind('addresses with tracking', 'https://support.google.com/analytics', (r) =>
    file(
      'links.txt',
      lines(
        6,
        () =>
          `https://www.example.com/shop?utm_source=${r.word()}&gclid=${r.base64Url(60)}&fbclid=${r.base64Url(61)}`,
      ),
    ),
  ),
  kind('notebook without secrets', 'https://nbformat.readthedocs.io', (r) =>
    file(
      'n.ipynb',
      `${JSON.stringify({ cells: [{ cell_type: 'code', id: r.hex(8), source: ['import os\n', "key = os.environ['API_KEY']\n", 'token = tokenizer.encode(text)\n', 'password = getpass.getpass()\n'], outputs: [{ data: { 'image/png': r.base64(400) } }] }], nbformat: 4 })}\n`,
    ),
  ),
  kind('tokenizer', 'https://huggingface.co', (r) =>
    file(
      'special_tokens_map.json',
      `${JSON.stringify({ bos_token: '<s>', eos_token: '</s>', unk_token: { content: '<unk>' }, pad_token: `<${r.word()}>`, mask_token: '[MASK]' })}\n`,
    ),
  ),
  kind('Java code', 'https://docs.oracle.com', (r) =>
    file(
      'A.java',
      `public class ${r.letters(5)} {\n  private final String password;\n  private static final String TOKEN_HEADER = "X-Auth-Token";\n  void setPassword(String password) { this.password = password; }\n  String token = request.getHeader("Authorization").substring(7);\n}\n`,
    ),
  ),
  kind('C# code', 'https://learn.microsoft.com', (r) =>
    file(
      'A.cs',
      `var password = Environment.GetEnvironmentVariable("DB_PASSWORD");\nservices.Configure<${r.letters(6)}>(o => o.ClientSecret = configuration["Auth:ClientSecret"]);\nvar key = new SymmetricSecurityKey(Encoding.UTF8.GetBytes(options.Key));\n`,
    ),
  ),
  kind('Go code', 'https://go.dev', (r) =>
    file(
      'a.go',
      `func ${r.letters(5)}(password string) error {\n\ttoken := os.Getenv("TOKEN")\n\tsecretKey := cfg.SecretKey\n\tif password == "" { return ErrNoPassword }\n\treturn nil\n}\n`,
    ),
  ),
  kind('PHP code', 'https://www.php.net', (r) =>
    file(
      'a.php',
      `<?php\n$password = $_POST['password'];\n$hash = password_hash($password, PASSWORD_DEFAULT);\n$token = bin2hex(random_bytes(32)); // ${r.phrase(3)}\n$key = getenv('APP_KEY') ?: '';\n`,
    ),
  ),
  kind('Rails parameters', 'https://guides.rubyonrails.org', (r) =>
    file(
      'f.rb',
      `# ${r.phrase(3)}\nRails.application.config.filter_parameters += [:passw, :secret, :token, :_key, :crypt, :salt]\npassword = params[:password]\nsecret_key_base: <%= ENV["SECRET_KEY_BASE"] %>\n`,
    ),
  ),
  kind('property file of messages', 'https://docs.oracle.com', (r) =>
    file(
      'm.properties',
      `login.password=Password\nlogin.password.forgot=Forgot your password?\nerror.token=Invalid token, please log in again\ntitle=${r.word()}\n`,
    ),
  ),
  kind('Maven with placeholders', 'https://maven.apache.org/settings.html', (r) =>
    file(
      'settings.xml',
      `<server><id>${r.word()}</id><username>\${env.USER}</username><password>\${env.NEXUS_PASSWORD}</password></server>\n`,
    ),
  ),
  kind('encrypted password of Maven', 'https://maven.apache.org/guides/mini/guide-encryption.html', (r) =>
    file(
      'pom.xml',
      `<project><artifactId>${r.word()}</artifactId><properties><keystore.password>@keystore.password@</keystore.password><token.version>1.2.3</token.version></properties></project>\n`,
    ),
  ),
  kind('HAR without secrets', 'http://www.softwareishard.com/blog/har-12-spec/', (r) =>
    file(
      'a.har',
      `${JSON.stringify({
        log: {
          entries: [
            {
              request: {
                headers: [
                  { name: 'Accept', value: 'text/html' },
                  { name: 'If-None-Match', value: `"${r.hex(32)}"` },
                ],
                cookies: [{ name: '_ga', value: `GA1.1.${r.digits(9)}.${r.digits(10)}` }],
              },
            },
          ],
        },
      })}\n`,
    ),
  ),
  kind('Postman with variables', 'https://schema.postman.com', (r) =>
    file(
      'c.json',
      `${JSON.stringify({ info: { _postman_id: r.uuid(), name: r.word() }, auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] } })}\n`,
    ),
  ),
  kind('curl with a variable', 'https://curl.se', (r) =>
    file(
      'a.sh',
      `TOKEN=$(cat ~/.token)\ncurl -H "Authorization: Bearer \${TOKEN}" -u "$USER:$PASS" https://${r.host()}/${r.word()}\nread -rsp "Password: " PASSWORD\n`,
    ),
  ),
  kind('subtitles', 'https://docs.fileformat.com/video/srt/', (r) =>
    file(
      'a.srt',
      lines(
        6,
        (at) =>
          `${at + 1}\n00:00:0${at},000 --> 00:00:0${at + 1},000\nThe password is the name of the dog. ${r.phrase(4)}\n`,
      ),
    ),
  ),
  kind('calendar', 'https://www.rfc-editor.org/rfc/rfc5545', (r) =>
    file(
      'a.ics',
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:${r.uuid()}\nSUMMARY:${r.phrase(3)}\nDESCRIPTION:Change the password of the router\nX-KEY:${r.digits(6)}\nEND:VEVENT\nEND:VCALENDAR\n`,
    ),
  ),
  kind('card', 'https://www.rfc-editor.org/rfc/rfc6350', (r) =>
    file(
      'a.vcf',
      `BEGIN:VCARD\nVERSION:3.0\nFN:${r.first()}\nEMAIL:${r.email()}\nKEY;ENCODING=b:${r.base64(200)}\nPHOTO;ENCODING=b;TYPE=JPEG:${r.base64(300)}\nEND:VCARD\n`,
    ),
  ),
  kind('DKIM record', 'https://www.rfc-editor.org/rfc/rfc6376', (r) =>
    file(
      'zone',
      `default._domainkey IN TXT "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A${r.base64(320)}"\n${r.word()} IN A 10.0.0.1\n`,
    ),
  ),
  kind('mail with a signature', 'https://www.rfc-editor.org/rfc/rfc6376', (r) =>
    file(
      'a.eml',
      `DKIM-Signature: v=1; a=rsa-sha256; d=${r.host()}; s=k1;\n bh=${r.base64(43)}=;\n b=${r.base64(170)}==\nMessage-ID: <${r.uuid()}@${r.host()}>\nSubject: ${r.phrase(3)}\n\nHello, see you at 10.\n`,
    ),
  ),
];
