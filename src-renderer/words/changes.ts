// The list of changes as it is shown: Markdown's headings, paragraphs and points, as text. Pure.

export type Changes = readonly { version: string; texts: readonly string[]; points: readonly string[] }[];

/** What stands before the first version is the document's own title. */
export const readChanges = (markdown: string): Changes => {
  const versions: { version: string; texts: string[]; points: string[] }[] = [];
  /** A line that is neither empty nor a beginning belongs to what was begun last. */
  let begun: string[] | null = null;
  for (const line of markdown.split(/\r?\n/)) {
    const heading = /^## +(.+)$/.exec(line);
    const last = versions.at(-1);
    if (heading !== null) {
      versions.push({ version: heading[1] ?? '', texts: [], points: [] });
      begun = null;
    } else if (line.trim() === '' || last === undefined) {
      begun = null;
    } else if (/^[-*] /.test(line)) {
      begun = last.points;
      begun.push(line.slice(2).trim());
    } else if (begun !== null) {
      begun.push(`${begun.pop() ?? ''} ${line.trim()}`);
    } else {
      begun = last.texts;
      begun.push(line.replace(/^#+ /, '').trim());
    }
  }
  return versions;
};
