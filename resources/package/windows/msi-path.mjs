// What electron-builder's MSI lacks: the folder of the command in PATH. Windows Installer adds it for the machine, and takes
// it away with the file. Of the project that electron-builder writes, one line is needed; without it the build fails.
import { readFile, writeFile } from 'node:fs/promises';

const commandFile = /<File [^>]*Source="\$\(var\.appDir\)[\\/]bin[\\/]outtray\.exe"[^>]*\/>/g;
const entry =
  '<Environment Id="commandInPath" Name="PATH" Value="[APPLICATIONFOLDER]bin" Action="set" Part="last" System="yes" Permanent="no"/>';

/** The text of a WiX project, with the entry in the component of `bin\outtray.exe`. */
export const withPath = (project) => {
  const found = project.match(commandFile) ?? [];
  if (found.length !== 1) throw new Error(`The MSI holds bin\\outtray.exe ${found.length} times, not once`);
  return project.replace(commandFile, (file) => `${file}\n        ${entry}`);
};

export default async (projectFile) => writeFile(projectFile, withPath(await readFile(projectFile, 'utf8')));
