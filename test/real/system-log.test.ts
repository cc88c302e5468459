// Published files, in the system log: a private journald receives them, and `journalctl` reads them back.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { within } from '../support/flow/within.ts';
import { lacks } from './support/parts.ts';

const journald = '/lib/systemd/systemd-journald';
const command = path.resolve(import.meta.dirname, '../../out/cli/cli.mjs');

/** In a namespace whose /run and /dev are its own, with journald in it. The arguments are a command, and where its journal goes. */
const beside = `
set -e
journal="$1"; shift
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/journal /run/log/journal /run/dev
for one in null zero random urandom; do touch /run/dev/$one; mount --bind /dev/$one /run/dev/$one; done
ln -s /run/systemd/journal/dev-log /run/dev/log
mount --rbind /run/dev /dev
${journald} & journald=$!
until [ -S /run/systemd/journal/dev-log ]; do sleep 0.1; done
"$@" || code=$?
journalctl --sync
journalctl --quiet -t outtray -o cat > "$journal"
kill $journald
wait $journald || true
exit "\${code:-0}"
`;

const canMount = (): boolean => {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/run'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('Skipped: no mount namespaces here (run as root).');
    return false;
  }
};

describe.skipIf(lacks('journalctl') || !existsSync(journald) || !canMount())('a journal', () => {
  test('has every line of the audit file, even one longer than a line of syslog', async () => {
    await within({}, async (service, place) => {
      const home = path.dirname(place.home);
      const file = path.join(home, 'audit.jsonl');
      const settings = path.join(place.home, 'settings.json');
      const given = JSON.parse(readFileSync(settings, 'utf8')) as object;
      writeFileSync(settings, JSON.stringify({ ...given, auditFile: file, auditSystemLog: true }));
      const long = path.join(
        ...Array.from({ length: 12 }, () => 'a folder with a long name '.repeat(7).trim()),
      );
      const names = [await place.put('one.txt', 'one'), await place.put(path.join(long, 'two.txt'), 'two')];
      const journal = path.join(home, 'journal');
      const upload = [process.execPath, command, 'upload', ...names];
      await promisify(execFile)('unshare', ['--mount', 'bash', '-c', beside, 'bash', journal, ...upload], {
        env: {
          ...process.env,
          OUTTRAY_HOME: place.home,
          OUTTRAY_API_KEY: service.key,
          OUTTRAY_BASE_URL: service.baseUrl,
        },
      });
      const written = readFileSync(file, 'utf8');
      expect(written.trim().split('\n')).toHaveLength(2);
      expect(Math.max(...written.split('\n').map(({ length }) => length))).toBeGreaterThan(2048);
      expect(readFileSync(journal, 'utf8')).toBe(written);
    });
  });
});
