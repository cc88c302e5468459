// The system's own programs for the clipboard, for the command, which has no window. Pure: which ones fit this session.
import { privateMarks, type PrivateMark } from '../../contract/text/private-marks.ts';

/** `package`: where a Linux distribution has it; null where the system brings it. */
export type Tool = { program: string; args: readonly string[]; package: string | null };

const powershell = (script: string): Tool => ({
  program: 'powershell.exe',
  // -Sta: Windows allows only threads in a single-threaded apartment to use the clipboard.
  args: ['-NoProfile', '-NonInteractive', '-Sta', '-Command', script],
  package: null,
});

/** Where a Linux session draws; both: Wayland with X11 programs in it. */
export const displaysOf = (env: NodeJS.ProcessEnv): ('wayland' | 'x11')[] => [
  ...((env['WAYLAND_DISPLAY'] ?? '') === '' ? [] : ['wayland' as const]),
  ...((env['DISPLAY'] ?? '') === '' ? [] : ['x11' as const]),
];

/** They copy UTF-8 text from standard input to the clipboard; the first one found is used. Empty: no display. */
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

/**
 * Reads the clipboard of a Linux session. `types`: lists its types. `one`: reads one type. `xsel` is none of them: it
 * shows no types, and so no mark of privacy.
 */
export type Reader = Tool & { types: readonly string[]; one: (type: string) => readonly string[] };

export const readersOf = (env: NodeJS.ProcessEnv): Reader[] =>
  displaysOf(env).flatMap((display): Reader[] => {
    if (display === 'wayland') {
      const one = (type: string) => ['--no-newline', '--type', type];
      return [{ program: 'wl-paste', args: [], package: 'wl-clipboard', types: ['--list-types'], one }];
    }
    const out = ['-selection', 'clipboard', '-out'];
    return [
      {
        program: 'xclip',
        args: [],
        package: 'xclip',
        types: [...out, '-target', 'TARGETS'],
        one: (type) => [...out, '-target', type],
      },
    ];
  });

/** Content types in the order in which they are tried, each with its file extension. */
export const contentTypes: readonly (readonly [type: string, ending: string])[] = [
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['image/svg+xml', 'svg'],
  ['image/tiff', 'tiff'],
  ['image/bmp', 'bmp'],
  ['text/plain;charset=utf-8', 'txt'],
  ['UTF8_STRING', 'txt'],
  ['text/plain', 'txt'],
  ['STRING', 'txt'],
];

const marksOf = (system: NodeJS.Platform): PrivateMark[] =>
  privateMarks.filter((mark) => mark.system === system);
const quoted = (marks: readonly PrivateMark[]): string => marks.map(({ type }) => `'${type}'`).join(', ');

/**
 * For systems that come with a scripting language. Each script prints one JSON object `{kind, paths}`, looks for marks of privacy first, and writes an
 * image (as PNG) or a text (as UTF-8) to the file that the variable OUTTRAY_PASTE names. `elsewhere`: copied files
 * without a path, such as those of a phone, an archive or a mail program; the text beside them is not taken.
 */
export const scriptReaders: Readonly<Partial<Record<NodeJS.Platform, Tool>>> = {
  // NSPasteboard of AppKit, by JavaScript for Automation (developer.apple.com, JXA release notes).
  darwin: {
    program: 'osascript',
    args: [
      '-l',
      'JavaScript',
      '-e',
      `ObjC['import']('AppKit');
function run() {
  const marks = ${JSON.stringify(marksOf('darwin').map(({ type }) => type))};
  const types = ObjC.deepUnwrap($.NSPasteboard.generalPasteboard.types) || [];
  if (types.some((type) => marks.includes(type))) return JSON.stringify({ kind: 'private', paths: [] });
  const file = $.NSProcessInfo.processInfo.environment.objectForKey('OUTTRAY_PASTE');
  const board = $.NSPasteboard.generalPasteboard;
  const names = board.propertyListForType('NSFilenamesPboardType');
  if (!names.isNil()) return JSON.stringify({ kind: 'files', paths: ObjC.deepUnwrap(names) });
  let picture = board.dataForType('public.png');
  const tiff = board.dataForType('public.tiff');
  if (picture.isNil() && !tiff.isNil())
    picture = $.NSBitmapImageRep.imageRepWithData(tiff).representationUsingTypeProperties(4, $({}));
  const text = board.stringForType('public.utf8-plain-text');
  const pathless = board.availableTypeFromArray($(['public.file-url', 'com.apple.pasteboard.promised-file-url']));
  const kind = !picture.isNil() ? 'image' : !pathless.isNil() ? 'elsewhere' : !text.isNil() ? 'text' : 'nothing';
  if (kind === 'image') picture.writeToFileAtomically(file, false);
  if (kind === 'text') text.dataUsingEncoding(4).writeToFileAtomically(file, false);
  return JSON.stringify({ kind, paths: [] });
}`,
    ],
    package: null,
  },
  // System.Windows.Forms.Clipboard (learn.microsoft.com); its order is that of the other systems.
  win32: powershell(`$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)
Add-Type -AssemblyName System.Windows.Forms, System.Drawing
$board = [Windows.Forms.Clipboard]
$kind = 'nothing'; $paths = @()
function Test-Zero($name) { $data = $board::GetData($name); if ($data -is [IO.Stream]) { $data = $data.ToArray() }; -not ($data | Where-Object { $_ -ne 0 }) }
$private = @(${quoted(marksOf('win32').filter(({ isZero }) => isZero !== true))}) | Where-Object { $board::ContainsData($_) }
$private = @($private) + @(@(${quoted(marksOf('win32').filter(({ isZero }) => isZero === true))}) | Where-Object { $board::ContainsData($_) -and (Test-Zero $_) })
if ($private.Count -gt 0) { $kind = 'private' }
elseif ($board::ContainsFileDropList()) { $kind = 'files'; $paths = @($board::GetFileDropList()) }
elseif ($board::ContainsImage()) { $kind = 'image'; $board::GetImage().Save($env:OUTTRAY_PASTE, [Drawing.Imaging.ImageFormat]::Png) }
elseif ($board::ContainsData('FileGroupDescriptorW') -or $board::ContainsData('Shell IDList Array')) { $kind = 'elsewhere' }
elseif ($board::ContainsText()) { $kind = 'text'; [IO.File]::WriteAllText($env:OUTTRAY_PASTE, $board::GetText(), [Text.UTF8Encoding]::new($false)) }
@{ kind = $kind; paths = $paths } | ConvertTo-Json -Compress`),
};
