// Completions for four shells. They know names, options and choices; files are the shell's own business.
import { settingNames } from '../../../src-main/contract/settings.ts';
import { helpOption, takesFiles, type CommandRow, type OptionRow } from './table.ts';

/** What may follow as the next word of a command, besides files. */
const wordsAfter = (row: CommandRow): string[] => [
  ...row.commands.map(({ name }) => name),
  ...optionNames(row.options),
];

const optionNames = (options: readonly OptionRow[]): string[] =>
  options.flatMap(({ short, long }) => (short === null ? [long] : [short, long]));

const withChoices = (table: CommandRow): OptionRow[] =>
  table.commands.flatMap(({ options }) => options.filter(({ choices }) => choices.length > 0));

const common = (table: CommandRow): OptionRow[] => [...table.options, helpOption];

export const bashCompletion = (table: CommandRow): string => `# bash completion for outtray
_outtray() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command='' below='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      --home | --base-url) ((at++)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command="\${COMP_WORDS[at]}"; else below="\${COMP_WORDS[at]}"; break; fi ;;
    esac
  done
  local words=''
  case "$before" in
    --home) compopt -o dirnames; return ;;
${withChoices(table)
  .map(({ long, choices }) => `    ${long}) words='${choices.join(' ')}' ;;`)
  .join('\n')}
  esac
  if [[ -z $words ]]; then
    case "$command" in
      '') words='${[...table.commands.map(({ name }) => name), ...optionNames(common(table))].join(' ')}' ;;
${table.commands.map(bashCase).join('\n')}
    esac
    [[ -n $command && $word == -* ]] && words+=' ${optionNames(common(table)).join(' ')}'
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _outtray outtray
`;

const bashCase = (row: CommandRow): string => {
  if (row.name === 'settings')
    return `      settings) if [[ -z $below ]]; then words='${wordsAfter(row).join(' ')}'; else words='${settingNames.join(' ')}'; fi ;;`;
  const words = wordsAfter(row).join(' ');
  return `      ${row.name}) words='${words}'${takesFiles(row) ? '; compopt -o default' : ''} ;;`;
};

export const zshCompletion = (table: CommandRow): string => `#compdef outtray
# zsh completion for outtray
_outtray() {
  local -a commands common
  commands=(
${table.commands.map(({ name, text }) => `    ${quoted(`${name}:${text}`)}`).join('\n')}
  )
  common=(
${common(table).flatMap(zshOption).join('\n')}
  )
  local line state
  _arguments -C $common '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${table.commands.map(zshCase).join('\n')}
      esac ;;
  esac
}
_outtray "$@"
`;

const zshOption = ({ short, long, value, choices, text }: OptionRow): string[] => {
  const what = choices.length > 0 ? `(${choices.join(' ')})` : value === 'dir' ? '_files -/' : '';
  const after = value === null ? '' : `:${value}:${what}`;
  const said = text.replaceAll(/[[\]]/g, '');
  return [long, ...(short === null ? [] : [short])].map(
    (name) => `    ${quoted(`${name}[${said}]${after}`)}`,
  );
};

const zshCase = (row: CommandRow): string => {
  const parts = row.options.flatMap(zshOption).map((text) => text.trim());
  if (row.name === 'settings')
    parts.push(
      quoted(`1:what:(${row.commands.map(({ name }) => name).join(' ')})`),
      quoted(`2:setting:(${settingNames.join(' ')})`),
    );
  else if (takesFiles(row)) parts.push(quoted('*:file:_files'));
  return `        ${row.name}) _arguments $common ${parts.join(' ')} ;;`;
};

export const fishCompletion = (table: CommandRow): string => {
  const lines = ['# fish completion for outtray', 'complete -c outtray -f'];
  for (const option of common(table)) lines.push(`complete -c outtray ${fishOption(option)}`);
  for (const row of table.commands) {
    lines.push(`complete -c outtray -n __fish_use_subcommand -a ${row.name} -d ${quoted(row.text)}`);
    const inside = quoted(`__fish_seen_subcommand_from ${row.name}`);
    for (const option of row.options) lines.push(`complete -c outtray -n ${inside} ${fishOption(option)}`);
    if (takesFiles(row)) lines.push(`complete -c outtray -n ${inside} -F`);
    if (row.name !== 'settings') continue;
    const verbs = row.commands.map(({ name }) => name).join(' ');
    lines.push(
      `complete -c outtray -n ${quoted(`__fish_seen_subcommand_from settings; and not __fish_seen_subcommand_from ${verbs}`)} -a ${quoted(verbs)}`,
      `complete -c outtray -n ${quoted(`__fish_seen_subcommand_from settings; and __fish_seen_subcommand_from ${verbs}`)} -a ${quoted(settingNames.join(' '))}`,
    );
  }
  return `${lines.join('\n')}\n`;
};

const fishOption = ({ short, long, value, choices, text }: OptionRow): string =>
  [
    ...(short === null ? [] : [`-s ${short.replace(/^-/, '')}`]),
    `-l ${long.replace(/^--/, '')}`,
    ...(value === null ? [] : choices.length > 0 ? [`-x -a ${quoted(choices.join(' '))}`] : ['-r']),
    ...(value === 'dir' ? ["-a '(__fish_complete_directories)'"] : []),
    `-d ${quoted(text)}`,
  ].join(' ');

export const powershellCompletion = (table: CommandRow): string => `# PowerShell completion for outtray
Register-ArgumentCompleter -Native -CommandName outtray -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $commands = [ordered]@{
${table.commands.map((row) => `    ${powershell(row.name)} = @(${powershellWords(row)})`).join('\n')}
  }
  $common = @(${optionNames(common(table)).map(powershell).join(', ')})
  $command = $words | Where-Object { $commands.Contains($_) } | Select-Object -First 1
  $offered = if ($command) { $commands[$command] + $common } else { @($commands.Keys) + $common }
  $offered | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;

const powershellWords = (row: CommandRow): string =>
  [
    ...wordsAfter(row),
    ...row.options.flatMap(({ choices }) => choices),
    ...(row.name === 'settings' ? settingNames : []),
  ]
    .map(powershell)
    .join(', ');

/** In single quotes, for the three shells of the Bourne kind; apostrophes of texts are typographic. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;
const powershell = (text: string): string => `'${text.replaceAll("'", "''")}'`;
