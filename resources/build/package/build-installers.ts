// Runs electron-builder with the project's own configuration, on Debian's own packagers (fpm.ts).
import { spawn } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(import.meta.dirname, '../../..');

/** /usr/bin/outtray of the app's deb and rpm, where electron-builder.yml expects it. */
export const writeProgramLink = (): void => {
  const link = path.join(root, 'out/program/usr-bin-outtray');
  rmSync(link, { force: true });
  symlinkSync('/opt/Outtray/program/outtray', link);
};

/** `distribution`: Electron's, unpacked. `version` replaces the project's. A failure throws the builder's output. */
export const buildInstallers = async (
  distribution: string,
  output: string,
  { targets = ['deb', 'rpm', 'tar.gz'], version }: { targets?: string[]; version?: string } = {},
): Promise<void> => {
  const builder = fileURLToPath(import.meta.resolve('electron-builder/cli.js'));
  const child = spawn(
    process.execPath,
    [
      builder,
      ...['--linux', ...targets, '--x64', '--publish', 'never'],
      `-c.electronDist=${distribution}`,
      `-c.directories.output=${output}`,
      '-c.compression=store',
      ...(version === undefined ? [] : [`-c.extraMetadata.version=${version}`]),
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7zz',
        CUSTOM_FPM_PATH: path.join(import.meta.dirname, 'fpm'),
        OUTTRAY_NODE: process.execPath,
      },
    },
  );
  let said = '';
  child.stdout.on('data', (piece) => (said += String(piece)));
  child.stderr.on('data', (piece) => (said += String(piece)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`electron-builder failed (${String(code)}):\n${said}`);
};
