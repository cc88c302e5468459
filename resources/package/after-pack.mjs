// Runs for each packaged app before it is signed: sets every fuse of the Electron binary, and refuses a package without
// the program of the command.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';

/** Strict: a fuse that a newer Electron adds fails the build until it is decided here. */
export const fuses = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  [FuseV1Options.RunAsNode]: false,
  // The window has no network and keeps no cookies. With this on, Chromium asks the keychain for a key of its own at
  // the first start ("Outtray Safe Storage" on macOS): a second entry, and a question, for nothing.
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  // There is no snapshot of our own.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's own default; no WebAssembly runs in the app.
  [FuseV1Options.WasmTrapHandlers]: true,
};

// Below the resources, as src-main/adapters/system/own-program.ts finds it
const commands = { win32: '../bin/outtray.exe', darwin: '../Helpers/outtray', linux: '../program/outtray' };

/** The file that holds the fuses, and the folder of resources, of an app in `folder`. */
export const placesIn = (folder, platform, productName, executableName) => {
  if (platform === 'darwin' || platform === 'mas')
    return {
      program: path.join(folder, `${productName}.app`),
      resources: path.join(folder, `${productName}.app`, 'Contents/Resources'),
    };
  const program = platform === 'win32' ? `${productName}.exe` : executableName;
  return { program: path.join(folder, program), resources: path.join(folder, 'resources') };
};

export default async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const { program, resources } = placesIn(
    appOutDir,
    electronPlatformName,
    packager.appInfo.productFilename,
    packager.executableName,
  );
  const native = path.join(
    resources,
    commands[electronPlatformName] ?? commands.linux,
    '../lib/keyring.node',
  );
  if (!existsSync(native))
    throw new Error(`The package has no program of the command: ${native} is not there.`);
  await flipFuses(program, { ...fuses, resetAdHocDarwinSignature: electronPlatformName === 'darwin' });
}
