// Thunar's custom actions are in one file with those of the user, which stay byte for byte.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { entryLabels } from '../../../src-main/adapters/integrate/labels.ts';
import { eachTestHasAUser, files, install, leftBehind, linux, root, states, tree } from './user.ts';

eachTestHasAUser();

describe.runIf(process.platform === 'linux')('Thunar’s list of actions', () => {
  const own = `<?xml version="1.0" encoding="UTF-8"?>
<!-- mine <action> -->
<actions>
<action>
	<icon>utilities-terminal</icon>
	<name xml:lang="de">Überall &amp; jederzeit</name>
	<unique-id>1700000000000000-1</unique-id>
	<command>sh -c 'echo &quot;$@&quot;' %F</command>
	<patterns>*</patterns>
	<directories/>
</action>
</actions>
`;
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };

  test.each([
    own,
    own.replaceAll('\n', '\r\n'),
    own.replace('</actions>\n', '</actions>'),
    own.replace('\n</actions>\n', '\n  </actions>\n\n'),
    own.replace(/\n<action>[^]*<\/action>(?=\n)/, ''),
    `\ufeff${own}<!-- </actions> <action> -->\n`,
    own.replace('utilities', '<![CDATA[</action></actions>]]>'),
    own.replace('sh -c', '# &lt;unique-id&gt;app.outtray.upload&lt;/unique-id&gt;'),
    '<?xml version="1.0"?>\n<!DOCTYPE actions [\n  <!ELEMENT actions (action)+>\n]>\n<actions>\n</actions>\n',
    '<actions></actions>',
  ])('keeps every byte of the user’s actions, on the way in and out (%#)', async (text) => {
    await install('thunar');
    await put(files.thunar(), text);
    await chmod(files.thunar(), 0o640);
    const before = await tree();
    const managers = linux();
    await managers.add('thunar');
    await managers.add('thunar');
    expect((await states(managers))['thunar']).toBe('on');
    const now = await readFile(files.thunar(), 'utf8');
    expect(now.match(/<unique-id>app\.outtray\.upload/g)).toHaveLength(1);
    for (const action of text.match(/^<action>[^]*<\/action>$/m) ?? []) expect(now).toContain(action);
    if (existsSync('/usr/bin/xmllint'))
      expect(spawnSync('xmllint', ['--noout', files.thunar()], { encoding: 'utf8' }).stderr).toBe('');
    await linux({ language: 'de', words: ['/elsewhere'] }).add('thunar');
    await managers.remove('thunar');
    expect(await tree()).toEqual(before);
  });

  test('an empty list gets the action, and stays empty', async () => {
    await install('thunar');
    await put(files.thunar(), '<?xml version="1.0"?>\n<actions  />\n');
    const managers = linux();
    await managers.add('thunar');
    expect((await states(managers))['thunar']).toBe('on');
    await managers.remove('thunar');
    expect(await readFile(files.thunar(), 'utf8')).toBe('<?xml version="1.0"?>\n<actions></actions>\n');
  });

  test('keeps bytes that are not UTF-8', async () => {
    await install('thunar');
    await put(files.thunar(), '');
    const bytes = Buffer.from(own.replace('UTF-8', 'ISO-8859-1'), 'latin1');
    await writeFile(files.thunar(), bytes);
    const managers = linux({ language: 'zh' });
    await managers.add('thunar');
    expect(await readFile(files.thunar(), 'utf8')).toContain(`<name>${entryLabels.zh}</name>`);
    await managers.remove('thunar');
    expect((await readFile(files.thunar())).equals(bytes)).toBe(true);
  });

  test('begins with the system’s actions, and the file is removed when only those are left', async () => {
    await install('thunar');
    await put(path.join(root, 'xdg/Thunar/uca.xml'), own);
    const managers = linux();
    await managers.add('thunar');
    expect(await readFile(files.thunar(), 'utf8')).toContain('Überall &amp; jederzeit');
    await managers.remove('thunar');
    expect(await leftBehind()).toEqual([]);
  });

  test('is read as Thunar writes it after an edit, and a symbolic link to a file of the user stays a link', async () => {
    await install('thunar');
    const real = path.join(root, 'dotfiles/uca.xml');
    await put(real, own);
    await mkdir(path.dirname(files.thunar()), { recursive: true });
    await symlink(real, files.thunar());
    const managers = linux();
    await managers.add('thunar');
    const written = await readFile(real, 'utf8');
    await writeFile(
      real,
      written
        .replaceAll("'", '&apos;')
        .replace('\t<audio', '\t<range></range>\n\t<startup-notify/>\n\t<audio'),
    );
    expect((await states(managers))['thunar']).toBe('on');
    await managers.remove('thunar');
    expect(await readFile(real, 'utf8')).toBe(own.replaceAll("'", '&apos;'));
  });

  test('is left alone when it is not understood', async () => {
    await install('thunar');
    await put(files.thunar(), 'not a list');
    await expect(linux().add('thunar')).rejects.toMatchObject({ code: 'bad-use' });
    expect(await readFile(files.thunar(), 'utf8')).toBe('not a list');
  });
});
