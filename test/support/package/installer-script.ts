// A small installer of NSIS around installer.nsh: of electron-builder's own script, what installer.nsh uses.
import path from 'node:path';

const windows = path.resolve(import.meta.dirname, '../../../resources/package/windows');

/**
 * `program`: the file that is installed as Outtray.exe. `settings`: more lines of the script; without them the
 * installer is 32-bit, like electron-builder's. It accepts the same switches: `/allusers`, `--updated`.
 */
export const installerScript = (given: { output: string; program: string; settings?: string }): string => `
Unicode true
!include LogicLib.nsh
!include WinMessages.nsh
!include FileFunc.nsh
${given.settings ?? ''}
Name Outtray
OutFile "${given.output}"
InstallDir "$LOCALAPPDATA\\Programs\\Outtray"
RequestExecutionLevel user
SilentInstall silent
SilentUnInstall silent
Var installMode
Var isUpdate
!define isUpdated '"$isUpdate" == "1"'
!include "${path.join(windows, 'installer.nsh')}"
!macro readWords
  StrCpy $installMode CurrentUser
  StrCpy $isUpdate 0
  \${GetParameters} $R0
  ClearErrors
  \${GetOptions} $R0 "/allusers" $R1
  \${ifNot} \${Errors}
    StrCpy $installMode all
  \${endIf}
  ClearErrors
  \${GetOptions} $R0 "--updated" $R1
  \${ifNot} \${Errors}
    StrCpy $isUpdate 1
  \${endIf}
  ClearErrors
!macroend
LangString appCannotBeClosed 1033 "Close Outtray."
Section
  !insertmacro readWords
  !insertmacro customCheckAppRunning
  SetOutPath "$INSTDIR\\bin"
  File "${path.join(windows, 'bin')}/*"
  SetOutPath $INSTDIR
  File "/oname=Outtray.exe" "${given.program}"
  WriteUninstaller "$INSTDIR\\Uninstall Outtray.exe"
  !insertmacro customInstall
SectionEnd
Section Uninstall
  !insertmacro readWords
  !insertmacro customUnInstall
  SetOutPath $TEMP
  RMDir /r $INSTDIR
SectionEnd
`;
