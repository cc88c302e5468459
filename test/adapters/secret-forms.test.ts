// The rules of our own that search texts for secrets: what they find, what they leave alone, and what they cost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInspect } from '../../src-main/adapters/inspect/inspect.ts';
import { findAddress } from '../../src-main/adapters/inspect/secrets/addresses.ts';
import { findAssignment } from '../../src-main/adapters/inspect/secrets/assignments.ts';
import { findCommand } from '../../src-main/adapters/inspect/secrets/commands.ts';
import { findLogins } from '../../src-main/adapters/inspect/secrets/logins.ts';
import { plainOf } from '../../src-main/adapters/inspect/secrets/plain.ts';
import { findShape } from '../../src-main/adapters/inspect/secrets/shape.ts';
import { shapes } from '../../src-main/adapters/inspect/secrets/shapes.ts';
import { sieveOf } from '../../src-main/adapters/inspect/secrets/sieve.ts';
import { findInTable } from '../../src-main/adapters/inspect/secrets/tables.ts';
import { madeFrom } from '../support/corpus/made.ts';
import { kindsOf } from '../support/corpus/samples.ts';
import { isDeep } from '../support/deep.ts';

let inspect: ReturnType<typeof createInspect>;
beforeAll(() => {
  inspect = createInspect();
});
afterAll(() => inspect.close());

const found = (text: string | Buffer) => inspect.findIn({ kind: 'text', bytes: Buffer.from(text) });

const forms = kindsOf('forms-secrets').map(({ name, make }, at) => ({
  name,
  bytes: make(madeFrom(3000 + at)),
}));

test.each(forms)('finds the secret in $name', async ({ bytes }) => {
  expect(await found(bytes)).toHaveLength(1);
});

test.each([
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['lines that end as on Windows', (text: string) => Buffer.from(text.replace(/\r?\n/g, '\r\n'))],
])('finds them in %s', async (_, encoded) => {
  for (const { name, bytes } of forms) {
    expect([name, (await found(encoded(bytes.toString()))).length]).toEqual([name, 1]);
  }
});

test.each([
  ['netlify', ['nfp_', 'nfo_', 'nfu_'], 36],
  ['figma', ['figd_', 'figo_', 'figu_'], 40],
  ['fly', ['fm1r_', 'fm2_', 'fm2a_', 'fm2r_'], 80],
  ['yandex', ['y0_', 'y1_', 'y6_'], 55],
] as const)('finds a bare token of %s with each of its beginnings', async (rule, beginnings, length) => {
  const rest = 'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9dE1fG3hI5jK7lM9nO1pQ3rS5tU7vW9x'.slice(0, length);
  for (const beginning of beginnings) {
    const token = beginning + rest.padEnd(length, 'Zq7Wx3');
    expect([beginning, await found(`see ${token} there\n`)]).toEqual([
      beginning,
      [expect.objectContaining({ kind: 'secret', rule })],
    ]);
  }
});

