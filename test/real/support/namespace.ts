// A network of its own: a namespace with nothing but loopback, in which the service, the command and the firewall's
// rules of one test live.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const serviceProgram = path.resolve(import.meta.dirname, '../../service/main.ts');
const sbin = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
let made = 0;

export type NetworkNamespace = {
  /** Program and arguments that run `command` inside. */
  inside(command: readonly string[]): [string, string[]];
  /** Runs iptables with these arguments. */
  iptables(...args: string[]): void;
  /** Starts the service; resolves with its port and a reader of what it has stored. */
  startService(key: string): Promise<{ port: number; stored(): Promise<StoredFile[]> }>;
  /** Ends what was started inside and removes the namespace. */
  close(): Promise<void>;
};

export type StoredFile = { filename: string; sizeBytes: number; sha256: string };

export const createNamespace = (): NetworkNamespace => {
  made += 1;
  const name = `outtray-${process.pid}-${made}`;
  execFileSync('ip', ['netns', 'add', name], { env: sbin });
  const inside = (command: readonly string[]): [string, string[]] => [
    'ip',
    ['netns', 'exec', name, ...command],
  ];
  const now = (...command: string[]): void => {
    const [program, args] = inside(command);
    execFileSync(program, args, { env: sbin });
  };
  now('ip', 'link', 'set', 'lo', 'up');
  const started: ChildProcess[] = [];
  return {
    inside,
    iptables: (...args) => now('iptables', ...args),
    async startService(key) {
      const limits = [
        '--requests-per-minute',
        'none',
        '--requests-per-day',
        'none',
        '--daily-uploads',
        'none',
      ];
      const [program, args] = inside([process.execPath, serviceProgram, '--key', key, ...limits]);
      const child = spawn(program, args, { env: sbin, stdio: ['ignore', 'pipe', 'inherit'] });
      started.push(child);
      const line = await new Promise<string>((resolve) =>
        createInterface(child.stdout).once('line', resolve),
      );
      const { base_url: baseUrl, control } = JSON.parse(line) as { base_url: string; control: string };
      return {
        port: Number(new URL(baseUrl).port),
        async stored() {
          const script = `fetch('${control}/files').then((answer) => answer.text()).then(console.log)`;
          const [node, rest] = inside([process.execPath, '-e', script]);
          const { stdout } = await run(node, rest, { env: sbin });
          return JSON.parse(stdout) as StoredFile[];
        },
      };
    },
    async close() {
      for (const child of started) {
        const ended = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        await ended;
      }
      execFileSync('ip', ['netns', 'del', name], { env: sbin });
    },
  };
};
