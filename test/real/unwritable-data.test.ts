// A data folder that cannot be written: reading commands work and report the fault, writing ones end with one sentence and
// a code, and no file in the folder changes.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../support/flow/command.ts';
import type { Place } from '../support/flow/place.ts';
import { watchOnce, within } from '../support/flow/within.ts';
import { withoutCapabilities } from '../support/unprivileged.ts';
import { fill, hasLoop, onQuota, onTmpfs, system } from './support/disks.ts';
import { lacks } from './support/parts.ts';

type Way = { more?: RunOptions; undo(): void };

const readOnlyMount = (place: Place): Way => {
  chmodSync(place.home, 0o755);
  system('mount', ['--bind', place.home, place.home]);
  system('mount', ['-o', 'remount,ro,bind', place.home]);
  return { undo: () => void system('umount', [place.home]) };
};

const fullDisk = (place: Place, onto = onTmpfs): Way => {
  const kept = `${place.home}.kept`;
  cpSync(place.home, kept, { recursive: true, preserveTimestamps: true });
  const mounted = onto(place);
  cpSync(kept, place.home, { recursive: true });
  fill(path.join(place.home, 'log', 'fill'));
  return { undo: () => mounted.unmount() };
};

const withoutPermission = (place: Place): Way => {
  chmodSync(place.home, 0o500);
  return { more: { before: withoutCapabilities }, undo: () => chmodSync(place.home, 0o700) };
};

/** As on a share whose server gives no locks: `fcntl` reports it (fcntl_locking(2), ENOLCK). */
const lockless = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#define WITHOUT_LOCKS(name) \\
  int name(int fd, int what, ...) { \\
    va_list rest; \\
    va_start(rest, what); \\
    void *given = va_arg(rest, void *); \\
    va_end(rest); \\
    if (what == F_SETLK || what == F_SETLKW || what == F_GETLK) { \\
      errno = ENOLCK; \\
      return -1; \\
    } \\
    return ((int (*)(int, int, void *))dlsym(RTLD_NEXT, #name))(fd, what, given); \\
  }
WITHOUT_LOCKS(fcntl)
WITHOUT_LOCKS(fcntl64)
`;

/** As where the quota of the user is used up: writing is refused, and Node has no name for the error. */
const quota = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
static int isCounted(int fd) {
  struct stat file;
  return fstat(fd, &file) == 0 && S_ISREG(file.st_mode);
}
#define WITHIN_QUOTA(name, offset) \\
  ssize_t name(int fd, const void *bytes, size_t length, offset at) { \\
    if (isCounted(fd)) { \\
      errno = EDQUOT; \\
      return -1; \\
    } \\
    return ((ssize_t (*)(int, const void *, size_t, offset))dlsym(RTLD_NEXT, #name))(fd, bytes, length, at); \\
  }
WITHIN_QUOTA(pwrite, off_t)
WITHIN_QUOTA(pwrite64, off64_t)
ssize_t write(int fd, const void *bytes, size_t length) {
  if (isCounted(fd)) {
    errno = EDQUOT;
    return -1;
  }
  return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(fd, bytes, length);
}
`;

const preloaded = (place: Place, source: string): Way => {
  const library = path.join(place.root, 'disk.so');
  writeFileSync(`${library}.c`, source);
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, `${library}.c`, '-ldl']);
  return { more: { env: { LD_PRELOAD: library } }, undo: () => undefined };
};

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => statSync(path.join(folder, name)).isFile())
      .map((name) => [name, readFileSync(path.join(folder, name)).toString('base64')]),
  );

const hasQuota = !lacks('mkfs.btrfs') && hasLoop();
const usedUp: [string, (place: Place) => Way, RegExp] = [
  'with a quota of its own that is used up',
  (place) => fullDisk(place, onQuota),
  /is full/,
];

describe.skipIf(lacks('root', 'setpriv', 'cc'))('a data folder', () => {
  const ways: [string, (place: Place) => Way, RegExp][] = [
    ['on a disk that is mounted for reading alone', readOnlyMount, /is read-only/],
    ['on a full disk', fullDisk, /is full/],
    ['that the account may only read', withoutPermission, /cannot be (opened for writing|locked)/],
    ['on a share without locks', (place) => preloaded(place, lockless), /does not support locks/],
    ['of a user whose quota is used up', (place) => preloaded(place, quota), /is full/],
    ...(hasQuota ? [usedUp] : []),
  ];
  test.for(ways)(
    '%s can be read; writing commands are refused, and no file changes',
    async ([, make, says]) => {
      await within({}, async (service, place) => {
        const file = await place.put('a.txt', 'a');
        await place.put('credentials.json', '{}');
        await watchOnce(place);
        const link = service.files()[0]?.link ?? '';
        const { more, undo } = make(place);
        try {
          const before = filesIn(place.home);
          const run = (args: string[]) => place.run(args, { process: true, ...more });
          for (const [args, shown] of [
            [['status'], /Uploaded +1\n(.*\n)*Held +1\n/],
            [['link', file], link],
            [['why', file], link],
            [['queue'], /credentials\.json/],
            [['list'], link],
            [['search', 'a.txt'], link],
            [['export'], link],
            [['settings'], /requestsPerMinute/],
          ] as const) {
            const { code, stdout, stderr } = await run([...args]);
            expect({ args, code, stdout }).toMatchObject({
              code: 0,
              stdout: expect.stringMatching(shown) as unknown,
            });
            expect(stderr).toMatch(says);
            expect(stderr).toContain('The ledger can be read, but not changed.');
          }
          const doctor = await run(['doctor']);
          expect(doctor.stdout).toMatch(new RegExp(`✗ disk: .*${says.source}`));
          expect(doctor.stdout).toContain('network: Not tried');
          for (const args of [
            ['upload', file],
            ['watch', '--once'],
            ['pause'],
            ['recall', file],
            ['delete', file],
          ]) {
            const { code, stdout } = await run(['--json', ...args]);
            const lines = stdout.trim().split('\n');
            expect({ args, code, lines: lines.length }).toEqual({ args, code: 1, lines: 1 });
            expect(lines[0]).toMatch(says);
            expect(lines[0]).not.toContain('is recorded');
          }
          expect(filesIn(place.home)).toMatchObject(before);
        } finally {
          undo();
        }
        expect(service.files()).toHaveLength(1);
      });
    },
  );
});