/** Letters and digits in a fixed order that no rule takes for words; made up, so that no text here is a secret itself. */
const random = 'q7Lw2Zx9Rk4Tn8Vb3Hs6Jd1Fg5Mc0Pyq2Bz7Xw4Nk9Lt3Rv8Gh1Sd6Jf5Qm0Cc2Zp7Ty4Wk9Hn3Bv8Dx1Gr6Ls5F';
const hex = '9f3a71c04be86d25f17c0a9be4d35826a7c19e04d8b35f62c07e91ab45d8f360b2c7e915a04d8f36';
const strong = ['Bramble', 'cobalt42'].join('#');
const person = ['Harbor', 'saddle9013'].join('.');
/** No mark and no order that makes it a password by itself: it needs its place. */
const phrase = ['Bramble', 'cobalt5312'].join('-');
/** It is a password in its place only. */
const short = ['Gh5tr', '7Lp'].join('');
const uuid = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const tokenHead = Buffer.from('{"typ": "TCV2"}').toString('base64url');
test.each([
  ['a token whose maker has no row, after a capital mark', `use CCDB1_${random.slice(0, 40)} here`],
  ['a token with marks that end in full stops', `1,maker.oa2.v1.${hex.slice(0, 64)}\n`],
  [
    'a key without a name that means key alone',
    `use ${hex.slice(0, 32)}-${hex.slice(32, 40)}-${hex.slice(40, 48)} here`,
  ],
  ['a key of any maker', `MAPQUEST_KEY = '${random.slice(0, 32)}'`],
  ['a name behind an underscore', `SHOP_PAT=${random.slice(0, 40)}`],
  ['a value with full stops and no quotes', `client_secret: maker1.oa2.v1.${hex.slice(0, 64)}`],
  ['a value whose parts can be pronounced by chance', 'MATTERMOST_TOKEN=dfa01w2uvbahmpp2kedbluo5wb'],
  ['a value in an object of its name', `{"adminPassword": {"value": "${random.slice(0, 12)}"}}`],
  ['a value below the host that it is for', `{"gitlab-token": {"gitlab.com": "${random.slice(0, 26)}"}}`],
  ['a password like a host', `<Key>Password</Key><Value>${person}</Value>`],
  ['a password for one program', 'bsky_app_password: "fdti-yxss-oosb-cwlh"'],
  ['a password that a call sets', `set :password, '${random.slice(0, 14)}'`],
  ['a file of one password', `${random.slice(0, 24)}\n`],
  ['a file of a name and a password', `maria\n${random.slice(0, 24)}\n`],
  [
    'an entry of a Secret of Kubernetes, whatever its name',
    `kind: Secret\nstringData:\n  connection: ${person}\n`,
  ],
  ['a token in the place of the user', `trojan://${random.slice(0, 24)}@host.net:443`],
  ['an argument in its place', `net use Z: \\\\srv\\share ${random.slice(0, 14)} /user:maria`],
  ['the source of a database', `shop:${random.slice(0, 14)}@tcp(db.net:3306)/shop`],
  ['a secret address', `https://calendar.net/ical/maria/private-${hex.slice(0, 32)}/basic.ics`],
  ['a hash without its user', `hash: "$2y$12$${random.slice(0, 53)}"`],
  [
    'codes below capitals',
    'SAVE YOUR BACKUP CODES\n\n1. 1234 5671\n2. 9120 4431\n3. 7752 0913\n4. 2210 8841\n',
  ],
  [
    'words of a wallet in one line',
    'ledger\nauto among avocado asset attend advice art armed absent away advance zoo\n',
  ],
  ['a token that says what it is', `see maker-secret-${hex.slice(0, 32)} there`],
  ['a short token that says what it is', `see maker_live_${random.slice(0, 20)} there`],
  ['a token in parts', `see maker.${random.slice(0, 20)}.${random.slice(20, 44)} there`],
  [
    'a token whose header alone is text',
    `see ${tokenHead}.${random.slice(0, 40)}.${random.slice(40, 70)} there`,
  ],
  ['a value before its name', `UPDATE settings SET value='${random.slice(0, 32)}' WHERE name='maps_apikey';`],
  ['a value before its name in an object', `{"value": "${random.slice(0, 32)}", "key": "MAPS_API_KEY"}`],
  ['a value below a name that no one can pronounce', `toggltrackApiKey = "${random.slice(0, 32)}"`],
  ['a value that begins with a digit', 'tool login --apikey 9xubwodakgez06qsqoh1ot5mbehy0nny'],
  ['a key in an address', `https://api.maker.net/v1/items?key=${random.slice(0, 32)}&page=2`],
  ['a key as an argument', `tool sync --key ${random.slice(0, 32)} --all`],
  ['a password in the middle of a command', `wmic /user:kim /password:${random.slice(0, 14)} os get caption`],
  ['a user and a password for any program', `psexec \\\\srv01 -u CORP\\kim -p ${random.slice(0, 14)} cmd`],
  ['a password before the user of a login', `docker login -p ${random.slice(0, 14)} -u kim r.example.com`],
  ['a password of a login without a user', `docker login --password ${random.slice(0, 14)} r.example.com`],
  ['a password of a login in one letter', `tool login registry.example.com -p=${random.slice(0, 14)}`],
  ['a password that a list of users says is plain', `kim:{PLAIN}${random.slice(0, 12)}:1000:1000::/home/kim`],
  [
    'users of a login module',
    `Server {\n  DigestLoginModule required\n  user_super="${random.slice(0, 14)}";\n};`,
  ],
  [
    'numbers behind a long name',
    `recovery_of_the_laptop_${[418726, 203819, 557018, 390214, 660924, 118393, 590271, 402930].join('-')}`,
  ],
  ...[
    'curl -s -u kim:PW https://api.example.net',
    'curl -s \\\n  --user "kim:PW" \\\n  https://api.example.net',
    "run(['curl', '-u', 'kim:PW', url])",
    'htpasswd -nbm kim PW',
    'rar a -hpPW out.rar folder',
    "mysqldump -u kim -p'PW' shop > shop.sql",
    'snmpwalk -v 3 -l authPriv -u kim -a SHA -A PW 10.0.0.4 oid',
    'steam -login kim PW',
    'schtasks.exe /s srv01 /u kim /p PW',
    'networksetup -setairportnetwork en0 Home PW',
    'security create-keychain -p PW build.keychain',
    'create_ap wlan0 eth0 Home PW',
    'rabbitmqctl add_user kim PW',
    'netsh wlan set hostednetwork mode=allow ssid=Home key=PW',
    'zpaq add -keyPW out.zpaq folder',
    'sqlplus kim/PW@prod',
    'psexec.py domain/kim:PW@target command',
    'echo "PW" | argon2 salt',
    'tool serve --password PW --port 80',
    'any-tool -x PW host',
    'aws cognito-idp change-password --previous-password PW',
    'set httpd port 2812 and\n    allow kim:PW',
    '[ppa]\nfqdn = ppa.example.net\nlogin = kim:PW',
    '# paths\n$USER1$=/usr/lib/plugins\n$USER3$=PW',
  ].map((line) => [`a password in its place: ${line}`, `# first\n${line.replace('PW', phrase)}\n`]),
  // A mark that ends a command may also be in an argument.
  ...[
    'curl -H "Accept: a; q=0.9" -u kim:PW https://x.example.net',
    'curl -d "{\\"a\\": \\"b;c\\"}" -u kim:PW https://x.example.net',
    'curl -d "{`"a`": `"b;c`"}" -u kim:PW https://x.example.net',
    "curl -d 'it''s; so' -u kim:PW https://x.example.net",
    "curl -A don't;x -u kim:PW https://x.example.net",
    'curl -d $(date; id) -u kim:PW https://x.example.net',
    'curl -d "`id | wc`" -u kim:PW https://x.example.net',
    'curl -d a^|b -u kim:PW https://x.example.net',
    'curl "https://x.example.net?a=1&b=2;c" -u kim:PW',
    'curl -H “Accept: a; b” -u kim:PW https://x.example.net',
    'mysql -u root -e "SHOW DATABASES;" -pPW',
    'mysql <<< "SELECT 1;" -u root -pPW',
    "mysqldump -p'a|PW' shop",
    'ldapsearch -x -b "(|(uid=a)(uid=b))" -w PW',
    '7z a x.7z "a;b" -pPW',
    'sqlcmd -S "tcp:a;b" -P PW',
  ].map((line) => [`a password behind marks: ${line}`, `${line.replace('PW', short)}\n`]),
  ...['maker_', 'maker-', 'maker_pat_'].map((mark) => [
    `base64 behind ${mark}`,
    `We use this one.\n\nThen rotate \`${mark}${Buffer.from(hex.slice(0, 64), 'hex').toString('base64')}\` soon.\n`,
  ]),
  ...['sk-maker-', 'maker_secret_', 'maker-token-'].map((mark) => [
    `a UUID behind ${mark}`,
    `We use this one.\n\nThen rotate \`${mark}${uuid}\` soon.\n`,
  ]),
  ...[
    `my_key-${uuid}-${uuid}`,
    `dal:${random.slice(0, 24)}`,
    `992|${random.slice(0, 40)}`,
    `${uuid}:${random.slice(0, 32)}`,
    `secret-token:${random.slice(0, 24)}`,
    `SU${random
      .toUpperCase()
      .replace(/[0189]/g, '4')
      .slice(0, 56)}`,
    `370773112-${random.slice(0, 40)}`,
    `${hex.slice(0, 16)}-${hex.slice(16, 32)}-${hex.slice(32, 48)}`,
    `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${uuid}`,
    `https://eth-mainnet.g.alchemy.com/v2/${random.slice(0, 32)}`,
  ].map((token) => [`a token of its maker: ${token}`, `We use this one.\n\nThen rotate "${token}" soon.\n`]),
  ['a password without a digit as an argument', 'tool serve --password Qo!OsCMmtCMudw --port 80'],
  ['a password behind any option', `signtool sign /f a.pfx /p ${strong} app.exe`],
  ['a user and a password in a place of their own', `getTGT.py -dc-ip 10.0.0.4 domain/kim:${strong}@target`],
  ['a user and a password for a page', `login = kim:${strong}`],
  ['a password for the input of a program', `echo "${strong}" | argon2 salt`],
  ['a password behind a command', `tool reset-admin-password ${strong}`],
  ['a password that begins with a mark', `password = "!${strong}"`],
  ['a hash behind the name of its password', `rootpw {SSHA}${random.slice(0, 32)}`],
  ['a list of users, one with a plain word', `admin ${strong}\nuser Birch-elder23\n`],
  ['a user and a password in one argument', `open -u kim,${strong} ftp.example.com`],
  ['a password below a name that has the word in it', `backend.auth.raw = "${strong}"`],
  ['a password below a name with its user in it', `passwordkim=${strong}`],
  ['a password behind its user', `password root ${strong}`],
  ['an encoded value below such a name', `{"password_hash": "${random.slice(0, 48)}"}`],
  ['a list of users', `# users\nkim: ${strong},user,admin\nlee: ${random.slice(3, 17)},user\n`],
  ['a list of logins', `kim/${strong}@prod\n`],
  ['a list of hosts', `203.0.113.7 ${strong}\nvpn.example.com ${random.slice(5, 19)}\n`],
  ['a login in two lines', `purevpn0s123456\n${strong}\n`],
  ['a hash of a boot loader', `password_pbkdf2 root grub.pbkdf2.sha512.10000.${hex.toUpperCase()}`],
  ['a hash in any form behind its user', `kim:$pbkdf2-sha256$29000$${random.slice(0, 40)}`],
  ['a key with a header of its own', `-----BEGIN APP SECRET KEY-----\n${random.slice(0, 64)}\n`],
  ['bytes in the registry', `"SecretValue"=hex(3):${'0a,1b,2c,3d,'.repeat(4)}5e`],
  ['an older key of a server for messages', `AAAA${random.slice(0, 7)}:${random.repeat(2).slice(0, 140)}`],
  ['a key of 64 bytes', `[${Array.from({ length: 64 }, (_, at) => (at * 37) % 256).join(',')}]`],
])('finds %s', async (_, text) => {
  expect(await found(text)).toHaveLength(1);
});

