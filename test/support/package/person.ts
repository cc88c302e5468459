// `person.ts PROGRAM`: does with an installed command what a person does, as the user who runs this file, on a session
// bus and a keyring of its own, against our own service. Prints one finding per line, as JSON.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { version } from '../../../src-main/adapters/version.ts';
import { startService, type Service } from '../../service/service.ts';
import { missingForKeyring, startBus, type Bus, type KeyringState } from '../keyring.ts';
import { finding, type Finding } from './finding.ts';

type Ended = { code: number | null; stdout: string; stderr: string };
type Given = { env?: NodeJS.ProcessEnv; input?: string };
type Place = {
  service: Service;
  bus: Bus;
  folder: string;
  run(args: string[], given?: Given): Promise<Ended>;
  put(name: string, content: string): Promise<string>;
};

const key = 'a-key-of-the-check-7f3a';
const otherKey = 'another-key-of-the-check-11bc';
/** Longer than any of these takes; a command that opens a window or waits for a dialog does not end by itself. */
const limitMs = 20_000;

const inPlace = async (
  program: string,
  keyring: KeyringState,
  act: (place: Place) => Promise<Finding[]>,
  home?: string,
): Promise<Finding[]> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'outtray-person-'));
  const service = await startService({ key, dir: path.join(folder, 'service') });
  const bus = await startBus({ keyring, ...(home === undefined ? {} : { home }) });
  const watched = path.join(folder, 'Outtray');
  await mkdir(watched);
  try {
    return await act({
      service,
      bus,
      folder,
      run: (args, { env = {}, input = '' } = {}) =>
        start(program, args, { ...bus.env, OUTTRAY_HOME: path.join(folder, 'data'), ...env }, input),
      async put(name, content) {
        const file = path.join(watched, name);
        await writeFile(file, content);
        return file;
      },
    });
  } finally {
    await bus[Symbol.asyncDispose]();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** With nothing of this machine in its environment except the path: no display, no home, no bus but the given one. */
const start = (program: string, args: string[], env: NodeJS.ProcessEnv, input: string): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const ended: Ended = { code: null, stdout: '', stderr: '' };
    const limit = setTimeout(() => {
      ended.stderr += `\n(ended by the check after ${limitMs / 1_000} s)`;
      // The whole group: a script may have started a program.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    child.stdout.on('data', (piece: Buffer) => (ended.stdout += String(piece)));
    child.stderr.on('data', (piece: Buffer) => (ended.stderr += String(piece)));
    // A command that reads nothing closes its input early.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ ...ended, code });
    });
    child.stdin.end(input);
  });

type Wanted = { code: number; out?: RegExp; err?: RegExp; silent?: boolean };

/** What differs, with the whole output. */
const differs = (what: string, ended: Ended, wanted: Wanted): string[] => {
  const { code, stdout, stderr } = ended;
  const wrong = [
    ...(code === wanted.code ? [] : [`exit code ${String(code)}, not ${wanted.code}`]),
    ...(wanted.out === undefined || wanted.out.test(stdout)
      ? []
      : [`standard output lacks ${String(wanted.out)}`]),
    ...(wanted.err === undefined || wanted.err.test(stderr)
      ? []
      : [`standard error lacks ${String(wanted.err)}`]),
    ...(wanted.silent === true && stderr !== '' ? ['standard error is not empty'] : []),
    ...(/FATAL|^\s+at .*:\d+:\d+/m.test(`${stdout}${stderr}`)
      ? ['a person sees the inside of the program']
      : []),
    ...(`${stdout}${stderr}`.includes(key) ? ['the key is shown'] : []),
  ];
  return wrong.length === 0 ? [] : [`outtray ${what}: ${wrong.join('; ')}\n${stdout}${stderr}`.trimEnd()];
};

const withoutKey = (program: string): Promise<Finding[]> =>
  inPlace(program, 'none', async ({ run, service, put, bus }) => [
    await finding('--version and help', async () => [
      ...differs('--version', await run(['--version']), {
        code: 0,
        out: new RegExp(`^${version}\n$`),
        silent: true,
      }),
      ...differs('help', await run(['help']), { code: 0, out: /upload[\s\S]*watch/, silent: true }),
      ...differs('--help', await run(['--help']), { code: 0, out: /upload[\s\S]*watch/, silent: true }),
    ]),
    await finding('a typo is refused as wrong use, and opens nothing', async () =>
      differs('uplaod x', await run(['uplaod', 'x']), { code: 2, err: /upload/ }),
    ),
    await finding('no arguments print the help, as wrong use', async () =>
      differs('', await run([]), { code: 2, err: /upload[\s\S]*watch/ }),
    ),
    await finding('status and settings ask nobody', async () => [
      ...differs('--json status', await run(['--json', 'status']), {
        code: 0,
        out: /"counts"/,
        silent: true,
      }),
      ...differs('settings get language', await run(['settings', 'get', 'language']), {
        code: 0,
        out: /system/,
      }),
    ]),
    await finding('no keyring: login says so, and OUTTRAY_API_KEY is obeyed', async () => {
      const env = { OUTTRAY_BASE_URL: service.baseUrl };
      return [
        ...differs('login', await run(['login', `--base-url=${service.baseUrl}`], { input: `${key}\n` }), {
          code: 3,
          err: /OUTTRAY_API_KEY/,
        }),
        ...differs('list', await run(['list'], { env }), { code: 3, err: /OUTTRAY_API_KEY/ }),
        ...differs(
          'upload',
          await run(['upload', await put('by variable.txt', 'x')], { env: { ...env, OUTTRAY_API_KEY: key } }),
          {
            code: 0,
            out: /^http:\/\/127\.0\.0\.1.*\n$/,
          },
        ),
        ...((await readdir(bus.home)).includes('keyrings') ? ['a keyring was made'] : []),
      ];
    }),
  ]);

