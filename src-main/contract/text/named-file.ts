// How a person names a file: by link, path, id at the service, id in the queue (`q5`), or name. Pure.
import { fileIdFrom, type FileId } from './file-id.ts';

/** What names a file and cannot be a path. */
export type NamedExactly = { fileId: FileId } | { queueId: number } | { link: string };

/** What a person types: `path` is where it would lie in the current folder, `else` what it is if nothing lies there. */
export type NamedByWord = { name: string; path: string; else?: NamedExactly | undefined };

export type Named = NamedExactly | { path: string } | NamedByWord;

/** `q5`, so that nothing takes it for an id of the service. With `changedAtMs`, also the version: `q5@m1k3f9`. */
export const queueIdText = (id: number, changedAtMs?: number): string =>
  changedAtMs === undefined ? `q${id}` : `q${id}@${versionText(changedAtMs)}`;

/** Six digits that tell versions of one upload apart, from when it last changed. */
export const versionText = (changedAtMs: number): string =>
  Math.round(changedAtMs).toString(36).slice(-6).padStart(6, '0');

/** The version in `q5@m1k3f9`; null: it names none. */
export const versionFrom = (text: string): string | null =>
  /^(?:id:)?q\d+@([0-9a-z]{6})$/i.exec(text)?.[1]?.toLowerCase() ?? null;

/** Null for what is no id of the queue. Its version is left out. */
export const queueIdFrom = (text: string): number | null => {
  const [, digits] = /^q([1-9]\d{0,15})(?:@[0-9a-z]{6})?$/i.exec(text) ?? [];
  const id = Number(digits);
  return digits !== undefined && Number.isSafeInteger(id) ? id : null;
};

/** `absolute` makes a path of a word. Throws what `absolute` throws. */
export const readNamed = (
  text: string,
  { absolute, isWindows }: { absolute: (path: string) => string; isWindows: boolean },
): Named => {
  const exactly = exactlyIn(text);
  const path = absolute(text);
  if (exactly !== null) return { name: text, path, else: exactly };
  const isPath = text.includes('/') || (isWindows && /[\\:]/.test(text)) || text === '.' || text === '..';
  return isPath ? { path } : { name: text, path };
};

/** `id:` before an id makes it one where a file of that name lies. */
const exactlyIn = (text: string): NamedExactly | null => {
  // A text that begins like a link may have anything behind it.
  const link = linkIn(text) ?? /^\s*(https?:\/\/.*?)\s*$/is.exec(text)?.[1];
  if (link !== undefined) return { link };
  const id = text.replace(/^id:/i, '');
  const queueId = queueIdFrom(id);
  if (queueId !== null) return { queueId };
  const fileId = fileIdFrom(id);
  return fileId === null ? null : { fileId };
};

/** The forms in which links are copied (`linkText`). */
const forms = [
  /^(https?:\/\/\S+)$/i,
  /^<(https?:\/\/[^\s<>]+)>$/i,
  /^!?\[.*\]\(<?(https?:\/\/[^\s<>]+?)>?\)$/is,
  /^<a\s[^>]*?href="(https?:\/\/[^\s"]+)".*$/is,
  /^\[url=(https?:\/\/[^\s\]]+)\].*$/is,
];

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The link in a text that was copied: plain, Markdown, HTML or BBCode. Null: it is no link. */
export const linkIn = (text: string): string | null => {
  const given = text.trim();
  for (const [at, form] of forms.entries()) {
    const [, link] = form.exec(given) ?? [];
    if (link === undefined) continue;
    const plain =
      at === 3
        ? link.replaceAll(/&(amp|lt|gt|quot|#39);/g, (all, one: string) => entities[one] ?? all)
        : link;
    return URL.canParse(plain) ? plain : null;
  }
  return null;
};

/** Whether both lead to one file. Host and scheme may be written in capitals, and a usual port may be named. */
export const isSameLink = (one: string, other: string): boolean => {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a !== null && b !== null && a.host === b.host && a.file === b.file;
};

/** Whether they differ only in scheme, host or port. */
export const isOnOtherHost = (one: string, other: string): boolean => {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a !== null && b !== null && a.host !== b.host && a.file === b.file;
};

/** Whether they lead to one file of one service, which may have moved to another host. */
export const isLinkToSame = (one: string, other: string): boolean =>
  one === other || isSameLink(one, other) || isOnOtherHost(one, other);

/** The longest part after the host that is the same in every spelling of this link; '' when there is none. */
export const plainPartOf = (link: string): string =>
  (partsOf(link)?.file ?? '')
    .split(/%[0-9a-f]{2}|[^\w./-]/i)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');

const partsOf = (link: string): { host: string; file: string } | null => {
  if (!URL.canParse(link)) return null;
  const { origin, pathname, search } = new URL(link);
  const file = `${pathname}${search}`
    .replaceAll(/[[\]"<>]/g, encodeURIComponent)
    // A letter and its code are the same sign, in capitals or not (RFC 3986, 6.2.2).
    .replaceAll(/%[0-9a-f]{2}/gi, (code) => {
      const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[\w.~-]/.test(sign) ? sign : code.toUpperCase();
    });
  return { host: origin, file };
};
