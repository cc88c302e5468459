// What Electron's native code decides before any JavaScript runs.
import { Readable } from 'node:stream';
import { hasMode } from './modes.ts';

/** `args`: the whole command line with the program in front. */
export function decideBeforeMain(args: readonly string[], environment: NodeJS.ProcessEnv): void {
  // Windows only: shell/app/electron_main_win.cc returns -1 without a message.
  if (hasMode('argv-guard') && !isSafe(args)) process.exit(-1);
  // shell/app/electron_main_delegate.cc, BasicStartupComplete. There, the variable replaces the switch.
  if (hasMode('root=fatal')) process.getuid = () => 0;
  const isSandboxed = !args.includes('--no-sandbox') && environment['ELECTRON_DISABLE_SANDBOX'] === undefined;
  if (process.platform === 'linux' && process.getuid?.() === 0 && isSandboxed) {
    console.error(
      `[${process.pid}:FATAL:electron_main_delegate.cc] Running as root without --no-sandbox is not supported. See https://crbug.com/638180.`,
    );
    process.exit(133);
  }
  if (hasMode('stdin=eof')) {
    // Windows only. lib/common/init.ts: "Always returns EOF for stdin stream."
    const stdin = new Readable();
    stdin.push(null);
    Object.defineProperty(process, 'stdin', { configurable: false, enumerable: true, get: () => stdin });
    // shell/app/electron_main_delegate.cc, BasicStartupComplete: an empty line after the terminal's prompt.
    process.stdout.write('\n');
  }
}

/**
 * shell/app/command_line_args.cc, the guard against CVE-2018-1000006: only `--` may follow an argument that begins
 * with a scheme (a letter, no space before the first colon, longer than a drive letter). Later versions recognize
 * fewer schemes.
 */
function isSafe(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const url = before.findIndex((argument) => /^[a-z][^\s:]+:/i.test(argument));
  return url < 0 || url === before.length - 1;
}

/** ui/ozone/platform/x11/ozone_platform_x11.cc, and Electron's message after it (electron/electron#10439). */
export function dieWithoutDisplay(switches: { getSwitchValue(name: string): string }): void {
  const has = (name: string): boolean => Boolean(process.env[name]);
  if (process.platform !== 'linux' || has('DISPLAY') || has('WAYLAND_DISPLAY')) return;
  if (switches.getSwitchValue('ozone-platform') === 'headless') return;
  console.error(`[${process.pid}:ERROR:ozone_platform_x11.cc] Missing X server or $DISPLAY`);
  console.error(`[${process.pid}:ERROR:env.cc] The platform failed to initialize.  Exiting.`);
  process.exit(1);
}