const withKeyring = (program: string): Promise<Finding[]> =>
  inPlace(program, 'unlocked', async ({ run, service, put, folder, bus }) => [
    await finding('a wrong key is refused and not kept', async () => {
      const wrong = await run(['login', `--base-url=${service.baseUrl}`], { input: `${otherKey}\n` });
      return [
        ...differs('login', wrong, { code: 3 }),
        ...differs('list', await run(['list'], { env: { OUTTRAY_BASE_URL: service.baseUrl } }), { code: 3 }),
      ];
    }),
    await finding('login with the key on standard input', async () =>
      differs('login', await run(['login', `--base-url=${service.baseUrl}`], { input: `${key}\n` }), {
        code: 0,
      }),
    ),
    await finding('list, with the key from the keyring', async () => {
      await service.addFile({ filename: 'from elsewhere.txt', content: 'x' });
      return differs('list', await run(['list']), { code: 0, out: /from elsewhere\.txt/ });
    }),
    await finding('upload prints the link, and the link has the bytes', async () => {
      const ended = await run(['upload', await put('Zürich 合同.txt', 'the bytes')]);
      const wrong = differs('upload', ended, { code: 0, out: /^http\S+\n$/ });
      if (wrong.length > 0) return wrong;
      const answer = await fetch(ended.stdout.trim());
      return (await answer.text()) === 'the bytes' ? [] : ['the link has other bytes'];
    }),
    await finding('watch --once uploads what is new and ends', async () => {
      await put('new.txt', 'new');
      const ended = await run(['watch', path.join(folder, 'Outtray'), '--once', '--existing', 'upload']);
      const names = service.files().map(({ filename }) => filename);
      return [
        ...differs('watch --once', ended, { code: 0 }),
        ...(names.includes('new.txt') ? [] : ['it is not there']),
      ];
    }),
    await finding('status counts them', async () =>
      differs('--json status', await run(['--json', 'status']), {
        code: 0,
        out: /"uploaded":[1-9]/,
        silent: true,
      }),
    ),
    await finding('the key is in the keyring and in no other file', async () => [
      ...(await filesWith(key, path.join(folder, 'data'))).map((file) => `${file} has the key`),
      ...((await readdir(path.join(bus.home, '.local/share/keyrings')).catch(() => [])).length > 0
        ? []
        : ['the keyring has no file']),
    ]),
    await finding('logout forgets it', async () => [
      ...differs('logout', await run(['logout']), { code: 0 }),
      ...differs('list', await run(['list']), { code: 3, err: /login/ }),
    ]),
    await finding('login --key-file', async () => {
      const file = path.join(folder, 'key');
      await writeFile(file, `${key}\n`, { mode: 0o600 });
      return [
        ...differs('login --key-file', await run(['login', '--key-file', file]), { code: 0 }),
        ...differs('list', await run(['list']), { code: 0 }),
      ];
    }),
    ...(await inPlace(
      program,
      'locked',
      async (locked) => [
        await finding('a locked keyring is called locked, never empty', async () =>
          differs(
            '--json list',
            await locked.run(['--json', 'list'], {
              // A key belongs to a data folder.
              env: { OUTTRAY_BASE_URL: service.baseUrl, OUTTRAY_HOME: path.join(folder, 'data') },
            }),
            {
              code: 3,
              out: /"keychain-locked"/,
            },
          ),
        ),
      ],
      bus.home,
    )),
  ]);

const filesWith = async (text: string, folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const found: string[] = [];
  for (const file of files) if ((await readFile(file)).includes(text)) found.push(file);
  return found;
};

const [, , program = ''] = process.argv;
const missing = missingForKeyring();
const findings: Finding[] =
  missing === null
    ? [...(await withoutKey(program)), ...(await withKeyring(program))]
    : [['what a person does with the command', [], missing]];
for (const found of findings) console.log(JSON.stringify(found));
