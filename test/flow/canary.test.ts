// The canary: a marked key goes through login, every command, uploads, faults and errors, with a real keyring; then
// every byte that was written or printed, every argument and every environment is searched for it, plain and encoded.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { missingForKeyring, startBus } from '../support/keyring.ts';
import { cli, commandWords } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { eventually } from '../support/flow/poll.ts';

const canary = 'canary-9d1e4bA7-this+is/the=key~0042';
const forms = [
  canary,
  encodeURIComponent(canary),
  Buffer.from(canary).toString('base64').replace(/=+$/, ''),
  Buffer.from(canary).toString('base64url'),
  Buffer.from(canary).toString('hex'),
  // A part of it would be a leak as well.
  canary.slice(0, 16),
];

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(inside) : entry.isFile() ? [inside] : [];
  });

const leaks = (text: string): string[] => forms.filter((form) => text.includes(form));

/** Arguments and environments of every process that the command started, read while they run. */
const spy = () => {
  const seen = new Map<string, string>();
  const timer = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        if (!line.includes(path.dirname(commandWords.at(-1) ?? cli))) continue;
        seen.set(`${pid} cmdline`, line);
        seen.set(`${pid} environ`, readFileSync(`/proc/${pid}/environ`, 'utf8'));
      } catch {
        // It has ended meanwhile.
      }
    }
  }, 5);
  return {
    stop: () => {
      clearInterval(timer);
      return seen;
    },
  };
};

test.skipIf(missingForKeyring() !== null)(
  'the key appears nowhere but in the keychain and the header',
  async () => {
    const service = await ownService({ key: canary });
    await using bus = await startBus({ keyring: 'unlocked' });
    const place = await ownPlace(service, { key: null, processes: true });
    const env = Object.fromEntries(
      Object.entries(bus.env).filter(([name]) => /^(DBUS|XDG|HOME)/.test(name)),
    ) as Record<string, string>;
    const watched = spy();
    const printed: string[] = [];
    const run = async (args: string[], options: { stdin?: string; exit?: number } = {}) => {
      const ended = await place.run(args, {
        env,
        ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
      });
      printed.push(ended.stdout, ended.stderr);
      expect({
        args,
        code: ended.code,
        stderr: options.exit === undefined ? ended.stderr : '',
      }).toMatchObject({
        args,
        code: options.exit ?? 0,
      });
      return ended;
    };

    await run(['login', '--base-url', service.baseUrl], { stdin: `${canary}\n` });
    await place.put('one.txt', 'marked content one');
    await run(['upload', path.join(place.folder, 'one.txt')]);
    for (const args of [
      ['list'],
      ['--json', 'list', '--all'],
      ['info', '1001'],
      ['stats'],
      ['status'],
      ['doctor'],
    ]) {
      await run(args);
    }

    const watcher = place.start(['--json', 'watch', place.folder], { env });
    await watcher.until('idle', (lines) => lines.find((line) => line.event === 'idle'));
    await place.put('two.txt', 'marked content two');
    await watcher.until('uploaded', (lines) => lines.find((line) => line.event === 'uploaded'));
    // The service quotes the key in everything it gets wrong.
    const echo = `The key Bearer ${canary} (${encodeURIComponent(canary)}) is not welcome.`;
    service.faults.add({
      match: { method: 'POST' },
      fault: { kind: 'answer', status: 415, body: JSON.stringify({ success: false, message: echo }) },
    });
    await place.put('three.txt', 'marked content three');
    await watcher.until('failed', (lines) => lines.find((line) => line.event === 'failed'));
    service.faults.add({
      match: { method: 'POST' },
      fault: { kind: 'answer', at: 'done', status: 500, body: echo },
    });
    await place.put('four.txt', 'marked content four');
    await watcher.until('held', (lines) => lines.find((line) => line.event === 'held'));
    service.revokeKey();
    await place.put('five.txt', 'marked content five');
    await watcher.until('waiting', (lines) =>
      lines.find((line) => line.event === 'waiting' && line['reason'] === 'key'),
    );
    const ended = await watcher.stop('SIGTERM');
    printed.push(ended.stdout, ended.stderr);
    await run(['stats'], { exit: 3 });
    await run(['upload', path.join(place.folder, 'five.txt')], { exit: 3 });
    await run(['login', canary], { exit: 2 });
    await run(['logout']);
    await run(['stats'], { exit: 3 });

    const seen = watched.stop();
    await eventually('the spy has seen the keychain’s child', () =>
      [...seen.values()].some((text) => text.includes('keychain')) ? true : undefined,
    );
    for (const file of filesBelow(place.root)) {
      expect({ file, found: leaks(readFileSync(file, 'latin1')) }).toEqual({ file, found: [] });
    }
    expect(printed.flatMap(leaks)).toEqual([]);
    // The one argument is our own: `login KEY` is refused, and nothing repeats it.
    const shown = [...seen].filter(
      ([, text]) => leaks(text).length > 0 && !text.includes(`login\0${canary}`),
    );
    expect(shown.map(([where]) => where)).toEqual([]);
    // It was in use the whole time.
    expect(service.requests().length).toBeGreaterThan(8);
    for (const request of service.requests()) {
      const elsewhere = request.rawHeaders.filter(
        (_, at) => request.rawHeaders[at - 1]?.toLowerCase() !== 'authorization',
      );
      expect(leaks(`${request.url} ${elsewhere.join(' ')} ${request.bodyStart} ${request.bodyEnd}`)).toEqual(
        [],
      );
    }
  },
);
