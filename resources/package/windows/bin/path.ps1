# Adds the folder of this script to PATH, or removes it: path.ps1 add|remove User|Machine
# The registry is read without expanding: writing an expanded PATH back would change the entries of other programs.
param(
  [Parameter(Mandatory)][ValidateSet('add', 'remove')][string]$Do,
  [Parameter(Mandatory)][ValidateSet('User', 'Machine')][string]$Scope
)
$ErrorActionPreference = 'Stop'
$key = if ($Scope -eq 'Machine') {
  [Microsoft.Win32.Registry]::LocalMachine.OpenSubKey('SYSTEM\CurrentControlSet\Control\Session Manager\Environment', $true)
} else {
  [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey('Environment')
}
$path = [string]$key.GetValue('Path', '', 'DoNotExpandEnvironmentNames')
$kept = @($path -split ';' | Where-Object { $_ -ne '' -and $_ -ne $PSScriptRoot })
if ($Do -eq 'add') { $kept += $PSScriptRoot }
$new = $kept -join ';'
if ($new -eq '') { $key.DeleteValue('Path', $false) }
elseif ($new -ne $path) { $key.SetValue('Path', $new, 'ExpandString') }
