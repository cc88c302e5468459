# fish completion for outtray
function __outtray_ids
    set -l words (commandline -opc)
    $words[1] completion fish --ids-for $argv[1] 2>/dev/null
end
function __outtray_after_settings
    set -l words (commandline -opc)
    set -l at (contains -i settings $words); or return
    set -e words[1..$at]
    test (count $words) -gt 0; and printf '%s\n' $words
end
function __outtray_values
    set -l words (__outtray_after_settings)
    test "$words[1]" = set; or return
    switch "$words[2]"
        case recursive
            string split ' ' 'true false default'
        case includeHidden
            string split ' ' 'true false default'
        case includeEmpty
            string split ' ' 'true false default'
        case holdSecrets
            string split ' ' 'true false default'
        case lookInside
            string split ' ' 'true false default'
        case requireLookInside
            string split ' ' 'true false default'
        case photoLocation
            string split ' ' 'ask keep remove default'
        case onAmbiguous
            string split ' ' 'hold adopt-verified reupload default'
        case verifyAfterUpload
            string split ' ' 'true false default'
        case givenFolders
            string split ' ' 'ask zip files default'
        case copyLink
            string split ' ' 'never dropped always default'
        case copyFormat
            string split ' ' 'plain markdown html bbcode template default'
        case notify
            string split ' ' 'true false default'
        case launchAtLogin
            string split ' ' 'true false default'
        case quitOnClose
            string split ' ' 'true false default'
        case updateMode
            string split ' ' 'auto notify off default'
        case language
            string split ' ' 'system en de es zh default'
        case allowPause
            string split ' ' 'true false default'
        case allowCopy
            string split ' ' 'true false default'
        case allowGivenFiles
            string split ' ' 'true false default'
        case allowAccountChange
            string split ' ' 'true false default'
    end
