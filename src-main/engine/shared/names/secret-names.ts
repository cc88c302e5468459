// Names that look like secrets (README.md, promise 4), with the folder if many programs use the same name. A held name
// costs one confirmation, so some false alarms are acceptable. Names that are common for other things (`config.json`,
// `*.asc`, `*.txt`) are not in the table.
import { spellingsOf, type FileNames } from '../sent-name.ts';

/** What people call a list of their passwords, in the languages of the window and a few more; always plural. */
const lists = [
  ...['passwords', 'passcodes', 'passphrases', 'logins', 'login data', 'logons'],
  ...['passwörter', 'passwoerter', 'kennwörter', 'kennwoerter', 'zugangsdaten', 'zugänge', 'zugaenge'],
  ...['contraseñas', 'contrasenas', 'claves', 'credenciales', '密码', '密碼', '口令'],
  ...['mots de passe', 'mot de passes', 'motsdepasse', 'identifiants', 'parole chiave', 'credenziali'],
  ...['wachtwoorden', 'senhas', 'palavras-passe', 'hasła', 'hasla', 'lösenord', 'adgangskoder', 'passord'],
  ...['salasanat', 'hesla', 'jelszavak', 'пароли', 'паролі', 'parolalar', 'şifreler', 'κωδικοί'],
  ...['パスワード', '비밀번호', 'סיסמאות'],
].join('|');
/** One word in the singular is a list only if the name has no other, or says that it is one. */
const single =
  'password|passwd|passwort|kennwort|contraseña|contrasena|clave|mot de passe|wachtwoord|senha|hasło|haslo|heslo|пароль|parola|şifre';
const kindsOfLists = 'list|liste|lista|lijst|übersicht|tabelle|sheet|book|safe|backup|export';
/** Programs keep tables, documents and notes in these. Most of them are compressed or encrypted, so no look reads them. */
const documents =
  'csv|json|xlsx?|xlsm|xlsb|xltx|ods|fods|numbers|docx?|docm|odt|pages|rtf|pdf|one|onepkg|enex|mdb|accdb|sqlite3?|db|zip|7z|rar|gpg|pgp|aes|enc|txt';
const count = '[-_ ]?(\\(?\\d{1,8}\\)?|old|alt|neu|new|private?|privat)';

/** Whole names and folder/name, in lower case. */
export const wholeNames: ReadonlySet<string> = new Set(
  [
    'secring.gpg|secring.pgp|secring.skr|hs_ed25519_secret_key',
    // What password safes, wallets, browsers and mail programs keep passwords and sessions in.
    'default_wallet|wallet.aes.json|key3.db|key4.db|signons.sqlite|cookies.sqlite|logins.json|logins-backup.json|login data|login data for account|network/cookies|default/cookies',
    // The file from which a program reads its one password.
    '.vnc/passwd|.davfs2/secrets|davfs2/secrets',
    // Credential files that programs keep in the home folder.
    '.netrc|_netrc|.pgpass|pgpass.conf|.htpasswd|.git-credentials|.npmrc|.pypirc|.dockercfg|.my.cnf|.mylogin.cnf|.cdsapirc|kaggle.json|node-token|.s3cfg|.boto|.vault-token|settings-security.xml|hudson.util.secret|secrets.json|secrets.yaml|secrets.yml|secrets.toml|secrets.ini|encrypted_data_bag_secret|identity.secret|credentials-config.json',
    // Logins, keys and sessions that programs keep. Sources: the file lists of linPEAS, LaZagne, Seatbelt and Metasploit.
    'sitemanager.xml|recentservers.xml|filezilla.xml|filezilla server.xml|confcons.xml|mtputty.xml|winscp.ini|ws_ftp.ini|wcx_ftp.ini|ffftp.ini|mobaxterm.ini|ftplist.txt|rdcman.settings|sftp-config.json|.fetchmailrc|.msmtprc|.offlineimaprc|.mbsyncrc|.getmailrc|.smbcredentials|.passwd-s3fs|.mysql_secret',
    '.google_authenticator|.erlang.cookie|.flyrc|.purple/accounts.xml|.irssi/config|servlist.conf|spark.properties|wand.dat|kcpassword|tomcat-users.xml|jetty-realm.properties|realm.properties|smbpasswd|opasswd|vncpasswd|passdb.tdb|passdb.ldb|secrets.tdb|secrets.ldb|.secrets.mkey|known_tokens.csv|sysprep.xml|sysprep.inf',
    'sitelist.xml|sslkeylog.log|protecteduserkey.bin|auth.json|accesstokens.json|accesstokens.db|access_tokens.json|access_tokens.db|oauth_creds.json|credentials.tfrc.json|credentials.db|legacy_credentials|msal_token_cache.bin|msal_token_cache.json|tokencache.dat|tokencache.json|azurermcontext.dat',
    'azurermcontext.json|rclone.conf|clouds.yaml|clouds.yml|gh/hosts.yaml|gh/hosts.yml|configstore/firebase-tools.json|.m2/settings.xml|.mc/config.json',
    // What was typed into shells; keys and passwords that servers read, one in a line.
    'consolehost_history.txt|ntp.keys|chrony.keys|passwd.client|sasl_passwd|chap-secrets|pap-secrets|psk.txt|mgmt-users.properties|application-users.properties|deluge/auth',
    // What systems keep the passwords of their users in.
    'ntds.dit|shadow|shadow-|gshadow|gshadow-|config/sam|config/security|regback/sam|regback/security',
    // Clouds and clusters.
    'rootkey.csv|.kube/config|.docker/config.json',
  ].flatMap((names) => names.split('|')),
);

