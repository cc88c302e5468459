// The text without its markup and its transfer encoding: mail, HTML, RTF, escapes, base64. Each step keeps the line
// feeds that were there, so that a place has the same line in both.

/** Ends a line for the rules, but does not count as one. */
const softEnd = '\u2028';

const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', nbsp: ' ' };

const letterOf = (code: number, otherwise: string): string =>
  code > 0 && code < 0x110000 ? String.fromCodePoint(code) : otherwise;

/** Quoted-printable: joins a line that is continued, and moves the line feed behind it. */
const unfold = (text: string): string => {
  if (!/=\r?\n/.test(text) || !/=[0-9A-F]{2}|quoted-printable/i.test(text)) return text;
  const out: string[] = [];
  let moved = 0;
  for (const line of text.split('\n')) {
    const soft = /=\r?$/.exec(line);
    out.push(soft === null ? line : line.slice(0, soft.index));
    if (soft === null) out.push('\n'.repeat(moved + 1));
    moved = soft === null ? 0 : moved + 1;
  }
  return out.join('').replace(/=([0-9A-F]{2})/gi, (whole, hex: string) => letterOf(parseInt(hex, 16), whole));
};

/** A cell ends like one of a plain table, a paragraph like a line. */
const untag = (text: string): string => {
  if (!/<\/?[a-z][^<>]{0,200}>|&(?:\w{2,6}|#\w{2,6});/i.test(text)) return text;
  return text
    .replace(/<(\/?)([a-z][a-z0-9]{0,9})\b[^<>]{0,2000}>/gi, (tag, slash: string, name: string) => {
      const lines = tag.replace(/[^\n]/g, '');
      if (/^t[dh]$/i.test(name)) return slash === '' ? lines : `\t${lines}`;
      return (/^(?:br|p|div|tr|li|h\d|pre|dt|dd|table)$/i.test(name) ? softEnd : '') + lines;
    })
    .replace(
      /&(?:(lt|gt|quot|apos|amp|nbsp)|#(\d{2,6})|#x([0-9a-f]{2,5}));/gi,
      (whole, name, decimal, hex) => {
        if (typeof name === 'string') return named[name.toLowerCase()] ?? whole;
        return letterOf(typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16), whole);
      },
    );
};

const unRtf = (text: string): string => {
  if (!/\\(?:par|pard|rtf1|f\d|cf\d|lang\d{4})\b/.test(text)) return text;
  return text
    .replace(/\\'([0-9a-f]{2})/gi, (whole, hex: string) => letterOf(parseInt(hex, 16), whole))
    .replace(/\\u(\d{2,5})\??/g, (whole, code: string) => letterOf(Number(code), whole))
    .replace(/\\(par|line|row)\b ?/g, softEnd)
    .replace(/\\(?:tab|cell)\b ?/g, '\t')
    .replace(/\\([a-z]{1,32})-?\d{0,10} ?/g, '')
    .replace(/\\([{}\\_~-])/g, '$1')
    .replace(/[{}]/g, '');
};

/** Escapes of strings within strings, and of addresses. */
const unescape = (text: string): string =>
  text
    .replace(/\\(?:(n|r\\n)|u00([0-9a-f]{2})|(["'/]))/gi, (whole, end, hex, letter) => {
      if (typeof end === 'string') return softEnd;
      return typeof hex === 'string' ? letterOf(parseInt(hex, 16), whole) : String(letter);
    })
    .replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => letterOf(parseInt(hex, 16), ''));

/** Only the beginning of a longer run is decoded: what is embedded as a whole may be a picture, too. */
const longestRun = 64 * 1024;

/** Adds the decoded text behind a run that is text in base64. */
const decodeRuns = (text: string): string =>
  text.replace(/(?<![\w+/-])[\w+/-]{16,65536}(?:\r?\n[\w+/]{4,76}(?![^\r\n=]))*={0,2}/g, (run) => {
    if (!isText(Buffer.from(run.slice(0, 32), 'base64').subarray(0, 18))) return run;
    const bytes = Buffer.from(run.slice(0, longestRun), 'base64');
    if (!isText(bytes)) return run;
    const decoded = bytes.toString('utf8').replace(/\r?\n/g, softEnd);
    return `${run} ${decoded}`;
  });

const isText = (bytes: Uint8Array): boolean =>
  bytes.length >= 6 &&
  bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13);

/** Removes the marks before each quoted line of a mail. */
const unquote = (text: string): string => text.replace(/^[ \t]{0,8}(?:>[ \t]?){1,9}/gm, '');

/** Null: it adds nothing to the text itself. */
export const plainOf = (text: string): string | null => {
  const plain = decodeRuns(unescape(unRtf(untag(unfold(unquote(text))))));
  return plain === text ? null : plain;
};
