// Loaded into the program from outside (`node --import doom.ts out/cli/cli.cjs …`): numbers every effect on the
// ledger, the data folder and the network, and kills the process just before or just after one of them. The program
// itself contains none of this. SIGKILL gives it no time to react.
//
// OUTTRAY_SOAK_NOTES  a file: the counted effects, one label a line; with a doom only the effect at which it died
// OUTTRAY_SOAK_DOOM   `before N LABEL` or `after N LABEL`: the N-th effect of that label, from 1; `torn N LABEL`: after
//                     half of a write to the audit file
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import path from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const [, moment = 'never', at = '0', doomed = ''] =
  /^(\w+) (\d+) (.*)$/.exec(process.env['OUTTRAY_SOAK_DOOM'] ?? '') ?? [];
let left = Number(at);
const notes = process.env['OUTTRAY_SOAK_NOTES'] ?? '';
const home = process.env['OUTTRAY_HOME'] ?? '/nowhere';
const { writeFileSync } = fs;

const labels: string[] = [];
/** An effect within another is part of it (a rename inside a write). */
let depth = 0;

const die = (label: string): void => {
  writeFileSync(notes, `${label}\n`);
  process.kill(process.pid, 'SIGKILL');
};

const effect = <T>(label: string, act: () => T): T => {
  if (depth > 0) return act();
  labels.push(label);
  if (label === doomed) left -= 1;
  const isIt = label === doomed && left === 0;
  if (isIt && moment === 'before') die(label);
  depth += 1;
  try {
    return act();
  } finally {
    depth -= 1;
    if (isIt && moment === 'after') die(label);
  }
};

type Method = (this: object, ...given: unknown[]) => unknown;

/** `name` returns the name of the call, or null if the call does not count. */
const wrap = (
  owner: object,
  method: string,
  name: (self: object, given: unknown[]) => string | null,
): void => {
  const known = Reflect.get(owner, method) as Method;
  const wrapped: Method = function (...given) {
    const label = name(this, given);
    return label === null ? known.apply(this, given) : effect(label, () => known.apply(this, given));
  };
  Reflect.set(owner, method, wrapped);
};

// ---------------------------------------------------------------- the ledger: what makes a transaction durable

const databaseOf = new WeakMap<object, DatabaseSync>();
type Prepare = (this: DatabaseSync, sql: string) => StatementSync;
const prepare: Prepare = Reflect.get(DatabaseSync.prototype, 'prepare');
DatabaseSync.prototype.prepare = function (sql: string) {
  const statement = prepare.call(this, sql);
  databaseOf.set(statement, this);
  return statement;
};

const isWrite = (sql: string): boolean => /^\s*(insert|update|delete|replace)/i.test(sql);

wrap(StatementSync.prototype, 'run', (self) => {
  const { sourceSQL } = self as StatementSync;
  if (sourceSQL === 'COMMIT') return 'commit';
  const isAlone = databaseOf.get(self)?.isTransaction === false && isWrite(sourceSQL);
  return isAlone ? `commit of ${sourceSQL.slice(0, 30).replaceAll(/\s+/g, ' ')}` : null;
});
wrap(DatabaseSync.prototype, 'exec', (self, [sql]) => {
  const text = String(sql);
  return !(self as DatabaseSync).isTransaction && /journal_mode|EXCLUSIVE/.test(text)
    ? `exec ${text.slice(0, 40)}`
    : null;
});
wrap(DatabaseSync.prototype, 'close', () => 'close of a database');

// ---------------------------------------------------------------- the network

const isTcp = (socket: object): boolean =>
  'remoteAddress' in socket && typeof socket.remoteAddress === 'string';
const bytesIn = (chunk: unknown): string => (chunk instanceof Uint8Array ? 'bytes' : 'text');

wrap(Socket.prototype, 'connect', () => 'connect');
wrap(Socket.prototype, '_write', (self, [chunk]) => (isTcp(self) ? `send ${bytesIn(chunk)}` : null));
wrap(Socket.prototype, '_writev', (self) => (isTcp(self) ? 'send several' : null));
wrap(Socket.prototype, 'push', (self, [chunk]) =>
  isTcp(self) ? (chunk === null ? 'read the end' : 'read an answer') : null,
);

// ---------------------------------------------------------------- the data folder

/** Writes to the log are not effects: nothing is ever read from it. */
const inHome = (given: unknown): boolean =>
  typeof given === 'string' && (isAudit(given) || (given.startsWith(home) && !given.includes('/log/')));
const isAudit = (file: string): boolean => path.basename(file).startsWith('audit.jsonl');
const nameOf = (file: string): string => (isAudit(file) ? path.basename(file) : file.slice(home.length + 1));
const calls = ['writeFile', 'rename', 'mkdir', 'unlink', 'rm', 'open', 'chmod', 'copyFile'];
const atPath =
  (call: string) =>
  (_: object, [file, mode]: unknown[]): string | null =>
    inHome(file) && !(call.startsWith('open') && (mode === undefined || mode === 'r'))
      ? `${call} ${nameOf(String(file))}`.replaceAll(/\d{4,}/g, '…')
      : null;
for (const call of calls) {
  wrap(fs, call, atPath(call));
  wrap(fs, `${call}Sync`, atPath(`${call}Sync`));
  wrap(fs.promises, call, atPath(`promises.${call}`));
}

// ---------------------------------------------------------------- the audit file, by its descriptors

const audit = new Set<unknown>();
const openFile = fs.openSync;
fs.openSync = (...given) => {
  const fd = openFile(...given);
  if (isAudit(String(given[0]))) audit.add(fd);
  return fd;
};
wrap(fs, 'fsyncSync', (_, [fd]) => (audit.has(fd) ? 'fsyncSync audit.jsonl' : null));
const writeLabel = 'writeSync audit.jsonl';
const { writeSync } = fs;
const writeAudit: Method = (fd, data) =>
  effect(writeLabel, () => {
    const bytes = data as Uint8Array;
    if (moment !== 'torn' || doomed !== writeLabel || left !== 0) return writeSync(fd as number, bytes);
    writeSync(fd as number, bytes.subarray(0, Math.floor(bytes.length / 2)));
    return die(writeLabel);
  });
const writeAny = Reflect.get(fs, 'writeSync') as Method;
const write: Method = (fd, ...more) => (audit.has(fd) ? writeAudit : writeAny).call(fs, fd, ...more);
Reflect.set(fs, 'writeSync', write);
wrap(fs, 'closeSync', (_, [fd]) => (audit.delete(fd) ? 'closeSync audit.jsonl' : null));
syncBuiltinESMExports();

process.on('exit', () => {
  if (moment === 'never' && notes !== '') writeFileSync(notes, `${labels.join('\n')}\n`);
});
