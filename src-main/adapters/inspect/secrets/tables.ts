// Tables with a column of passwords: what browsers and password managers export, and the keys that a cloud issues.
import { isRandom, isStandIn } from './values.ts';

/**
 * The names of that column in exports: Chrome, Edge, Firefox, Safari, 1Password, Bitwarden, LastPass, KeePass,
 * Dashlane, AWS, others.
 */
const column =
  /^(?:(?:login|user|account|current|web ?site|sign.?in|smtp|db|wifi|wi-fi|initial|temporary|console|bind)?[ _-]?(?:password|passwd|pass|passwort|kennwort|passcode|passphrase|pwd|pw)|contrase(?:ñ|Ã±)a|mot de passe|senha|has[lł]o|heslo|l[oö]senord|adgangskode|passord|salasana|[sş]ifre|비밀번호|密码|密碼|パスワード|пароль|wachtwoord|secret|(?:aws[ _-])?secret[ _-]?(?:access[ _-]?)?key|client[ _-]?secret|private[ _-]?key|api[ _-]?key|api[ _-]?secret|(?:access|api|auth|refresh)?[ _-]?token|(?:login_)?totp|otpauth|otp ?url|otp ?secret|pin)$/i;

/** An export also has these columns. */
const user = /user|login|benutzer|account|e-?mail|usuario|用户/i;
const site = /^(?:\w{0,9}[ _-]?(?:ur[li]|site|website|web site|domain|host(?:name)?))$/i;

const longestHead = 2000;
const mostRows = 200;

const cellsOf = (line: string, separator: string): string[] => {
  const cells: string[] = [];
  let cell = '';
  let isInside = false;
  for (const letter of line) {
    if (letter === '"') isInside = !isInside;
    else if (letter === separator && !isInside) {
      cells.push(cell.trim());
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell.trim()];
};

/** A person's password may be any word. */
const isKept = (cell: string, name: string, isExport: boolean): boolean => {
  if (/token|key|secret/i.test(name)) return isRandom({ text: cell, isQuoted: true });
  if (
    /^(?:https?:|\d{4}-\d\d-\d\d|\$\{|<|\*+$|x+$|•+$|true$|false$|null$|none$|n\/a$|yes$|no$|string$|text$|varchar)/i.test(
      cell,
    )
  )
    return false;
  if (isExport) return cell.length >= 4;
  return cell.length >= 6 && !/\s/.test(cell) && /[^a-z]/.test(cell) && !isStandIn(cell);
};

/** Where the first row with a password begins, or -1. The header of the table is one of the first lines. */
export const findInTable = (text: string): number => {
  const lines = text.slice(0, 256 * 1024).split('\n', mostRows);
  let from = 0;
  for (const [index, line] of lines.slice(0, 5).entries()) {
    const separator = [',', ';', '\t', '|'].find((one) => line.includes(one));
    if (separator !== undefined && line.length <= longestHead) {
      const names = cellsOf(line.replace(/^\ufeff|^ï»¿/, ''), separator);
      const wanted = names.flatMap((name, place) => (column.test(name) ? [place] : []));
      if (wanted.length > 0 && names.every((name) => name.length <= 60)) {
        const isExport = [user, site].every((kind) => names.some((name) => kind.test(name)));
        let rowFrom = from + line.length + 1;
        for (const row of lines.slice(index + 1)) {
          const cells = cellsOf(row.slice(0, 20_000), separator);
          if (
            cells.length > 1 &&
            wanted.some((place) => isKept(cells[place] ?? '', names[place] ?? '', isExport))
          )
            return rowFrom;
          rowFrom += row.length + 1;
        }
      }
    }
    from += line.length + 1;
  }
  return -1;
};
