// What a value is, by its name: `DB_PASSWORD`, `spring.datasource.password`, `clientSecret`, `Secret access key`.

/**
 * 'key': only a long random text, because a key of a name that is not in the list may also find something in a table.
 * 'password': anything counts that a person could have chosen. 'secret': the same, but without words and numbers,
 * because a value of this name may be the name of a secret. 'token': only what a machine made counts, because the name
 * is also used for other things. 'near': the name has such a word, but not at its end; only what is a password by itself
 * counts. Null: no secret.
 */
export type KeyKind = 'password' | 'secret' | 'token' | 'key' | 'near' | null;

/** Where a name may contain one of these words, it is examined more closely. */
export const keyWord =
  /pass(?!ing|ed\b|es\b|ive|age|enger|port)|pwd|pw(?![a-z])|secure.?string|key content|schl.{1,2}sselinhalt|pepper|kennwort|secret|token|key|credential|contrase|(?<![a-z])clave(?![a-z])|(?<![a-z])senha(?![a-z])|mot de passe|wachtwoord|has[lł]o|heslo|geslo\b|lozinka|l[oö]senord|adgangskode|salasana|jelsz[oó]|parola d|parolă|[sş]ifre\b|palavra.passe|парола|κωδικός|סיסמה|كلمة.(?:المرور|السر)|비밀번호|암호|mật.khẩu|kata.sandi|slaptažodis|密码|密碼|口令|密钥|密鑰|パスワード|пароль|auth|salt|psk|connection.?string|(?<![a-z])dsn(?![a-z])|(?<![a-z])creds?(?![a-z])|bearer|(?<![a-z])pat(?![a-z])|mnemonic|seed.?phrase|identified by/gi;

const passwords =
  /(?:pass_?word|passwd|passwort|pass_?phrase|pass_?code|kennwort|wachtwoord|contrasena|contrase|senha|clave|mot_de_passe|pwd|(?:^|_)(?:\w{0,12}pass|(?:db|root|bind|user|admin|my|ldap|smtp|mail|wifi|ftp|ssh|new|app|sa|[a-z])?pw|psk|wpa_?key|cred|creds|requirepass|masterauth)|secret|secrets|sharedkey|presharedkey|preshared_key|pre_shared_key|key_?material|identified_by|secure_?string|key_content|schl\S{1,2}sselinhalt|has[lł]o|heslo|geslo|lozinka|l[oö]senord|adgangskode|passord|salasana|jelsz[oó]|parola_d_ordine|parolă|[sş]ifre|palavra_passe|парола|κωδικός|סיסמה|كلمة_(?:المرور|السر)|비밀번호|암호|mật_khẩu|kata_sandi|slaptažodis|密码|密碼|口令|パスワード|пароль|authtok)$/;

/** A key, by the word before it. */
const keyOf =
  '(?:api|access|private|secret|auth|sign|signing|signature|encryption|encrypt|encrypted|decryption|crypt|crypto|cipher|master|account|shared|storage|service|app|application|admin|license|session|cookie|jwt|hmac|mac|hash|aes|rsa|ssh|host|webhook|deploy|deployment|subscription|function|nonce|logged_in|secure_auth|consumer|client|aws|azure|gcp|root|server|user|integration|write|ingest|ingestion|instrumentation|maps|stripe|sendgrid|mailgun|openai|anthropic|twilio|datadog|dd|algolia|rapidapi|validation|machine|vault|unseal|recovery|backup|wallet|wif|ec|node|validator|tls|ssl|client_key|certificate|registry|sas|sb|servicebus|cosmos|db|database|redis|search|primary|secondary|personal|developer|dev|bot|http|x_api|firebase|fcm|vapid_private|push|turn|stun|rails|django|flask|laravel|symfony|routing|settings|security|token|data|content|anon|service_role)';
const tokens = new RegExp(
  `(?:token|tokens|bearer|authtoken|jwt|auth|oauth|authorization|credential|credentials|(?:^|_)pat|dsn|connection_?strings?|conn_?str|mnemonic|seed_?phrase|密钥|密鑰|${keyOf}_?keys?|${keyOf}_salt|pepper|secret_id|op_session(?:_\\w{1,30})?|apikeys?|accesskey|secretkey|key_?base|client_key_data)$`,
);

/** Words that mean something else: an address of it, its length, its place on a page. */
const others =
  /(?:^|_)(?:public|publishable|pub|csrf|xsrf|cancel|cancellation|page|next|continuation|sync|prev|previous|primary_key|foreign|sort|cache|csrfmiddleware|antiforgery|verification_token|author|idempotency|partition|context|element|row|column|group|parse|lex|lexer|bypass|compass|max|min|num|count|has|is|show|hide|forgot|reset|no|use|need|require|requires|confirm|invalid|missing|wrong|enter|site|sitekey|recaptcha|captcha|anon|fips)_?(?=_|$|token|key)|public_?key|token_(?:count|type|url|uri|endpoint|limit|name)|(?:tokens|keys)$(?<!(?:api|access|secret|auth|account|access_|api_|secret_)(?:tokens|keys))/;

/** Words that mean something else before a key or a token, and nothing before a password. */
const previousPassword =
  /(?:^|_)(?:prev|previous|next|partition|group|author|sync|row|public|cache)_pass_?(?:word|phrase)$/;

/** Keys that find something: rows, objects, messages, files. */
const found =
  /(?:^|_)(?:object|s3|blob|file|item|entry|record|query|state|entity|lookup|lock|routing|dedup|dedupe|hash|range|index|unique|composite|natural|surrogate|job|task|queue|issue|project|translation|message|i18n|map|tree|react|gpg|pgp|ssh|socket|pub|version|asset|chunk|module|bucket|node|feature|event|product|order|meta|data|value|type|kms|block|tag|known|fingerprint)_key$/;

/** Names often end with the environment or with the encoding of the value. */
const ending =
  /(?:_(?:\d{1,3}|prod|production|dev|development|test|testing|staging|stage|qa|live|sandbox|local|default|value|val|string|str|old|new|current|main|base64|b64|hex|raw|text|plain|plaintext|cleartext|base|data|env|in|out|for_\w{1,20}|secret_text|content)|\d{1,3})$/;

/** `fooBar`, `FOO-BAR`, `foo.bar` are all `foo_bar`. */
const normal = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/ñ/g, 'n')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

const kindOf = (name: string): KeyKind => {
  if (others.test(name) && !previousPassword.test(name)) return null;
  if (passwords.test(name)) return /(?:secrets?|creds?)$/.test(name) ? 'secret' : 'password';
  if (tokens.test(name)) return 'token';
  return /[a-z\d]_key$/.test(name) && !found.test(name) ? 'key' : null;
};

const nearWord = /pass_?(?:word|wd|phrase|code)|passw|pwd|secret|cred|(?:^|_)auth(?=_|$)/;

export const keyKind = (written: string): KeyKind => {
  let name = normal(written);
  const otherwise = nearWord.test(name) && !others.test(name) ? 'near' : null;
  for (let turn = 0; turn < 3; turn += 1) {
    const kind = kindOf(name);
    if (kind !== null) return kind;
    const shorter = name.replace(ending, '');
    if (shorter === name) return otherwise;
    name = shorter;
  }
  return otherwise;
};
