// Runs for each packaged app before it is signed: sets every fuse of the Electron binary, and refuses a package whose
// keyring was made for another processor (it would start, and then have no keychain).
import { readdir } from 'node:fs/promises';
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

// electron-builder's numbers for processors
const architectures = { 1: 'x64', 3: 'arm64' };

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

export default async function afterPack({ appOutDir, arch, electronPlatformName, packager }) {
  const { program, resources } = placesIn(
    appOutDir,
    electronPlatformName,
    packager.appInfo.productFilename,
    packager.executableName,
  );
  const wanted = `keyring-${electronPlatformName}-${architectures[arch] ?? arch}`;
  const natives = await readdir(path.join(resources, 'app.asar.unpacked/node_modules/@napi-rs')).catch(
    () => [],
  );
  if (!natives.some((name) => name.startsWith(wanted)))
    throw new Error(
      `The package has no ${wanted}: build it on that system and processor, after npm ci (found: ${natives.join(', ')}).`,
    );
  await flipFuses(program, { ...fuses, resetAdHocDarwinSignature: electronPlatformName === 'darwin' });
}
