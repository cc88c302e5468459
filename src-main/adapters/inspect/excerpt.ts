// What is shown of the line in which a secret was found: the name of its value, and eight dots. Every word of it is in
// a list here, and every sign comes from this program, so that nothing of the file's own gets out: neither the value,
// nor its length, nor what else is on the line. A value may also consist of such words. So the name is the one that the
// search finds there, and it has to be where no value is. A line without such a name has no excerpt.
import type { FoundBy } from '../../contract/model.ts';
import type { Content } from '../../engine/ports/files.ts';
import { decode } from './decode.ts';
import { findAssignment } from './secrets/assignments.ts';
import { keyKind, keyWord } from './secrets/key-names.ts';
import { tokenRows } from './secrets/token-shapes.ts';
import { isReference, isStandIn } from './secrets/values.ts';

const dots = '••••••••';

/** Names further behind are not searched for. */
const lettersRead = 1000;
const mostShown = 40;

/** The parts of names. They reveal what a value is, not whose it is. */
const words = new Set(
  (
    'password passwords passwd passwort passphrase passcode pass pwd pw kennwort wachtwoord contraseña contrasena senha clave ' +
    'пароль パスワード 密码 密碼 口令 密钥 密鑰 secret secrets token tokens key keys credential credentials cred creds bearer auth oauth ' +
    'authorization authtoken apikey apikeys accesskey secretkey sharedkey dsn psk pepper salt mnemonic seed phrase pat ' +
    'connection string conn str identified by api access private public signing signature sign encryption encrypt encrypted ' +
    'decryption crypt crypto cipher master account shared storage service app application admin license session cookie jwt hmac ' +
    'mac hash aes rsa ssh host webhook deploy deployment subscription function nonce consumer client aws azure gcp gh github ' +
    'gitlab google slack root server user username login integration write read ingest ingestion instrumentation maps stripe ' +
    'sendgrid mailgun openai anthropic twilio datadog algolia rapidapi validation machine vault unseal recovery backup wallet ' +
    'wif ec node validator tls ssl certificate registry sas servicebus cosmos db database redis mysql postgres postgresql mongo ' +
    'mongodb mariadb rabbitmq kafka elastic search primary secondary personal developer dev bot http https firebase fcm vapid push ' +
    'turn stun rails django flask laravel symfony routing settings security data content base id prod production test testing ' +
    'staging stage live sandbox local default value smtp imap mail email ftp sftp ldap wifi wpa vpn proxy npm pypi docker ' +
    'heroku cloudflare digitalocean discord telegram twitter facebook spring datasource ds javax jdbc sql web site my new old ' +
    'current initial temporary bind sa set get with require requirepass material pre preshared'
  ).split(' '),
);

/** A name as it is written. */
const identifier = /[\p{L}\p{N}_.$-]+/gu;
/** Between marks, and in `camelCase`. */
const piece = /[\p{L}\p{N}]+/gu;
const part = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|[\p{Lo}\p{Lm}]+|\p{N}+/gu;