end
complete -c outtray -f
complete -c outtray -s V -l version -d 'print the version'
complete -c outtray -l json -d 'one JSON object per line on standard output, nothing else there'
complete -c outtray -l home -r -a '(__fish_complete_directories)' -d 'data folder (default: OUTTRAY_HOME or the system’s own place)'
complete -c outtray -l base-url -r -d 'base address of the service, as https://…/api/v1'
complete -c outtray -l quiet -d 'no remarks, only results and errors'
complete -c outtray -s v -l verbose -d 'the log’s lines on standard error'
complete -c outtray -l no-progress -d 'no progress bars'
complete -c outtray -s h -l help -d 'print help'
complete -c outtray -n __fish_use_subcommand -a login -d 'read the API key from standard input or a file, check it, and store it in the keychain'
complete -c outtray -n '__fish_seen_subcommand_from login' -l key-file -r -d 'read the key from this file'
complete -c outtray -n __fish_use_subcommand -a logout -d 'remove the key'
complete -c outtray -n __fish_use_subcommand -a stats -d 'the service’s statistics and our request budgets'
complete -c outtray -n __fish_use_subcommand -a upload -d 'upload these files now, - is standard input; prints one link per line'
complete -c outtray -n '__fish_seen_subcommand_from upload' -s r -l recursive -d 'take folders too: what lies in them, by the rules of the watched folder'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l files-from -r -F -d 'take the paths in this file, one a line; - is standard input'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l zip -d 'pack the files and folders into one zip with one link'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l name -r -d 'with - or --zip: what standard input or the zip is called'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l size -r -d 'with -: upload only when it had so many bytes'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l sha256 -r -d 'with -: upload only when this is its SHA-256'
complete -c outtray -n '__fish_seen_subcommand_from upload' -s 0 -l null -d 'with --files-from: a NUL character ends each path'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l no-wait -d 'end with exit code 6 instead of waiting for the request budget'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l again -d 'upload again what is already shared'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l open -d 'open the links in the browser'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l copy -d 'copy the links to the clipboard'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l format -r -d 'print and copy them as plain, markdown, html, bbcode, or a text with {link}'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l detach -d 'queue the files and return; the upload goes on in the background'
complete -c outtray -n '__fish_seen_subcommand_from upload' -l expire -r -d 'take the links back after 1h, 7d, on 2026-12-31, or never; Outtray must run then'
complete -c outtray -n '__fish_seen_subcommand_from upload' -F
complete -c outtray -n __fish_use_subcommand -a plan -d 'what would happen with these files and folders, and when; no request, changes nothing'
complete -c outtray -n '__fish_seen_subcommand_from plan' -F
complete -c outtray -n __fish_use_subcommand -a paste -d 'upload what is on the clipboard: copied files, an image or a text'
complete -c outtray -n '__fish_seen_subcommand_from paste' -l no-wait -d 'end with exit code 6 instead of waiting for the request budget'
complete -c outtray -n '__fish_seen_subcommand_from paste' -l again -d 'upload again what is already shared'
complete -c outtray -n '__fish_seen_subcommand_from paste' -l open -d 'open the links in the browser'
complete -c outtray -n '__fish_seen_subcommand_from paste' -l copy -d 'copy the links to the clipboard'
complete -c outtray -n '__fish_seen_subcommand_from paste' -l format -r -d 'print and copy them as plain, markdown, html, bbcode, or a text with {link}'
complete -c outtray -n '__fish_seen_subcommand_from paste' -l detach -d 'queue the files and return; the upload goes on in the background'
complete -c outtray -n '__fish_seen_subcommand_from paste' -l expire -r -d 'take the links back after 1h, 7d, on 2026-12-31, or never; Outtray must run then'
complete -c outtray -n __fish_use_subcommand -a watch -d 'watch a folder and upload what is new, until interrupted'
complete -c outtray -n '__fish_seen_subcommand_from watch' -l once -d 'upload what is new, then end'
complete -c outtray -n '__fish_seen_subcommand_from watch' -l existing -x -a 'skip upload' -d 'files found in a folder never watched before'
complete -c outtray -n '__fish_seen_subcommand_from watch' -F
complete -c outtray -n __fish_use_subcommand -a folders -d 'the watched folders, each with rules of its own'
complete -c outtray -n '__fish_seen_subcommand_from folders' -l existing -x -a 'skip upload' -d 'files found in a folder never watched before'
complete -c outtray -n '__fish_seen_subcommand_from folders' -F
complete -c outtray -n '__fish_seen_subcommand_from folders' -a 'recursive ignore includeHidden graceSeconds expireAfter copyLink copyFormat notify paused'
complete -c outtray -n '__fish_seen_subcommand_from folders' -a 'list add set remove'
complete -c outtray -n __fish_use_subcommand -a list -d 'the account’s files, one request a page; with an order, place or folder: as this machine knows them, without a request'
complete -c outtray -n '__fish_seen_subcommand_from list' -l sort -x -a 'uploaded name size downloads' -d 'in this order, newest or largest first'
complete -c outtray -n '__fish_seen_subcommand_from list' -l reverse -d 'the other way round'
complete -c outtray -n '__fish_seen_subcommand_from list' -l place -x -a 'here elsewhere gone' -d 'uploaded here, elsewhere, or gone from the service'
complete -c outtray -n '__fish_seen_subcommand_from list' -l folder -r -a '(__fish_complete_directories)' -d 'only files of this watched folder'
complete -c outtray -n '__fish_seen_subcommand_from list' -l page -r -d 'page number'
complete -c outtray -n '__fish_seen_subcommand_from list' -l limit -r -d 'page size'
complete -c outtray -n '__fish_seen_subcommand_from list' -l all -d 'all pages'
complete -c outtray -n __fish_use_subcommand -a search -d 'files that this machine knows with all of these words in their names; no request'
complete -c outtray -n '__fish_seen_subcommand_from search' -l sort -x -a 'uploaded name size downloads' -d 'in this order, newest or largest first'
complete -c outtray -n '__fish_seen_subcommand_from search' -l reverse -d 'the other way round'
complete -c outtray -n '__fish_seen_subcommand_from search' -l place -x -a 'here elsewhere gone' -d 'uploaded here, elsewhere, or gone from the service'
complete -c outtray -n '__fish_seen_subcommand_from search' -l folder -r -a '(__fish_complete_directories)' -d 'only files of this watched folder'
complete -c outtray -n '__fish_seen_subcommand_from search' -l page -r -d 'page number'
complete -c outtray -n '__fish_seen_subcommand_from search' -l limit -r -d 'page size'
complete -c outtray -n '__fish_seen_subcommand_from search' -l all -d 'all pages'
complete -c outtray -n __fish_use_subcommand -a link -d 'the links of a name, newest first; no request'
complete -c outtray -n '__fish_seen_subcommand_from link' -l open -d 'open the newest one in the browser'
complete -c outtray -n '__fish_seen_subcommand_from link' -F
complete -c outtray -n '__fish_seen_subcommand_from link' -a '(__outtray_ids link)'
complete -c outtray -n __fish_use_subcommand -a info -d 'one file of the account'
complete -c outtray -n '__fish_seen_subcommand_from info' -F
complete -c outtray -n '__fish_seen_subcommand_from info' -a '(__outtray_ids info)'
complete -c outtray -n __fish_use_subcommand -a delete -d 'delete files of the account; local files stay'
complete -c outtray -n '__fish_seen_subcommand_from delete' -l yes -d 'do not ask before; without a terminal it never asks'
complete -c outtray -n '__fish_seen_subcommand_from delete' -F
complete -c outtray -n '__fish_seen_subcommand_from delete' -a '(__outtray_ids delete)'
complete -c outtray -n __fish_use_subcommand -a recall -d 'take links back: delete the files at the service and prove that the links are dead'
complete -c outtray -n '__fish_seen_subcommand_from recall' -F
complete -c outtray -n '__fish_seen_subcommand_from recall' -a '(__outtray_ids recall)'
complete -c outtray -n __fish_use_subcommand -a expire -d 'say when links end: after 1h or 7d, tomorrow, on a date, or never; Outtray must run then'
complete -c outtray -n '__fish_seen_subcommand_from expire' -F
complete -c outtray -n '__fish_seen_subcommand_from expire' -a '(__outtray_ids expire)'
complete -c outtray -n __fish_use_subcommand -a follow -d 'report downloads of these links, at the first one and then once a day; without a name, list what is followed'
complete -c outtray -n '__fish_seen_subcommand_from follow' -F
complete -c outtray -n '__fish_seen_subcommand_from follow' -a '(__outtray_ids follow)'
complete -c outtray -n __fish_use_subcommand -a unfollow -d 'stop reporting downloads of these links'
complete -c outtray -n '__fish_seen_subcommand_from unfollow' -F
complete -c outtray -n '__fish_seen_subcommand_from unfollow' -a '(__outtray_ids unfollow)'
complete -c outtray -n __fish_use_subcommand -a card -d 'a release card: name, size, SHA-256 and link of files of this machine; no request'
complete -c outtray -n '__fish_seen_subcommand_from card' -l format -x -a 'markdown html json sha256sums winget scoop homebrew' -d 'what it is written as'
complete -c outtray -n '__fish_seen_subcommand_from card' -F
complete -c outtray -n '__fish_seen_subcommand_from card' -a '(__outtray_ids card)'
complete -c outtray -n __fish_use_subcommand -a verify -d 'download links without the key and compare their SHA-256 with what was sent'
complete -c outtray -n '__fish_seen_subcommand_from verify' -l all -d 'all links of this machine'
complete -c outtray -n '__fish_seen_subcommand_from verify' -l card -r -d 'what a card names: its JSON form, or its sha256sums form'
complete -c outtray -n '__fish_seen_subcommand_from verify' -l watch -d 'read these links back again and again; without a name: what is watched'
complete -c outtray -n '__fish_seen_subcommand_from verify' -l unwatch -d 'read these links back no more'
complete -c outtray -n '__fish_seen_subcommand_from verify' -F
complete -c outtray -n '__fish_seen_subcommand_from verify' -a '(__outtray_ids verify)'
complete -c outtray -n __fish_use_subcommand -a exposure -d 'every link that a content ever had here: other names, older versions, in zips; no request'
complete -c outtray -n '__fish_seen_subcommand_from exposure' -l recall -d 'take all of them back, and prove that they are dead'
complete -c outtray -n '__fish_seen_subcommand_from exposure' -l yes -d 'with --recall: do not ask before; without a terminal it never asks'
complete -c outtray -n '__fish_seen_subcommand_from exposure' -F
complete -c outtray -n '__fish_seen_subcommand_from exposure' -a '(__outtray_ids exposure)'
complete -c outtray -n __fish_use_subcommand -a review -d 'links that need a look, each with the one command that settles it'
complete -c outtray -n '__fish_seen_subcommand_from review' -l old -r -d 'a link is old after this time (default: 90d)'
complete -c outtray -n '__fish_seen_subcommand_from review' -l refresh -d 'read the list of the account first: one request for each page'
complete -c outtray -n __fish_use_subcommand -a export -d 'everything that this machine knows of files, for spreadsheets and scripts; no request'
complete -c outtray -n '__fish_seen_subcommand_from export' -l format -x -a 'csv json' -d 'csv, or json: one object a line'
complete -c outtray -n '__fish_seen_subcommand_from export' -l output -r -d 'write to this file instead of standard output'
complete -c outtray -n '__fish_seen_subcommand_from export' -l force -d 'write over a file that is there'
complete -c outtray -n __fish_use_subcommand -a status -d 'queue, counts, budgets, folder; no request'
complete -c outtray -n __fish_use_subcommand -a queue -d 'what is on its way, waits, is held or has failed: ids, why, until when, what you can do'
complete -c outtray -n '__fish_seen_subcommand_from queue' -l uploading -d 'what is on its way'
complete -c outtray -n '__fish_seen_subcommand_from queue' -l waiting -d 'what waits and goes on by itself'
complete -c outtray -n '__fish_seen_subcommand_from queue' -l held -d 'what waits for your decision'
complete -c outtray -n '__fish_seen_subcommand_from queue' -l failed -d 'what has failed'
complete -c outtray -n __fish_use_subcommand -a held -d 'what waits for your decision'
complete -c outtray -n __fish_use_subcommand -a confirm -d 'upload what is held'
complete -c outtray -n '__fish_seen_subcommand_from confirm' -l without-location -d 'photos go as copies that do not tell where they were taken'
complete -c outtray -n '__fish_seen_subcommand_from confirm' -a '(__outtray_ids confirm)'
complete -c outtray -n __fish_use_subcommand -a cancel -d 'take uploads out of the queue'
complete -c outtray -n '__fish_seen_subcommand_from cancel' -a '(__outtray_ids cancel)'
complete -c outtray -n __fish_use_subcommand -a retry -d 'try failed uploads again; without a name all of them'
complete -c outtray -n '__fish_seen_subcommand_from retry' -a '(__outtray_ids retry)'
complete -c outtray -n __fish_use_subcommand -a resolve -d 'decide about an upload whose answer was lost; without an option, show what the service has'
complete -c outtray -n '__fish_seen_subcommand_from resolve' -l adopt -r -d 'this file of the account is it'
complete -c outtray -n '__fish_seen_subcommand_from resolve' -l again -d 'the service does not have it: upload it again'
complete -c outtray -n '__fish_seen_subcommand_from resolve' -l drop -d 'leave it as it is'
complete -c outtray -n '__fish_seen_subcommand_from resolve' -a '(__outtray_ids resolve)'
complete -c outtray -n __fish_use_subcommand -a pause -d 'pause the queue for 15m or 1h, until tomorrow or a date, or until resumed'
complete -c outtray -n __fish_use_subcommand -a resume -d 'go on'
complete -c outtray -n __fish_use_subcommand -a why -d 'why a file is where it is, in one sentence'
complete -c outtray -n '__fish_seen_subcommand_from why' -F
complete -c outtray -n '__fish_seen_subcommand_from why' -a '(__outtray_ids why)'
complete -c outtray -n __fish_use_subcommand -a settings -d 'show or change settings'
complete -c outtray -n '__fish_seen_subcommand_from settings; and test (count (__outtray_after_settings)) -eq 0' -a 'get list unset set'
complete -c outtray -n '__fish_seen_subcommand_from settings; and test (count (__outtray_after_settings)) -eq 1' -a 'baseUrl keyCommand folder folders recursive ignore includeHidden includeEmpty settleMs graceSeconds expireAfter holdSecrets lookInside requireLookInside photoLocation burstFiles burstBytes answerTimeoutMs concurrentUploads requestsPerMinute requestsPerDay requestShare reconcileAfterMs onAmbiguous bandwidthBytesPerSecond verifyAfterUpload releaseWatch followEveryMinutes agentRoots agentShare givenFolders copyLink copyFormat copyTemplate notify proxy caFile linkHosts allowedRoots forbiddenRoots maxFileBytes maxExpireAfter allowedTypes forbiddenTypes auditFile pasteShortcut launchAtLogin quitOnClose updateMode updateFeed updateChannel language allowPause allowCopy allowGivenFiles allowAccountChange'
complete -c outtray -n '__fish_seen_subcommand_from settings; and test (count (__outtray_after_settings)) -eq 2' -a '(__outtray_values)'
complete -c outtray -n __fish_use_subcommand -a integrate -d 'put “Upload and copy link” into the menus of the file managers on this computer'
complete -c outtray -n '__fish_seen_subcommand_from integrate' -l list -d 'show the file managers and whether the entry is there; change nothing'
complete -c outtray -n '__fish_seen_subcommand_from integrate' -l remove -d 'take the entries away again'
complete -c outtray -n __fish_use_subcommand -a mcp -d 'serve an agent: a server of the Model Context Protocol on standard input and output'
complete -c outtray -n __fish_use_subcommand -a doctor -d 'check keychain, folder, watcher, disk, network, key and clock'
complete -c outtray -n '__fish_seen_subcommand_from doctor' -l service -d 'check instead what Outtray relies on at the service, with 4 tiny files, deleted again'
complete -c outtray -n '__fish_seen_subcommand_from doctor' -l yes -d 'with --service: do not ask before'
complete -c outtray -n __fish_use_subcommand -a help -d 'how a command is used'
complete -c outtray -n '__fish_seen_subcommand_from help' -a 'login logout stats upload plan paste watch folders list search link info delete recall expire follow unfollow card verify exposure review export status queue held confirm cancel retry resolve pause resume why settings integrate mcp doctor help completion demo'
complete -c outtray -n __fish_use_subcommand -a completion -d 'print the completions for a shell'
complete -c outtray -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish powershell'
complete -c outtray -n __fish_use_subcommand -a demo -d 'try everything in a temporary home, with a service of its own (in a checkout)'
complete -c outtray -n '__fish_seen_subcommand_from demo' -l stay -d 'keep watching the folder afterwards'
complete -c outtray -n '__fish_seen_subcommand_from demo' -l double -d 'with the window on the stand-in for Electron, which needs chromium'
