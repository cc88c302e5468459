// The cheap receiver (sink.child.ts) as a process of its own, and the commands that send to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { measure, type Command } from './measure.ts';

export type Sink = {
  /** `http://127.0.0.1:PORT`. */
  origin: string;
  port: number;
  counts(): Promise<{ uploads: number; bytes: number; connections: number }>;
  stop(): Promise<void>;
};

/** `bytesPerSecond`: each connection is slowed down to that. */
export const startSink = async (options: { bytesPerSecond?: number } = {}): Promise<Sink> => {
  const flags = options.bytesPerSecond === undefined ? [] : [String(options.bytesPerSecond)];
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'sink.child.ts'), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port } = JSON.parse(line) as { port: number };
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    port,
    counts: async () =>
      (await (await fetch(`${origin}/counts`)).json()) as {
        uploads: number;
        bytes: number;
        connections: number;
      },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

/** Without what changes what the peers do, and certificates that Node reads at each start. */
export const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(AWS|RCLONE|CURL|SSL|HTTPS?|NO|ALL|NODE_EXTRA_CA)_/i.test(name),
    ),
  );

/**
 * `outtray upload FILES` by the words that start the command. Each time with a data folder of its own in `place`, as the command
 * left it after a first run that uploaded nothing.
 */
export const uploadCommand = async (
  [program = '', ...before]: readonly string[],
  place: string,
  sink: Sink,
  files: readonly string[],
  settings: Record<string, unknown> = {},
): Promise<Command> => {
  const used = path.join(place, 'used-home');
  if (!existsSync(used)) {
    mkdirSync(used, { mode: 0o700 });
    await measure({
      file: program,
      args: [...before, 'status'],
      env: { ...plainEnvironment(), OUTTRAY_HOME: used },
    });
  }
  const home = mkdtempSync(path.join(place, 'home-'));
  cpSync(used, home, { recursive: true });
  writeFileSync(path.join(home, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  return {
    file: program,
    args: [...before, 'upload', ...files],
    env: {
      ...plainEnvironment(),
      OUTTRAY_HOME: home,
      OUTTRAY_BASE_URL: `${sink.origin}/api/v1`,
      OUTTRAY_API_KEY: 'any',
    },
  };
};

export const curlCommand = (sink: Sink, file: string): Command => ({
  file: 'curl',
  args: ['-q', '-sS', '-f', '-o', '/dev/null', '-F', `file=@${file}`, `${sink.origin}/api/v1/files/upload`],
  env: plainEnvironment(),
});

let copies = 0;

export const rcloneCommand = (
  what: 'copy' | 'copyto',
  over: 'webdav' | 's3',
  sink: Sink,
  from: string,
): Command => {
  copies += 1;
  const to = `${copies}`;
  const flags =
    over === 'webdav'
      ? ['--webdav-url', `${sink.origin}/dav`]
      : ['--s3-provider', 'Other', '--s3-endpoint', sink.origin, '--s3-force-path-style'].concat(
          ['--s3-access-key-id', 'any', '--s3-secret-access-key', 'any', '--s3-no-check-bucket'],
          ['--s3-upload-cutoff', '5G', '--transfers', '4'],
        );
  const target = over === 'webdav' ? `:webdav:${to}` : `:s3:bucket/${to}`;
  return { file: 'rclone', args: [what, from, target, '--config', '', ...flags], env: plainEnvironment() };
};
