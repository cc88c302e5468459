// outtray(1), in man(7) macros.
import { homeFiles } from '../../../src-main/adapters/system/home.ts';
import { version } from '../../../src-main/adapters/version.ts';
import {
  helpOption,
  usageOf,
  type CommandRow,
  type CompletedOption,
} from '../../../src-main/cli/completion/command-table.ts';

const exits: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'internal fault'],
  ['2', 'wrong use or configuration'],
  ['3', 'key missing or refused'],
  ['4', 'plan or limit of the account'],
  ['5', 'not found'],
  ['6', 'request budget used up and not waiting'],
  ['7', 'service unreachable'],
  ['8', 'some files failed or are held, or --copy found no clipboard'],
  ['9', 'another Outtray of this data folder does it'],
  ['130', 'interrupted; everything is recorded, run it again'],
];

const variables: readonly (readonly [string, string])[] = [
  ['OUTTRAY_HOME', 'the data folder'],
  ['OUTTRAY_PROFILE', 'the profile, with an account of its own'],
  ['OUTTRAY_BASE_URL', 'the base address of the service'],
  ['OUTTRAY_API_KEY', 'the key, where no keychain is; it wins over the keychain'],
];

export const manPage = (table: CommandRow): string =>
  [
    `.TH OUTTRAY 1 "" "Outtray ${version}" "User Commands"`,
    '.SH NAME',
    'outtray \\- put a file in the tray, get its link',
    '.SH SYNOPSIS',
    '.B outtray',
    '.RI [ options ] " command " [ arguments ]',
    '.SH DESCRIPTION',
    plain(
      'Outtray uploads files to a file-sharing service and prints their public links. It watches a folder and uploads what is new, stays under the service’s rate limits, and uploads nothing twice, through crashes, lost answers and restarts. Standard output holds results only; remarks go to standard error.',
    ),
    '.SH OPTIONS',
    ...[...table.options, helpOption].flatMap(optionLines),
    '.SH COMMANDS',
    ...table.commands.flatMap((row) => commandLines(row, [])),
    '.SH EXIT STATUS',
    ...exits.flatMap(([code, text]) => item(code, text)),
    '.SH ENVIRONMENT',
    ...variables.flatMap(([name, text]) => item(name, text)),
    '.SH FILES',
    plain('In the data folder, ~/.local/share/outtray unless --home or OUTTRAY_HOME name another:'),
    ...Object.values(homeFiles).flatMap(({ path, holds }) => item(path, holds)),
    ...item('/etc/outtray/policy.json', 'settings decided by the administrator'),
    '.SH EXAMPLES',
    ...item('outtray login --base-url=https://files.example.com/api/v1 --key-file key.txt', 'keep the key'),
    ...item('outtray upload report.pdf', 'upload a file and print its link'),
    ...item(
      'outtray --json watch ~/Outtray',
      'upload what is new until interrupted, one JSON object per line',
    ),
    '',
  ].join('\n');

const commandLines = (row: CommandRow, above: readonly string[]): string[] => {
  const names = [...above, row.name];
  const heading = [...names, ...row.arguments.map(usageOf)].join(' ');
  return [
    ...(row.text === '' && row.commands.length === 0
      ? ['.TP', `.B ${plain(heading)}`, row.name === 'get' ? 'show all of them, or one' : 'change one']
      : item(heading, row.text)),
    ...(row.options.length === 0 ? [] : ['.RS', ...row.options.flatMap(optionLines), '.RE']),
    ...row.commands.flatMap((below) => commandLines(below, names)),
  ];
};

const optionLines = ({ short, long, value, choices, text }: CompletedOption): string[] => {
  const names = [short, long].filter((name) => name !== null).join(', ');
  const wanted = choices.length > 0 ? choices.join('|') : value;
  return item(wanted === null ? names : `${names}=<${wanted}>`, text);
};

const item = (term: string, text: string): string[] => ['.TP', `.B ${plain(term)}`, plain(text)];

/** Escapes text so that the typesetter treats none of it as markup. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replaceAll('…', '...')
    .replace(/^([.'])/, '\\&$1');
