// Harmless kinds of files that look like those with secrets: the half that the authors of rules do not read.
import { bech32, file, kind, lines64, lines76, type Kind } from './made.ts';

export const unseenHarmless: readonly Kind[] = [
  // placeholders
  kind('env example with angle brackets', 'https://github.com/motdotla/dotenv', (r) =>
    file('env.example', `API_KEY=<your-key>\nDB_PASSWORD=<password>\nDB_HOST=${r.host()}\n`),
  ),
  kind('env example with changeme', 'https://github.com/bitnami/charts', (r) =>
    file('env.sample', `DB_USER=${r.user()}\nDB_PASSWORD=changeme\nSECRET_KEY=change-me-in-production\n`),
  ),
  kind('env with empty values', 'https://github.com/motdotla/dotenv', (r) =>
    file('env.dist', `API_TOKEN=\nDB_PASSWORD=""\nPORT=${r.digits(4)}\n`),
  ),
  kind(
    'compose with variables',
    'https://docs.docker.com/compose/how-tos/environment-variables/variable-interpolation/',
    (r) =>
      file(
        'compose.yml',
        `services:\n  db:\n    image: postgres:${r.digits(2)}\n    environment:\n      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD}\n      API_KEY: \${API_KEY:?missing}\n`,
      ),
  ),
  kind(
    'workflow with secrets by name',
    'https://docs.github.com/actions/security-guides/using-secrets-in-github-actions',
    (r) =>
      file(
        'ci.yml',
        `env:\n  GH_TOKEN: \${{ secrets.GITHUB_TOKEN }}\n  NPM_TOKEN: \${{ secrets.NPM_TOKEN }}\n  RUN: ${r.digits(4)}\n`,
      ),
  ),
  kind('Helm template', 'https://helm.sh/docs/chart_template_guide/', (r) =>
    file(
      'secret.tpl.yaml',
      `# ${r.word()}\napiVersion: v1\nkind: Secret\ndata:\n  password: {{ .Values.auth.password | b64enc | quote }}\n`,
    ),
  ),
  kind('Ansible vault reference', 'https://docs.ansible.com/ansible/latest/vault_guide/', (r) =>
    file('vars.yml', `app: ${r.word()}\ndb_password: "{{ vault_db_password }}"\n`),
  ),
  kind('Maven settings with a variable', 'https://maven.apache.org/settings.html', (r) =>
    file(
      'settings.xml',
      `<settings><servers><server><id>${r.word()}</id><username>\${env.USER}</username><password>\${env.NEXUS_PASSWORD}</password></server></servers></settings>\n`,
    ),
  ),
  kind('wp-config sample', 'https://github.com/WordPress/WordPress/blob/master/wp-config-sample.php', (r) =>
    file(
      'wp-config-sample.php',
      `<?php\n/* ${r.word()} */\ndefine( 'DB_USER', 'username_here' );\ndefine( 'DB_PASSWORD', 'password_here' );\ndefine( 'AUTH_KEY', 'put your unique phrase here' );\n`,
    ),
  ),
  kind('masked log', 'https://docs.github.com/actions/security-guides/encrypted-secrets', (r) =>
    file(
      'masked.log',
      `${r.digits(4)} login user=${r.user()} password=******** token=***\n${r.digits(4)} connecting to postgres://app:****@db/app\n`,
    ),
  ),
  // words
  kind('translation file', 'https://www.i18next.com/misc/json-format', (r) =>
    file(
      'en.json',
      JSON.stringify(
        {
          app: r.word(),
          login: { password: 'Password', forgotPassword: 'Forgot your password?', token: 'Access token' },
        },
        null,
        2,
      ),
    ),
  ),
  kind('Java messages', 'https://docs.oracle.com/javase/tutorial/i18n/resbundle/propfile.html', (r) =>
    file(
      'messages.properties',
      `app=${r.word()}\nlabel.password=Password\nerror.password=Passwords do not match\nhint.token=Enter the token from your mail\n`,
    ),
  ),
  kind('gettext file', 'https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html', (r) =>
    file(
      'es.po',
      `# ${r.word()}\nmsgid "Password:"\nmsgstr "Contraseña:"\n\nmsgid "API key"\nmsgstr "Clave de API"\n`,
    ),
  ),
  kind('HTML login form', 'https://html.spec.whatwg.org/', (r) =>
    file(
      'login.html',
      `<form id="${r.word()}"><label for="password">Password:</label><input type="password" id="password" name="password" placeholder="Your password" autocomplete="current-password"></form>\n`,
    ),
  ),
  kind('policy for passwords', 'https://pages.nist.gov/800-63-3/', (r) =>
    file(
      'policy.md',
      `# Password policy ${r.digits(4)}\n\nPassword: at least 12 characters. Never share a password by mail. Secret keys: store them in the vault.\n`,
    ),
  ),
  kind('mail about a reset', 'plain text', (r) =>
    file(
      'reset.txt',
      `Hi ${r.first()},\n\nyour password was changed. If this was not you, reset your password at https://${r.host()}/.\n`,
    ),
  ),
  kind('Chinese text about passwords', 'plain text', (r) =>
    file('说明.txt', `${r.first()}，您好：\n密码：请联系管理员获取。\n用户名：与邮箱相同。\n`),
  ),
  kind('Spanish text about passwords', 'plain text', (r) =>
    file(
      'aviso.txt',
      `Hola ${r.first()}:\n\nContraseña: la misma de siempre. Si no la recuerda, llame al soporte.\n`,
    ),
  ),
  kind('command help', 'https://www.gnu.org/prep/standards/', (r) =>
    file(
      'help.txt',
      `Usage: ${r.word()} [options]\n\n  -u, --user NAME          name of the user\n  -p, --password PASSWORD  password (asked if not given)\n      --token TOKEN        access token\n`,
    ),
  ),
  // hashes
  kind('list of UUIDs', 'RFC 9562', (r) =>
    file('ids.csv', `id,name\n${Array.from({ length: 8 }, () => `${r.uuid()},${r.word()}`).join('\n')}\n`),
  ),
  kind('npm lock file', 'https://docs.npmjs.com/cli/configuring-npm/package-lock-json', (r) =>
    file(
      'package-lock.json',
      JSON.stringify(
        {
          name: 'x',
          lockfileVersion: 3,
          packages: {
            'node_modules/a': {
              version: '1.0.0',
              resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz',
              integrity: `sha512-${r.base64(86)}==`,
            },
          },
        },
        null,
        2,
      ),
    ),
  ),
  kind('Cargo lock file', 'https://doc.rust-lang.org/cargo/guide/cargo-toml-vs-cargo-lock.html', (r) =>
    file(
      'Cargo.lock',
      `[[package]]\nname = "secrecy"\nversion = "0.8.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${r.hex(64)}"\n`,
    ),
  ),
  kind('docker images by digest', 'https://docs.docker.com/reference/cli/docker/image/ls/', (r) =>
    file('images.txt', `node@sha256:${r.hex(64)}\npostgres@sha256:${r.hex(64)}\n`),
  ),
  kind('ETag list', 'RFC 9110 §8.8.3', (r) =>
    file(
      'etags.json',
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 5 }, () => [`/${r.word()}.js`, `W/"${r.hex(32)}"`])),
        null,
        2,
      ),
    ),
  ),
  kind('script with integrity', 'https://www.w3.org/TR/SRI/', (r) =>
    file(
      'index.html',
      `<script src="https://cdn.example.com/a.js" integrity="sha384-${r.base64(64)}" crossorigin="anonymous"></script>\n`,
    ),
  ),
  kind('webpack manifest', 'https://webpack.js.org/concepts/manifest/', (r) =>
    file(
      'manifest.json',
      JSON.stringify({ 'main.js': `/main.${r.hex(20)}.js`, 'token.js': `/token.${r.hex(20)}.js` }, null, 2),
    ),
  ),
  // public
  kind('authorized keys', 'https://man.openbsd.org/sshd#AUTHORIZED_KEYS_FILE_FORMAT', (r) =>
    file('authorized_keys', `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.base64(43)} ${r.user()}\n`),
  ),
  kind('known hosts', 'https://man.openbsd.org/sshd#SSH_KNOWN_HOSTS_FILE_FORMAT', (r) =>
    file(
      'known_hosts',
      `|1|${r.base64(27)}=|${r.base64(27)}= ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.base64(43)}\n`,
    ),
  ),
  kind('certificate', 'RFC 7468 §5', (r) => file('ca.crt', r.pem('CERTIFICATE', 900))),
  kind('certificate request', 'RFC 7468 §7', (r) => file('server.csr', r.pem('CERTIFICATE REQUEST', 600))),
  kind('PGP public key', 'RFC 9580', (r) =>
    file(
      'me.asc',
      `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${lines64(r.base64(900))}\n=${r.base64(4)}\n-----END PGP PUBLIC KEY BLOCK-----\n`,
    ),
  ),
  kind('age recipients', 'https://age-encryption.org/v1', (r) =>
    file('recipients.txt', `# ${r.user()}\nage1${r.from(bech32, 58)}\n`),
  ),
  // data
  kind('SVG', 'https://www.w3.org/TR/SVG2/', (r) =>
    file(
      'key.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><title>Key</title><path d="M${r.digits(2)}.5 3.${r.digits(3)}a5.5 5.5 0 0 0-5.${r.digits(4)} 6.1L2 ${r.digits(2)}v4h4"/></svg>\n`,
    ),
  ),
  kind('image as data URL', 'RFC 2397', (r) =>
    file(
      'style.css',
      `.key { background: url("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${r.base64(400)}"); }\n`,
    ),
  ),
  kind('log with request ids', 'RFC 9562', (r) =>
    file(
      'access.log',
      Array.from(
        { length: 5 },
        () =>
          `10.0.0.1 - - [12/Mar/2025:10:00:00 +0100] "POST /login HTTP/1.1" 200 12 "-" request_id=${r.hex(32)}\n`,
      ).join(''),
    ),
  ),
  kind('trace log', 'https://www.w3.org/TR/trace-context/', (r) =>
    file(
      'trace.json',
      JSON.stringify({
        traceparent: `00-${r.hex(32)}-${r.hex(16)}-01`,
        msg: 'token renewed',
        user: r.user(),
      }),
    ),
  ),
  kind('bank numbers', 'ISO 13616', (r) =>
    file(
      'invoice.txt',
      `Invoice ${r.digits(6)}\nIBAN: DE${r.digits(20)}\nBIC: ${r.upper(8)}\nVAT: DE${r.digits(9)}\n`,
    ),
  ),
  kind('base64 of an attachment', 'RFC 2045', (r) =>
    file(
      'report.eml',
      `From: ${r.email()}\r\nSubject: Report\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjcK${lines76(r.base64(800))}\r\n`,
    ),
  ),
  kind('subtitles', 'https://docs.fileformat.com/video/srt/', (r) =>
    file('film.srt', `1\n00:00:0${r.digits(1)},000 --> 00:00:09,500\nThe password: it was on the note.\n`),
  ),
  kind('licence keys of packages', 'https://spdx.dev/', (r) =>
    file(
      'sbom.spdx',
      `SPDXID: SPDXRef-${r.word()}\nPackageName: keytar\nPackageChecksum: SHA1: ${r.hex(40)}\nPackageVerificationCode: ${r.hex(40)}\n`,
    ),
  ),
  kind('keyboard shortcuts', 'https://code.visualstudio.com/docs/getstarted/keybindings', (r) =>
    file(
      'keybindings.json',
      JSON.stringify(
        [
          { key: `ctrl+${r.from('abcdefg', 1)}`, command: 'token.next', when: 'editorFocus' },
          { key: 'ctrl+shift+k', command: 'password.generate' },
        ],
        null,
        2,
      ),
    ),
  ),
  kind('design tokens', 'https://www.designtokens.org/', (r) =>
    file(
      'tokens.json',
      JSON.stringify(
        { token: { color: { primary: { value: `#${r.hex(6)}` }, secret: { value: `#${r.hex(6)}` } } } },
        null,
        2,
      ),
    ),
  ),
  kind('sshd settings', 'https://man.openbsd.org/sshd_config', (r) =>
    file(
      'sshd_config',
      `Port ${r.digits(4)}\nPasswordAuthentication no\nPermitRootLogin prohibit-password\nAuthorizedKeysFile .ssh/authorized_keys\n`,
    ),
  ),
];
