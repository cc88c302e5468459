// The window of the demo: the app of this checkout as a process of its own, on Electron or on its stand-in. It is
// reached through the ledger, like any other Outtray beside this one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { wholePath } from '../../contract/whole-path.ts';
import type { Io } from '../io.ts';

/** The app ends within ten seconds with everything recorded. */
const goodbyeMs = 15_000;

export type DemoWindow = {
  /** Names of the files whose links the window shows; null when its content cannot be read. */
  links(): readonly string[] | null;
  isGone(): boolean;
  /** Resolves when the app has ended, for any reason. */
  gone: Promise<void>;
  stop(): Promise<void>;
};

/** Whether Electron's own binary is here and there is a display for it. */
export const canShowWindow = (checkout: string, { env, platform }: Pick<Io, 'env' | 'platform'>): boolean => {
  const hasDisplay = platform !== 'linux' || Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
  // Written by Electron's installer when it has put the binary there.
  return hasDisplay && existsSync(join(checkout, 'node_modules', 'electron', 'path.txt'));
};

/** Opens the app on the demo's home; `env` has its address, key and data folder. */
export const openDemoWindow = (options: {
  node: string;
  checkout: string;
  isDouble: boolean;
  place: string;
  env: NodeJS.ProcessEnv;
}): DemoWindow => {
  const { node, checkout, isDouble, place, env } = options;
  const support = join(checkout, 'test/support');
  const program = isDouble
    ? [join(support, 'demo-window.ts'), place]
    : [join(support, 'start.ts'), `--user-data-dir=${join(place, 'electron')}`];
  const child = spawn(wholePath(node), program, {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C must reach only the demo, which then ends the window.
    detached: true,
  });
  let links: string[] | null = isDouble ? [] : null;
  let isGone = false;
  const gone = once(child, 'exit').then(
    () => void (isGone = true),
    () => void (isGone = true),
  );
  // The window may have ended already; then there is nothing to stop.
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (isDouble) links = (JSON.parse(line) as { links: string[] }).links;
  });
  return {
    links: () => links,
    isGone: () => isGone,
    gone,
    async stop() {
      if (isGone) return;
      if (isDouble) child.stdin.end();
      else child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), goodbyeMs);
      await gone;
      clearTimeout(timer);
    },
  };
};
