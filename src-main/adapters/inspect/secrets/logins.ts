// Files that have nothing but passwords in them, known by their place: alone, below a name, or behind one in each line.
import { isIdentifier, isPassword, isRandom, isStrong } from './values.ts';

/** Longer files are data. */
const longest = 32 * 1024;
/** In a list of logins. Sums and public keys in base64 are longer than passwords. */
const shortestSum = 40;
/** Five dashes begin a block, as of a public key. */
const comment = /^\s*(?:#|;|\/\/|--(?!-)|!|$)/;
/** `kim:…`, `kim = …`, `host kim …`, `kim/…@db`, `"kim" "…"`, with further fields behind it. */
const line =
  /^\s*["'[]?(?![\w.-]*(?:key|id|hash|sum|digest|etag|version|ref|rev|commit|name|url|path|file|date|time|type|size)\b)[\w.@*\\-]{1,80}["'\]]?(?:[ \t]*[:=,;|/][ \t]*|[ \t]+)(?:[\w.@*-]{1,80}[: \t])?["']?([^\s"':=,;|/]{8,128}?)["']?(?:(?:[ \t]*[:,;|@][ \t]*|[ \t]+)[\w.@,:*/ -]{0,80})?\s*$/;

const isLone = (text: string): boolean => {
  if (text.length < 20) return text.length >= 12 && /[!#%^&*?]/.test(text) && isStrong(text);
  const isMixed = /^(?=.*[A-Z])(?=.*[a-z])[\w+/.~!-]{20,80}={0,2}$/.test(text) && !isIdentifier(text);
  return isMixed && isRandom({ text, isQuoted: false });
};

/** Where the first password begins, or -1. In hexadecimal digits it may as well be a sum. */
export const findLogins = (text: string): number => {
  if (text.length > longest) return -1;
  const lines = text.split('\n');
  const passwords: string[] = [];
  const rest: string[] = [];
  for (const one of lines) {
    if (comment.test(one)) continue;
    const password = line.exec(one)?.[1];
    if (password !== undefined && isPassword({ text: password, isQuoted: true })) passwords.push(password);
    else if (passwords.length > 0 || rest.push(one.trim()) > 2) return -1;
  }
  const [name = '', below] = rest;
  const strong = passwords.find((one) => isStrong(one) || (one.length < shortestSum && isLone(one)));
  if (strong !== undefined) return rest.length === 0 ? text.indexOf(strong) : -1;
  if (below === undefined) return isLone(name) ? text.indexOf(name) : -1;
  const isLogin = /^[\w.@+-]{2,64}$/.test(name) && (isLone(below) || isStrong(below));
  return isLogin ? text.indexOf(below, text.indexOf(name) + name.length) : -1;
};
