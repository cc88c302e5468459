import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { limitMessage } from '../../src-main/adapters/watch/limits.ts';
import { openHandle } from '../../src-main/adapters/watch/watch.ts';
import { temporaryFolder } from './files-folder.ts';
import { sees, watching } from './watch-folder.ts';
import { posixTest } from '../support/posix.ts';

const withFolders = (count: number): string => {
  const root = temporaryFolder();
  for (let index = 0; index < count; index += 1) mkdirSync(join(root, `${index}`));
  return root;
};

test.each(['win32', 'darwin'] as const)('on %s the remedy names nothing of Linux', (platform) => {
  for (const code of ['ENOSPC', 'EMFILE', 'ENFILE'])
    expect(limitMessage(Object.assign(new Error('no'), { code }), platform)).not.toMatch(
      /sysctl|inotify|ulimit/,
    );
});

/** Stands in for a system that refuses some folders a watch. */
const refusing =
  (isRefused: (folder: string) => boolean, code: string): typeof openHandle =>
  (folder, listener) =>
    isRefused(folder)
      ? Promise.resolve({ fault: Object.assign(new Error('no'), { code }) })
      : openHandle(folder, listener);

posixTest('a tree has one watch').each([
  ['ENOSPC', /watches are used up.*every 30 s.*sudo sysctl fs\.inotify\.max_user_watches=\d{6,}/],
  ['EMFILE', /watching programs are used up.*sudo sysctl fs\.inotify\.max_user_instances=\d{4,}/],
])(
  'a shortage of watches (%s) is reported once, with the remedy, and what is watched stays watched',
  async (code, remedy) => {
    const root = withFolders(20);
    const isRefused = (folder: string): boolean => /\d$/.test(folder) && folder !== root;
    const watch = await watching(root, {}, { open: refusing(isRefused, code), retryMs: 200 });
    await new Promise((resolve) => setTimeout(resolve, 500)); // several attempts
    expect(watch.health).toEqual([{ kind: 'degraded', message: expect.stringMatching(remedy) as string }]);
    await vi.waitFor(
      () => {
        writeFileSync(join(root, 'file'), '');
        expect(watch.sightings).toContainEqual({ folder: root, name: 'file' });
      },
      { timeout: 10_000, interval: 50 },
    );
  },
);

posixTest('a tree has one watch')(
  'once the limit is raised everything is watched, and everything is scanned',
  async () => {
    const root = withFolders(20);
    let isShort = true;
    const isRefused = (folder: string): boolean => isShort && folder.endsWith('/15');
    const watch = await watching(root, {}, { open: refusing(isRefused, 'ENOSPC'), retryMs: 20 });
    expect(watch.health).toMatchObject([{ kind: 'degraded' }]);
    isShort = false;
    await vi.waitFor(() => expect(watch.health.at(-1)).toEqual({ kind: 'live' }));
    await sees(watch, { folder: root, name: null, everything: true });
    for (const name of ['0', '15', '19']) {
      writeFileSync(join(root, name, 'file'), '');
      await sees(watch, { folder: join(root, name), name: 'file' });
    }
  },
);

posixTest('a tree has one watch')(
  'one folder that cannot be watched does not end the others, and is watched once it can be',
  async () => {
    const root = withFolders(3);
    let isClosed = true;
    const isRefused = (folder: string): boolean => isClosed && folder.endsWith('/1');
    const watch = await watching(root, {}, { open: refusing(isRefused, 'EACCES') });
    expect(watch.health).toEqual([{ kind: 'live' }]);
    writeFileSync(join(root, '2', 'file'), '');
    await sees(watch, { folder: join(root, '2'), name: 'file' });
    isClosed = false;
    execFileSync('chmod', ['755', join(root, '1')]); // the parent reports it as a change of that name
    await sees(watch, { folder: join(root, '1'), name: null });
    writeFileSync(join(root, '1', 'file'), '');
    await sees(watch, { folder: join(root, '1'), name: 'file' });
  },
);

// A user namespace has a limit of its own, so the system's real refusal can be had without touching the machine's.
const inNamespace = ['-Ur', 'sh', '-c'];
const hasNamespaces = (() => {
  try {
    execFileSync('unshare', [...inNamespace, 'echo 100 > /proc/sys/user/max_inotify_watches'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
})();

test.runIf(hasNamespaces)('the real refusal of Linux: 150 folders, 100 watches', () => {
  const root = withFolders(150);
  const source = new URL('../../src-main/adapters/watch/watch.ts', import.meta.url).href;
  const script = `
    const { createWatch } = await import(${JSON.stringify(source)});
    const health = [];
    const watch = await createWatch().start({ root: ${JSON.stringify(root)}, recursive: true,
      sighted: () => {}, health: (now) => health.push(now), signal: new AbortController().signal });
    await watch.stop();
    console.log(JSON.stringify(health));`;
  const answer = execFileSync('unshare', [
    ...inNamespace,
    'echo 100 > /proc/sys/user/max_inotify_watches && exec "$0" --input-type=module -e "$1"',
    process.execPath,
    script,
  ]);
  expect(JSON.parse(answer.toString())).toEqual([
    { kind: 'degraded', message: expect.stringContaining('max_user_watches=') as string },
  ]);
});
