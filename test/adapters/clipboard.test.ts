// The clipboard by the system's own programs: with real displays where this machine has them.
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOfAddress } from '../../src-main/adapters/clipboard/file-list.ts';
import { readClipboard } from '../../src-main/adapters/clipboard/read.ts';
import { scriptReaders, textWriters } from '../../src-main/adapters/clipboard/tools.ts';
import { writeText } from '../../src-main/adapters/clipboard/write-text.ts';
import { privateMarks } from '../../src-main/contract/text/private-marks.ts';
import { startWayland, startX11, type DesktopSession } from '../support/desktop-session.ts';
import { hasWayland, hasX11 } from '../support/machine.ts';
import { posixTest } from '../support/posix.ts';

const run = promisify(execFile);
const text = 'https://x/1\n\'$(touch /tmp/no)" — ünïcödé 🦊\n';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'outtray-clipboard-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A search path with these programs only, and those that they run themselves. */
const pathWith = async (...programs: string[]): Promise<string> => {
  const bin = await mkdtemp(path.join(folder, 'bin-'));
  for (const program of [...programs, 'cat', 'rm'])
    await symlink(`/usr/bin/${program}`, path.join(bin, program));
  return bin;
};

/** A tool that never returns from a compositor or display is started again: what is tested here is how we read. */
const copyLimitMs = 15_000;

/** As a program that copied: the tool stays to serve it. */
const copy = async (
  env: Record<string, string>,
  tool: [string, ...string[]],
  given: string | Buffer,
): Promise<void> => {
  for (let tries = 1; !(await hasCopied(env, tool, given)); tries += 1)
    if (tries === 3) throw new Error(`${tool[0]} did not come back within ${copyLimitMs / 1000} s.`);
};

const hasCopied = (
  env: Record<string, string>,
  [program, ...args]: [string, ...string[]],
  given: string | Buffer,
): Promise<boolean> =>
  new Promise<boolean>((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: copyLimitMs,
      killSignal: 'SIGKILL',
    });
    child.once('error', reject);
    child.once('exit', (_, signal) => resolve(signal !== 'SIGKILL'));
    // A tool that ends by itself may not read all of it; its exit code shows that.
    child.stdin.on('error', () => undefined);
    child.stdin.end(given);
  });

