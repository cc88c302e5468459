// Completions for four shells. They know names, options, choices and the values of settings. The shell itself completes
// files; for ids it asks the command, which reads them from the ledger.
import type { shells } from '../../contract/catalogue/choices.ts';
import { settingChoices, settingNames } from '../../contract/settings.ts';
import {
  helpOption,
  takesFiles,
  takesIds,
  withBelow,
  type CommandRow,
  type OptionRow,
} from './command-table.ts';

/** What may follow as the next word of a command, besides files. */
const wordsAfter = (row: CommandRow): string[] => [
  ...row.commands.map(({ name }) => name),
  ...optionNames(optionsOf(row)),
];

const optionsOf = (row: CommandRow): OptionRow[] => withBelow(row).flatMap(({ options }) => options);

const optionNames = (options: readonly OptionRow[]): string[] =>
  options.flatMap(({ short, long }) => (short === null ? [long] : [short, long]));

/** Which files the value of an option names; null: none. */
const filesOf = ({ value }: OptionRow): 'folders' | 'files' | null =>
  value === 'dir' ? 'folders' : value === 'list' || value === 'file' ? 'files' : null;

const common = (table: CommandRow): OptionRow[] => [...table.options, helpOption];

/** Words for one argument of a command that are the same on every machine. */
const choicesOf = (row: CommandRow, table: CommandRow): string[] =>
  withBelow(row)
    .flatMap((one) => one.arguments)
    .flatMap(({ name, offers }) => (name === 'command' ? table.commands.map(({ name }) => name) : offers));

/** The settings that have a few values, with those. */
const chosen = settingNames.flatMap((name) => {
  const choices = settingChoices(name);
  return choices.length === 0 ? [] : [{ name, values: [...choices, 'default'].join(' ') }];
});

const bashCompletion = (table: CommandRow): string => `# bash completion for outtray
_outtray() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before command='' at words='' ids=''
  local -a line=() given=() home=()
  # bash splits --option=value and https://host at the signs, which are words then.
  for ((at = 0; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
      =) ;;
      :*) line[-1]+="\${COMP_WORDS[at]}\${COMP_WORDS[at+1]}"; ((at++)) ;;
      *) line+=("\${COMP_WORDS[at]}") ;;
    esac
  done
  [[ $word == = ]] && word=''
  before="\${line[-1]}"
  for ((at = 1; at < \${#line[@]}; at++)); do
    case "\${line[at]}" in
      --home) ((at++)); home=(--home "\${line[at]}") ;;
      --base-url) ((at++)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command="\${line[at]}"; else given+=("\${line[at]}"); fi ;;
    esac
  done
  case "$before" in
    --home) compopt -o dirnames; return ;;
  esac
  case "$command $before" in
${table.commands.flatMap((row) => optionsOf(row).flatMap((option) => bashValue(row, option))).join('\n')}
  esac
  if [[ -z $words ]]; then
    case "$command" in
      '') words='${[...table.commands.map(({ name }) => name), ...optionNames(common(table))].join(' ')}' ;;
${table.commands.map((row) => bashCase(row, table)).join('\n')}
    esac
    [[ -n $command && $word == -* ]] && words+=' ${optionNames(common(table)).join(' ')}'
    if [[ -n $ids && $word != -* ]]; then
      words=$("\${COMP_WORDS[0]}" "\${home[@]}" completion bash --ids-for "$ids" 2>/dev/null | cut -f 1)
    fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _outtray outtray
`;

/** The values of an option belong to its command: `--format` has others after `card` than after `export`. */
const bashValue = ({ name }: CommandRow, option: OptionRow): string[] => {
  const { long, offers } = option;
  const at = `    '${name} ${long}')`;
  if (offers.length > 0) return [`${at} words='${offers.join(' ')}' ;;`];
  const files = filesOf(option);
  if (files !== null) return [`${at} compopt -o ${files === 'folders' ? 'dirnames' : 'default'}; return ;;`];
  return option.value === null ? [] : [`${at} return ;;`];
};

