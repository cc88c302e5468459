# bash completion for outtray
_outtray() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command='' at words='' ids=''
  local -a given=() home=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "${COMP_WORDS[at]}" in
      --home) ((at++)); home=(--home "${COMP_WORDS[at]}") ;;
      --base-url) ((at++)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command="${COMP_WORDS[at]}"; else given+=("${COMP_WORDS[at]}"); fi ;;
    esac
  done
  case "$before" in
    --home) compopt -o dirnames; return ;;
    --files-from) compopt -o default; return ;;
    --existing) words='skip upload' ;;
    --existing) words='skip upload' ;;
    --sort) words='uploaded name size downloads' ;;
    --place) words='here elsewhere gone' ;;
    --sort) words='uploaded name size downloads' ;;
    --place) words='here elsewhere gone' ;;
    --format) words='markdown html json sha256sums winget scoop homebrew' ;;
    --format) words='csv json' ;;
  esac
  if [[ -z $words ]]; then
    case "$command" in
      '') words='login logout stats upload plan paste watch folders list search link info delete recall expire follow unfollow card verify exposure review export status queue held confirm cancel retry resolve pause resume why settings integrate mcp doctor help completion demo -V --version --json --home --base-url --quiet -v --verbose --no-progress -h --help' ;;
      login) words='--key-file' ;;
      logout) words='' ;;
      stats) words='' ;;
      upload) words='-r --recursive --files-from --zip --name --size --sha256 -0 --null --no-wait --again --open --copy --format --detach --expire'; compopt -o default ;;
      plan) words=''; compopt -o default ;;
      paste) words='--no-wait --again --open --copy --format --detach --expire' ;;
      watch) words='--once --existing'; compopt -o default ;;
      folders) words='list add set remove --existing recursive ignore includeHidden graceSeconds expireAfter copyLink copyFormat notify paused'; compopt -o default ;;
      list) words='--sort --reverse --place --folder --page --limit --all' ;;
      search) words='--sort --reverse --place --folder --page --limit --all' ;;
      link) words='--open'; ids=link; compopt -o default ;;
      info) words=''; ids=info; compopt -o default ;;
      delete) words='--yes'; ids=delete; compopt -o default ;;
      recall) words=''; ids=recall; compopt -o default ;;
      expire) words=''; ids=expire; compopt -o default ;;
      follow) words=''; ids=follow; compopt -o default ;;
      unfollow) words=''; ids=unfollow; compopt -o default ;;
      card) words='--format'; ids=card; compopt -o default ;;
      verify) words='--all --card --watch --unwatch'; ids=verify; compopt -o default ;;
      exposure) words='--recall --yes'; ids=exposure; compopt -o default ;;
      review) words='--old --refresh' ;;
      export) words='--format --output --force' ;;
      status) words='' ;;
      queue) words='--uploading --waiting --held --failed' ;;
      held) words='' ;;
      confirm) words='--without-location'; ids=confirm ;;
      cancel) words=''; ids=cancel ;;
      retry) words=''; ids=retry ;;
      resolve) words='--adopt --again --drop'; ids=resolve ;;
      pause) words='' ;;
      resume) words='' ;;
      why) words=''; ids=why; compopt -o default ;;
      settings)
        case "${#given[@]}" in
          0) words='get list unset set' ;;
          1) words='baseUrl keyCommand folder folders recursive ignore includeHidden includeEmpty settleMs graceSeconds expireAfter holdSecrets lookInside requireLookInside photoLocation burstFiles burstBytes answerTimeoutMs concurrentUploads requestsPerMinute requestsPerDay requestShare reconcileAfterMs onAmbiguous bandwidthBytesPerSecond verifyAfterUpload releaseWatch followEveryMinutes agentRoots agentShare givenFolders copyLink copyFormat copyTemplate notify proxy caFile linkHosts allowedRoots forbiddenRoots maxFileBytes maxExpireAfter allowedTypes forbiddenTypes auditFile pasteShortcut launchAtLogin quitOnClose updateMode updateFeed updateChannel language allowPause allowCopy allowGivenFiles allowAccountChange' ;;
        esac
        [[ ${#given[@]} == 2 && ${given[0]} == set ]] && case "${given[1]}" in
          recursive) words='true false default' ;;
          includeHidden) words='true false default' ;;
          includeEmpty) words='true false default' ;;
          holdSecrets) words='true false default' ;;
          lookInside) words='true false default' ;;
          requireLookInside) words='true false default' ;;
          photoLocation) words='ask keep remove default' ;;
          onAmbiguous) words='hold adopt-verified reupload default' ;;
          verifyAfterUpload) words='true false default' ;;
          givenFolders) words='ask zip files default' ;;
          copyLink) words='never dropped always default' ;;
          copyFormat) words='plain markdown html bbcode template default' ;;
          notify) words='true false default' ;;
          launchAtLogin) words='true false default' ;;
          quitOnClose) words='true false default' ;;
          updateMode) words='auto notify off default' ;;
          language) words='system en de es zh default' ;;
          allowPause) words='true false default' ;;
          allowCopy) words='true false default' ;;
          allowGivenFiles) words='true false default' ;;
          allowAccountChange) words='true false default' ;;
        esac ;;
      integrate) words='--list --remove' ;;
      mcp) words='' ;;
      doctor) words='--service --yes' ;;
      help) words='login logout stats upload plan paste watch folders list search link info delete recall expire follow unfollow card verify exposure review export status queue held confirm cancel retry resolve pause resume why settings integrate mcp doctor help completion demo' ;;
      completion) words='bash zsh fish powershell' ;;
      demo) words='--stay --double' ;;
    esac
    [[ -n $command && $word == -* ]] && words+=' -V --version --json --home --base-url --quiet -v --verbose --no-progress -h --help'
    if [[ -n $ids && $word != -* ]]; then
      words=$("${COMP_WORDS[0]}" "${home[@]}" completion bash --ids-for "$ids" 2>/dev/null | cut -f 1)
    fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _outtray outtray
