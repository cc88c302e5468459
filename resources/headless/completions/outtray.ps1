# PowerShell completion for outtray
Register-ArgumentCompleter -Native -CommandName outtray -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $commands = [ordered]@{
    'login' = @('--key-file')
    'logout' = @()
    'upload' = @('-r', '--recursive', '--files-from', '--zip', '--name', '--size', '--sha256', '-0', '--null', '--no-wait', '--again', '--open', '--copy', '--format', '--detach', '--expire')
    'plan' = @()
    'paste' = @('--no-wait', '--again', '--open', '--copy', '--format', '--detach', '--expire')
    'watch' = @('--once', '--existing', 'skip', 'upload')
    'list' = @('--page', '--limit', '--all')
    'link' = @('--open')
    'info' = @()
    'delete' = @('--yes')
    'recall' = @()
    'expire' = @()
    'follow' = @()
    'unfollow' = @()
    'card' = @('--format', 'markdown', 'html', 'json', 'sha256sums', 'winget', 'scoop', 'homebrew')
    'verify' = @('--all', '--card')
    'exposure' = @('--recall', '--yes')
    'review' = @('--old')
    'export' = @('--format', '--output', '--force', 'csv', 'json')
    'stats' = @()
    'status' = @()
    'held' = @()
    'confirm' = @('--without-location')
    'cancel' = @()
    'retry' = @()
    'resolve' = @('--adopt', '--again', '--drop')
    'pause' = @()
    'resume' = @()
    'why' = @()
    'settings' = @('get', 'set', 'baseUrl', 'keyCommand', 'folder', 'recursive', 'ignore', 'includeHidden', 'includeEmpty', 'settleMs', 'graceSeconds', 'expireAfter', 'holdSecrets', 'lookInside', 'requireLookInside', 'photoLocation', 'burstFiles', 'burstBytes', 'answerTimeoutMs', 'concurrentUploads', 'requestsPerMinute', 'requestsPerDay', 'requestShare', 'reconcileAfterMs', 'onAmbiguous', 'bandwidthBytesPerSecond', 'followEveryMinutes', 'agentRoots', 'agentShare', 'givenFolders', 'copyLink', 'copyFormat', 'copyTemplate', 'notify', 'proxy', 'caFile', 'linkHosts', 'allowedRoots', 'forbiddenRoots', 'maxFileBytes', 'maxExpireAfter', 'allowedTypes', 'forbiddenTypes', 'auditFile', 'pasteShortcut', 'launchAtLogin', 'quitOnClose', 'updateMode', 'updateFeed', 'updateChannel', 'language', 'allowPause', 'allowCopy', 'allowGivenFiles', 'allowAccountChange')
    'integrate' = @('--list', '--remove')
    'mcp' = @()
    'doctor' = @('--service', '--yes')
    'help' = @()
    'completion' = @('bash', 'zsh', 'fish', 'powershell')
    'demo' = @('--stay', '--double')
  }
  $common = @('-V', '--version', '--json', '--home', '--base-url', '--quiet', '-v', '--verbose', '--no-progress', '-h', '--help')
  $command = $words | Where-Object { $commands.Contains($_) } | Select-Object -First 1
  $offered = if ($command) { $commands[$command] + $common } else { @($commands.Keys) + $common }
  $offered | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
