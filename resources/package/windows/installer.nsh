; What the installer adds to the system besides the app's folder, and what removal takes away again: the folder `bin` in
; PATH, and what the app wrote for the user who removes it (start at login, shortcut and class of the notifications, entries
; in Explorer).
; Other users' entries stay until they start no such program any more; the users' data (ledger, settings, key) stays, and
; the guide says how to remove it.

; electron-builder's own check ends every program below $INSTDIR, also an upload of the command. This one ends the app only,
; by its whole path: Windows takes `Outtray.exe` for `outtray.exe`. A program that runs cannot be opened for writing.
!macro customCheckAppRunning
  StrCpy $R1 0
  ${do}
    ${ifNot} ${FileExists} "$INSTDIR\Outtray.exe"
      ${exitDo}
    ${endIf}
    ClearErrors
    FileOpen $R0 "$INSTDIR\Outtray.exe" a
    ${ifNot} ${Errors}
      FileClose $R0
      ${exitDo}
    ${endIf}
    IntOp $R1 $R1 + 1
    ${if} $R1 > 20
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(appCannotBeClosed)" /SD IDCANCEL IDRETRY +2
      Quit
      StrCpy $R1 0
    ${endIf}
    ; The app closes by itself before an update; it gets a second before it is ended.
    ${if} $R1 > 2
      ; Through the environment: a text of PowerShell would end at an apostrophe in the folder's name.
      StrCpy $R0 "$INSTDIR\Outtray.exe"
      System::Call 'kernel32::SetEnvironmentVariable(t "OUTTRAY_APP", t R0)'
      nsExec::Exec `"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -C "Get-Process | ? Path -eq $$env:OUTTRAY_APP | Stop-Process -Force"`
      Pop $R0
    ${endIf}
    Sleep 500
  ${loop}
!macroend

!macro outtrayPath do
  ${if} $installMode == "all"
    StrCpy $0 "Machine"
  ${else}
    StrCpy $0 "User"
  ${endIf}
  ; NSIS cuts texts at its own limit, and PATH may be longer: PowerShell edits it. Where it may not run, PATH stays.
  nsExec::Exec '"$SYSDIR\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "$INSTDIR\bin\path.ps1" ${do} $0'
  Pop $0
  SendMessage ${HWND_BROADCAST} ${WM_WININICHANGE} 0 "STR:Environment" /TIMEOUT=5000
!macroend

; As adapters/integrate/explorer.ts takes them away; those of another copy of the app stay.
!macro outtrayExplorer
  StrLen $1 '"$INSTDIR\Outtray.exe" '
  ReadRegStr $0 HKCU "Software\Classes\*\shell\Outtray\command" ""
  StrCpy $0 $0 $1
  ${if} $0 == '"$INSTDIR\Outtray.exe" '
    DeleteRegKey HKCU "Software\Classes\*\shell\Outtray"
    DeleteRegKey /ifempty HKCU "Software\Classes\*\shell"
    DeleteRegKey /ifempty HKCU "Software\Classes\*"
    Delete "$SENDTO\Upload and copy link.lnk"
    Delete "$SENDTO\Hochladen und Link kopieren.lnk"
    Delete "$SENDTO\Subir y copiar el enlace.lnk"
    Delete "$SENDTO\上传并复制链接.lnk"
  ${endif}
!macroend

; app.setLoginItemSettings names a value after the app's user model id; that of a profile has its name after a dot.
!macro outtrayLoginItems key
  StrCpy $0 0
  ${do}
    EnumRegValue $1 HKCU "${key}" $0
    ${if} $1 == ""
      ${exitDo}
    ${endIf}
    StrCpy $2 "$1." 20
    ${if} $2 == "app.outtray.desktop."
      DeleteRegValue HKCU "${key}" $1
    ${else}
      IntOp $0 $0 + 1
    ${endIf}
  ${loop}
!macroend

!macro customInstall
  !insertmacro outtrayPath add
!macroend

!macro customUnInstall
  ${ifNot} ${isUpdated}
    !insertmacro outtrayPath remove

    !insertmacro outtrayLoginItems "Software\Microsoft\Windows\CurrentVersion\Run"
    !insertmacro outtrayLoginItems "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"

    ; Electron makes a shortcut and a class for notifications, the class under a number it draws by chance
    ; (electron: shell/browser/notifications/win/windows_toast_activator.cc). Those that start this program are ours.
    SetShellVarContext current
    Delete "$SMPROGRAMS\Outtray.lnk"
    !insertmacro outtrayExplorer
    ${if} $installMode == "all"
      SetShellVarContext all
    ${endIf}
    DeleteRegKey HKCU "Software\Classes\AppUserModelId\app.outtray.desktop"
    StrCpy $0 0
    ${do}
      EnumRegKey $1 HKCU "Software\Classes\CLSID" $0
      ${if} $1 == ""
        ${exitDo}
      ${endIf}
      ReadRegStr $2 HKCU "Software\Classes\CLSID\$1\LocalServer32" ""
      ${if} $2 == "$INSTDIR\Outtray.exe"
        DeleteRegKey HKCU "Software\Classes\CLSID\$1"
      ${else}
        IntOp $0 $0 + 1
      ${endIf}
    ${loop}
  ${endIf}
!macroend