/** What a name ends in from its last dot, in lower case. */
export const endings: ReadonlySet<string> = new Set(
  [
    // Environment files and keys.
    '.env|.pem|.key|.p8|.p12|.pfx|.pkcs12|.ppk|.jks|.jceks|.bcfks|.bks|.uber|.keystore|.snk|.pvk|.pk8|.sso|.keytab|.ccache|.psk|.secret|.secrets|.password|.passwords|.passwd|.tfstate|.tfvars',
    // Password safes, wallets, profiles for remote access.
    '.kdbx|.kdb|.psafe3|.keychain|.keychain-db|.agekey|.wallet|.ovpn|.1pux|.1pif|.opvault|.agilekeychain|.enpassdb|.enpassbackup|.walletx|.kwl|.keyring|.dash|.rfx|.msecure|.aegis|.2fas|.bek|.seco|.rdg|.remmina|.mobaconf|.ftpconfig',
  ].flatMap((names) => names.split('|')),
);

/**
 * `like`: a name that the rule is for. `words`: each match has one of them, so V8 compiles few of the expressions. Each is
 * tried once, on all names, one a line: V8 compiles it again for a second try.
 */
export const secretNames: readonly { like: string; is: RegExp; words: readonly string[] }[] = [
  // Environment files.
  { like: '.env.local', words: ['.env'], is: /^\.env($|\.(?!(?:example|sample|template|dist)$)|rc$)/im },
  // Keys of SSH, TLS and signing.
  { like: 'id_ed25519', words: ['id_'], is: /^id_(rsa|dsa|ecdsa|ed25519)/im },
  { like: 'ssh_host_rsa_key', words: ['ssh_host_'], is: /^ssh_host_.*_key$/im },
  { like: 'server-key.der', words: ['.der'], is: /(^|[-_.])(priv|private|key)([-_.]?key)?\.der$/im },
  { like: 'my-private-key.asc', words: ['key'], is: /(private|secret)[-_. ]?key.*\.(asc|gpg|pgp|txt)$/im },
  { like: 'krb5cc_1000', words: ['krb5cc_'], is: /^krb5cc_/im },
  // Wallets, what programs keep passwords and sessions in.
  { like: 'wallet.dat', words: ['wallet', 'keystore'], is: /^(wallet|keystore)(\.|$)/im },
  {
    like: 'UTC--2024-01-31T10-00-00.0Z--0a1b',
    words: ['utc--'],
    is: /^utc--\d{4}-\d\d-\d\dt.*--[0-9a-f]+$/im,
  },
  { like: 'SafeInCloud.db', words: ['safeincloud'], is: /^safeincloud.*\.db$/im },
  { like: 'signons3.txt', words: ['signons'], is: /^signons\d?\.txt$/im },
  { like: 'Profile 1/Cookies', words: ['/cookies'], is: /^profile \d+\/cookies$/im },
  { like: 'signal-2024-01-31.backup', words: ['signal-'], is: /^signal-[\d-]+\.backup$/im },
  { like: 'wpa_supplicant-wlan0.conf', words: ['wpa_supplicant'], is: /^wpa_supplicant.*\.conf$/im },
  { like: 'autounattend.xml', words: ['unattend'], is: /^(auto)?unattend(ed)?\.(xml|txt)$/im },
  // Lists that people keep.
  {
    like: 'Meine Passwörter.xlsx',
    words: lists.split('|'),
    is: new RegExp(`^(.*[-_. ])?(${lists})(${count}){0,2}\\.(${documents})$`, 'imu'),
  },
  // The file from which a program reads its one password.
  { like: 'restic-password', words: ['pass'], is: /^[\w.]{1,30}[-_]pass(wd|word|phrase)?(\.txt)?$/im },
  {
    like: 'Passwort.ods',
    words: single.split('|'),
    is: new RegExp(`^(${single})(${count}){0,2}\\.(${documents})$`, 'imu'),
  },
  {
    like: 'Passwortliste.xlsx',
    words: `${single}|${lists}`.split('|'),
    is: new RegExp(
      `^(.*[-_. ])?(${single}|${lists})[-_ ]?(${kindsOfLists})(${count}){0,2}\\.(${documents})$|^(${kindsOfLists})[-_ ](.{0,9} )?(${single}|${lists})(${count}){0,2}\\.(${documents})$`,
      'imu',
    ),
  },
  // What was typed into shells.
  { like: '.bash_history', words: ['_history'], is: /^\.(\w{0,3}sh|mysql|psql|rediscli|influx)_history$/im },
  // What systems keep the passwords of their users in.
  { like: 'SAM.save', words: ['.sav', '.hiv'], is: /^(sam|security|system)\.(sav|save|hive?)$/im },
  // Clouds and clusters.
  { like: 'demo-openrc.sh', words: ['-openrc.sh'], is: /-openrc\.sh$/im },
  {
    like: 'aws credentials.csv',
    words: ['credentials'],
    is: /^(.*[-_. ])?credentials(\.(json|csv|ya?ml|xml|ini|toml|txt|xlsx?|ods|docx?))?$/im,
  },
  { like: 'service-account.json', words: ['service'], is: /^(.*[-_ ])?service[-_ ]?account.*\.json$/im },
  { like: 'client_secret_1.json', words: ['client'], is: /^client_?secret.*\.json$/im },
  { like: 'me_accessKeys.csv', words: ['_accesskeys.csv'], is: /_accesskeys\.csv$/im },
  { like: 'prod-kubeconfig.yaml', words: ['kubeconfig'], is: /^(.*[-_.])?kubeconfig(\.ya?ml)?$/im },
  { like: 'prod.tfvars.json', words: ['.tfvars.json'], is: /\.tfvars\.json$/im },
];

