// Builds the app when its sources are newer than out/: tests of the built app never run an old build.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const built = path.join(root, 'out/main/main.mjs');
const sources = ['src-main', 'src-renderer', 'resources', 'package-lock.json', '.config/vite.config.ts'];

/** True when there is an app to build at all. */
export const hasApp = (): boolean => existsSync(path.join(root, 'src-main/main.ts'));

/** Builds when needed; throws with the build's output when it fails. Also vitest's global set-up for test/app. */
export default async function buildWhenStale(): Promise<void> {
  if (!hasApp() || (await isFresh())) return;
  const release = await lockBuild();
  try {
    if (!(await isFresh())) await build();
  } finally {
    await release();
  }
}

async function isFresh(): Promise<boolean> {
  return existsSync(built) && (await newestMs()) <= (await stat(built)).mtimeMs;
}

/** One build at a time: two test runs would empty each other's out/. A lock that was left behind is ignored. */
async function lockBuild(): Promise<() => Promise<void>> {
  const lock = path.join(root, 'node_modules/.outtray-build');
  for (let waitedMs = 0; ; waitedMs += 200) {
    try {
      if (waitedMs > 60_000) await rm(lock, { recursive: true, force: true });
      await mkdir(lock);
      return () => rm(lock, { recursive: true, force: true });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** One full build through Vite. */
export async function build(): Promise<void> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const child = spawn(
    process.execPath,
    [vite, 'build', '--app', '--logLevel', 'warn', '--config', '.config/vite.config.ts'],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_ENV: 'production' } },
  );
  let output = '';
  child.stdout.on('data', (piece) => (output += String(piece)));
  child.stderr.on('data', (piece) => (output += String(piece)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`The build failed (${String(code)}):\n${output}`);
}

async function newestMs(): Promise<number> {
  let newest = 0;
  for (const source of sources) {
    const absolute = path.join(root, source);
    if (!existsSync(absolute)) continue;
    const names = (await stat(absolute)).isDirectory() ? await readdir(absolute, { recursive: true }) : [''];
    for (const name of names) newest = Math.max(newest, (await stat(path.join(absolute, name))).mtimeMs);
  }
  return newest;
}
