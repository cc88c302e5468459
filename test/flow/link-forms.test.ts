// In which form `upload` writes links, and how they reach the clipboard.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownPlace, ownService } from '../support/flow/own.ts';

const service = await ownService();
const place = await ownPlace(service);

/** A session with an xclip that keeps what it is given. */
const withXclip = async () => {
  await writeFile(path.join(place.root, 'xclip'), `#!/bin/sh\nexec cat > '${place.root}/copied'\n`);
  await chmod(path.join(place.root, 'xclip'), 0o755);
  return { env: { DISPLAY: ':0', PATH: `${place.root}:${process.env['PATH'] ?? ''}` } };
};
const copied = (): Promise<string> => readFile(path.join(place.root, 'copied'), 'utf8');
const linkOf = (name: string): string =>
  service.files().findLast(({ filename }) => filename === name)?.link ?? `no ${name}`;

test('--format writes each link in a form, including files already shared; a name cannot break out of it', async () => {
  await place.put('../a.txt', 'a');
  await place.put('../[x](y).txt', 'b');
  const markdown = await place.run(['upload', '--format', 'markdown', 'a.txt', '[x](y).txt']);
  expect(markdown.stdout).toBe(
    `[a.txt](${linkOf('a.txt')})\n[\\[x\\]\\(y\\).txt](${linkOf('[x](y).txt')})\n`,
  );
  const today = new Date().toISOString().slice(0, 10);
  const sha256 = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
  const own = ['--format', '{name}\n  {size} {sha256} {date} {link}'];
  const named = await place.run(['upload', ...own, 'a.txt']);
  expect(named.stdout).toBe(`a.txt\n  1 byte ${sha256} ${today} ${linkOf('a.txt')}\n`);
  // Columns for another program, which gets the template as it is; a tab in a name does not make one.
  await place.put('../a\tb.txt', 'tab');
  const columns = await place.run(['upload', '--format', '{name}\t{link}\u001b[2J', 'a\tb.txt']);
  expect(columns.stdout).toBe(`a b.txt\t${service.files().at(-1)?.link}\u001b[2J\n`);
  await place.put('../copy.txt', 'a');
  const shared = await place.run(['upload', ...own, 'copy.txt']);
  expect(shared.stdout).toBe(`copy.txt\n  1 byte ${sha256} ${today} ${linkOf('a.txt')}\n`);
  const { lines } = await place.json(['upload', '--format', 'html', 'a.txt']);
  expect(lines.find(({ event }) => event === 'uploaded')?.['public_link']).toBe(linkOf('a.txt'));
});

test('another program gets the joiners and soft hyphens of a name unchanged', async () => {
  for (const name of [
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0646\u0645.txt',
    'party \u{1f469}\u200d\u{1f467}.txt',
    'soft\u00adhyphen.txt',
  ]) {
    await place.put(`../${name}`, `content of ${name}`);
    const html = await place.run(['upload', '--format', 'html', name]);
    expect(html.stdout).toBe(`<a href="${service.files().at(-1)?.link}">${name}</a>\n`);
  }
});

test('an unknown form uploads nothing', async () => {
  await place.put('../no.txt', 'no');
  const before = service.files().length;
  for (const form of ['Markdown', '', '{name}']) {
    const { code, lines } = await place.json(['upload', '--format', form, 'no.txt']);
    expect([code, lines[0]?.error?.message]).toEqual([
      2,
      '--format takes plain, markdown, html, bbcode, template, or a text with {link} in it.',
    ]);
  }
  expect(service.files()).toHaveLength(before);
});

test('--copy copies all links in the form of --format, else of the settings, and reports it', async () => {
  const session = await withXclip();
  await place.put('../one.txt', 'one');
  await place.put('../two.txt', 'two');
  const plain = await place.run(['upload', '--copy', 'one.txt', 'two.txt'], session);
  expect(plain).toMatchObject({ code: 0, stderr: '2 links are copied.\n' });
  expect(await copied()).toBe(`${linkOf('one.txt')}\n${linkOf('two.txt')}`);
  await place.run(['settings', 'set', 'copyFormat', 'bbcode']);
  const set = await place.json(['upload', '--copy', 'two.txt'], session);
  expect(set.lines.findLast(({ event }) => event === 'copied')).toMatchObject({ links: 1, ok: true });
  expect(await copied()).toBe(`[url=${linkOf('two.txt')}]two.txt[/url]`);
  await place.run(['upload', '--copy', '--format', 'html', 'two.txt'], session);
  expect(await copied()).toBe(`<a href="${linkOf('two.txt')}">two.txt</a>`);
});

test('links that cannot be copied are printed, with the reason why they are not copied', async () => {
  const headless = { env: { DISPLAY: undefined, WAYLAND_DISPLAY: undefined } };
  const ended = await place.run(['upload', '--copy', 'one.txt'], headless);
  expect(ended).toMatchObject({
    code: 8,
    stdout: `${linkOf('one.txt')}\n`,
    stderr:
      'Not copied. There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set. Run it in your desktop session.\n',
  });
  const { lines } = await place.json(['upload', '--copy', 'one.txt'], headless);
  expect(lines.find(({ event }) => event === 'copied')).toMatchObject({ links: 1, ok: false });
  const none = await place.json(['upload', '--copy', 'not there'], await withXclip());
  expect(none.code).toBe(8);
  expect(none.lines.find(({ event }) => event === 'copied')).toMatchObject({ links: 0, ok: false });
});

test('where a policy forbids the clipboard, --copy uploads nothing', async () => {
  await place.run(['settings', 'set', 'allowCopy', 'false']);
  const before = service.files().length;
  await place.put('../forbidden.txt', 'forbidden');
  const { code, lines } = await place.json(['upload', '--copy', 'forbidden.txt'], await withXclip());
  expect([code, lines[0]?.error?.code]).toEqual([2, 'not-allowed']);
  expect(service.files()).toHaveLength(before);
  await place.run(['settings', 'set', 'allowCopy', 'true']);
});
