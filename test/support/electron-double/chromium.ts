// Starts Debian's chromium for the windows. A pipe ties it to this process: when the app dies, chromium ends, too.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromiumPath } from '../machine.ts';
import { connectCdp, type CdpConnection } from './cdp.ts';

export type Chromium = { cdp: CdpConnection; stop(): Promise<void> };

/** Quiet, offline, the same on every machine. Each start adds a profile of its own. */
const flags = [
  '--remote-debugging-pipe',
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--disable-gpu',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--disable-back-forward-cache',
  '--disable-field-trial-config',
  '--disable-search-engine-choice-screen',
  '--password-store=basic',
  '--use-mock-keychain',
  '--mute-audio',
];

const profilePrefix = `outtray-chromium-`;

/**
 * `switches` come from the app's own command line. If they contain `remote-debugging-port`, chromium's line
 * "DevTools listening on …" is forwarded to stderr, where Playwright waits for it.
 */
export async function startChromium(switches: readonly string[]): Promise<Chromium> {
  if (chromiumPath === null)
    throw new Error('The stand-in for Electron needs chromium (CHROMIUM names its path).');
  removeOrphanedProfiles();
  const profile = mkdtempSync(path.join(tmpdir(), `${profilePrefix}${process.pid}-`));
  const headless = process.env['ELECTRON_DOUBLE_HEADED'] === '1' ? [] : ['--headless'];
  const unsandboxed = process.getuid?.() === 0 && !switches.includes('--no-sandbox') ? ['--no-sandbox'] : [];
  const child = spawn(
    chromiumPath,
    [...flags, ...headless, ...unsandboxed, `--user-data-dir=${profile}`, ...switches],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // With a locale that is not installed chromium could not read file names outside ASCII.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  );
  const complaints = passOnDevToolsLine(child);
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const cdp = connectCdp(child.stdio[3] as Writable, child.stdio[4] as Readable);
  try {
    await cdp.browser.send('Browser.getVersion');
  } catch (cause) {
    throw new Error(`Chromium did not start:\n${complaints()}`, { cause });
  }
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    cdp,
    async stop() {
      cdp.browser.send('Browser.close').catch(() => undefined);
      const patience = setTimeout(() => child.kill('SIGKILL'), 2_000);
      await gone;
      clearTimeout(patience);
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Chromium reports much that is missing on a server. Only the end of its output is kept, for a failed start. */
function passOnDevToolsLine(child: ChildProcess): () => string {
  let last = '';
  let passed = false;
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (piece: string) => {
    const said = last + piece;
    last = said.slice(-4_000);
    // Search all of it: on a busy machine the line may come in one piece with more output than is kept.
    const line = passed ? null : /^DevTools listening on ws:.*\n/m.exec(said);
    if (!line) return;
    passed = true;
    process.stderr.write(line[0]);
  });
  return () => last;
}

/** Removes profiles of apps that were killed: their process does not exist any more. */
function removeOrphanedProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(profilePrefix)) continue;
    const owner = Number(name.slice(profilePrefix.length).split('-')[0]);
    try {
      process.kill(owner, 0);
    } catch {
      try {
        rmSync(path.join(tmpdir(), name), { recursive: true, force: true });
      } catch {
        // Its chromium is still ending and writing; the next start removes the profile.
      }
    }
  }
}
