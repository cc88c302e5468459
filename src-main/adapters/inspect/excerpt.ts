// What is shown of the line in which a secret was found: how its value is called, and eight dots. Every word of it stands in
// a list here, and every sign is one of this program, so that nothing of the file's own gets out: neither the value, nor
// its length, nor what else is on the line. Where a line has no such name, there is no excerpt.
import type { FoundBy } from '../../contract/model.ts';
import type { Content } from '../../engine/ports/files.ts';
import { decode } from './decode.ts';
import { keyKind, keyWord } from './secrets/key-names.ts';
import { isReference, isStandIn } from './secrets/values.ts';

const dots = '••••••••';

/** A name further behind is not looked for. */
const lettersRead = 500;
const mostShown = 40;

/** The parts of names. They say what a value is, not whose. */
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
    'current initial temporary bind sa set get with is require requirepass material pre preshared'
  ).split(' '),
);

/** A name as it is written. */
const identifier = /[\p{L}\p{N}_.$-]+/gu;
/** Between marks, and in `camelCase`. */
const piece = /[\p{L}\p{N}]+/gu;
const part = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+|\p{N}+/gu;

/** What says that a value follows. */
const joint =
  /^\\?(["'`]?)[)\]]?(?:\[\d{0,4}\])?([ \t]{0,40})(?:(=>|:=|\?=|\+=|<-|=(?!=)|:(?!:))([ \t]?)|([>(|,→＝：]))/;

type Name = { shown: string; end: number };

const isKnown = (text: string): boolean =>
  (text.match(part) ?? ['']).every((one) => words.has(one.toLowerCase()));

/**
 * The end of a name as far as its pieces are known words: `…db_password` of `acme_db_password`. Null: it has none. A number at
 * its end is left out. A piece is known as a whole: a value that runs into a name is no part of it.
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
/** Beside a value that is known by its shape any key may stand: `"key": …`, `"AccessKeyId": …`. */
const mayBeSecret: IsMeant = (shown) => shown.search(keyWord) !== -1;

/** The names of secrets on the line, first those that stand first. `Secret access key` is one. */
const namesIn = (line: string, isMeant: IsMeant): Name[] => {
  const names: Name[] = [];
  let before: Name = { shown: '', end: -1 };
  for (const { 0: written, index } of line.matchAll(identifier)) {
    const known = knownEnd(written) ?? '';
    const isNext = before.shown !== '' && before.end + 1 === index && line[index - 1] === ' ';
    const isPhrase = isNext && !known.startsWith('…') && before.shown.length + known.length < mostShown;
    const name: Name = {
      shown: isPhrase && known !== '' ? `${before.shown} ${known}` : known,
      end: index + written.length,
    };
    if (isMeant(known) || isMeant(name.shown)) names.push(name);
    before = name;
  }
  return names;
};

/** What follows a name, as far as it is one word. */
const valueOf = (rest: string): string => /^[\s"'`([{<]{0,8}([^\s"'`<>,;&)]{0,200})/.exec(rest)?.[1] ?? '';

/** A value that is named by words of its own would be shown with them. */
const isInName = (shown: string, value: string): boolean => {
  const [name, other] = [shown, value].map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  if (name === undefined || other === undefined || other.length < 3) return false;
  return name.includes(other) || other.includes(name);
};

const assigned = (line: string, isMeant: IsMeant): string | null => {
  let first: string | null = null;
  let apart: string | null = null;
  for (const { shown, end } of namesIn(line, isMeant)) {
    const after = line.slice(end);
    const found = joint.exec(after);
    const value = valueOf(after.slice(found?.[0].length ?? 0));
    if (isInName(shown, value)) continue;
    if (found === null) {
      if (/^[ \t]+\S/.test(after)) apart ??= `${shown} ${dots}`;
      continue;
    }
    const [, quote = '', before = '', sign = '', behind = '', bracket = ''] = found;
    const space = before === '' || sign === '' ? '' : ' ';
    const start = bracket === '>' && quote === '' ? '<' : quote;
    const text = `${start}${shown}${quote}${space}${sign}${bracket}${behind === '' ? '' : ' '}${dots}`;
    if (value === '' || !(isReference(value) || isStandIn(value))) return text;
    first ??= text;
  }
  return first ?? apart;
};

const armour = /-----BEGIN ((?:(?:RSA|DSA|EC|OPENSSH|ENCRYPTED|PGP|SSH2) ){0,2})PRIVATE KEY( BLOCK)?-----/;

const address =
  /(?<!\w)(postgres|postgresql|mysql|mariadb|mongodb|mongodb\+srv|redis|rediss|amqp|amqps|https?|ftps?|sftp|ssh|smtps?|imaps?|ldaps?|mqtts?|git|wss?|nats|kafka|mssql|sqlserver|clickhouse|socks5):\/\//;

/** A line as one may see it; null: nothing of it. */
export const masked = (line: string, rule: string): string | null => {
  const read = line.slice(0, lettersRead);
  const key = armour.exec(read);
  if (key !== null) return `-----BEGIN ${key[1] ?? ''}PRIVATE KEY${key[2] ?? ''}----- ${dots}`;
  const isAddress = rule === 'address' || rule === 'database-connection-string';
  const scheme = isAddress ? address.exec(read)?.[1] : undefined;
  if (scheme !== undefined) return `${scheme}://${dots}`;
  return assigned(read, isSecret) ?? (rule === 'assignment' ? null : assigned(read, mayBeSecret));
};

export const excerptOf = ({ bytes }: Content, { rule, line }: FoundBy): string | null => {
  if (line === null) return null;
  const text = decode(bytes);
  let from = 0;
  for (let at = 1; at < line; at += 1) {
    from = text.indexOf('\n', from) + 1;
    if (from === 0) return null;
  }
  // What ends a line besides a line feed is counted by some rules only: it would be another line.
  if (/\r(?!\n)|[\u2028\u2029]/.test(text.slice(0, from))) return null;
  const to = text.indexOf('\n', from);
  return masked(text.slice(from, to === -1 ? undefined : to), rule);
};
