// The worst kinds of folder, with the command as users run it: names of any bytes, files without read permission,
// thousands of files at once while the process is stopped, and a system that gives no watches.
import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hostileName, problemOfSent } from '../support/hostile/names.ts';
import { createDice } from '../support/simulation/dice.ts';
import { commandWords } from '../support/flow/command.ts';
import type { Line } from '../support/flow/command.ts';
import { eventually } from '../support/flow/poll.ts';
import { storedAs } from '../support/flow/wire.ts';
import { withoutCapabilities } from '../support/unprivileged.ts';
import { within } from '../support/flow/within.ts';

const isFull = process.env['OUTTRAY_FULL'] === '1';

test('300 files with names of any bytes are uploaded once each, under safe names', async () => {
  await within({ settings: { includeHidden: true } }, async (service, place) => {
    const dice = createDice(300);
    const names = new Map<string, Buffer>();
    while (names.size < 300) {
      const name = hostileName(dice);
      names.set(name.toString('hex'), name);
    }
    for (const [hex, name] of names)
      await writeFile(Buffer.concat([Buffer.from(`${place.folder}/`), name]), `named ${hex}`);
    const { code, lines } = await place.json(['watch', place.folder, '--once', '--existing', 'upload']);
    const skipped = lines.filter((line) => line.event === 'skipped' || line.event === 'held').length;
    const stored = service.files();
    expect({ code, sum: stored.length + skipped }).toEqual({ code: skipped === 0 ? 0 : code, sum: 300 });
    expect(new Set(stored.map((file) => file.sha256)).size).toBe(stored.length);
    expect(stored.length).toBeGreaterThan(280);
    for (const { sentName } of stored) expect(problemOfSent(sentName), JSON.stringify(sentName)).toBeNull();
  });
});

test.skipIf(process.platform === 'win32')(
  'a file without read permission waits, and the others are uploaded',
  async () => {
    await within({}, async (service, place) => {
      await place.put('open 1.txt', 'may be read');
      await place.put('open 2.txt', 'may be read too');
      const inside = await place.put('closed/inside.txt', 'in a folder that may not be read');
      await writeFile(path.join(place.folder, 'secret.txt'), 'may not be read', { mode: 0 });
      await chmod(path.dirname(inside), 0);
      const command = [...commandWords, '--json', 'watch', place.folder, '--existing', 'upload'];
      const [program = '', ...args] = [...withoutCapabilities, ...command];
      const child = spawn(program, args, {
        env: { PATH: process.env['PATH'], ...place.env },
        cwd: place.root,
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = new Promise((done) => child.on('close', done));
      const lines = (): Line[] =>
        said
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line);
      await eventually('both are up', () => service.files().length === 2);
      const waits = await eventually('the secret one waits', () =>
        lines().find((line) => line.event === 'waiting' && line.path?.endsWith('secret.txt') === true),
      );
      expect(waits['reason']).toBe('locked');
      child.kill('SIGINT');
      await ended;
      await chmod(path.dirname(inside), 0o700);
      expect(storedAs(service, 'may not be read')).toEqual([]);
      expect(storedAs(service, 'in a folder that may not be read')).toEqual([]);
    });
  },
);

const atOnce = isFull ? 20_000 : 3000;

test(
  `${atOnce} files that arrive while the process is stopped are all seen`,
  async () => {
    await within({}, async (_service, place) => {
      await place.json(['pause']);
      const running = place.start(['--json', 'watch', place.folder]);
      await running.until('idle', (lines) =>
        lines.find((line) => line.event === 'idle' || line.event === 'paused'),
      );
      process.kill(running.pid, 'SIGSTOP');
      const folders = Array.from({ length: 10 }, (_, index) => path.join(place.folder, `folder ${index}`));
      for (const folder of folders) await mkdir(folder);
      for (let index = 0; index < atOnce; index += 100) {
        await Promise.all(
          Array.from({ length: 100 }, (_, more) =>
            writeFile(
              path.join(folders[(index / 100) % 10] ?? '', `${index + more}`),
              `content ${index + more}`,
            ),
          ),
        );
      }
      process.kill(running.pid, 'SIGCONT');
      await eventually(
        'all of them wait',
        () =>
          new Set(
            running
              .lines()
              .filter((line) => line.event === 'queued')
              .map((line) => line.path),
          ).size === atOnce,
        isFull ? 300_000 : 150_000,
      );
      await running.stop();
      expect((await place.counts()).waiting).toBe(atOnce);
    });
  },
  isFull ? 400_000 : 170_000,
);

const hasNamespaces = (() => {
  try {
    execFileSync('unshare', ['-Ur', 'sh', '-c', 'echo 9 > /proc/sys/user/max_inotify_watches'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
})();

test.runIf(hasNamespaces)(
  'with all watches used up everything is found by scanning, and the remedy is reported',
  async () => {
    await within({}, async (service, place) => {
      for (let index = 0; index < 30; index += 1)
        await place.put(`folder ${index}/before ${index}.txt`, `before ${index}`);
      const script = 'echo 9 > /proc/sys/user/max_inotify_watches && exec "$@"';
      const args = [...commandWords, 'watch', place.folder, '--existing', 'upload'];
      const child = spawn('unshare', ['-Ur', 'sh', '-c', script, 'sh', ...args], {
        env: { PATH: process.env['PATH'], ...place.env },
      });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = new Promise((done) => child.on('close', done));
      await eventually('all that was there is up', () => service.files().length === 30);
      expect(said).toMatch(/watches are used up.*every 30 s.*sudo sysctl fs\.inotify\.max_user_watches=\d+/);
      expect(said.match(/sudo sysctl/g)).toHaveLength(1);
      const remedy = expect.stringContaining('sudo sysctl') as string;
      expect((await place.json(['status'])).lines[0]).toMatchObject({ watch: 'scanning', remedy });
      if (isFull) {
        // There are only nine watches. Only a scan sees these files; it comes every 30 s.
        for (let index = 0; index < 30; index += 1)
          await place.put(`folder ${index}/later ${index}.txt`, `later ${index}`);
        await eventually('all that came is up', () => service.files().length === 60, 100_000);
      }
      child.kill('SIGINT');
      await ended;
    });
  },
  isFull ? 200_000 : 60_000,
);