const bashCase = (row: CommandRow, table: CommandRow): string => {
  if (row.name === 'settings') {
    const values = chosen.map(({ name, values }) => `          ${name}) words='${values}' ;;`).join('\n');
    return `      settings)
        case "\${#given[@]}" in
          0) words='${wordsAfter(row).join(' ')}' ;;
          1) words='${settingNames.join(' ')}' ;;
        esac
        [[ \${#given[@]} == 2 && \${given[0]} == set ]] && case "\${given[1]}" in
${values}
        esac ;;`;
  }
  const words = [...wordsAfter(row), ...choicesOf(row, table)].join(' ');
  const ids = takesIds(row) ? `; ids=${row.name}` : '';
  return `      ${row.name}) words='${words}'${ids}${takesFiles(row) ? '; compopt -o default' : ''} ;;`;
};

const zshCompletion = (table: CommandRow): string => `#compdef outtray
# zsh completion for outtray
_outtray_ids() {
  local -a ids
  ids=(\${(f)"$($program $home completion zsh --ids-for $1 2>/dev/null | sed 's/:/\\\\:/g; s/\\t/:/')"})
  _describe id ids
}
_outtray_values() {
  case $words[3] in
${chosen.map(({ name, values }) => `    ${name}) compadd ${values} ;;`).join('\n')}
  esac
}
_outtray() {
  local program=$words[1]
  local -a commands common
  commands=(
${table.commands.map(({ name, text }) => `    ${quoted(`${name}:${text}`)}`).join('\n')}
  )
  common=(
${common(table).flatMap(zshOption).join('\n')}
  )
  local line state
  local -A opt_args
  _arguments -C $common '1:command:->command' '*::argument:->argument'
  local -a home=(\${opt_args[--home]:+--home=\${opt_args[--home]}})
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${table.commands.map((row) => zshCase(row, table)).join('\n')}
      esac ;;
  esac
}
# Loaded from the function path zsh calls it to complete; sourced it is only made known.
if [[ \${funcstack[1]-} == _outtray ]]; then _outtray "$@"; elif (( $+functions[compdef] )); then compdef _outtray outtray; fi
`;

const zshOption = (option: OptionRow): string[] => {
  const { short, long, value, offers, text } = option;
  const of = filesOf(option);
  const files = of === 'folders' ? '_files -/' : of === 'files' ? '_files' : '';
  const what = offers.length > 0 ? `(${offers.join(' ')})` : files;
  const after = value === null ? '' : `:${value}:${what}`;
  const said = text.replaceAll(/[[\]]/g, '').replaceAll(':', '\\:');
  // With = the value may follow in the same word or in the next one.
  return [value === null ? long : `${long}=`, ...(short === null ? [] : [short])].map(
    (name) => `    ${quoted(`${name}[${said}]${after}`)}`,
  );
};

const zshCase = (row: CommandRow, table: CommandRow): string => {
  const parts = optionsOf(row)
    .flatMap(zshOption)
    .map((text) => text.trim());
  const choices = choicesOf(row, table);
  if (row.name === 'settings') {
    parts.push(
      quoted(`1:what:(${row.commands.map(({ name }) => name).join(' ')})`),
      quoted(`2:setting:(${settingNames.join(' ')})`),
      quoted('3:value:_outtray_values'),
    );
  } else if (row.commands.length > 0) {
    const below = row.commands.map(({ name }) => name).join(' ');
    parts.push(
      quoted(`1:what:(${below})`),
      quoted('2:folder:_files -/'),
      quoted(`3:rule:(${choices.join(' ')})`),
    );
  } else if (takesFiles(row) && takesIds(row))
    parts.push(quoted(`*:id or file:{_outtray_ids ${row.name}; _files}`));
  else if (takesFiles(row)) parts.push(quoted('*:file:_files'));
  else if (takesIds(row)) parts.push(quoted(`*:id:{_outtray_ids ${row.name}}`));
  else if (choices.length > 0) parts.push(quoted(`1:what:(${choices.join(' ')})`));
  return `        ${row.name}) _arguments $common ${parts.join(' ')} ;;`;
};

