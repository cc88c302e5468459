// Links as text for other programs: plain, Markdown, HTML; one per line. Pure.
import type { LinkForm } from '../../contract/window-commands.ts';

export type NamedLink = { name: string; link: string };

export const linkText = (links: readonly NamedLink[], form: LinkForm): string =>
  links.map((one) => oneLine[form](one)).join('\n');

const oneLine: Record<LinkForm, (link: NamedLink) => string> = {
  plain: ({ link }) => link,
  // Whatever could end the text or begin another construct is escaped; a link has no blanks, only its brackets can harm.
  markdown: ({ name, link }) =>
    `[${oneLined(name).replaceAll(/[\\`*_{}[\]()<>#!|&~]/g, '\\$&')}](<${link.replaceAll(/[<>]/g, encodeURIComponent)}>)`,
  html: ({ name, link }) => `<a href="${inHtml(link)}">${inHtml(oneLined(name))}</a>`,
};

const oneLined = (name: string): string => name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const inHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
