@echo off
rem The command on Windows. A prompt does not wait for a program with windows; a command script does ("start /?"),
rem and Electron writes to the console of its parent. So the output and the exit code arrive here.
"%~dp0..\Outtray.exe" %*
exit /b %ERRORLEVEL%