const fishCompletion = (table: CommandRow): string => {
  const lines = [
    '# fish completion for outtray',
    'function __outtray_ids',
    '    set -l words (commandline -opc)',
    "    set -l home (string match -- '--home=*' $words)",
    '    set -l at (contains -i -- --home $words); and set home --home $words[(math $at + 1)]',
    '    $words[1] $home completion fish --ids-for $argv[1] 2>/dev/null',
    'end',
    'function __outtray_after_settings',
    '    set -l words (commandline -opc)',
    '    set -l at (contains -i settings $words); or return',
    '    set -e words[1..$at]',
    "    test (count $words) -gt 0; and printf '%s\\n' $words",
    'end',
    'function __outtray_values',
    '    set -l words (__outtray_after_settings)',
    '    test "$words[1]" = set; or return',
    '    switch "$words[2]"',
    ...chosen.flatMap(({ name, values }) => [
      `        case ${name}`,
      `            string split ' ' '${values}'`,
    ]),
    '    end',
    'end',
    'complete -c outtray -f',
  ];
  for (const option of common(table)) lines.push(`complete -c outtray ${fishOption(option)}`);
  for (const row of table.commands) {
    lines.push(`complete -c outtray -n __fish_use_subcommand -a ${row.name} -d ${quoted(row.text)}`);
    const inside = quoted(`__fish_seen_subcommand_from ${row.name}`);
    const offer = (condition: string, words: string): void => {
      lines.push(`complete -c outtray -n ${condition} -a ${quoted(words)}`);
    };
    for (const option of optionsOf(row)) lines.push(`complete -c outtray -n ${inside} ${fishOption(option)}`);
    const choices = choicesOf(row, table);
    if (takesFiles(row)) lines.push(`complete -c outtray -n ${inside} -F`);
    if (takesIds(row)) offer(inside, `(__outtray_ids ${row.name})`);
    if (choices.length > 0) offer(inside, choices.join(' '));
    if (row.commands.length > 0 && row.name !== 'settings')
      offer(inside, row.commands.map(({ name }) => name).join(' '));
    if (row.name !== 'settings') continue;
    const at = (count: number): string =>
      quoted(
        `__fish_seen_subcommand_from settings; and test (count (__outtray_after_settings)) -eq ${count}`,
      );
    offer(at(0), row.commands.map(({ name }) => name).join(' '));
    offer(at(1), settingNames.join(' '));
    offer(at(2), '(__outtray_values)');
  }
  return `${lines.join('\n')}\n`;
};

const fishOption = (option: OptionRow): string => {
  const { short, long, value, offers, text } = option;
  const files = filesOf(option);
  return [
    ...(short === null ? [] : [`-s ${short.replace(/^-/, '')}`]),
    `-l ${long.replace(/^--/, '')}`,
    ...(value === null ? [] : offers.length > 0 ? [`-x -a ${quoted(offers.join(' '))}`] : ['-r']),
    ...(files === 'folders' ? ["-a '(__fish_complete_directories)'"] : []),
    ...(files === 'files' ? ['-F'] : []),
    `-d ${quoted(text)}`,
  ].join(' ');
};

const powershellCompletion = (table: CommandRow): string => `# PowerShell completion for outtray
Register-ArgumentCompleter -Native -CommandName outtray -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
${table.commands.map((row) => `    ${powershell(row.name)} = ${powershellWords(offeredAfter(row, table))}`).join('\n')}
  }
  $values = @{
${table.commands.flatMap((row) => optionsOf(row).flatMap((option) => powershellValue(row, option))).join('\n')}
  }
  $settings = @{
${chosen.map(({ name, values }) => `    ${powershell(name)} = ${powershellWords(values.split(' '))}`).join('\n')}
  }
  $common = ${powershellWords(optionNames(common(table)))}
  # The words before the one that is completed.
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $command = $words | Where-Object { $commands.ContainsKey($_) } | Select-Object -First 1
  $before = "$command $($words | Select-Object -Last 1)"
  $offered = if (-not $command) { @($commands.Keys | Sort-Object) + $common }
    elseif ($values.ContainsKey($before)) { $values[$before] }
    elseif ($command -eq 'settings' -and $words[-2] -eq 'set') { $settings[$words[-1]] }
    else { $commands[$command] + $common }
  $offered | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;

/** For the value of an option without choices nothing is offered, so that PowerShell offers files. */
const powershellValue = ({ name }: CommandRow, { long, value, offers }: OptionRow): string[] =>
  value === null ? [] : [`    ${powershell(`${name} ${long}`)} = ${powershellWords(offers)}`];

const offeredAfter = (row: CommandRow, table: CommandRow): string[] => [
  ...wordsAfter(row),
  ...(row.name === 'settings' ? settingNames : choicesOf(row, table)),
];

const powershellWords = (words: readonly string[]): string => `@(${words.map(powershell).join(', ')})`;

/** In single quotes, for the three shells of the Bourne kind; apostrophes of texts are typographic. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;
const powershell = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const completions = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
} as const satisfies Record<(typeof shells)[number], unknown>;