test('a key of Bitcoin counts by its sum, whatever stands around it', async () => {
  const key = ['5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'].join('');
  expect(await found(`paper copy\n${key}\n`)).toEqual([{ kind: 'secret', rule: 'wallet', line: 2 }]);
  expect(await found(`paper copy\n${key.slice(0, -1)}K\nprivate key: ask Tom\n`)).toEqual([]);
});

test('reports the line in a mail whose lines are folded', async () => {
  const password = ['Tiger', '482!', 'xyz'].join('');
  const mail = `Content-Transfer-Encoding: quoted-printable\n\none=\n two =3D=\n three\n\nPassword=3A ${password}\n`;
  expect(await found(mail)).toEqual([{ kind: 'secret', rule: 'assignment', line: 7 }]);
});

/** What stands in the place of a secret, and is not one. */
test.each([
  'DB_PASSWORD=${DB_PASSWORD}',
  'DB_PASSWORD=$DB_PASSWORD1',
  'DB_PASSWORD=%DB_PASSWORD1%',
  'DB_PASSWORD=changeme123',
  'API_TOKEN=<your-token-1>',
  'API_KEY=your-api-key-1234',
  'password: xxxxxxxx1',
  'password: ********',
  'password: !vault |',
  'password: "{{ vault_db_password1 }}"',
  'password: vault:secret/data/db1#password',
  'password: op://vault1/item2/password',
  'password: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-1',
  'password: ENC[AES256_GCM,data:p673w==,iv:YY=,type:str]',
  'password_file: /run/secrets/db_password1',
  'password: /run/secrets/db-1',
  'token: true',
  '"password": { "type": "string", "minLength": 12 }',
  '"password": "At least 8 characters"',
  '"password.wrong": "Das Passwort stimmt nicht, noch 3 Versuche"',
  '<input type="password" name="password" id="password1" placeholder="8 characters">',
  '<label for="password2">Password</label>',
  'const token = getToken2(request);',
  'const password = form.password2;',
  'password = os.environ["DB_PASSWORD2"]',
  'const apiKey = process.env.API_KEY2',
  'String password = config.getString("db2.password");',
  'if (password == oldPassword2) return;',
  'token: Token2,',
  'publicKeyToken="b77a5c561934e089"',
  'public_key: MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
  'cacheKey: 3f2c5b7d9e1a4c6f8b0d2e4a6c8e0f1a',
  'csrf_token = "3f2c5b7d9e1a4c6f8b0d2e4a6c8e0f1a"',
  'integrity: sha512-z1UyAc4NZBKZ0QwRYJfJ1dEUqGpPHdWOTqTOVYVQoMOuJrcHZQJZVQYw==',
  'Authorization: Bearer $TOKEN',
  'Authorization: Bearer <token-of-32-letters>',
  'postgres://user:password@localhost:5432/db',
  'https://user:pass@example.com/',
  'https://${USER}:${PASSWORD}@example.com/',
  'curl -u user:password https://example.com',
  'username,password\nkim,\nlee,********\n',
  'id,name,token\n1,apple,word\n2,pear,word\n',
  'kind: SealedSecret\n  encryptedData:\n    password: AgB' + 'k7Lw2Zx9Rk4Tn8Vb3Hs6'.repeat(35),
  'typedef struct sec_PKCS12PKCS8ShroudedKeyBagStr sec_PKCS12PKCS8ShroudedKeyBag;',
  'kind: Secret\ndata:\n  password: {{ .Values.password | b64enc }}\n  ca.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t',
  'object_key: 4Rk9Lw2Zx7Tn8Vb3Hs6Jd1Fg5Mc0',
  'GPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D',
  'https://3f2c5b7d9e1a4c6f8b0d2e4a6c8e0f1a@o12345.ingest.sentry.io/4501',
  'Stripe("pk_live_4Rk9Lw2Zx7Tn8Vb3Hs6Jd1Fg")',
  '{"charge": "ch_4Rk9Lw2Zx7Tn8Vb3Hs6Jd1Fg", "user": "user_4Rk9Lw2Zx7Tn8Vb3Hs6Jd1Fg"}',
  'pip/index/__init__.py,sha256=vpt-JeTZefh8a-FC22ZeBSXFVbuBcXSGiILhQZJaNpQ,30',
  '#define SSL_TXT_GOST2012_GOST8912_GOST8912 "GOST2012-GOST8912-GOST8912"',
  'FIPS_KEY_STRING "f4556650ac31d35461610bac4ed81b1a181b2d8a43ea2854cbae22ca74560813"',
  'docker login -u kim --password-stdin registry-Eu1.example.com:8443',
  'docker run -u kim -p localhost1:8080 -p 8081:81 image',
  'https://api.maker.net/v1/items?key=harbour-lights&page=2',
  'WIFI:T:WPA;S:Guest;P:${password.next()};;',
  `cache-key: linux-${hex.slice(0, 64)}`,
  `restore-keys: npm-key-${hex.slice(0, 40)}`,
  'the token is valid for 15 minutes',
  'typedef struct sec_PKCS12SecretBag sec_PKCS12SecretBag;',
  'progressToken: ProgressTokenSchema$1',
  'curl -u kim:$PASSWORD https://api.example.net && mysql -pexample1 shop',
  'docker run -p 8080:80 image; ssh -p 2222 host',
  'tar -C /opt/Release64 -xf Archive-2.4.1.tar.gz -I Zstd19 -p Debian12',
  'More of it\n\nis in https://video.example.com/playlist?list=PLy1nL-pvL2M55YVn0mGoQ5r-39A1-ZypO there\n\n',
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.slice(0, 43)} kim`,
  `Some bytes\n\nin a text: ${random.slice(0, 9)}/u+${random.slice(9, 27)}/${random.slice(30, 40)}\n\n`,
  `task_${uuid}`,
  'Changes\n\n + 0010-UDSServer-add-clientToHandle-function.patch\n\n',
  'tar -xf Archive-2.4.1.tar.gz -C /opt/Tool2 --strip=1 --exclude=*.o1',
  'gcc -O3 -std=c++11 -DVERSION=2a -I/usr/Include4 -o Build64',
  'printf -v out %08d 5; sed -e s/a1/B2/g page.html#L12',
  'npm diff --diff=pkg@1.0.0 --diff=pkg@^2.0.0',
  'passwordPolicy = MinLength12',
  'let g:airline#themes#base16#palette = {}',
  'let g:themes#base16 = 1',
  'call theme --set=colors#base16#dark',
  '<td class="group-hover:bg-gray-200!">',
  'admin Release64\nuser Birch-elder23',
  'authMethod: "SCRAM-SHA-256"',
  'Tool 2.4.1\nRelease64',
  'first line\nsecond line',
  `sums\n${hex.slice(0, 40)}`,
  `${hex.slice(0, 64)}  file-1.2.tar.gz`,
  'kim: Release64\nlee: Build32x',
  'Your password must have 8 letters and 1 digit.',
])('leaves alone: %s', async (text) => {
  expect(await found(`${text}\n`)).toEqual([]);
});

test('a text is told apart from all that it does not contain', () => {
  const text = `a list: glpat-${random.slice(0, 20)}, é ${hex.slice(0, 19)} end_of-it`;
  const { mayHave, longWords } = sieveOf(text);
  for (let at = 0; at < text.length; at += 1) {
    for (const length of [1, 3, 9]) expect(mayHave(text.slice(at, at + length))).toBe(true);
  }
  expect(['glcbt-', 'PRIVATE KEY', 'end-of'].map(mayHave)).toEqual([false, false, false]);
  expect(longWords.map(({ from, to }) => text.slice(from, to))).toEqual([`glpat-${random.slice(0, 20)}`]);
});

/** A text is searched in pieces of this many letters. */
const pieceLetters = 128 * 1024;
const fill = (part: string): string =>
  part.repeat(Math.ceil(pieceLetters / part.length)).slice(0, pieceLetters);
const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
/** Several times the usual cost at most; quadratic time takes seconds. */
const mostMs = 500;

/** What stands between one try and the next. */
const between = isDeep ? ['', 'A1b2', ' ', '-', '"', '<a>', '\n', '=', ':'] : ['', ' '];

test('a text that nearly fits a shape again and again takes bounded time', () => {
  for (const shape of shapes) {
    const { near } = shape;
    for (const begin of typeof near === 'number' ? [`ab_${'A1b2'.repeat(25)}`.slice(0, near)] : near) {
      for (const behind of between) {
        expect(cpuMs(() => findShape(shape, fill(begin + behind)))).toBeLessThan(mostMs);
      }
    }
  }
});

const nearly = [
  ...[
    'password',
    'password=',
    'password: ',
    '"password":"',
    'password ',
    'password\t|',
    '<password',
    'secret ("',
  ],
  ...[
    '<key>password</key>\n',
    'token: Bearer ',
    'Authorization: Basic ',
    "identified by '",
    'DB_PASSWORD ',
    '--password ',
  ],
  ...[
    'the password is ',
    'name: password\n',
    'pat-',
    'A B password ',
    'otpauth://a?secret=',
    '://',
    '://a:',
    'curl -u ',
  ],
  ...[
    'sshpass -p ',
    'mysql -p',
    'net use /user:a ',
    'a:1:a:b:',
    'url,password\n',
    '"a","password"\n',
    '{\\rtf1\\par',
    '<p',
  ],
  ...[' -a=', ' /p:', '=kim:', 'echo ', 'admin password\n', 'kim:aB3#dE5fG\n'],
  ...['&lt;', '=\n=3D', '> ', '\\u0041', '%41', 'LS0tLS1CRUdJTi'],
];

test('a text of names without values takes bounded time', () => {
  for (const begin of nearly) {
    for (const behind of between) {
      const text = fill(begin + behind);
      for (const search of [findAssignment, findAddress, findCommand, findInTable, findLogins, plainOf]) {
        expect(cpuMs(() => search(text))).toBeLessThan(mostMs);
      }
    }
  }
});