/** The sign that a value follows. */
const joint =
  /^\\?(["'`]?)[)\]]?(?:\[\d{0,4}\])?([ \t]{0,40})(?:(=>|:=|\?=|\+=|<-|=(?!=)|:(?!:))([ \t]?)|([>(|,→＝：]))/;

/** `<password encoding="x">`, with the parts of a joint. */
const inElement = /^()()(?:()())?[ \t][^<>]{0,120}(>)/;

/** `from`, `end`: its place on the line. `needsRoom`: the first word alone is a name, so the last could be a value. */
type Name = { shown: string; from: number; end: number; needsRoom: boolean };

const isKnown = (text: string): boolean => {
  const parts = text.match(part) ?? [];
  return parts.join('') === text && parts.every((one) => words.has(one.toLowerCase()));
};

/**
 * The end of a name, as far as its pieces are known words: `…db_password` of `acme_db_password`. Null: it has none. A
 * number at the end is left out. A piece must be known as a whole: a value that runs into a name is no part of it.
 */
const knownEnd = (written: string): string | null => {
  const pieces = [...written.matchAll(piece)];
  if (/^\d{1,3}$/.test(pieces.at(-1)?.[0] ?? '')) pieces.pop();
  const last = pieces.at(-1);
  if (last === undefined) return null;
  const to = last.index + last[0].length;
  const firstUnknown = pieces.findLastIndex(({ 0: one, index }) => !isKnown(one) || to - index > mostShown);
  const first = pieces[firstUnknown + 1];
  if (first === undefined) return null;
  return (firstUnknown === -1 ? '' : '…') + written.slice(first.index, to);
};

type IsMeant = (shown: string) => boolean;

const isSecret: IsMeant = (shown) => keyKind(shown.replace('…', '')) !== null;
/** Beside a value that is known by its shape, any key may be its name: `"key": …`, `"AccessKeyId": …`. */
const mayBeSecret: IsMeant = (shown) => shown.search(keyWord) !== -1;

const plainWord = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+)$/u;

/** The names of secrets on the line, in their order. `Secret access key` is one name. */
const namesIn = (line: string, isMeant: IsMeant): Name[] => {
  const names: Name[] = [];
  let before: Name = { shown: '', from: 0, end: -1, needsRoom: false };
  for (const { 0: written, index } of line.matchAll(identifier)) {
    const known = knownEnd(written) ?? '';
    const end = index + written.length;
    const isNext = before.shown !== '' && before.end + 1 === index && line[index - 1] === ' ';
    const isPhrase = isNext && plainWord.test(known) && before.shown.length + known.length < mostShown;
    const name: Name = isPhrase
      ? {
          shown: `${before.shown} ${known}`,
          from: before.from,
          end,
          needsRoom: before.needsRoom || isMeant(before.shown),
        }
      : { shown: known, from: index, end, needsRoom: false };
    if (isMeant(known) || isMeant(name.shown) || isMeant(written)) names.push(name);
    before = /[^\p{L}]/u.test(name.shown.replaceAll(' ', '')) ? { ...name, shown: '' } : name;
  }
  return names;
};

/** Matches up to the end of a quote: an escaped or doubled quote does not end it. */
const inQuotes: Record<string, RegExp> = {
  '"': /^(?:[^"\\]|\\.|"")*/,
  "'": /^(?:[^'\\]|\\.|'')*/,
  '`': /^(?:[^`\\]|\\.|``)*/,
  '\\': /^(?:(?!\\["'`]).)*/,
};

/** Ends at its quote, at a blank behind `name=`, or at a mark that ends the value: a password may be several words. */
const valueAt = (line: string, start: number, isTight: boolean): { value: string; end: number } => {
  const [before, escape = '', quote = ''] =
    /^[ \t]{0,8}(?:[[({][ \t]{0,4})?(?:[A-Za-z@&]{1,2}(?=["'`]))?(?:(\\?)(["'`]))?/.exec(
      line.slice(start),
    ) ?? [''];
  const from = start + before.length;
  const form = inQuotes[escape === '' ? quote : escape] ?? (isTight ? /^[^\s<>,;|]*/ : /^[^<>,;|]*/);
  const value = form.exec(line.slice(from))?.[0] ?? '';
  return { value: value.trim(), end: from + value.length };
};

/** A name with the same letters as its value would reveal the value. */
const isInName = (shown: string, value: string): boolean => {
  const [name = '', other = ''] = [shown, value].map((text) =>
    text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''),
  );
  return other.length > 2 && name.includes(other);
};

/** At the start of a string, of a cell, or of a password in an address, `token=…` may be a value. */
const mayBeValue =
  /(?:(?<!\/):|(?<!\bEnvironment|--[\w-]{1,30})=|[>|])[ \t]{0,20}["'`]?$|,[ \t]{0,20}["'`]$|:\/\/$/;

/** The marks between a name and its value may also separate values: the text around them decides which it is. */
const isNameBy = (mark: string, before: string, after: string): boolean => {
  if (mark === ',')
    return /\([ \t]{0,20}["'`]$/.test(before) || /^["'`]?,[ \t]{0,20}["'`]?value\b/i.test(after);
  if (mark === '|') return /^[\s|*_`"'>]{0,20}$/.test(before);
  if (mark === '>') return /<(?:\w{1,20}:)?$|=["']$/.test(before);
  return mark !== '' || /^(?:[ \t"'`\r]|$)/.test(after);
};

type Shown = { text: string | null; isStrong: boolean; isOpen: boolean; end: number };

/** A name with its sign, and where its value ends. `isStrong`: nothing but a value follows such a sign. */
const shownOf = (line: string, { shown, from, end, needsRoom }: Name): Shown => {
  const after = line.slice(end);
  const element = line[from - 1] === '<' ? inElement.exec(after) : null;
  const [whole = '', quote = '', before = '', sign = '', behind = '', mark = ''] =
    element ?? joint.exec(after) ?? [];
  const isTight = sign !== '' && behind === '';
  const isStrong = sign !== '' || /[→＝：]/.test(mark);
  const { value, end: to } = valueAt(line, end + whole.length, isTight || whole === '');
  const isHidden =
    shown === '' ||
    isInName(shown, value) ||
    (needsRoom && (!isStrong || isTight)) ||
    (isTight && quote === '' && mayBeValue.test(line.slice(0, from))) ||
    (!isStrong && !isNameBy(mark, line.slice(0, from), after));
  const opening = mark === '>' && quote === '' ? '<' : quote;
  const room = before === '' || sign === '' ? '' : ' ';
  const text =
    whole === ''
      ? `${shown} ${dots}`
      : `${opening}${shown}${quote}${room}${sign}${mark}${behind === '' ? '' : ' '}${dots}`;
  const isOpen = value === '' || !(isReference(value) || isStandIn(value));
  return { text: isHidden ? null : text, isStrong, isOpen, end: to };
};

/**
 * The name at this place; -1: the first one whose value could be real. Text in the place of an earlier name's value is
 * no name: a password may be any words, with any signs.
 */
const assigned = (line: string, isMeant: IsMeant, at: number): string | null => {
  let first: string | null = null;
  let cover: { from: number; to: number; text: string | null } = { from: 0, to: 0, text: null };
  for (const name of namesIn(line, isMeant)) {
    const isCovered = name.from >= cover.from && name.from < cover.to;
    const { text, isStrong, isOpen, end } = shownOf(line, name);
    if (at >= name.from && at < name.end) return isCovered ? cover.text : text;
    if (isCovered || !isStrong) continue;
    if (at === -1 && isOpen) return text;
    first ??= text;
    cover = { from: name.end, to: end, text };
  }
  return at === -1 ? first : null;
};

/** Their values have a form without words in it. Where any other rule finds one, what looks like a name may be the value. */
const showsNames = new Set([
  ...tokenRows.map(({ rule }) => rule),
  ...['jwk', 'registry', 'token', 'webhook'],
]);

const armour = /-----BEGIN ((?:(?:RSA|DSA|EC|OPENSSH|ENCRYPTED|PGP|SSH2) ){0,2})PRIVATE KEY( BLOCK)?-----/;

const address =
  /(?<!\w)(postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|redis|rediss|amqp|amqps|https?|ftps?|sftp|ssh|smtps?|imaps?|ldaps?|mqtts?|git|wss?|nats|kafka|mssql|sqlserver|clickhouse|socks5):\/\//;

/** The first line of this text, in the form that may be shown; null: nothing of it may be shown. */
export const masked = (text: string, rule: string): string | null => {
  const read = text.slice(0, lettersRead);
  const line = /^[^\n]*/.exec(read)?.[0] ?? '';
  const key = armour.exec(line);
  if (key !== null) return `-----BEGIN ${key[1] ?? ''}PRIVATE KEY${key[2] ?? ''}----- ${dots}`;
  // Earlier versions held rows by the second name.
  const isAddress = rule === 'address' || rule === 'database-connection-string';
  const scheme = isAddress ? address.exec(line)?.[1] : undefined;
  if (scheme !== undefined) return `${scheme}://${dots}`;
  if (showsNames.has(rule)) return assigned(line, isSecret, -1) ?? assigned(line, mayBeSecret, -1);
  const at = rule === 'assignment' ? findAssignment(read) : -1;
  return at === -1 ? null : assigned(line, isSecret, at);
};

export const excerptOf = ({ bytes }: Content, { rule, line }: FoundBy): string | null => {
  if (line === null) return null;
  const text = decode(bytes);
  let from = 0;
  for (let at = 1; at < line; at += 1) {
    from = text.indexOf('\n', from) + 1;
    if (from === 0) return null;
  }
  // Some rules also count other line ends than a line feed, so the number may mean another line.
  if (/\r(?!\n)|[\u2028\u2029]/.test(text.slice(0, from))) return null;
  return masked(text.slice(from), rule);
};
