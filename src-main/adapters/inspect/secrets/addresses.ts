// Addresses and connection strings that have a password in them.
import { isPassword, isReference, isStandIn } from './values.ts';

/** RFC 3986: user information before the host, for any scheme. */
const userInfo = /([^\s:@/'"<>`{}]{0,80}):([^\s@/'"<>`]{3,200})@[\w[%]/y;

/** Arguments of programs, and a line of .pgpass. `near`: in every text that has it. */
const others: readonly { near: string; form: RegExp }[] = [
  { near: 'curl', form: /\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,80}:([^\s"']{4,200})/g },
  { near: 'sshpass', form: /\bsshpass\s{1,3}-p\s{0,3}["']?([^\s"']{4,100})/g },
  { near: 'mysql', form: /\bmysql(?:dump|admin)?\b[^\n]{0,200}?\s-p([^\s"'-][^\s"']{5,100})/g },
  { near: 'net use', form: /\bnet use\b[^\n]{0,120}?\/user:\S{1,60} ([^\s"']{6,60})/g },
  { near: ':', form: /^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*.-]{1,64}:[\w*.@-]{1,64}:(\S{4,100})$/gm },
];

const mostTries = 200;

/** Where the first one begins, or -1. */
export const findAddress = (text: string): number => {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    userInfo.lastIndex = at + 3;
    const [, user = '', password = ''] = userInfo.exec(text) ?? [];
    if (password !== '' && password !== user && isKept(password)) return at;
  }
  for (const { near, form } of others) {
    if (!text.includes(near)) continue;
    let tries = 0;
    for (const { 1: password = '', index } of text.matchAll(form)) {
      if (isPassword({ text: password, isQuoted: true })) return index;
      if ((tries += 1) === mostTries) break;
    }
  }
  return -1;
};

const isKept = (password: string): boolean => {
  const plain = /%[0-9a-f]{2}/i.test(password) ? password.replace(/%[0-9a-f]{2}/gi, '#') : password;
  if (isReference(password) || isStandIn(plain)) return false;
  return isPassword({ text: plain, isQuoted: true });
};
