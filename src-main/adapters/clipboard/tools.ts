// The system's own programs for the clipboard, for the command, which has no window. Pure: which ones fit this session.

/** `package`: where a Linux distribution has it; null where the system brings it. */
export type Tool = { program: string; args: readonly string[]; package: string | null };

const powershell = (script: string): Tool => ({
  program: 'powershell.exe',
  // -Sta: the clipboard of Windows is for threads of this kind only.
  args: ['-NoProfile', '-NonInteractive', '-Sta', '-Command', script],
  package: null,
});

/** Where a Linux session draws; both: Wayland with X11 programs in it. */
export const displaysOf = (env: NodeJS.ProcessEnv): ('wayland' | 'x11')[] => [
  ...((env['WAYLAND_DISPLAY'] ?? '') === '' ? [] : ['wayland' as const]),
  ...((env['DISPLAY'] ?? '') === '' ? [] : ['x11' as const]),
];

/** What takes UTF-8 text on its standard input to the clipboard; the first that is there is used. Empty: no display. */
export const textWriters = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Tool[] => {
  if (platform === 'darwin') return [{ program: 'pbcopy', args: [], package: null }];
  if (platform === 'win32') {
    return [
      powershell(
        '[Console]::InputEncoding = [Text.UTF8Encoding]::new($false); Set-Clipboard -Value ([Console]::In.ReadToEnd())',
      ),
    ];
  }
  return displaysOf(env).flatMap((display) =>
    display === 'wayland'
      ? [{ program: 'wl-copy', args: ['--type', 'text/plain'], package: 'wl-clipboard' }]
      : [
          { program: 'xclip', args: ['-selection', 'clipboard', '-in'], package: 'xclip' },
          { program: 'xsel', args: ['--clipboard', '--input'], package: 'xsel' },
        ],
  );
};
