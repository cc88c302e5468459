// Addresses and connection strings that have a password in them.
import { sieveOf } from './sieve.ts';
import { isGiven, isIdentifier, isPassword, isRandom, isReference, isStandIn, isStrong } from './values.ts';

/** RFC 3986: user information before the host, for any scheme. */
const userInfo = /([^\s:@/'"<>`{}]{0,80}):([^\s@/'"<>`]{3,200})@[\w[%]/y;

/** A token in place of the user: `trojan://…@host`, `https://…@git.host`. */
const tokenInfo = /([\w-]{20,120}={0,2})@[\w[]/y;

/** These addresses are written with a real user and password; a password that a person chose counts too. */
const database = /(?:mongodb(?:\+srv)?|mysqlx?|mariadb|postgres(?:ql)?)$/i;

/** Arguments of programs. `near`: one of these is in every text with this form. */
type Form = { near: readonly string[]; form: RegExp };

const others: readonly Form[] = [
  { near: ['@tcp('], form: /[\w.-]{1,60}:([^\s"'@:]{4,100})@tcp\(/g },
  { near: ['@unix('], form: /[\w.-]{1,60}:([^\s"'@:]{4,100})@unix\(/g },
  {
    near: ['login', 'allow ', 'uth'],
    form: /(?:\b(?:login|allow)|[Aa]uth)[ \t]{0,2}[=: ][ \t]{0,2}["']?[\w.@-]{1,60}:([^\s"':@]{6,100})/g,
  },
  { near: ['$USER'], form: /\$USER\d{1,2}\$=(\S{6,100})/g },
  // The input of a program.
  {
    near: ['echo ', 'printf '],
    form: /\b(?:echo|printf)\s{1,3}(?:-\w{1,3} )?["']?(?:[\w-]{1,32}:)?([^\s"'|]{6,64})["']?\s{0,3}\|[^\n|]{0,60}?(?:passwd|sudo -S|argon2|cryptsetup|secrets? (?:create|set|put)|(?:password|passphrase|token|key|pass)[ -](?:stdin|fd)|--with-token|--stdin|htpasswd -\w*i)/g,
  },
  // Impacket: domain/kim:…@host
  {
    near: ['.py ', 'impacket-'],
    form: /(?:\.py|impacket-\w{3,30})\s(?:[^\n]{0,200}?\s)?["']?[\w.-]{0,40}\/?[\w.$-]{1,40}:([^\s"'@:]{6,64})(?:@[\w.-]{1,80})?(?=["'\s]|$)/gm,
  },
  // Any program that takes a user and a password.
  {
    near: [' -p'],
    form: /\s(?:-[uUl]|--user(?:name)?)[ =]["']?[^\s"']{1,80}["']?\s(?:[^\n]{0,120}?\s)?-p[ =]["']?(?![^\s"']{0,60}:\d)([^\s"']{6,100})/g,
  },
  {
    near: ['login', 'auth'],
    form: /\b(?:login|auth(?:orize)?)\b[^\n]{0,200}?\s-[pst][ =]["']?([^\s"']{6,100})/g,
  },
  { near: ['%'], form: /\s-U ?["']?[\w\\/.-]{1,60}%([^\s"']{6,100})/g },
  { near: ['jdbc:oracle'], form: /jdbc:oracle:\w{2,6}:[\w.-]{1,60}\/([^\s"'@]{4,100})@/g },
  { near: ['createUser'], form: /\bcreateUser \S{1,60} \w{3,8} "?([^\s"]{8,100})/g },
  {
    near: ['root / ', 'dmin / ', 'istrator / '],
    form: /\b(?:admin|root|[Aa]dministrator) \/ ([^\s/]{6,60})/g,
  },
  {
    near: ['chpasswd'],
    form: /chpasswd[^\n]{0,30}\n(?:[^\n]{0,40}\n){0,3}?[ \t-]{0,12}["']?[\w-]{1,32}:([^\s"':]{6,60})/g,
  },
  {
    near: [' : EAP', ' : XAUTH', ' : PSK', ' : NTLM'],
    form: / : (?:EAP|XAUTH|PSK|NTLM)[ \t]{1,4}"?([^\s"]{6,100})/g,
  },
  { near: ['option key'], form: /\boption key ['"]?([^\s'"]{8,100})/g },
];

/** Lines of lists, each behind its line feed: so the search goes from one to the next. */
const lines: readonly Form[] = [
  { near: ['user = "'], form: /\n(?:proxy-)?user = "[^\s:"']{1,80}:([^\s"']{6,100})"/g },
  // sasl_passwd of Postfix; secrets of PPP; .pgpass
  {
    near: [':'],
    form: /\n\[?[\w-]{1,60}\.[\w.-]{1,60}\]?(?::\d{2,5})?[ \t]{1,40}[\w.@+-]{1,80}:([^\s:/=]{6,100})(?=\r?(?:\n|$))/g,
  },
  {
    near: ['*'],
    form: /\n"?[\w.@-]{1,60}"?[ \t]{1,20}(?:\*|[\w.-]{1,40})[ \t]{1,20}"?([^\s"]{6,60})"?[ \t]{1,20}\*[ \t]*(?=\r?(?:\n|$))/g,
  },
  {
    near: [':'],
    form: /\n[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*.-]{1,64}:[\w*.@-]{1,64}:(\S{4,100})(?=\r?(?:\n|$))/g,
  },
];

const mostTries = 200;

/** `new PDO('…', 'root', '…')`: the strings that follow the first one in a call that logs in. */
const calls = /\(\s{0,9}["'][^"'\n]{0,120}["']((?:,\s{0,9}["'][^"'\n]{0,120}["']){1,4})/g;
const logsIn =
  /(?:\b(?:mysqli|mysqli_connect|PDO|getConnection|Credentials?|HTTPBasicAuth|NetworkCredential|UsernamePasswordCredentials(?:Impl)?|connect|basic_?[Aa]uth|setBasicAuth|auth(?:enticate)?)|[Ll]ogin)\s?=?\s?$/;

/** Where the first address begins, or -1. */
export const findAddress = (text: string, { mayHave } = sieveOf(text)): number => {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    userInfo.lastIndex = at + 3;
    const [, user = '', password = ''] = userInfo.exec(text) ?? [];
    tokenInfo.lastIndex = at + 3;
    // Sentry's public address has a key of hexadecimal digits.
    const token = tokenInfo.exec(text)?.[1] ?? '';
    if (/[g-z]/i.test(token) && isRandom({ text: token, isQuoted: true })) return at;
    if (password === '' || password === user || isWrittenInPlace(password)) continue;
    if (database.test(text.slice(Math.max(0, at - 12), at)) || isGiven(unescaped(password))) return at;
  }
  const isThere = ({ near }: Form): boolean => near.some((one) => mayHave(one) && text.includes(one));
  const first = firstOf(others.filter(isThere), text) ?? firstOf(lines.filter(isThere), `\n${text}`);
  if (first !== null) return first;
  for (const { form, behind, isShort } of bySelf) {
    for (const { 1: value = '', index } of text.matchAll(form)) {
      if (!isStrong(value) && !(isShort?.test(text.slice(index, index + 6)) === true && isChosen(value)))
        continue;
      if (behind?.test(text.slice(Math.max(0, index - 124), index)) ?? true) return index;
    }
  }
  for (const { 1: rest = '', index } of text.matchAll(calls)) {
    if (!logsIn.test(text.slice(Math.max(0, index - 40), index))) continue;
    for (const [, one = ''] of rest.matchAll(/["']([^"']*)["']/g)) {
      if (isPassword({ text: one, isQuoted: true })) return index;
    }
  }
  return -1;
};

/** Places where only what is a password by itself counts. */
/** Of both cases, and words with a mark and a number, or no name. */
const isChosen = (text: string): boolean =>
  /^(?=.*[A-Z])(?=.*[a-z])/.test(text) &&
  (/[-_!#%*+].*\d\d/.test(text) || (text.length >= 12 && !isIdentifier(text))) &&
  isGiven(text);

const bySelf: readonly { form: RegExp; behind?: RegExp; isShort?: RegExp }[] = [
  // An argument of any program, behind its option. Behind a short one, names of both cases and numbers are rare.
  {
    isShort: /^-[A-Za-z]{1,4}[ =]/,
    form: /(?:-(?<=\s-)-?[A-Za-z][\w-]{0,24}|\/(?<=\s\/)[a-z]{1,8})[ =:]["']?(?:[\w.@\\-]{1,60}[:%,])?([^\s"'`<>|;,()\\]{8,64})(?=["'\s]|$)/g,
  },
  // kim:…   domain/kim:…@host   https:host:…
  {
    form: /:([^\s"'`<>|;,()\\@:/=]{8,64})(?=["'\s@]|$)/g,
    behind: /[\s"'=,][A-Za-z][\w.@/\\-]{1,60}(?::[\w.*-]{1,60})?$/,
  },
  // echo … | tool
  {
    form: /\b(?:echo|printf) (?:-\w{1,3} )?["']?(?:[\w.-]{1,40}:)?([^\s"'`<>|;,()\\]{8,64})["']? ?\|/g,
  },
];

const firstOf = (forms: readonly Form[], text: string): number | null => {
  for (const { form } of forms) {
    let tries = 0;
    for (const { 1: password = '', index } of text.matchAll(form)) {
      if (isGiven(password)) return index;
      if ((tries += 1) === mostTries) break;
    }
  }
  return null;
};

const unescaped = (password: string): string =>
  /%[0-9a-f]{2}/i.test(password) ? password.replace(/%[0-9a-f]{2}/gi, '#') : password;

const isWrittenInPlace = (password: string): boolean =>
  isReference(password) || isStandIn(unescaped(password));
