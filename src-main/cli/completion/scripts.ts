// The scripts that a shell loads. Each asks the command what may follow, with the line up to the cursor. The command
// prints a value in each line, with a TAB and a text where there is one. A line that begins with a TAB says what the
// shell completes by itself, and what stands before that in the same word.
import type { Shell } from './complete.ts';

const bash = `# bash completion for outtray
_outtray() {
  local one; local -a found=(); COMPREPLY=()
  while IFS= read -r one; do
    case $one in
      $'\\tfiles'*) compopt -o default ;;
      $'\\tfolders'*) compopt -o dirnames ;;
      *) found+=("$one") ;;
    esac
  done < <("$1" completion bash --line="\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  # A list shows what an id stands for; what is inserted has no text.
  case \${#found[@]},$COMP_TYPE in
    [01],*) COMPREPLY=("\${found[@]%%$'\\t'*}") ;;
    *,63 | *,33 | *,64) COMPREPLY=("\${found[@]//$'\\t'/  }") ;;
    *) COMPREPLY=("\${found[@]%%$'\\t'*}") ;;
  esac
}
complete -F _outtray outtray
`;

const zsh = `#compdef outtray
# zsh completion for outtray
_outtray() {
  local one files before
  local -a found
  for one in "\${(@f)$($words[1] completion zsh --line="\${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}"; do
    case $one in
      $'\\tfiles'*) files='_files'; before=\${one##*$'\\t'} ;;
      $'\\tfolders'*) files='_files -/'; before=\${one##*$'\\t'} ;;
      ?*) found+=("\${\${one//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done
  (( $#found )) && _describe -V outtray found
  [[ -n $before ]] && compset -P '*='
  \${=files}
}
# Loaded from the function path zsh calls it to complete; sourced it is only made known.
if [[ \${funcstack[1]-} == _outtray ]]; then _outtray "$@"; elif (( $+functions[compdef] )); then compdef _outtray outtray; fi
`;

const fish = `# fish completion for outtray
function __outtray
    set -l words (commandline -opc)
    set -l line (commandline -cp | string collect)
    for one in ($words[1] completion fish --line="$line" 2>/dev/null)
        set -l part (string split \\t -- $one)
        set -l typed (string replace -- "$part[3]" '' (commandline -ct))
        switch "$part[1],$part[2]"
            case ,files
                string replace -r '^' -- "$part[3]" (__fish_complete_path "$typed")
            case ,folders
                string replace -r '^' -- "$part[3]" (__fish_complete_directories "$typed" '')
            case '*'
                echo $one
        end
    end
end
complete -c outtray -f -a '(__outtray)'
`;

const powershell = `# PowerShell completion for outtray. Where nothing is offered, PowerShell offers files.
Register-ArgumentCompleter -Native -CommandName outtray -ScriptBlock {
  param($word, $ast, $cursor)
  $length = $cursor - $ast.Extent.StartOffset
  $line = $ast.Extent.Text.PadRight($length).Substring(0, $length)
  & $ast.CommandElements[0].Value completion powershell "--line=$line" 2>$null | ForEach-Object {
    $value, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $value }
    if ($value) { [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $text) }
  }
}
`;

export const completions: Record<Shell, string> = { bash, zsh, fish, powershell };
