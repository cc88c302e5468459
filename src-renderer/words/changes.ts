// The list of changes as it is shown: Markdown's headings, paragraphs and points, as text. Pure.

/** Points are under a heading of their own, or under none. */
type Part = { title: string | null; texts: string[]; points: string[] };
export type Changes = readonly { version: string; parts: readonly Part[] }[];

/** The text before the first version is the document's own title. */
export const readChanges = (markdown: string): Changes => {
  const versions: { version: string; parts: Part[] }[] = [];
  /** A line that is neither empty nor begins something belongs to what was begun last. */
  let begun: string[] | null = null;
  for (const line of markdown.split(/\r?\n/)) {
    const [, level = '', heading = ''] = /^(##|###) +(.+)$/.exec(line) ?? [];
    const parts = versions.at(-1)?.parts;
    const part = parts?.at(-1);
    if (level === '##') {
      versions.push({ version: heading, parts: [{ title: null, texts: [], points: [] }] });
      begun = null;
    } else if (line.trim() === '' || parts === undefined || part === undefined) {
      begun = null;
    } else if (level === '###') {
      parts.push({ title: heading, texts: [], points: [] });
      begun = null;
    } else if (/^[-*] /.test(line)) {
      begun = part.points;
      begun.push(line.slice(2).trim());
    } else if (begun !== null) {
      begun.push(`${begun.pop() ?? ''} ${line.trim()}`);
    } else {
      begun = part.texts;
      begun.push(line.trim());
    }
  }
  return versions;
};
