// The command on the computer with Windows. Output goes to files: Node cannot open the pipes of this system there.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';
import type { Line } from '../../support/flow/command.ts';
import { eventually } from '../../support/flow/poll.ts';
import { windowsPath } from './computer.ts';

const cli = path.resolve(import.meta.dirname, '../../../out/cli/cli.cjs');
export const computer = inject('computer');

export type Ended = { code: number | null; stdout: string; stderr: string };
export type Options = { cwd?: string; env?: Record<string, string>; node?: string; onConsole?: boolean };

let runs = 0;

/** Starts a program of Windows; its output is read from files. */
const begin = (words: readonly string[], { cwd = computer.home, env = {}, onConsole }: Options = {}) => {
  runs += 1;
  const said = (stream: string): string => path.join(computer.place, `${stream}-${runs}`);
  const [out, err] = [said('out'), said('err')];
  // A console of Windows is made of a terminal, which `script` gives.
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const [program = '', ...args] =
    onConsole === true
      ? ['script', '-qefc', `exec wine ${quoted} >'${out}' 2>'${err}'`, '/dev/null']
      : ['wine', ...words];
  const streams = [openSync(out, 'w'), openSync(err, 'w')];
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env: { ...computer.env, ...env },
    stdio: onConsole === true ? ['pipe', 'ignore', 'ignore'] : ['ignore', ...streams],
  });
  for (const stream of streams) closeSync(stream);
  const read = (file: string): string => readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout: read(out), stderr: read(err) }));
  });
  return { child, ended, stdout: () => read(out), stderr: () => read(err) };
};

/** Runs any program of Windows to its end. */
export const run = (words: readonly string[], options?: Options): Promise<Ended> =>
  begin(words, options).ended;

/** The program of the packages; a test that gives its own Node, or options for Node, gets the bundle on Node. */
const commandOf = ({ node, env }: Options = {}): string[] =>
  node === undefined && env?.['NODE_OPTIONS'] === undefined
    ? [windowsPath(computer.program)]
    : [node ?? computer.node, windowsPath(cli)];

export const outtray = (args: readonly string[], options?: Options): Promise<Ended> =>
  run([...commandOf(options), ...args], options);

/** Runs the Windows program with that name; throws its output when it fails. */
export const tool = async (name: string, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await run([name, ...args]);
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
};

export type Watch = {
  lines(): Line[];
  /** The event of that kind about a file whose path ends so. */
  told(event: string, end?: string): Promise<Line>;
  /** As the Task Manager ends a program. */
  kill(): Promise<Ended>;
  /** As a person ends it who sits before the console. */
  pressCtrlC(): Promise<Ended>;
};

/** `folder` null: those of the settings. */
export const watch = (folder: string | null, options: Options = {}): Watch => {
  const { child, ended, ...said } = begin(
    [...commandOf(options), '--json', 'watch', ...(folder === null ? [] : [folder])],
    options,
  );
  const lines = (): Line[] =>
    said
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  let end: Ended | null = null;
  void ended.then((what) => (end = what));
  return {
    lines,
    told: (event, name = '') =>
      eventually(`${event} ${name}`, () => {
        const found = lines().find((one) => one.event === event && (one.path ?? '').endsWith(name));
        if (found === undefined && end !== null) throw new Error(`It ended: ${JSON.stringify(end)}`);
        return found;
      }),
    kill: async () => {
      const { pid } = JSON.parse(
        readFileSync(path.join(computer.home, 'AppData/Local/outtray/Data/engine.json'), 'utf8'),
      ) as { pid: number };
      await tool('taskkill', '/F', '/PID', String(pid));
      return ended;
    },
    pressCtrlC: () => {
      child.stdin?.write('\u0003');
      return ended;
    },
  };
};

/** Writes files below the user's home; returns the folder as Windows names it. */
export const put = (folder: string, files: Readonly<Record<string, string | Uint8Array>>): string => {
  mkdirSync(path.join(computer.home, folder), { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(computer.home, folder, name), content);
  return inHome(folder);
};

/** The path of a file below the user's home, as Windows names it. */
export const inHome = (name: string): string =>
  `C:\\users\\${path.basename(computer.home)}\\${name.replaceAll('/', '\\')}`;
