// Distinguishes a possible password or token from what is written in its place: a word, a reference, an example.

/** A value as it is written in a text. Quoted ones may have spaces, unquoted ones may be code. */
export type SecretValue = { text: string; isQuoted: boolean };

/** Names and filler that people write where a secret belongs. A value made of nothing else is no secret. */
const filler =
  /passwor[dt]|passwd|passphrase|passcode|passw0rd|pass|pwd|secret|token|apikey|api|access|private|public|credentials?|contrase\S{1,2}a|kennwort|example|sample|placeholder|dummy|change|hunter2|my|your|the|this|here|some|any|new|old|default|test(?:ing)?|demo|fake|mock|foo|bar|baz|admin|root|user(?:name)?|login|client|server|service|app|auth|oauth|jwt|bearer|key|value|string|strong|super|very|long|random|secure|safe|insert|replace|enter|put|use|with|for|me|not|real|set|local(?:host)?|prod(?:uction)?|dev(?:elopment)?|staging|postgres(?:ql)?|mysql|redis|mongo|data|database|db|abcdef\w{0,2}|qwerty|asdf|letmein|welcome|x{3,}|0{3,}|(?:012|12)3(?:4(?:5(?:6(?:7(?:8(?:90?)?)?)?)?)?)?|abc|id/gi;

/** What is written into examples and never into a real value. */
const example =
  /e?xample|place.?holder|redacted|change.?(?:me|this|it)|your[-_ .]|[-_<]your|dummy|insert|replace|xxxx|\*\*\*|\.\.\.|…|•••|to-?do|not-?(?:a-)?real|0123456|1234567|abcdefg|deadbeef|lorem|(?:^|[^a-z])(?:sample|fake|mock)(?:[^a-z]|$)/i;

