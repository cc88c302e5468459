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

/**
 * `like`: a name that the rule is for. `words`: each match has one of them, which is faster to tell. Each expression is
 * tried once, on all names, one a line: V8 compiles it again for a second try.
 */
export const secretNames: readonly { like: string; is: RegExp; words?: readonly string[] }[] = [
  // Environment files.
  { like: '.env.local', is: /^\.env($|\.(?!(?:example|sample|template|dist)$)|rc$)/im },
  { like: 'prod.env', is: /\.env$/im },
  // Keys of SSH, TLS and signing.
  { like: 'id_ed25519', is: /^id_(rsa|dsa|ecdsa|ed25519)/im },
  { like: 'ssh_host_rsa_key', is: /^ssh_host_.*_key$/im },
  {
    like: 'server.pem',
    is: /\.(pem|key|p8|p12|pfx|pkcs12|ppk|jks|jceks|bcfks|bks|uber|keystore|snk|pvk|pk8|sso)$|(^|[-_.])(priv|private|key)([-_.]?key)?\.der$/im,
  },
  { like: 'secring.gpg', is: /^secring\.(gpg|pgp|skr)$/im },
  { like: 'my-private-key.asc', is: /(private|secret)[-_. ]?key.*\.(asc|gpg|pgp|txt)$/im },
  { like: 'hs_ed25519_secret_key', is: /^hs_ed25519_secret_key$/im },
  { like: 'krb5.keytab', is: /\.(keytab|ccache)$|^krb5cc_/im },
  // Password safes, wallets, VPN profiles.
  { like: 'safe.kdbx', is: /\.(kdbx|kdb|psafe3|keychain|keychain-db|agekey|wallet|ovpn)$/im },
  {
    like: 'export.1pux',
    is: /\.(1pux|1pif|opvault|agilekeychain|enpassdb|enpassbackup|walletx|kwl|keyring|dash|rfx|msecure|aegis|2fas|bek)$/im,
  },
  { like: 'wallet.dat', is: /^(wallet|keystore)(\.|$)/im },
  { like: 'UTC--2024-01-31T10-00-00.0Z--0a1b', is: /^utc--\d{4}-\d\d-\d\dt.*--[0-9a-f]+$/im },
  { like: 'seed.seco', is: /\.seco$|^default_wallet$|^wallet\.aes\.json$/im },
  { like: 'SafeInCloud.db', is: /^safeincloud.*\.db$/im },
  // What browsers and mail programs keep passwords and sessions in.
  {
    like: 'key4.db',
    is: /^(key[34]\.db|signons\.sqlite|signons\d?\.txt|cookies\.sqlite|logins(-backup)?\.json)$/im,
  },
  { like: 'Login Data', is: /^login data( for account)?$/im },
  { like: 'Network/Cookies', is: /^(network|default|profile \d+)\/cookies$/im },
  // Lists that people keep.
  {
    like: 'Meine Passwörter.xlsx',
    words: lists.split('|'),
    is: new RegExp(`^(.*[-_. ])?(${lists})(${count}){0,2}\\.(${documents})$`, 'imu'),
  },
  // The file from which a program reads its one password.
  { like: 'restic-password', is: /^[\w.]{1,30}[-_](pass|passwd|password|passphrase)(\.txt)?$/im },
  { like: '.vnc/passwd', is: /^\.vnc\/passwd$|^\.?davfs2\/secrets$/im },
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
  // Credential files that programs keep in the home folder.
  {
    like: '.netrc',
    is: /^(\.netrc|_netrc|\.pgpass|pgpass\.conf|\.htpasswd|\.git-credentials|\.npmrc|\.pypirc|\.dockercfg|\.my\.cnf|\.mylogin\.cnf|\.cdsapirc|kaggle\.json|node-token)$/im,
  },
  {
    like: 'secrets.yaml',
    is: /^(\.s3cfg|\.boto|\.vault-token|secrets\.(json|ya?ml|toml|ini)|settings-security\.xml|hudson\.util\.secret|encrypted_data_bag_secret|identity\.secret|credentials-config\.json|signal-[\d-]+\.backup)$/im,
  },
  // Logins, keys and sessions that programs keep. Sources: the file lists of linPEAS, LaZagne, Seatbelt and Metasploit.
  {
    like: 'sitemanager.xml',
    is: /^((sitemanager|recentservers|filezilla|filezilla server|confcons|mtputty)\.xml|(winscp|ws_ftp|wcx_ftp|ffftp|mobaxterm)\.ini|ftplist\.txt|rdcman\.settings|(\.ftpconfig|sftp-config\.json)|.*\.(rdg|remmina|mobaconf|ftpconfig|psk))$/im,
  },
  {
    like: '.fetchmailrc',
    is: /^(\.(fetchmailrc|msmtprc|offlineimaprc|mbsyncrc|getmailrc|smbcredentials|passwd-s3fs|mysql_secret|google_authenticator|erlang\.cookie|flyrc)|\.purple\/accounts\.xml|\.irssi\/config|servlist\.conf|spark\.properties|wand\.dat|kcpassword)$/im,
  },
  {
    like: 'tomcat-users.xml',
    is: /^(tomcat-users\.xml|(jetty-)?realm\.properties|smbpasswd|opasswd|vncpasswd|(passdb|secrets)\.(tdb|ldb)|\.secrets\.mkey|known_tokens\.csv|wpa_supplicant.*\.conf|(auto)?unattend(ed)?\.(xml|txt)|sysprep\.(xml|inf)|sitelist\.xml|sslkeylog\.log|protecteduserkey\.bin)$/im,
  },
  {
    like: 'rclone.conf',
    is: /^(auth\.json|access_?tokens\.(json|db)|oauth_creds\.json|credentials\.(tfrc\.json|db)|legacy_credentials|msal_token_cache\.(bin|json)|(tokencache|azurermcontext)\.(dat|json)|rclone\.conf|clouds\.ya?ml|.*-openrc\.sh|gh\/hosts\.ya?ml|configstore\/firebase-tools\.json|\.m2\/settings\.xml|\.mc\/config\.json)$/im,
  },
  // What was typed into shells.
  {
    like: '.bash_history',
    is: /^\.(\w{0,3}sh|mysql|psql|rediscli|influx)_history$|^consolehost_history\.txt$/im,
  },
  // Keys and passwords that servers read, one in a line.
  {
    like: 'chrony.keys',
    is: /\.(secrets?|passwords?|passwd)$|^(ntp|chrony)\.keys$|^(passwd\.client|sasl_passwd|chap-secrets|pap-secrets|psk\.txt|(mgmt|application)-users\.properties|deluge\/auth)$/im,
  },
  // What systems keep the passwords of their users in.
  { like: 'ntds.dit', is: /^(ntds\.dit|shadow-?|gshadow-?|master\.passwd)$/im },
  {
    like: 'config/SAM',
    is: /^(config|regback)\/(sam|security)$|^(sam|security|system)\.(sav|save|hive?)$/im,
  },
  // Clouds and clusters.
  {
    like: 'aws credentials.csv',
    is: /^(.*[-_. ])?credentials(\.(json|csv|ya?ml|xml|ini|toml|txt|xlsx?|ods|docx?))?$/im,
  },
  { like: 'service-account.json', is: /^(.*[-_ ])?service[-_ ]?account.*\.json$/im },
  { like: 'client_secret_1.json', is: /^client_?secret.*\.json$/im },
  { like: 'rootkey.csv', is: /^(.*_accesskeys|rootkey)\.csv$/im },
  { like: 'prod-kubeconfig.yaml', is: /^(.*[-_.])?kubeconfig(\.ya?ml)?$/im },
  { like: '.kube/config', is: /^\.kube\/config$/im },
  { like: '.docker/config.json', is: /^\.docker\/config\.json$/im },
  { like: 'terraform.tfstate', is: /\.(tfstate|tfvars|tfvars\.json)$/im },
];

/** What programs add after a name when they keep a copy: `server.key.old`, `terraform.tfstate.1690.backup`. */
const copySuffix =
  /(\.(old|bak|backup|orig|original|save|copy|new|\d{1,14})|[-_ ](old|bak|backup|orig|copy)|~)$/i;
/** What programs add before the extension: `credentials (1).json`, `id_rsa copy`. */
const copyMark = /( \(\d{1,4}\)| copy( \d{1,4})?| - copy( \(\d{1,4}\))?)(?=\.[^.]*$|$)/i;
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
  const hasOne = (words: readonly string[]): boolean => words.some((word) => lower.includes(word));
  return secretNames.some(({ is, words }) => (words === undefined || hasOne(words)) && is.test(lines));
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
