// Explorer: a shortcut in "Send to", which takes any number of files, and a verb in the context menu of one file.
// Explorer starts the program of such a verb once for each file, so with several files selected it is not shown
// (MultiSelectModel `Single`), because the links would replace each other on the clipboard. Verbs for all files of one
// user: HKCU\Software\Classes\*\shell. Microsoft's documents, in github.com/MicrosoftDocs/win32, desktop-src/shell:
// context-menu-handlers (the verb's name is the default value of its key; command, "%1"),
// how-to-employ-the-verb-selection-model, knownfolderid (FOLDERID_SendTo). None of them is about the value Icon.
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { shareSwitch } from '../../contract/file-managers.ts';
import { printsLater } from '../programs/prints.ts';
import { uploadWords } from '../system/own-program.ts';
import { powershellRuns, windowsProgram } from '../system/programs.ts';
import { writing } from './own-files.ts';

export const verbKey = 'HKCU\\Software\\Classes\\*\\shell\\Outtray';

/** Runs a program of Windows; false when it fails. */
export type StartProgram = (
  program: string,
  args: readonly string[],
  env: Record<string, string>,
) => Promise<boolean>;

/** As CommandLineToArgvW reads it (github.com/MicrosoftDocs/sdk-api, …/shellapi/nf-shellapi-commandlinetoargvw). */
const quoted = (word: string): string =>
  `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/** The shortcut's target is the program, and the rest are its arguments. */
const argumentsOf = (words: readonly string[]): string =>
  words
    .slice(1)
    .map((word) => (/^[\w-]+$/.test(word) ? word : quoted(word)))
    .join(' ');

/** How the arguments of each of our entries end: it starts the app, or the command if there is no app. */
const endings = [shareSwitch, uploadWords.join(' ')];

/** WScript.Shell creates the shortcut under this name, which every code page can express. */
const plainLink = 'outtray-new.lnk';

const opening = `
$ErrorActionPreference = 'Stop'
$user = [Microsoft.Win32.Registry]::CurrentUser
$verb = 'Software\\Classes\\*\\shell\\Outtray'
$above = @('Software\\Classes\\*\\shell', 'Software\\Classes\\*')
`;

/**
 * Values come through environment variables, so that no text becomes part of the script. WScript.Shell knows only names
 * of the system's code page: it creates the shortcut under a plain name, and the Shell, which knows all names, sets the
 * rest.
 */
export const explorerScript = `${opening}
$user.DeleteSubKeyTree($verb, $false)
$key = $user.CreateSubKey($verb)
$key.SetValue('', $env:OUTTRAY_LABEL)
$key.SetValue('Icon', '"' + $env:OUTTRAY_PROGRAM + '"')
$key.SetValue('MultiSelectModel', 'Single')
$key.CreateSubKey('command').SetValue('', $env:OUTTRAY_COMMAND)
$plain = Join-Path $env:OUTTRAY_SENDTO '${plainLink}'
$new = (New-Object -ComObject WScript.Shell).CreateShortcut($plain)
$new.TargetPath = Join-Path $env:SystemRoot 'explorer.exe'
$new.Save()
$link = (New-Object -ComObject Shell.Application).NameSpace($env:OUTTRAY_SENDTO).ParseName('${plainLink}').GetLink
$link.Path = $env:OUTTRAY_PROGRAM
$link.Arguments = $env:OUTTRAY_ARGUMENTS
$link.SetIconLocation($env:OUTTRAY_PROGRAM, 0)
$link.Save()
Move-Item -LiteralPath $plain -Destination $env:OUTTRAY_LINK -Force
`;

/** Succeeds if the verb is there. */
export const explorerQueryScript = `${opening}
if ($null -eq $user.OpenSubKey($verb)) { exit 1 }
`;

/** Also deletes the keys above the verb that are empty then. */
export const explorerRemovalScript = `${opening}
$user.DeleteSubKeyTree($verb)
foreach ($one in $above) {
  $key = $user.OpenSubKey($one)
  $isEmpty = ($key.SubKeyCount -eq 0) -and ($key.ValueCount -eq 0)
  $key.Close()
  if (-not $isEmpty) { break }
  $user.DeleteSubKey($one)
}
`;

export const explorerEntries = (options: {
  env: NodeJS.ProcessEnv;
  words: readonly string[];
  label: string;
  labels: readonly string[];
  run?: StartProgram;
}) => {
  const { env, words, label, run = runProgram } = options;
  const reg = windowsProgram('reg.exe', env);
  const sendTo = path.join(env['APPDATA'] ?? '', 'Microsoft', 'Windows', 'SendTo');
  const linkOf = (one: string): string => path.join(sendTo, `${one}.lnk`);
  /** Texts in a shortcut are UTF-16; one without our arguments is not ours. */
  const ours = async (): Promise<{ link: string; isCurrent: boolean }[]> => {
    const all = await Promise.all(
      options.labels.map(async (one) => {
        const bytes = await readFile(linkOf(one)).catch(() => null);
        const has = (text: string): boolean => bytes?.includes(Buffer.from(text, 'utf16le')) === true;
        const isCurrent = one === label && has(words[0] ?? '') && has(argumentsOf(words));
        return endings.some(has) ? [{ link: linkOf(one), isCurrent }] : [];
      }),
    );
    return all.flat();
  };
  const powershell = (script: string, values: Record<string, string>): Promise<boolean> => {
    const { program, args } = powershellRuns(env, script);
    return run(program, args, values);
  };
  /** PowerShell takes a second: it is asked only where reg.exe is forbidden, and does not find what is always there. */
  const hasVerb = async (): Promise<boolean> =>
    (await run(reg, ['query', verbKey], {})) ||
    (!(await run(reg, ['query', 'HKCU\\Software'], {})) && (await powershell(explorerQueryScript, {})));
  const removeLinks = async (): Promise<boolean> => {
    const links = await ours();
    // It is left over if creating the shortcut broke off.
    const plain = path.join(sendTo, plainLink);
    await writing(plain, () => rm(plain, { force: true }));
    for (const { link } of links) await writing(link, () => rm(link));
    return links.length > 0;
  };
  return {
    places: [linkOf(label), verbKey],
    async state(): Promise<'on' | 'old' | 'off'> {
      const [links, verb] = [await ours(), await hasVerb()];
      if (links.length === 0 && !verb) return 'off';
      return verb && links.length === 1 && links.every(({ isCurrent }) => isCurrent) ? 'on' : 'old';
    },
    async add(): Promise<void> {
      await removeLinks();
      const isDone = await powershell(explorerScript, {
        OUTTRAY_LABEL: label,
        OUTTRAY_PROGRAM: words[0] ?? '',
        OUTTRAY_ARGUMENTS: argumentsOf(words),
        OUTTRAY_COMMAND: `${quoted(words[0] ?? '')} ${argumentsOf(words)} "%1"`,
        OUTTRAY_SENDTO: sendTo,
        OUTTRAY_LINK: linkOf(label),
      });
      // A restricted PowerShell may report success and do nothing.
      if (!isDone || (await ours()).length === 0 || !(await hasVerb()))
        throw new AppError(
          'disk',
          'Windows did not accept the entries for Explorer.',
          'An administrator may have restricted PowerShell or the registry: ask them, or drop files on the window.',
        );
    },
    async remove(): Promise<boolean> {
      const hadLink = await removeLinks();
      if (!(await hasVerb())) return hadLink;
      await powershell(explorerRemovalScript, {});
      // Where PowerShell is restricted, the verb can still go.
      if ((await hasVerb()) && !(await run(reg, ['delete', verbKey, '/f'], {})))
        throw new AppError('disk', `${verbKey} cannot be removed.`, 'Remove it with the registry editor.');
      return true;
    },
  };
};

const runProgram: StartProgram = async (program, args, env) =>
  (await printsLater(program, args, { env: { ...process.env, ...env }, timeout: 60_000 })).isDone;
