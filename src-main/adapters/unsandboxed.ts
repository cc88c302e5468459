// Whether this start of the app runs without Chromium's sandbox: the AppImage gives the switch itself where the system
// gives no user namespaces (electron-builder pull request 9590).

/** Only Electron has a sandbox to lose. The variable stands for the switch (shell/app/electron_main_delegate.cc). */
export const isUnsandboxed = (
  electronVersion: string | undefined,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): boolean =>
  electronVersion !== undefined &&
  (args.includes('--no-sandbox') || env['ELECTRON_DISABLE_SANDBOX'] !== undefined);