/** What programs add after a name when they keep a copy: `server.key.old`, `terraform.tfstate.1690.backup`. */
const copySuffix =
  /(\.(old|bak|backup|orig|original|save|copy|new|\d{1,14})|[-_ ](old|bak|backup|orig|copy)|~)$/i;
/** What programs add before the extension: `credentials (1).json`, `id_rsa copy`. */
const copyMark = /( \(\d{1,4}\)| copy( \d{1,4})?| - copy( \(\d{1,4}\))?)(?=\.[^.]*$|$)/i;
/** What `^` and `$` of an expression with the flag `m` take for the end of a line. */
const endOfLine = /[\n\r\u2028\u2029]/;
/** A copy may be a copy of a copy. */
const mostCopies = 5;

/**
 * The public half of a key, a certificate, a request for one: `server.pub.pem`, `jwt-public.key`, `site.crt.pem`. But
 * `site.crt.key` is the private key of that certificate.
 */
const publicHalf =
  /^(?!\.env|.*(?:priv|secret)).*(?<![^-_. ])(?:pub|pubkey|public(?:[-_ ]?key)?|(?:crt|cer|csr)(?!\.key))(?:\.(?:pem|der|key|asc|gpg))?$/i;

/** Another one for other rules. */
export const secretDigest: readonly string[] = [
  ...wholeNames,
  ...endings,
  ...secretNames.map(({ is }) => is),
  copySuffix,
  copyMark,
  publicHalf,
].map(String);

/** Checks every way to read the name, alone and with the folder that it lies in. */
export const looksSecret = ({ below, names }: FileNames): boolean => {
  const folder = below.split(/[/\\]/).at(-2);
  return spellingsOf(names).some((name) => isSecretName(name, folder));
};

const isSecretName = (spelling: string, folder: string | undefined): boolean => {
  const copies = originalsOf(spelling);
  if (copies.some((name) => publicHalf.test(name))) return false;
  const shown = copies.flatMap((name) => (folder === undefined ? [name] : [name, `${folder}/${name}`]));
  const lines = shown.join('\n');
  const lower = lines.toLowerCase();
  // A name on the disk may itself contain the end of a line.
  const isKnown = (line: string): boolean =>
    wholeNames.has(line) || endings.has(line.slice(line.lastIndexOf('.')));
  if (lower.split(endOfLine).some(isKnown)) return true;
  return secretNames.some(({ is, words }) => words.some((word) => lower.includes(word)) && is.test(lines));
};

/** The name, and what it may be a copy of. */
const originalsOf = (name: string): string[] => {
  const names = [name];
  for (let before = name; names.length <= mostCopies; names.push(before)) {
    const now = before.replace(copySuffix, '').replace(copyMark, '');
    if (now === before || now === '') break;
    before = now;
  }
  return names;
};