const read = async (env: NodeJS.ProcessEnv) => {
  const file = path.join(folder, 'read');
  const pasted = await readClipboard(file, { HOME: folder, PATH: process.env['PATH'], ...env });
  const names = await readdir(folder);
  if (pasted?.kind !== 'content') {
    expect(names).not.toContain('read');
    return pasted;
  }
  const content = await readFile(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await rm(file);
  return { ...pasted, content };
};
const picture = Buffer.from('89504e470d0a1a0a00ff0a0d00', 'hex');
const list = 'file:///tmp/%C3%A4%20b%0A.txt\r\nfile:///tmp/%FF.bin\r\nhttps://x/y\r\n';
const listed = { kind: 'files', paths: ['/tmp/ä b\n.txt', '/tmp/\0ff.bin'], elsewhere: 0 };

describe.skipIf(!hasX11)('on X11', () => {
  let session: DesktopSession;
  beforeAll(async () => {
    session = await startX11();
  });
  afterAll(() => session.close());

  test.each(['xclip', 'xsel'])('text arrives by %s, byte for byte', async (program) => {
    const env = { ...session.env, HOME: folder, PATH: await pathWith(program) };
    await writeText(text + program, env);
    const held = async (): Promise<string> => {
      const env = { ...process.env, ...session.env };
      return (await run('xclip', ['-selection', 'clipboard', '-out'], { env })).stdout;
    };
    // xsel goes into the background before the clipboard is its own.
    await expect.poll(() => held().catch(() => '')).toBe(text + program);
  });

  test('files, an image and a text are read; an empty clipboard is reported as empty', async () => {
    const put = (type: string) => ['xclip', '-selection', 'clipboard', '-target', type, '-in'] as const;
    // xclip goes into the background before the clipboard is its own.
    const held = (env: NodeJS.ProcessEnv) => expect.poll(() => read(env));
    await copy(session.env, [...put('image/png')], picture);
    await held(session.env).toEqual({ kind: 'content', ending: 'png', content: picture });
    await copy(session.env, [...put('text/uri-list')], list);
    await held(session.env).toEqual(listed);
    await copy(session.env, [...put('x-special/gnome-copied-files')], `copy\n${list}`);
    await held(session.env).toEqual(listed);
    await copy(session.env, [...put('UTF8_STRING')], text);
    await held(session.env).toEqual({ kind: 'content', ending: 'txt', content: Buffer.from(text) });
    await copy(session.env, [...put('UTF8_STRING')], '');
    await held(session.env).toBeNull();
    await copy(session.env, ['xsel', '--clipboard', '--clear'], '');
    await held(session.env).toBeNull();
  });

  test('without a program the packages are named', async () => {
    await expect(writeText(text, { ...session.env, PATH: folder })).rejects.toMatchObject({
      message: 'The clipboard cannot be reached: there is no xclip or xsel.',
      remedy: 'Install the package xclip or xsel.',
    });
  });
});

describe.skipIf(!hasWayland)('on Wayland', () => {
  let session: DesktopSession;
  beforeAll(async () => {
    session = await startWayland();
  });
  afterAll(() => session.close());

  test('text arrives, byte for byte', async () => {
    await writeText(text, { ...session.env, HOME: folder, PATH: await pathWith('wl-copy') });
    const { stdout } = await run('wl-paste', ['--no-newline'], { env: { ...process.env, ...session.env } });
    expect(stdout).toBe(text);
  });
});

test.runIf(hasWayland)(
  'on Wayland files, an image and a text are read; an empty clipboard is reported as empty',
  async () => {
    await using session = await startWayland();
    expect(await read(session.env)).toBeNull();
    await copy(session.env, ['wl-copy', '--type', 'image/png'], picture);
    expect(await read(session.env)).toEqual({ kind: 'content', ending: 'png', content: picture });
    await copy(session.env, ['wl-copy', '--type', 'text/uri-list'], list);
    expect(await read(session.env)).toEqual(listed);
    await copy(session.env, ['wl-copy', '--type', 'text/plain'], text);
    expect(await read(session.env)).toEqual({ kind: 'content', ending: 'txt', content: Buffer.from(text) });
  },
);

posixTest('its clipboard is always there')(
  'a clipboard that cannot be reached does not count as empty',
  async () => {
    await expect(read({})).rejects.toThrow('neither WAYLAND_DISPLAY nor DISPLAY is set');
    const nowhere = { PATH: '/nowhere', DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-9' };
    await expect(read(nowhere)).rejects.toMatchObject({
      message: 'The clipboard cannot be reached: there is no wl-paste or xclip.',
      remedy: 'Install the package wl-clipboard or xclip.',
    });
  },
);
test.runIf(hasX11)('nor does a display that is gone', async () => {
  await expect(read({ DISPLAY: ':9876' })).rejects.toThrow('The clipboard cannot be reached: xclip failed.');
});

test('only an address on this computer is a path', () => {
  const paths = (addresses: string[]) => addresses.map(pathOfAddress);
  expect(paths(['file://localhost/a', 'file:///g#h?i', 'file:///%zz', 'file:/j'])).toEqual([
    '/a',
    '/g#h?i',
    '/%zz',
    '/j',
  ]);
  expect(paths(['# x', 'file://other/b', 'file:c', '/d', 'file:///e%00f', 'https://x/y'])).toEqual(
    Array.from({ length: 6 }, () => null),
  );
});

/** The clipboard of a desktop that offers these types. */
const offering = async (contents: Readonly<Record<string, string>>): Promise<NodeJS.ProcessEnv> => {
  const bin = await mkdtemp(path.join(folder, 'offers-'));
  const types = Object.keys(contents);
  for (const [index, type] of types.entries())
    await writeFile(path.join(bin, String(index)), contents[type] ?? '');
  const cases = types.map(
    (type, index) => `*"--type ${type}") exec /bin/cat '${path.join(bin, String(index))}' ;;`,
  );
  const listing = `*--list-types*) printf '%s\\n' ${types.map((type) => `'${type}'`).join(' ')} ;;`;
  await writeFile(
    path.join(bin, 'wl-paste'),
    `#!/bin/sh\ncase "$*" in\n${[listing, ...cases].join('\n')}\n*) exit 1 ;;\nesac\n`,
  );
  await chmod(path.join(bin, 'wl-paste'), 0o755);
  return { PATH: bin, WAYLAND_DISPLAY: 'wayland-0' };
};

const plain = 'text/plain;charset=utf-8';
const gnome = 'x-special/gnome-copied-files';
posixTest('its clipboard is always there').each<[string, Record<string, string>]>([
  ...[
    'sftp://anna@intranet.example/a.xlsx',
    'smb://x/a',
    'trash:///a',
    'google-drive://x/a',
    'mtp://phone/a',
  ].map((address): [string, Record<string, string>] => [
    address,
    { 'text/uri-list': `${address}\r\n`, [gnome]: `copy\n${address}`, [plain]: address },
  ]),
  ['a list of its own', { 'text/uri-list': 'sftp://x/a\r\n', [plain]: 'sftp://x/a' }],
  ['a web link beside it', { 'text/uri-list': 'https://x/y\r\nsftp://x/a\r\n', [plain]: 'sftp://x/a' }],
  ['another computer', { 'text/uri-list': 'file://other/a\r\n', [plain]: '//other/a' }],
  ['only a comment', { 'text/uri-list': '# x\r\n', [gnome]: 'cut\n', [plain]: 'x' }],
  ['no text', { [gnome]: 'copy\nsftp://x/a' }],
])('the address of a copied file that is not here is never taken for a text: %s', async (_, contents) => {
  await expect(read(await offering(contents))).rejects.toMatchObject({
    message: expect.stringContaining('network place') as string,
    remedy: 'Put them into a folder of this computer and copy them there.',
  });
  expect(await readdir(folder)).not.toContain('read');
});

posixTest('its clipboard is always there')(
  'of files in several places those that are here are taken; a copied web link is a text, a picture a picture',
  async () => {
    const mixed = { 'text/uri-list': 'file:///a\r\nsftp://x/b\r\nsmb://x/c\r\n', [plain]: '/a' };
    expect(await read(await offering(mixed))).toEqual({ kind: 'files', paths: ['/a'], elsewhere: 2 });
    const link = { 'text/uri-list': 'https://x/y\r\n', [plain]: 'https://x/y' };
    expect(await read(await offering(link))).toMatchObject({ kind: 'content', ending: 'txt' });
    const shown = { 'text/uri-list': 'sftp://x/a.png', 'image/png': 'a picture', [plain]: 'sftp://x/a.png' };
    expect(await read(await offering(shown))).toMatchObject({ kind: 'content', ending: 'png' });
  },
);

const isRefused = expect.objectContaining({
  message: expect.stringContaining('private') as unknown,
}) as Error;

posixTest('its clipboard is always there')('what its program marks as private is not read', async () => {
  for (const mark of ['x-kde-passwordManagerHint', 'application/x-kde-passwordManagerHint'])
    for (const content of [plain, 'image/png', 'text/uri-list', 'x-special/gnome-copied-files'])
      await expect(read(await offering({ [content]: 'file:///a', [mark]: 'secret' }))).rejects.toThrow(
        isRefused,
      );
});

posixTest('its clipboard is always there')(
  'what was copied and marked as private while the clipboard was read is not taken',
  async () => {
    const env = await offering({});
    const copied = path.join(env['PATH'] ?? '', 'copied');
    const listing = `echo '${plain}'; [ ! -e '${copied}' ] || echo x-kde-passwordManagerHint`;
    await writeFile(
      path.join(env['PATH'] ?? '', 'wl-paste'),
      `#!/bin/sh\ncase "$*" in\n*--list-types*) ${listing} ;;\n*) : > '${copied}'; printf secret ;;\nesac\n`,
    );
    await expect(read(env)).rejects.toThrow(isRefused);
  },
);

test('the scripts of other systems look for each mark before they read', () => {
  for (const { type, system } of privateMarks.filter((mark) => mark.system !== 'linux')) {
    const script = scriptReaders[system]?.args.join('\n') ?? '';
    expect([type, script.includes(type)]).toEqual([type, true]);
    expect(script.indexOf(type)).toBeLessThan(script.search(/ContainsFileDropList|propertyListForType/));
  }
});

posixTest('its clipboard is always there')(
  'a display that is gone, a session without one, and a program that fails are reported',
  async () => {
    await expect(writeText(text, {})).rejects.toMatchObject({
      message: 'There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.',
    });
    const failing = path.join(folder, 'xclip');
    await writeFile(failing, '#!/bin/sh\nexit 1\n');
    await chmod(failing, 0o755);
    await expect(writeText(text, { DISPLAY: ':0', PATH: folder })).rejects.toMatchObject({
      message: 'The clipboard cannot be reached: xclip failed.',
      remedy: 'Run it in your desktop session.',
    });
  },
);

test('each system has its programs; Wayland comes before X11, whose programs are used where its own are missing', () => {
  const named = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] =>
    textWriters(platform, env).map(({ program }) => program);
  expect(named('darwin', {})).toEqual(['pbcopy']);
  expect(named('win32', {})).toEqual(['powershell.exe']);
  expect(named('linux', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })).toEqual([
    'wl-copy',
    'xclip',
    'xsel',
  ]);
  expect(named('linux', { DISPLAY: ':0', WAYLAND_DISPLAY: '' })).toEqual(['xclip', 'xsel']);
});