/** What refers to a secret that is kept elsewhere, or contains it only encrypted. */
const reference =
  /^(?:\$\w+$|\$[{(]|%[\w.]+%|!!|![A-Za-z/]+$|<|\{\{|@@|@[\w.-]+@$|#\{|__\w+__$|(?:env|vault|ssm|arn|op|file|secret|secretref|keyring|keychain|sops|gcp-sm|awssm|kms|ref|bitwarden|pass):|(?:enc|env|config|vault|file|var|secret|lookup|getenv|encrypted)[[(]|\{cipher\}|\{enc|process\.env|os\.environ|import\.meta|[a-z][a-z0-9+.-]{1,20}:\/\/[^:@\s]*$|sha(?:1|256|384|512)[-:]|(?:data|urn|image|text|application)[:/]|--)|\$\{|\{\{|<%|\$\(|#\{|@Microsoft\.KeyVault/i;

/** One key of 64 in base64 begins with a slash, too: `isPath` looks whether it has words in it. */
const pathShape = /^[\\/](?:[\w .@-]{1,40}[\\/])*[\w .@-]{0,60}$/;
const path =
  /^(?:~|\.{1,2})[\\/](?:[\w .@-]{1,40}[\\/])*[\w .@-]{0,60}$|^[a-z]:[\\/]|\.(?:pem|key|txt|json|ya?ml|env|crt|js|ts|py|php|html?|css|svg|png|com|org|net|io)$/i;

const member = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+(?![\w$]|[#@%^~!]\d)/;
/** `Harbor.saddle9013`: no member and no host ends so, other than with the name of a form. */
const endsInNumber = /[A-Za-z]\d{2,}$(?<!(?:sha|base|utf|u?int|float|aes|rsa|x|v)\d{2,4})/i;
/** `amzn1.oa2-cs.v1.6f3a…` */
const hasRandomPart = (text: string): boolean =>
  text.split('.').some((part) => part.length >= 16 && /(?:\d\D*){3}/.test(part) && wordShare(part) < 0.5);
const isMember = (text: string): boolean =>
  member.test(text) && !endsInNumber.test(text) && !hasRandomPart(text);

/** Code: a call, a member, an element. */
const codeSign = /[\w$]\(|\)$|=>|\w\[|\]$|[{}]|^[&*|]|==(?=.)|&&|\|\||::|->/;

const isCode = (text: string): boolean => codeSign.test(text) || isMember(text);

const distinct = (text: string): number => new Set(text).size;

/** True for what is written in place of a secret and is none. */
export const isStandIn = (text: string): boolean => {
  if (example.test(text) || distinct(text) < 5) return true;
  const rest = text.replace(filler, '').replace(/[^A-Za-z0-9\u0080-\uffff]/g, '');
  return rest.length < Math.min(5, text.length / 2);
};

export const isReference = (text: string): boolean => reference.test(text) || isPath(text);

const isPath = (text: string): boolean =>
  path.test(text) || (pathShape.test(text) && (text.length < shortestSecret || wordShare(text) >= 0.5));
const shortestSecret = 8;

/** The share of letters and digits that reads as words, 0 to 1: `oauthClientName2` nearly 1, a random token 0.3. */
const wordShare = (text: string): number => {
  let [letters, inWords] = [0, 0];
  for (const [piece] of text.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\w]+/g)) {
    if (!/\w/.test(piece)) continue;
    letters += piece.length;
    if (/^\d/.test(piece) ? piece.length > 6 : isPronounceable(piece)) inWords += piece.length;
  }
  return letters === 0 ? 1 : inWords / letters;
};

const isPronounceable = (piece: string): boolean => {
  if (piece.length < 3) return false;
  const vowels = piece.match(/[aeiouy]/gi)?.length ?? 0;
  const share = vowels / piece.length;
  return share >= 0.16 && share <= 0.7 && !/[^aeiouy]{5}/i.test(piece);
};

/** `set_private_key_sha512`: at least three words that make up most of the text. */
const isOfWords = (text: string): boolean => {
  const words = text
    .split(/[^A-Za-z]+/)
    .filter((part) => /^[A-Za-z]?[a-z]{2,}$|^[A-Z]{3,}$/.test(part) && isPronounceable(part));
  return words.length >= 3 && words.join('').length > text.length / 2;
};

/** `PKCS12ShroudedKeyBagStr`: its parts have three letters and more, those of a random text fewer than two. */
export const isIdentifier = (text: string): boolean =>
  (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)?.length ?? 0) <= text.length / 3;

/** Parts with digits within, one word with digits at four places, or of both cases and no words: by chance its parts can be pronounced. */
const isScattered = (text: string): boolean =>
  /(?<![A-Za-z0-9])(?=[A-Za-z0-9]{20})\d{0,4}(?:[A-Za-z]{1,20}\d{1,4}){4}/.test(text) ||
  text.split(/[-_.]/).filter((part) => part.length >= 6 && /\d[a-z]/i.test(part)).length >= 3 ||
  (/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9]{20,}$/.test(text) && !isIdentifier(text));

/** Bits per letter, by how often each letter occurs. */
const entropy = (text: string): number => {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
};

const longest = 256;

/** Has all kinds of characters, like the salts of WordPress and the key of Django. Blanks and brackets need quotes. */
const isOfAllSigns = ({ text, isQuoted }: SecretValue): boolean => {
  if (!isQuoted || text.length < 32 || text.length > longest || !/^[\x20-\x7e]+$/.test(text)) return false;
  const marks = text.match(/[^\w\s]/g) ?? [];
  const inWords = (text.match(/[A-Za-z]{4,}/g) ?? []).join('').length;
  const isMixed = /\d/.test(text) && /[a-z]/.test(text) && marks.length >= 6 && new Set(marks).size >= 5;
  return isMixed && inWords < text.length * 0.4 && entropy(text) >= 4.2 && !example.test(text);
};

/** Made by a machine: a token or a key, of at least 16 letters. */
export const isRandom = (value: SecretValue): boolean => {
  const { text, isQuoted } = value;
  if (isOfAllSigns(value)) return true;
  if (text.length < 16 || text.length > longest || !/^[\w+/=.~:@!#$%^&*?|,;-]+$/.test(text)) return false;
  const hasDigit = /\d/.test(text);
  const isHex = /^[a-f0-9-]+$/i.test(text);
  const isMixed = hasDigit ? /[A-Za-z]/.test(text) : /[a-z]/.test(text) && /[A-Z]/.test(text);
  if (!isMixed || entropy(text) < (isHex ? 2.6 : 3)) return false;
  if (!isHex && !isScattered(text) && (wordShare(text) >= 0.7 || isOfWords(text))) return false;
  return !isReference(text) && !isStandIn(text) && (isQuoted || !isCode(text));
};

/** Made by a machine or a person: at least 8 letters of two kinds, or 6 of three. */
export const isPassword = (value: SecretValue): boolean => {
  const { text, isQuoted } = value;
  if (isRandom(value)) return true;
  if (text.length < 6 || text.length > 128) return false;
  // A sentence is no password.
  if (/[ \n\t]/.test(text) || /^[,;)\].]/.test(text)) return false;
  const hasLetter = /[A-Za-z\u0080-\uffff]/.test(text);
  const hasDigit = /\d/.test(text);
  const hasMark = /[!@#$%^&*+?~=]/.test(text.slice(0, -1)) || /[!#$%^&*?]$/.test(text);
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  const kinds = [hasLetter, hasDigit, hasMark, isMixed].filter(Boolean).length;
  if (!hasLetter || kinds < (text.length < 8 ? 3 : 2)) return false;
  if (!hasDigit && !hasMark && (text.length < 12 || (wordShare(text) >= 0.4 && isIdentifier(text))))
    return false;
  const isPlain = isSimple(text) && !(text.includes('.') && endsInNumber.test(text) && isMixed);
  return !isPlain && !isReference(text) && !isStandIn(text) && (isQuoted || !isCode(text));
};

/**
 * A password that no name needs to be beside: of letters, a digit and a mark that names and paths do not have, or of
 * both cases with digits between the letters.
 */
export const isStrong = (text: string): boolean => {
  if (!/^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d!][\w!#$%^&*?@~+.-]{7,63}$/.test(text)) return false;
  if (
    /%[\da-f]{2}|%\d*[sdx]|\$[a-z_]|[*?][.*]|\.[*?]|[?&]\w+$|@[\w-]+\.[a-z]|\d\.\d+\.\d|([#&?*%^])\w+\1\w|^[a-z]+(?:-[a-z\d]+)+!$/i.test(
      text,
    )
  )
    return false;
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
  const isScatteredHere =
    isMixed && text.length >= 10 && (text.match(/\d/g)?.length ?? 0) >= 2 && wordShare(text) < 0.5;
  const isKnownForm = isSimple(text) || isReference(text) || isStandIn(text) || isMember(text);
  return !isKnownForm && (/[!#%^&*?]/.test(text) || (isScatteredHere && !isIdentifier(text)));
};

/**
 * Words and a number with marks between them, as programs offer them: `river-garden-42`; the password of an app, four
 * times four letters. After other names this may be a name itself.
 */
export const isPassphrase = (text: string): boolean =>
  /^(?:[A-Za-z]{2,14}([-_.])[A-Za-z]{2,14}(?:\1[A-Za-z]{2,14}){0,5}\1\d{2,4}|[a-z]{4}(?:-[a-z]{4}){3})$/.test(
    text,
  ) &&
  !isReference(text) &&
  !isStandIn(text);

/** What stands in a place that is only for a password. */
export const isGiven = (text: string): boolean => isPassphrase(text) || isPassword({ text, isQuoted: true });

/** A type, a name with a number, a date, a version, a measure: no password, although it has two kinds of characters. */
const isSimple = (text: string): boolean =>
  /^(?:[a-z]{2,12}\d{1,2}|v?\d+(?:\.\d+)+\S{0,8}|\d{4}-\d\d-\d\d\S*|\d+[A-Za-z]{1,3}|[a-z]+(?:[-_.](?:[a-z]+|\d{1,2}))+|[\w*-]+(?:\.[\w*-]+)+(?::\d+)?|[A-Z_]+\d?|(?:ISO|UTF|SHA|MD|AES|RSA|PBKDF2|HMAC|Windows|CP)[-_\w]{1,14}|#[0-9a-f]{6,8}|0x[0-9a-fA-F]+|[\w.-]+@[\w-]+\.[a-z]{2,}|text\/\w+|[A-Za-z]+[!?=]+)$/.test(
    text,
  );
