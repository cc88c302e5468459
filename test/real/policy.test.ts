// /etc/outtray/policy.json as on a real machine, in a mount namespace of its own: what app and command do with it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import buildWhenStale from '../support/build.ts';
import type { Place } from '../support/flow/place.ts';
import { settingNames } from '../../src-main/contract/settings.ts';
import { within } from '../support/flow/within.ts';
import { settingValues } from '../support/setting-values.ts';
import { lacks } from './support/parts.ts';

const root = path.resolve(import.meta.dirname, '../..');
const cli = [process.execPath, path.join(root, 'src-main/cli.ts')];

/** $1: an empty folder, $2: shell commands that make the policy; the rest is run with it. */
const script = `set -e
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work"
mount -t overlay -o "lowerdir=/etc,upperdir=$1/upper,workdir=$1/work" none /etc
umask 022
mkdir /etc/outtray
# The account is at home where the test is: a policy goes by the account, whatever HOME says.
sed -i "/^root:/s#:/root:#:$HOME:#" /etc/passwd
cd /etc/outtray
eval "$2"
shift 2
cd /
exec "$@"`;

type Ended = { code: number | null; stdout: string; stderr: string };

const withPolicy = async (
  place: Place,
  policy: string,
  command: readonly string[],
  input = '',
): Promise<Ended> => (await startWithPolicy(place, policy, command, input)).ended;

