// Links as text for other programs: plain, Markdown, HTML, BBCode, the user's own template; one per line. Pure.
import { formatSize, plainDay } from './formats.ts';

/** A person may name a file by any of these (named-file.ts), except `template`, which is the setting copyTemplate. */
export const linkForms = ['plain', 'markdown', 'html', 'bbcode', 'template'] as const;
export type LinkForm = (typeof linkForms)[number];

/** A file with its link. What is null is not known, for example of a file from elsewhere. */
export type LinkedFile = {
  name: string;
  link: string;
  sizeBytes: number | null;
  sha256: string | null;
  uploadedAtMs: number | null;
};

/** `html`: the same as rich text, for the forms that have it. */
export type LinkText = { text: string; html?: string };

/** `template`: one link in the user's own form. `locale`: sizes are written in it. */
export const linkText = (
  files: readonly LinkedFile[],
  form: LinkForm,
  { template, locale }: { template: string; locale: string },
): LinkText => {
  const lines = (line: (file: LinkedFile) => string, end = '\n'): string => files.map(line).join(end);
  switch (form) {
    case 'plain':
      return { text: lines(({ link }) => link) };
    case 'markdown':
      return { text: lines((file) => `${isPicture(file) ? '!' : ''}${markdown(file)}`) };
    case 'html':
      return { text: lines(anchor), html: lines(anchor, '<br>\n') };
    case 'bbcode':
      return { text: lines(bbcode) };
    case 'template':
      return { text: lines((file) => filled(template, file, locale)) };
  }
};

/** One that browsers show. */
const isPicture = ({ name }: Pick<LinkedFile, 'name'>): boolean =>
  /\.(png|jpe?g|gif|webp|svg|avif|bmp)$/i.test(name);

// Whatever could end the text or begin another construct is escaped.
export const markdown = ({ name, link }: Pick<LinkedFile, 'name' | 'link'>): string =>
  `[${labelOf(name).replaceAll(/[\\`*_{}[\]()<>#!|&~]/g, '\\$&')}](${destination(link)})`;

/** An address that could end its brackets is put in angle brackets. Only then: some programs do not read those. */
const destination = (link: string): string =>
  /[\s()<>\\]/.test(link) ? `<${link.replaceAll(/[<>]/g, encodeURIComponent)}>` : link;

export const anchor = ({ name, link }: Pick<LinkedFile, 'name' | 'link'>): string =>
  `<a href="${inHtml(link)}">${inHtml(labelOf(name))}</a>`;

/** As the picture itself, if the link serves one. */
export const pictured = (file: Pick<LinkedFile, 'name' | 'link'>): string => {
  const link = inHtml(file.link);
  if (!isPicture(file)) return anchor(file);
  return `<a href="${link}"><img src="${link}" alt="${inHtml(labelOf(file.name))}"></a>`;
};

/** BBCode has no escape that every forum knows: round brackets replace the square ones of a name. */
const bbcode = ({ name, link }: LinkedFile): string =>
  `[url=${link.replaceAll(/[[\]"\s]/g, encodeURIComponent)}]${labelOf(name).replaceAll('[', '(').replaceAll(']', ')')}[/url]`;

/** One pass, so that a name with `{link}` in it stays as it is. What is not known is left out. */
const filled = (template: string, file: LinkedFile, locale: string): string => {
  const { name, link, sizeBytes, sha256, uploadedAtMs } = file;
  const parts: Record<string, string> = {
    name: labelOf(name),
    link,
    size: sizeBytes === null ? '' : formatSize(locale, sizeBytes),
    sha256: sha256 ?? '',
    date: uploadedAtMs === null ? '' : plainDay(uploadedAtMs),
  };
  return template.replaceAll(/\{(name|link|size|sha256|date)\}/g, (_, part: string) => parts[part] ?? '');
};

/** On one line, and without direction controls: they would turn the reader's text around and hide an extension. */
export const labelOf = (name: string): string =>
  name
    .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const inHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
