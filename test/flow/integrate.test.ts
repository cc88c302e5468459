// `integrate` by the real command, and its entry as a file manager uses it.
import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { exactArguments } from '../../src-main/adapters/system/arguments.ts';
import { commandTable } from '../../src-main/cli/program.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';

let user = '';
let env: Record<string, string> = {};

const service = await ownService();
const place = await ownPlace(service);
beforeAll(async () => {
  user = place.env['HOME'] ?? '';
  const bin = path.join(place.root, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'nautilus'), '', { mode: 0o755 });
  await writeFile(path.join(bin, 'dolphin'), '', { mode: 0o755 });
  env = {
    PATH: `${bin}:/usr/bin:/bin`,
    LANG: 'es_MX.UTF-8',
    XDG_DATA_DIRS: path.join(place.root, 'none'),
    XDG_CONFIG_DIRS: path.join(place.root, 'none'),
  };
});

const script = (): string => path.join(user, '.local/share/nautilus/scripts/Subir y copiar el enlace');

test.runIf(process.platform === 'linux')(
  'integrate makes the entries, --list reports their state and --remove leaves no file and no empty folder of theirs',
  async () => {
    const listed = await place.json(['integrate', '--list'], { env });
    const state = (lines: typeof listed.lines): Record<string, unknown> =>
      Object.fromEntries(lines.map((line) => [String(line['manager']), line['state']]));
    expect(listed.code).toBe(0);
    expect(state(listed.lines)).toEqual({
      nautilus: 'off',
      nemo: 'missing',
      thunar: 'missing',
      dolphin: 'off',
    });
    const made = await place.json(['integrate'], { env });
    expect(made).toEqual({
      code: 0,
      lines: [
        { manager: 'nautilus', state: 'on', places: [script()] },
        {
          manager: 'dolphin',
          state: 'on',
          places: [path.join(user, '.local/share/kio/servicemenus/outtray.desktop')],
        },
      ],
    });
    const text = await place.run(['integrate', '--list'], { env: { ...env, LANG: 'C' } });
    expect(text.stdout).toMatch(/^Nautilus {2}out of date/m);
    expect(text.stdout).toMatch(/^Nemo {6}not on this computer$/m);
    expect(text.stdout).not.toContain('undefined');
    const removed = await place.json(['integrate', '--remove'], { env });
    expect(removed.code).toBe(0);
    expect(state(removed.lines)).toEqual({ nautilus: 'off', dolphin: 'off' });
    expect(await readdir(path.join(user, '.local/share'))).toEqual([]);
    const again = await place.run(['integrate', '--remove'], { env });
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: 'There is no Outtray entry to remove.\n' });
  },
);

test.runIf(process.platform === 'linux')(
  'an entry that cannot be made is reported with its reason, and the others are made',
  async () => {
    await mkdir(path.dirname(script()), { recursive: true });
    await writeFile(script(), 'mine');
    const ended = await place.json(['integrate'], { env });
    expect(ended.code).toBe(8);
    expect(ended.lines).toMatchObject([
      { manager: 'nautilus', state: 'off', error: { code: 'bad-use' } },
      { manager: 'dolphin', state: 'on' },
    ]);
    expect((await place.json(['integrate', '--remove'], { env })).code).toBe(0);
    expect(await readFile(script(), 'utf8')).toBe('mine');
    await writeFile(script(), '# app.outtray.entry folders-made=4\n');
    await place.run(['integrate', '--remove'], { env });
    expect(await readdir(path.join(user, '.local/share'))).toEqual([]);
  },
);

test('without a file manager there is nothing to do, and both options at once are refused', async () => {
  const none = await place.json(['integrate'], { env: { ...env, PATH: '/nowhere' } });
  expect(none).toMatchObject({ code: 5, lines: [{ error: { code: 'not-found' } }] });
  expect((await place.run(['integrate', '--list', '--remove'], { env })).code).toBe(2);
  expect((await place.run(['integrate', 'nautilus'], { env })).code).toBe(2);
});

test.runIf(process.platform === 'linux')(
  'a click on the entry uploads files of every name: quotes, %, blanks, line feeds, a leading dash, bytes that are not text',
  async () => {
    await place.run(['integrate'], { env });
    const hasCopy = commandTable()
      .commands.find((command) => command.name() === 'upload')
      ?.options.some(({ long }) => long === '--copy');
    if (hasCopy !== true)
      await writeFile(script(), (await readFile(script(), 'utf8')).replace(' --copy', ''), { mode: 0o755 });
    await writeFile(path.join(place.root, 'bin', 'xclip'), `#!/bin/sh\nexec cat > '${place.root}/copied'\n`, {
      mode: 0o755,
    });
    const names = [`it's "so" 100%F $HOME.txt`, 'two\nlines.txt', '-rf', '--json', ' ', 'plain.txt'];
    for (const name of names) await place.put(name, `content of ${name}`);
    const bytes = Buffer.from([0x6f, 0x64, 0x64, 0xe9, 0xff]);
    await writeFile(Buffer.concat([Buffer.from(`${place.folder}/`), bytes]), 'odd');
    // As Nautilus starts it: in the folder, with names. `printf` makes the bytes that Node cannot pass to a program.
    const start = `exec "$0" "$@" "$(printf 'odd\\351\\377')"`;
    const code = await new Promise<number | null>((resolve, reject) => {
      const PATH = `${path.join(place.root, 'bin')}:${path.dirname(process.execPath)}:/usr/bin:/bin`;
      const all = { ...place.env, ...env, DISPLAY: ':0', PATH };
      const child = spawn('/bin/sh', ['-c', start, script(), ...names], {
        cwd: place.folder,
        env: all,
        stdio: 'ignore',
      });
      child.on('error', reject);
      child.on('close', resolve);
    });
    expect(code).toBe(0);
    expect(service.files()).toHaveLength(names.length + 1);
    const copied = await readFile(path.join(place.root, 'copied'), 'utf8');
    expect(copied.trim().split('\n').toSorted()).toEqual(
      service
        .files()
        .map(({ link }) => link)
        .toSorted(),
    );
    await place.run(['integrate', '--remove'], { env });
  },
);

test('only arguments that Node could not read are read again, and only where the system provides them', () => {
  const odd = Buffer.from([0x61, 0xff]);
  const all = [Buffer.from('node'), Buffer.from('cli.ts'), Buffer.from('upload'), odd];
  expect(exactArguments(['upload', 'a\ufffd'], () => all)).toEqual(['upload', 'a\0ff']);
  expect(exactArguments(['upload', 'a\ufffd'], () => null)).toEqual(['upload', 'a\ufffd']);
  expect(exactArguments(['upload', 'a'], () => expect.unreachable())).toEqual(['upload', 'a']);
});