const startWithPolicy = async (
  place: Place,
  policy: string,
  command: readonly string[],
  input = '',
): Promise<{ ended: Promise<Ended>; interrupt: () => void }> => {
  const etc = path.join(place.root, 'etc');
  await mkdir(etc, { recursive: true });
  const child = spawn('unshare', ['-m', 'sh', '-c', script, 'sh', etc, policy, ...command], {
    env: { PATH: process.env['PATH'], DISPLAY: process.env['DISPLAY'] ?? ':0', ...place.env },
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (piece: Buffer) => (ended.stdout += String(piece)));
  child.stderr.on('data', (piece: Buffer) => (ended.stderr += String(piece)));
  child.stdin.end(input);
  return {
    ended: new Promise((done) => child.on('close', (code) => done({ ...ended, code }))),
    interrupt: () => void child.kill('SIGINT'),
  };
};

const waitUntil = async (isSo: () => boolean, what: string): Promise<void> => {
  const from = Date.now();
  while (!isSo()) {
    if (Date.now() - from > 60_000) throw new Error(`Not within a minute: ${what}`);
    await new Promise((next) => setTimeout(next, 50));
  }
};

const forbidding = `echo '{"forbiddenTypes":["exe"]}' > policy.json`;

describe.skipIf(lacks('root', 'unshare'))('/etc/outtray/policy.json', () => {
  beforeAll(buildWhenStale);

  test('a key that belongs to another address is not sent to the address of a policy', async () => {
    await within({}, async (service, place) => {
      const { baseUrl } = service;
      expect((await place.run(['settings', 'set', 'baseUrl', baseUrl])).code).toBe(0);
      delete place.env['OUTTRAY_BASE_URL'];
      expect((await place.run(['stats'])).code).toBe(0);
      service.clearRequests();
      const elsewhere = baseUrl.replace('127.0.0.1', 'localhost');
      const policy = `echo '${JSON.stringify({ baseUrl: elsewhere })}' > policy.json`;
      for (const words of [['stats'], ['list'], ['delete', '--yes', '1'], ['doctor']]) {
        const { code, stdout, stderr } = await withPolicy(place, policy, [...cli, ...words]);
        expect({ words, code }).toEqual({ words, code: 3 });
        expect(`${stdout}${stderr}`).toContain(`is not sent to ${new URL(elsewhere).origin}`);
      }
      expect(service.requests()).toEqual([]);
    });
  });

  test.each([
    ['writable by others', `${forbidding}; chmod 666 policy.json`, 'chmod go-w "/etc/outtray/policy.json"'],
    ['of another user', `${forbidding}; chown 65534 policy.json`, 'chown root "/etc/outtray/policy.json"'],
    ['in a folder that others can write', `${forbidding}; chmod 777 .`, 'chmod go-w "/etc/outtray"'],
    ['that is a link', `${forbidding}; mv policy.json real; ln -s real policy.json`, 'as a file of root'],
    ['that is broken', `echo '{"forbiddenTypes":' > policy.json`, 'Ask your administrator to correct it.'],
    ['with a wrong value', `echo '{"forbiddenTypes":"exe"}' > policy.json`, 'For example: pdf,png'],
    ['with an unknown variable', `echo '{"folder":"$ODD/x"}' > policy.json`, 'Give a whole path'],
    ['that is required and gone', `touch policy.required`, 'remove /etc/outtray/policy.required as root'],
  ])(
    'a policy %s stops every command with its remedy, and nothing is uploaded',
    async (_, policy, remedy) => {
      await within({}, async (service, place) => {
        const file = await place.put('forbidden.exe', 'not for the public');
        const commands = [
          ['upload', file],
          ['watch', place.folder, '--existing', 'upload'],
          ['watch', place.folder, '--existing', 'upload', '--once'],
          ['login'],
          ['list'],
          ['settings'],
        ];
        for (const command of commands) {
          const ended = await withPolicy(place, policy, [...cli, ...command], 'a-key');
          expect({ command, code: ended.code, said: ended.stderr }).toEqual({
            command,
            code: 2,
            said: expect.stringContaining(remedy) as unknown,
          });
        }
        const doctor = await withPolicy(place, policy, [...cli, '--json', 'doctor']);
        expect(doctor.code).toBe(2);
        expect(JSON.parse(doctor.stdout)).toMatchObject({
          name: 'settings',
          ok: false,
          remedy: expect.stringContaining(remedy) as unknown,
        });
        // The app, with its window or hidden in the tray: it reports the same in a dialog and ends.
        const electron = path.join(root, 'test/support/electron-double/bin/electron');
        for (const hidden of [[], ['--hidden']]) {
          const app = await withPolicy(place, policy, [electron, root, '--no-sandbox', ...hidden]);
          expect(app.code).toBe(1);
          expect(app.stderr).toContain(remedy);
        }
        expect(service.files()).toEqual([]);
      });
    },
  );

  test('a policy that names a folder of the home makes it, and files that appear in it are uploaded', async () => {
    await within({}, async (service, place) => {
      const policy = `echo '{"folder":"~/Company/Outtray","recommended":{"copyLink":"never"}}' > policy.json`;
      const folder = path.join(place.env['HOME'] ?? '', 'Company/Outtray');
      expect((await withPolicy(place, policy, [...cli, 'watch', '--once'])).code).toBe(0);
      await writeFile(path.join(folder, 'new.txt'), 'new');
      expect((await withPolicy(place, policy, [...cli, 'watch', '--once'])).code).toBe(0);
      expect(service.files().map(({ filename }) => filename)).toEqual(['new.txt']);
      const settings = await withPolicy(place, policy, [...cli, '--json', 'settings']);
      const rows = settings.stdout
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      expect(rows).toContainEqual(
        expect.objectContaining({ name: 'folder', value: folder, origin: 'policy' }),
      );
      expect(rows).toContainEqual(
        expect.objectContaining({ name: 'copyLink', value: 'never', origin: 'recommended', lockedBy: null }),
      );
    });
  });

  test('a change of the policy takes effect while watch runs; a broken one stops uploads until it is mended', async () => {
    await within({}, async (service, place) => {
      const home = place.env['HOME'] ?? '';
      const [next, end] = [path.join(home, 'next.json'), path.join(home, 'end')];
      // A file next.json is moved to the place of the policy by one rename.
      const policy = `echo '{}' > policy.json
        (while [ ! -e "${end}" ]; do
          if [ -e "${next}" ]; then cp "${next}" new && mv new policy.json && rm "${next}"; fi
          sleep 0.1
        done) > /dev/null 2>&1 &`;
      const stored = () => service.files().map(({ filename }) => filename);
      const log = () => readFileSync(path.join(place.home, 'log/outtray.log'), 'utf8');
      const countIn = (text: string, word: string) => text.split(word).length - 1;
      /** Until it is noticed. The poll of three seconds has its test in virtual time. */
      const change = async (text: string, told: string): Promise<void> => {
        const before = countIn(log(), told);
        await writeFile(`${next}.new`, text);
        await rename(`${next}.new`, next);
        await waitUntil(() => countIn(log(), told) > before, told);
      };
      const watch = await startWithPolicy(place, policy, [...cli, '--json', 'watch', place.folder]);
      try {
        await waitUntil(
          () => existsSync(path.join(place.home, 'log/outtray.log')) && log().includes('scanned'),
          'the first listing',
        );
        await place.put('early.exe', 'allowed');
        await waitUntil(() => stored().includes('early.exe'), 'early.exe');
        await change('{"forbiddenTypes":["exe"]}', 'policy changed');
        await place.put('late.exe', 'not for the public');
        await place.put('b.txt', 'allowed as well');
        await waitUntil(() => stored().includes('b.txt'), 'b.txt');
        await change('{"forbiddenTypes":', 'policy not usable');
        await place.put('c.txt', 'waits');
        await place.put('later.exe', 'still not for the public');
        const status = await withPolicy(place, `echo '{}' > policy.json`, [...cli, '--json', 'status']);
        expect(status.code).toBe(0);
        expect(stored()).toEqual(['early.exe', 'b.txt']);
        await change('{"forbiddenTypes":["exe","msi"]}', 'policy changed');
        await waitUntil(() => stored().includes('c.txt'), 'c.txt');
        expect(stored()).toEqual(['early.exe', 'b.txt', 'c.txt']);
      } finally {
        await writeFile(end, '');
        watch.interrupt();
      }
      const { stdout } = await watch.ended;
      expect(stdout).toMatch(/"event":"waiting".*"reason":"policy".*is not valid JSON/);
      for (const name of ['late.exe', 'later.exe'])
        expect(stdout).toMatch(new RegExp(`"failed".*${name}|${name}.*"failed"`));
    });
  });

  test('a policy against pausing, given files and another account: the command names it and ends with 2', async () => {
    await within({}, async (service, place) => {
      const file = await place.put('a.txt', 'a');
      for (const [setting, ...command] of [
        ['allowPause', 'pause'],
        ['allowGivenFiles', 'upload', file],
        ['allowAccountChange', 'login'],
        ['allowAccountChange', 'logout'],
        ['allowAccountChange', '--profile', 'other', 'upload', file],
      ] as const) {
        const policy = `echo '${JSON.stringify({ [setting]: false })}' > policy.json`;
        const ended = await withPolicy(place, policy, [...cli, ...command], 'another-key');
        expect({ command, code: ended.code, said: ended.stderr }).toEqual({
          command,
          code: 2,
          said: expect.stringContaining(
            `the setting ${setting} is false. Set by your administrator in /etc/outtray/policy.json.`,
          ) as unknown,
        });
      }
      expect(service.files()).toEqual([]);
    });
  });

  test('a policy that names the home itself, or a missing folder elsewhere, uploads nothing', async () => {
    await within({}, async (service, place) => {
      for (const [folder, says] of [
        ['~', 'your home folder itself'],
        [path.join(place.root, 'elsewhere'), 'There is no folder'],
      ]) {
        const policy = `echo '${JSON.stringify({ folder })}' > policy.json`;
        const ended = await withPolicy(place, policy, [...cli, 'watch', '--once']);
        expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(says ?? '') as unknown });
      }
      // The home of the account stays refused when HOME names another folder.
      const elsewhere = ['env', `HOME=${place.folder}`, ...cli, 'watch', '--once'];
      const ended = await withPolicy(place, `echo '{"folder":"~"}' > policy.json`, elsewhere);
      expect(ended).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('your home folder itself') as unknown,
      });
      expect(service.files()).toEqual([]);
    });
  });

  test('every setting of a policy is shown as locked by the command, overrides its options, and is not changed', async () => {
    await within({}, async (service, place) => {
      const decided: Record<string, unknown> = {
        ...Object.fromEntries(settingNames.map((name) => [name, settingValues[name][0]])),
        // requireLookInside is on, which decides this one.
        lookInside: true,
      };
      const policy = `echo '${JSON.stringify(decided)}' > policy.json`;
      const lockedBy = 'Set by your administrator in /etc/outtray/policy.json.';
      const option = ['--base-url', 'http://127.0.0.1:9/v2'];
      const listed = await withPolicy(place, policy, [...cli, ...option, '--json', 'settings']);
      const rows = listed.stdout
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      expect(rows).toEqual(
        settingNames.map((name) => ({ name, value: decided[name], origin: 'policy', lockedBy })),
      );
      const shown = (await withPolicy(place, policy, [...cli, 'settings'])).stdout.trim().split('\n');
      expect(shown.filter((line) => !line.endsWith(lockedBy))).toEqual([]);

      // One mount for all of them: each try writes its name and its exit code.
      const some = [
        'allowedTypes',
        'maxExpireAfter',
        'requireLookInside',
        'agentRoots',
        'agentShare',
        'followEveryMinutes',
      ] as const;
      const tries = some.map((name) => {
        const other: unknown = settingValues[name][1];
        return `"$@" settings set ${name} '${String(other)}' >&2; echo ${name} $?`;
      });
      const tried = await withPolicy(place, policy, ['sh', '-c', tries.join('\n'), 'sh', ...cli]);
      expect(tried.stdout.trim().split('\n')).toEqual(some.map((name) => `${name} 2`));
      for (const name of some) expect(tried.stderr).toContain(`${name} is locked. ${lockedBy}`);

      // Folders: neither another one nor rules of its own.
      const [one, two] = [path.join(place.root, 'one'), path.join(place.root, 'two')];
      for (const folder of [one, two]) await mkdir(folder);
      const folders = `echo '${JSON.stringify({ folder: one, folders: [two], notify: false })}' > policy.json`;
      for (const command of [
        ['settings', 'set', 'folders', place.folder],
        ['folders', 'add', place.folder],
        ['folders', 'remove', two],
        ['folders', 'set', two, 'notify', 'true'],
        ['watch', place.folder, '--once'],
      ]) {
        const ended = await withPolicy(place, folders, [...cli, ...command]);
        expect({ command, ...ended }).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/(folders|notify) is locked/) as unknown,
        });
      }
      expect(service.files()).toEqual([]);
    });
  });
});
