// What Electron's native code decides before any JavaScript runs.

/** `args`: the whole command line with the program in front. */
export function decideBeforeMain(args: readonly string[], environment: NodeJS.ProcessEnv): void {
  // shell/app/electron_main_delegate.cc, BasicStartupComplete. There, the variable replaces the switch.
  const isSandboxed = !args.includes('--no-sandbox') && environment['ELECTRON_DISABLE_SANDBOX'] === undefined;
  if (process.platform === 'linux' && process.getuid?.() === 0 && isSandboxed) {
    console.error(
      `[${process.pid}:FATAL:electron_main_delegate.cc] Running as root without --no-sandbox is not supported. See https://crbug.com/638180.`,
    );
    process.exit(133);
  }
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
