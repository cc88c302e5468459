// Links as text for other programs: plain, Markdown, HTML, the user's own form; one per line. Pure.
import type { LinkForm } from '../../contract/window-commands.ts';

export type NamedLink = { name: string; link: string };

/** What goes to the clipboard: text for every program, and rich text for those that take it. */
export type ClipboardText = { text: string; html?: string };

/** `template`: the user's own form of one link, with `{name}` and `{link}` in it. */
export const linkText = (links: readonly NamedLink[], form: LinkForm, template = '{link}'): ClipboardText => {
  const lines = (line: (one: NamedLink) => string, end = '\n'): string => links.map(line).join(end);
  switch (form) {
    case 'plain':
      return { text: lines(({ link }) => link) };
    case 'markdown':
      return { text: lines(markdown) };
    case 'html':
      return { text: lines(anchor), html: lines(anchor, '<br>\n') };
    case 'template':
      return {
        text: lines(({ name, link }) =>
          template.replaceAll(/\{(name|link)\}/g, (_, part) => (part === 'name' ? labelOf(name) : link)),
        ),
      };
  }
};

// Whatever could end the text or begin another construct is escaped; a link has no blanks, only its brackets can harm.
const markdown = ({ name, link }: NamedLink): string =>
  `[${labelOf(name).replaceAll(/[\\`*_{}[\]()<>#!|&~]/g, '\\$&')}](<${link.replaceAll(/[<>]/g, encodeURIComponent)}>)`;

const anchor = ({ name, link }: NamedLink): string =>
  `<a href="${inHtml(link)}">${inHtml(labelOf(name))}</a>`;

/** On one line, and without direction controls: they would turn the reader's text around and hide an extension. */
const labelOf = (name: string): string =>
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
const inHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
