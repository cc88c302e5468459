// Links in the forms of other programs. A name comes from outside: in no form does it break out of its element.
import { describe, expect, test } from 'vitest';
import {
  linkForms,
  linkText,
  pictured,
  type LinkedFile,
  type LinkForm,
} from '../../../src-main/contract/text/link-text.ts';

const file = (name: string, link = 'https://x/1', more: Partial<LinkedFile> = {}): LinkedFile => ({
  name,
  link,
  sizeBytes: null,
  sha256: null,
  uploadedAtMs: null,
  ...more,
});
const textOf = (one: LinkedFile, form: LinkForm, template = '{name}: {link}') =>
  linkText([one], form, { template, locale: 'en' });

test('plain: one per line, in order', () => {
  const files = [file('a', 'https://x/1'), file('b', 'https://x/2')];
  expect(linkText(files, 'plain', { template: '', locale: 'en' })).toEqual({
    text: 'https://x/1\nhttps://x/2',
  });
});

test('in HTML neither name nor link breaks out of its element; rich text accompanies the source', () => {
  const source = '<a href="https://x/a?b=1&amp;c=&quot;2&quot;">&lt;img src=x onerror=alert(1)&gt;&quot;</a>';
  expect(textOf(file('<img src=x onerror=alert(1)>"', 'https://x/a?b=1&c="2"'), 'html')).toEqual({
    text: source,
    html: source,
  });
});

test('nor do they in Markdown', () => {
  expect(textOf(file('a](https://evil)[b\n# x', 'https://x/(1)>'), 'markdown').text).toBe(
    '[a\\]\\(https://evil\\)\\[b \\# x](<https://x/(1)%3E>)',
  );
});

test('in Markdown an address without brackets gets no angle brackets, because some programs cannot read them', () => {
  expect(textOf(file('a.txt', 'https://x/d/a_b?c=1'), 'markdown').text).toBe('[a.txt](https://x/d/a_b?c=1)');
});

test('nor do they in BBCode: a name has round brackets there', () => {
  expect(textOf(file('a[/url][img]https://evil[/img]\n', 'https://x/[1]" onclick="'), 'bbcode').text).toBe(
    '[url=https://x/%5B1%5D%22%20onclick=%22]a(/url)(img)https://evil(/img) [/url]',
  );
});

describe('a template', () => {
  const template = '{name}|{link}|{size}|{sha256}|{date}';
  test('has name, link, size, SHA-256 and the local day of the upload', () => {
    const known = {
      sizeBytes: 84_100_000,
      sha256: 'ab'.repeat(32),
      uploadedAtMs: +new Date(2026, 10, 3, 23, 59),
    };
    expect(textOf(file('a.txt', 'https://x/1', known), 'template', template).text).toBe(
      `a.txt|https://x/1|84.1 MB|${'ab'.repeat(32)}|2026-11-03`,
    );
  });

  test('leaves out unknown values', () => {
    expect(textOf(file('a.txt'), 'template', template).text).toBe('a.txt|https://x/1|||');
  });

  test('is filled in one pass: names that look like a placeholder stay, and $& means nothing', () => {
    expect(textOf(file('{link}{sha256}'), 'template', '$& {name} {other} {link}').text).toBe(
      '$& {link}{sha256} {other} https://x/1',
    );
  });
});

test.each(linkForms.filter((form) => form !== 'plain'))(
  'a name contains no direction control and no line break: %s',
  (form) => {
    const { text } = textOf(file('invoice\u202efdp\u2066\r\n\u2028\u0000.exe'), form);
    expect(text).toContain('invoicefdp    .exe');
  },
);

test.each(['photo.JPG', 'plan.svg', 'a "b".webp'])(
  'a picture is shown where the form can show one: %s',
  (name) => {
    expect(textOf(file(name), 'markdown').text).toMatch(/^!\[/);
    const alt = name.replaceAll('"', '&quot;');
    expect(pictured(file(name))).toBe(`<a href="https://x/1"><img src="https://x/1" alt="${alt}"></a>`);
  },
);

test('any other file is a link with its name', () => {
  expect(textOf(file('photo.jpg.zip'), 'markdown').text).toMatch(/^\[/);
  expect(pictured(file('a.zip'))).toBe('<a href="https://x/1">a.zip</a>');
});
