// The command inside the test's own process: the same `run`, with streams, environment and folders of its own. It takes
// 10 ms where a process takes 150 ms of a core.
import { Readable, Writable } from 'node:stream';
import { run } from '../../../src-main/cli/program.ts';
// What most commands load when they run: here it is loaded before the tests, so that no test's time includes it.
import '../../../src-main/cli/commands/upload.ts';
import '../../../src-main/cli/commands/watch.ts';
import '../../../src-main/adapters/api/connect.ts';
import '../../../src-main/adapters/api/exchange.ts';
import type { Io } from '../../../src-main/cli/io.ts';
import { createInspect, type Inspector } from '../../../src-main/adapters/inspect/inspect.ts';
import type { SystemClock } from '../../../src-main/adapters/system/clock.ts';
import { commandEnv, reader, type RunOptions, type Running } from './command.ts';

/** The threads that look into files take longer to start than most commands to run: the runs of this process share them. */
const inspect: Inspector = { ...createInspect(), close: async () => undefined };

/** The environment of a run in this process; `write` gets both outputs. */
export const ioFor = (given: {
  env: NodeJS.ProcessEnv;
  cwd: string;
  stdin?: string | Readable;
  write: (stream: 'stdout' | 'stderr', text: string) => void;
  signal?: AbortSignal;
  clock?: SystemClock | undefined;
}): Io => {
  const stdin =
    given.stdin instanceof Readable
      ? given.stdin
      : Readable.from(given.stdin === undefined ? [] : [Buffer.from(given.stdin)]);
  const sink = (stream: 'stdout' | 'stderr') => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return new Writable({
      write(chunk: Buffer, _, done) {
        given.write(stream, decoder.decode(chunk, { stream: true }));
        done();
      },
    });
  };
  return {
    stdin: () => stdin,
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env: given.env,
    cwd: given.cwd,
    userHome: given.env['HOME'] ?? given.cwd,
    platform: process.platform,
    signal: given.signal ?? new AbortController().signal,
    ...(given.clock === undefined ? {} : { clock: given.clock }),
    inspect,
  };
};

/** Arguments of commands whose work outlives a run, or is about the process itself. */
const ofProcesses = new Set([
  '--detach',
  '--background',
  'mcp',
  'completion',
  'integrate',
  '--version',
  '-V',
]);
/** What Node or the system reads of a process's environment. */
const ofNode = /^(NODE_|LD_|TZ$|PATH$|UV_|SSL_)/;
/** `npm run test:deep` runs every command as a process. */
export const everyProcess = process.env['OUTTRAY_PROCESSES'] === '1';

/** What interrupts a run. Only a process can be killed. */
const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/** Whether a run is about its process, so that it has to have one. */
export const needsProcess = (args: readonly string[], options: RunOptions): boolean =>
  everyProcess ||
  options.process === true ||
  options.before !== undefined ||
  options.columns !== undefined ||
  (typeof options.stdin === 'object' && !(options.stdin instanceof Readable)) ||
  args.some((word) => ofProcesses.has(word) && !(word === 'mcp' && options.stdin instanceof Readable)) ||
  options.env?.['OUTTRAY_HOME'] === undefined ||
  Object.keys(options.env).some((name) => ofNode.test(name));

/** Runs the command here. SIGINT and SIGTERM are its interruption; nothing else can be sent to it. */
export const startHere = (
  args: readonly string[],
  options: RunOptions & { clock?: SystemClock | undefined },
): Running => {
  const stopping = new AbortController();
  const reading = reader(args);
  const io = ioFor({
    env: commandEnv(options.env),
    cwd: options.cwd ?? process.cwd(),
    ...(typeof options.stdin === 'string' || options.stdin instanceof Readable
      ? { stdin: options.stdin }
      : {}),
    write: (stream, text) => {
      reading.write(stream, text);
      options.hear?.(stream, text);
    },
    signal: stopping.signal,
    clock: options.clock,
  });
  const ended = run(args, io).then((code) => reading.end(code, null));
  return {
    ...reading.running,
    pid: process.pid,
    stop: (signal = 'SIGINT') => {
      if (!signals.includes(signal))
        throw new Error(`${signal} ends processes only: start it with { process: true }.`);
      stopping.abort();
      return ended;
    },
    ended,
  };
};
