// What a test sees of the machine is the same everywhere: home, language, time zone, umask and environment come from
// here, never from the shell that started the run. The configuration of Vitest applies it before it starts a process.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Variables that a run passes on: where programs are, and what the tests themselves ask for. */
const passedOn = new Set(
  [
    'PATH NODE_COMPILE_CACHE CHROMIUM ELECTRON ELECTRON_OVERRIDE_DIST_PATH ELECTRON_DOUBLE_HEADED PIC',
    'OUTTRAY_BUILT_WINDOW OUTTRAY_COVERAGE_HTML OUTTRAY_DEEP OUTTRAY_FULL OUTTRAY_MCP_FUZZ OUTTRAY_PATIENCE',
    'OUTTRAY_PROCESSES OUTTRAY_PROGRAM OUTTRAY_RECORD_SCHEMA OUTTRAY_RECORD_SHAPES OUTTRAY_SEED OUTTRAY_SEEDS OUTTRAY_WALK',
    'OUTTRAY_PICTURES OUTTRAY_WALKS OUTTRAY_WALKS_FROM',
    // Windows starts no program without some of these.
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT PROGRAMDATA PROGRAMFILES APPDATA LOCALAPPDATA USERPROFILE',
    'USERNAME WINEPREFIX WINEDEBUG',
  ].flatMap((line) => line.split(' ')),
);

/** The environment of a test, made of that of the run. `home` and `temporary` are folders that are there. */
export const surroundingsOf = (
  outer: NodeJS.ProcessEnv,
  { home, temporary }: { home: string; temporary: string },
): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(outer).filter(
      ([name]) => passedOn.has(name.toUpperCase()) || name.startsWith('VITEST') || name === 'NODE_ENV',
    ),
  ),
  HOME: home,
  TMPDIR: temporary,
  TEMP: temporary,
  TMP: temporary,
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  // The account of the process may differ from that of the shell that started it.
  SHELL: '/bin/sh',
});

/** Gives them to this process, and so to each process that it starts. */
export const takeSurroundings = (): void => {
  const temporary = realpathSync(tmpdir());
  const home = mkdtempSync(path.join(temporary, 'outtray-home-'));
  process.once('exit', () => {
    rmSync(home, { recursive: true, force: true });
  });
  const given = surroundingsOf(process.env, { home, temporary });
  for (const name of Object.keys(process.env)) if (!(name in given)) delete process.env[name];
  Object.assign(process.env, given);
  process.umask(0o022);
};
