// A name that means password, token or key, and a value that could be one: in any form of configuration, code or prose.
// The text is searched once, from name to name; how much is read around each of them is bounded.
import { keyKind, keyWord, type KeyKind } from './key-names.ts';
import { isPassphrase, isPassword, isRandom, isStrong, type SecretValue } from './values.ts';

/** Letters of a name. Spaces only between few words of prose, as in a header of a table. */
const nameLetter = /[\p{L}\p{N}_.$-]/u;
const longestName = 80;

/** The forms between a name and its value. `first`: the letters that one may begin with, so that most are not tried. */
const joints: readonly { first: string; form: RegExp; isLoose?: true }[] = [
  // <password>…   <td>Password</td><td>…   <entry key="password">…
  {
    first: '>"\'',
    form: /["']?(?:\s[^<>\n]{0,80})?>\s{0,20}(?:(?:<\/[\w:]{1,40}>\s{0,40})?<[\w:]{1,40}(?:\s[^<>\n]{0,80})?>\s{0,20}){0,2}(?:<!\[CDATA\[)?/y,
  },
  // <key>password</key><string>…   <Key>Password</Key><Value x="y">…   The value of <password> is its own.
  {
    first: '<',
    form: /<\/[\w:]{1,40}>\s{0,40}<(?![\w:]{0,30}(?:pass|pwd|secret|token))[\w:]{1,40}(?:\s[^<>\n]{0,80})?>\s{0,20}/iy,
  },
  // name: password⏎ value: …   name="password" value="…"   'name' => 'password', 'value' => …
  {
    first: '\\"\', \t\r\n',
    form: /\\?["']?,?\s{0,40}\\?["']?(?:value|Value|ParameterValue|defaultValue|default|val|content|connectionString|string|data)\\?["']?\s{0,4}(?:=>|[:=])\s{0,9}/y,
  },
  // password = …   "password": …   password := …   :password => …   pass[] = …   pass: |⏎   **Password:** …
  {
    first: '\\"\'`)] \t?!=:+<[→＝：',
    form: /\\?["'`)\]]{0,2}(?:\[\d{0,4}\])?[ \t]{0,40}[?!]?(?:=>|:=|\?=|\+=|<-|:(?![:=?])|=(?!=)|→|＝|：)[*_]{0,3}[ \t]{0,40}(?:(?:[|>][-+]?|\\)?[ \t]{0,4}\r?\n[ \t]{1,40}(?:- )?|[[({]\s{0,20}(?=["']))?(?:(?:b|r|u|f|L|@|N)(?=["'])|&?(?:str|new|String|Buffer)?\.?(?:from|of|valueOf)?\(?)/y,
  },
  // password: String = …   apiKey string = …
  {
    first: ' \t?!:',
    form: /[ \t]{0,3}[?!]?(?::[ \t]{0,3}[\w&' .<>?|[\]]{1,40}|[ \t](?:string|text|String|As String))[ \t]{0,9}=(?!=)[ \t]{0,9}/y,
  },
  // variable "db_password" { default = … }   "db_password": { "value": … }   DbPassword:⏎ Type: String⏎ Default: …
  {
    first: '"\' :',
    form: /["']?[ \t]{0,3}(?::\s{0,3}\{|[:{])[^{}]{0,160}?\b(?:[Dd]efault|value)["']?[ \t]{0,20}[:=][ \t]{0,20}/y,
  },
  // "gitlab-token": { "gitlab.com": … }
  { first: '"', form: /"\s{0,4}:\s{0,4}\{\s{0,20}"[\w-]{1,40}(?:\.[\w-]{1,40}){1,4}"\s{0,4}:\s{0,4}/y },
  // Password:⏎…   in a mail
  {
    first: ':',
    form: /:[ \t]{0,9}(?:[\r\n\u2028]{1,6}[ \t]{0,9}){1,3}(?=[^\s=:]{6,100}[ \t]{0,9}(?:[\r\n\u2028]|$))/y,
    isLoose: true,
  },
  // {password, <<"…">>}
  { first: ',', form: /,[ \t]{0,3}<<(?=")/y },
  // set :password, '…'
  { first: ',', form: /,[ \t]{1,4}(?=["'])/y },
  // password⏎V 24⏎…   in Subversion's store
  { first: '\r\n', form: /\r?\nV \d{1,3}\r?\n/y },
  // define('DB_PASSWORD', '…')   setenv("TOKEN", "…")
  { first: '"\'`', form: /["'`][ \t]{0,9},\s{0,20}(?=["'`])/y },
  // setPassword("…")   .password("…")
  { first: '(', form: /\((?=["'`])/y },
  // PASSWORD '…'   #define API_KEY "…"
  { first: ' \t', form: /[ \t]{1,20}(?:=|BY |-String )?(?=["'])/y },
  // | Password | … |   Password⇥…
  { first: '*_`"\' \t|', form: /[*_`"']{0,3}[ \t]{0,40}(?:\||\t)[ \t]{0,40}[*_`]{0,3}/y },
  // The password is …   Das Passwort lautet …
  {
    first: ' \t',
    form: /[ \t]{1,4}(?:is now|will be|is|was|are|ist|lautet|war|es|est|é|→|-|–|—)[ \t:]{1,4}[*_`]{0,3}/y,
    isLoose: true,
  },
];
/** <password encoding="base64">…: the element of a name. */
const inElement = /\s[^<>\n]{0,120}>\s{0,20}(?:<!\[CDATA\[)?/y;

/** A name that is followed directly by its value. */
const apart = /[ \t]{1,20}(?:\d[ \t]|ENC[ \t]|--?[\w-]{1,20}[ \t]{1,9})?/y;
const user = /[ \t]{1,20}[\w.@-]{1,40}[ \t]{1,20}/y;
/** An argument; the first name of its line, as in .netrc; a command that sets a name. */
const settingCommands =
  /^(?:ENV|ARG|setx|setenv|export|set|#define|config|enable|username|user|login|machine|default|ppp|option|d-i|rootpw|SetEnv|crypto|snmp-server|radius-server|tacacs-server|-e)$/i;
const option = /(?:^| )-[^ ]*$/;
const takesApart = (before: string, name: string): boolean => {
  if (option.test(name)) return true;
  const words = before
    .slice(before.lastIndexOf('\n') + 1)
    .trim()
    .split(/\s+/, 9);
  return words[0] === '' || (words.length <= 8 && settingCommands.test(words[0] ?? ''));
};

const quoted = /\\?(["'`])((?:(?!\1|\\\1|\\?\n|\u2028).){4,100})/y;
const bare = /[^\s"'`<>,;|\u2028]{4,100}/y;
/** What kubeseal makes: encrypted with the key of a cluster, made to be published. */
const sealed = /Ag[A-D][\w+/]{600}/y;
/** What may follow the value on a line without quotes. */
const restOfLine = /[ \t]{0,40}(?:$|[#;]|\/\/|--|\||<|\/\*|,[ \t]*$|["'`])/my;

const at = <T extends RegExp>(pattern: T, text: string, position: number): RegExpExecArray | null => {
  pattern.lastIndex = position;
  return pattern.exec(text);
};

type Found = SecretValue & { isWholeLine: boolean };

/** `endsAtBlank`: an equals sign precedes the value, or it is an argument. */
const valueAt = (text: string, position: number, endsAtBlank: boolean): Found | null => {
  const inQuotes = at(quoted, text, position);
  if (inQuotes !== null) return { text: inQuotes[2] ?? '', isQuoted: true, isWholeLine: true };
  const one = at(bare, text, position)?.[0];
  if (one === undefined || at(sealed, text, position) !== null) return null;
  const end = position + one.length;
  const isWholeLine = at(restOfLine, text, end) !== null || (endsAtBlank && /[\s,&;]/.test(text.charAt(end)));
  const inner = /^\{([^{}]+)\}$/.exec(one)?.[1];
  return {
    text: inner ?? one.replace(/^(?:base64:|[“„«‘])|[\\)}\].”“»’]{1,3}$/g, ''),
    isQuoted: inner !== undefined,
    isWholeLine,
  };
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const isReal = (kind: KeyKind, value: Found, isLoose: boolean): boolean => {
  if (kind === null) return false;
  if (kind === 'near') return value.isWholeLine && (isStrong(value.text) || isRandom(value));
  if (kind === 'key') return value.text.length >= 20 && !uuid.test(value.text) && isRandom(value);
  if (kind === 'token' && value.isWholeLine && isStrong(value.text)) return true;
  if (kind === 'token' || !(value.isWholeLine || isLoose)) return isRandom(value);
  if (kind === 'password' && isPassphrase(value.text)) return true;
  return isLoose && !/\d/.test(value.text) ? false : isPassword(value);
};

/** `Authorization: Bearer …`, `token …`, `Basic …`; the value follows. */
const scheme =
  /(?:Bearer|Token|Basic|ApiKey|Api-Key|GenieKey|SSWS|Key|Splunk|OAuth|Digest|AccessKey|Bot)(?:[ \t]|%20|\+|\\u0020)(?:token=)?["']?/iy;

const isBasic = (text: string): boolean =>
  /^[\w+/-]{6,}={0,2}$/.test(text) &&
  /^[\x20-\x7e]{1,100}:[\x20-\x7e]{4,200}$/.test(Buffer.from(text, 'base64').toString('latin1'));

/** Where the name around a word begins and ends. */
const nameAround = (text: string, from: number, to: number): [from: number, to: number] => {
  let [start, end] = [from, to];
  while (start > from - longestName && start > 0 && nameLetter.test(text.charAt(start - 1))) start -= 1;
  while (end < to + longestName && end < text.length && nameLetter.test(text.charAt(end))) end += 1;
  // Words of a title: `Secret access key`, `API key`, `mot de passe`.
  const before = /[A-Za-z]{1,12}[ ](?:[A-Za-z]{1,12}[ ])?$/.exec(text.slice(Math.max(0, start - 26), start));
  return [before === null ? start : start - before[0].length, end];
};

/** Whether a value of this kind follows the name that ends here. */
const followsAt = (text: string, start: number, end: number, kind: KeyKind): boolean => {
  const first = text.charAt(end);
  const isArgument = /\s(?:\/|--?)$/.test(
    text.slice(Math.max(0, start - 3), start + (text.charAt(start) === '-' ? 1 : 0)),
  );
  for (const joint of joints) {
    const length = joint.first.includes(first) ? at(joint.form, text, end)?.[0].length : undefined;
    if (length !== undefined && isValueAt(text, end + length, kind, joint.isLoose, isArgument)) return true;
  }
  const element = text.charAt(start - 1) === '<' ? at(inElement, text, end)?.[0].length : undefined;
  if (element !== undefined && isValueAt(text, end + element, kind)) return true;
  const gap = kind === 'near' ? undefined : at(apart, text, end)?.[0].length;
  if (gap === undefined) return false;
  const value = valueAt(text, end + gap, false);
  const name = text.slice(start, end);
  if (!takesApart(text.slice(Math.max(0, start - longestBefore), start), name))
    return kind === 'password' && isStrong(value?.text ?? '');
  // An argument ends at a blank.
  if (value !== null && isReal(kind, { ...value, isWholeLine: true }, !option.test(name))) return true;
  // password root …
  const behindUser = kind === 'password' ? at(user, text, end)?.[0].length : undefined;
  return behindUser !== undefined && isStrong(valueAt(text, end + behindUser, false)?.text ?? '');
};

const isValueAt = (
  text: string,
  position: number,
  kind: KeyKind,
  isLoose = false,
  isArgument = false,
): boolean => {
  if (kind === 'token') {
    const quote = /["'`]/.test(text.charAt(position)) ? 1 : 0;
    const named = at(scheme, text, position + quote);
    const behind = named === null ? null : valueAt(text, named.index + named[0].length, false);
    if (behind !== null && (isRandom(behind) || isBasic(behind.text))) return true;
  }
  const value = valueAt(text, position, isArgument || text.charAt(position - 1) === '=');
  return value !== null && (isReal(kind, value, isLoose) || (kind === 'token' && isBasic(value.text)));
};

/** How much of the line before a name is read. */
const longestBefore = 160;

/** Kept, because the same names occur again and again. */
const known = new Map<string, KeyKind>();
const mostKnown = 5000;
const kindOf = (name: string): KeyKind => {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size === mostKnown) known.clear();
  // A random word may end like a name.
  const isChance = /\d/.test(name) && isRandom({ text: name, isQuoted: true });
  const kind = isChance ? null : keyKind(name);
  known.set(name, kind);
  return kind;
};

/** For a value that is apart from its name. */
export const isValueOf = (name: string, text: string): boolean =>
  isReal(kindOf(name), { text, isQuoted: true, isWholeLine: true }, false);

/** `?key=…`, `--key …`, `-Key …`: elsewhere a key alone finds something. */
const isParameter = (text: string, start: number, name: string): boolean =>
  /^-{1,2}key$/i.test(name) || (/^key$/i.test(name) && /[?&]/.test(text.charAt(start - 1)));

/** How many names are tried in one piece of a text; a text that is full of such names is data. */
const mostNames = 1500;

/** Where the first such name begins, or -1. */
export const findAssignment = (text: string): number => {
  let behind = 0;
  let names = 0;
  for (const { 0: word, index } of text.matchAll(keyWord)) {
    if (index < behind) continue;
    const [start, end] = nameAround(text, index, index + word.length);
    behind = end;
    const written = text.slice(start, end);
    const bareName = written.slice(written.lastIndexOf(' ') + 1);
    const kind =
      kindOf(bareName) ??
      (bareName === written ? null : kindOf(written)) ??
      (isParameter(text, end - bareName.length, bareName) ? 'key' : null);
    if (kind === null) continue;
    if (followsAt(text, start, end, kind)) return index;
    if ((names += 1) === mostNames) break;
  }
  return -1;
};
