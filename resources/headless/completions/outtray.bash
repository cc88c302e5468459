# bash completion for outtray
_outtray() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command='' below='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "${COMP_WORDS[at]}" in
      --home | --base-url) ((at++)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command="${COMP_WORDS[at]}"; else below="${COMP_WORDS[at]}"; break; fi ;;
    esac
  done
  local words=''
  case "$before" in
    --home) compopt -o dirnames; return ;;
    --existing) words='skip upload' ;;
  esac
  if [[ -z $words ]]; then
    case "$command" in
      '') words='login logout upload watch list info delete stats status held confirm cancel retry pause resume why settings doctor demo -V --version --json --home --base-url --quiet --no-progress -h --help' ;;
      login) words='--key-file' ;;
      logout) words='' ;;
      upload) words='--no-wait --again'; compopt -o default ;;
      watch) words='--once --existing'; compopt -o default ;;
      list) words='--page --limit --all' ;;
      info) words='' ;;
      delete) words='' ;;
      stats) words='' ;;
      status) words='' ;;
      held) words='' ;;
      confirm) words='' ;;
      cancel) words='' ;;
      retry) words='' ;;
      pause) words='' ;;
      resume) words='' ;;
      why) words=''; compopt -o default ;;
      settings) if [[ -z $below ]]; then words='get set'; else words='baseUrl keyCommand folder recursive ignore includeHidden includeEmpty settleMs holdSecrets burstFiles burstBytes answerTimeoutMs concurrentUploads requestsPerMinute requestsPerDay requestShare reconcileAfterMs onAmbiguous bandwidthBytesPerSecond copyLink notify proxy caFile linkHosts allowedRoots forbiddenRoots maxFileBytes allowedTypes forbiddenTypes launchAtLogin updateMode updateFeed updateChannel language'; fi ;;
      doctor) words='--service --yes' ;;
      demo) words='--stay --double' ;;
    esac
    [[ -n $command && $word == -* ]] && words+=' -V --version --json --home --base-url --quiet --no-progress -h --help'
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -F _outtray outtray
