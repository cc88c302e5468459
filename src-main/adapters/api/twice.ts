// JSON with a key twice in one object says two things, and readers differ in which one they hear (RFC 8259 §4). For
// an upload's answer that is doubt: `success` may be both true and false.

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}]/gs;

/** `text` is valid JSON. */
export const saysTwice = (text: string): boolean => {
  const open: Set<string>[] = [];
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token.endsWith(':')) {
      // Escapes are another spelling of the same key.
      const key = String(JSON.parse(token.slice(0, -1)));
      const keys = open.at(-1);
      if (keys?.has(key) === true) return true;
      keys?.add(key);
    }
  }
  return false;
};
