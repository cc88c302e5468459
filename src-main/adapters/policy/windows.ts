// Windows: Software\Policies\Outtray of the machine, then of the user; Windows lets only administrators write either.
// Read by the system's own reg.exe: a native module for a few values at the start would cost more than it saves.
import { prints, printsLater } from '../programs/prints.ts';
import { powershellRuns, registryQueries } from '../system/programs.ts';
import { bothOf, noPolicy, type Policy } from './given.ts';
import { isReadable, isWhole, listSeparator, parseRegistry } from './registry.ts';
import { badPolicy } from './trusted-file.ts';

const policies = 'Software\\Policies';
const locked = `${policies}\\Outtray`;
/** As other programs name it (chromeenterprise.google, "Recommended"). */
const recommended = `${locked}\\Recommended`;

/** What `reg query KEY` prints, with the keys below if asked for; null when it fails, as it does without the key. */
export type QueryRegistry = (key: string, options: { below: boolean }) => string | null;

/**
 * Throws `bad-setting` when the key exists but cannot be read, and when it is unclear whether it exists. `other` is
 * asked where `query` leaves that open.
 */
export const readWindowsPolicy = (
  query: QueryRegistry = registryQuery(process.env),
  other: QueryRegistry = powershellQuery(process.env),
): Policy => {
  const read = (hive: string): Policy => {
    const key = `${hive}\\${locked}`;
    let printed = query(key, { below: true });
    if (printed === null) {
      if (isAbsent(query, hive)) return noPolicy;
      printed = other(key, { below: true });
      if (printed === null) throw badPolicy(key, 'cannot be read');
      if (printed === '') return noPolicy;
    }
    if (!isWhole(printed, locked)) throw badPolicy(key, 'cannot be understood');
    return {
      values: parseRegistry(printed, locked),
      recommended: parseRegistry(printed, recommended),
      source: key,
    };
  };
  return bothOf(read('HKLM'), read('HKCU'));
};

/**
 * reg.exe has the same exit code for "not there" and "not allowed", and its messages are translated. So a key is absent
 * only when a key above it can be listed and the list lacks it. `Software` is in every hive.
 */
const isAbsent = (query: QueryRegistry, hive: string): boolean => {
  const below = query(`${hive}\\${policies}`, { below: false });
  if (below !== null) return isReadable(below) && !listed(below).includes(locked.toLowerCase());
  const above = query(`${hive}\\Software`, { below: false });
  // A list without any key is no answer: there are always keys in it.
  const keys = listed(above ?? '');
  return isReadable(above ?? '') && keys.length > 0 && !keys.includes(policies.toLowerCase());
};

/** The keys in what was printed, without their hive, in small letters. */
const listed = (printed: string): string[] =>
  printed
    .split(/\r?\n/)
    .filter((line) => /^HKEY_/i.test(line))
    .map((line) =>
      line
        .slice(line.indexOf('\\') + 1)
        .trim()
        .toLowerCase(),
    );

/** Runs a program with its arguments exactly as given, and returns what it prints. Throws when it fails. */
export type RunTool = (program: string, args: readonly string[]) => string;

export const registryQuery =
  (env: NodeJS.ProcessEnv, run: RunTool = prints): QueryRegistry =>
  (key, { below }) => {
    const { program, args } = registryQueries(env, [`"${key}"${below ? ` /s /se "${listSeparator}"` : ''}`]);
    return orNull(() => run(program, args));
  };

/**
 * The same without reg.exe and cmd.exe, which an administrator may forbid. It takes a second, so it is asked only where
 * those give no answer. Empty for a key that is not there.
 */
export const powershellQuery =
  (env: NodeJS.ProcessEnv, run: RunTool = prints): QueryRegistry =>
  (key) => {
    const { program, args } = powershellPrints(env, [key]);
    return whatWasPrinted(orNull(() => run(program, args)));
  };

const powershellPrints = (env: NodeJS.ProcessEnv, keys: readonly string[]) =>
  powershellRuns(env, `${opening}${keys.map(printKey).join('')}'${lastLine}'\n`);

/** Null where the script has not run to its end. */
const whatWasPrinted = (printed: string | null): string | null => {
  const whole = printed?.trimEnd();
  return whole?.endsWith(lastLine) === true ? whole.slice(0, -lastLine.length) : null;
};

/** Without it the script has not run to its end, whatever the exit code is. */
const lastLine = 'all of the policy was read';

const orNull = (ask: () => string): string | null => {
  try {
    return ask();
  } catch {
    return null;
  }
};

/** `Show` prints a key and those below as reg.exe does (learn.microsoft.com, Microsoft.Win32.RegistryKey). */
const opening = `$ErrorActionPreference = 'Stop'
[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)
$kinds = @{ String = 'REG_SZ'; ExpandString = 'REG_EXPAND_SZ'; DWord = 'REG_DWORD'; QWord = 'REG_QWORD'; MultiString = 'REG_MULTI_SZ' }
function Show($key) {
  $key.Name
  foreach ($name in $key.GetValueNames()) {
    $kind = [string]$key.GetValueKind($name)
    $value = $key.GetValue($name, $null, 'DoNotExpandEnvironmentNames')
    if ($kind -like '?Word') { $value = '0x{0:x}' -f $value }
    if ($kind -eq 'MultiString') { $value = $value -join '${listSeparator}' }
    $type = $kinds[$kind]
    if (-not $type) { $type = 'REG_BINARY'; $value = '' }
    if (-not $name) { $name = '(Default)' }
    '    ' + $name + '    ' + $type + '    ' + $value
  }
  foreach ($below in $key.GetSubKeyNames()) { Show $key.OpenSubKey($below) }
}
`;

const printKey = (
  key: string,
): string => `$hive = [Microsoft.Win32.Registry]::${key.startsWith('HKLM') ? 'LocalMachine' : 'CurrentUser'}
$key = $hive.OpenSubKey('${key.slice(5)}')
if ($key) { Show $key }
`;

const keys = ['HKLM', 'HKCU'].map((hive) => `${hive}\\${locked}`);
/** A value that each Windows has, and that stays the same: without it reg.exe gave no answer. */
const always = '"HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion" /v CurrentVersion';
/** Windows itself looks for new policies every 90 minutes. */
const powershellEveryMs = 15 * 60_000;

/**
 * Returns what both keys hold, as text to compare. It is called every few seconds, so it must cost little: PowerShell,
 * where reg.exe and cmd.exe are forbidden, is asked more seldom. Null when there is no answer, or none yet.
 */
export const createWindowsMark = (
  env: NodeJS.ProcessEnv,
  ask: AskProgram = askProgram,
  nowMs = () => performance.now(),
): (() => Promise<string | null>) => {
  let askedAtMs = -Infinity;
  return async () => {
    const { program, args } = registryQueries(env, [...keys.map((key) => `"${key}" /s`), always]);
    const printed = await ask(program, args);
    if (printed === null || /^HKEY_/m.test(printed)) return printed;
    if (nowMs() - askedAtMs < powershellEveryMs) return null;
    askedAtMs = nowMs();
    const other = powershellPrints(env, keys);
    return whatWasPrinted(await ask(other.program, other.args));
  };
};

/** What a program prints, whether it fails or not; null when it does not end in time. */
type AskProgram = (program: string, args: readonly string[]) => Promise<string | null>;

/** reg.exe fails where one of the keys is missing; what it printed counts all the same. */
const askProgram: AskProgram = async (program, args) => (await printsLater(program, args)).printed;
