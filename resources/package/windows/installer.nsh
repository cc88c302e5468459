; Removal takes what the app itself added to the system: its entry in the list of programs started at login. The
; user's data (ledger, settings, key) stays; the guide says how to remove it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "app.outtray.desktop"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "app.outtray.desktop"
  ${endIf}
!macroend
