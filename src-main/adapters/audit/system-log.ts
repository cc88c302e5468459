// Copies the audit lines to the system log (setting auditSystemLog): journald or syslog on Linux, the unified log on
// macOS, both through the system's `logger`, because Node has no sockets of their kind. A system log may drop lines
// silently, so the file is the record: a fault here is logged, the doctor reports it, and it stops nothing.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { AppError } from '../../contract/errors.ts';
import { wholePath } from '../../contract/whole-path.ts';

export type LogProgram = { file: string; args: readonly string[] };

/** Null: the platform has no log that every user may write to. */
const programOf = (platform: NodeJS.Platform): LogProgram | null => {
  const tagged = ['-t', 'outtray', '-p', 'user.notice'];
  switch (platform) {
    case 'linux':
      // Lines over 64 KiB are split. Without the last argument a missing log is no error.
      return { file: '/usr/bin/logger', args: [...tagged, '--size', '64KiB', '--socket-errors=on'] };
    case 'darwin':
      return { file: '/usr/bin/logger', args: tagged };
    default:
      return null;
  }
};

/** How many lines may wait for a log that hangs. Older ones are dropped: the file has them. */
const mostWaiting = 10_000;
const mostSaid = 500;

export type SystemLog = {
  send(lines: readonly string[]): void;
  /** Throws when it cannot be written. */
  check(): void;
  /** Resolves when every line is written or has failed. */
  close(): Promise<void>;
};

export const createSystemLog = ({
  failed,
  program = programOf(process.platform),
  limitMs = 10_000,
}: {
  failed: (error: AppError) => void;
  program?: LogProgram | null;
  limitMs?: number;
}): SystemLog => {
  let waiting: string[] = [];
  let sending: Promise<void> | null = null;
  let trouble: AppError | null = null;

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const text = waiting.join('');
      waiting = [];
      try {
        if (program === null) throw nowhere();
        await say(program, text, limitMs);
        trouble = null;
      } catch (caught) {
        trouble = unwritable(caught);
        failed(trouble);
      }
    }
  };

  const begin = (): void => {
    if (waiting.length === 0) return;
    // The transaction that wrote the file ends first.
    sending ??= Promise.resolve()
      .then(sendAll)
      .finally(() => {
        sending = null;
        begin();
      });
  };

  return {
    send(lines) {
      waiting = [...waiting, ...lines].slice(-mostWaiting);
      begin();
    },
    check() {
      if (trouble !== null) throw trouble;
      if (program === null) throw unwritable(nowhere());
      try {
        accessSync(program.file, constants.X_OK);
      } catch (cause) {
        throw unwritable(cause);
      }
    },
    async close() {
      while (sending !== null) await sending;
    },
  };
};

const say = ({ file, args }: LogProgram, text: string, limitMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(wholePath(file), args, {
      env: {},
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said = (said + piece.toString()).slice(0, mostSaid)));
    // If the program ends before it has read everything, its exit code gives the reason.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0 && said === '') return resolve();
      const end = signal === null ? `ended with ${String(code)}` : 'did not end';
      reject(new Error(said.trim() || `${file} ${end}`));
    });
    child.stdin.end(text);
  });

const nowhere = (): Error => new Error('there is none here that every user may write to');

const unwritable = (cause: unknown): AppError =>
  new AppError(
    'audit',
    `The system log cannot be written (${cause instanceof Error ? cause.message : String(cause)}). The audit file is not affected.`,
    'Start the system log, or turn off the setting auditSystemLog.',
    { cause },
  );
