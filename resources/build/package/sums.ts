// After electron-builder: dist/SHA256SUMS over every installer and feed file, as `sha256sum --check` reads it, and
// dist/outtray-VERSION-SYSTEM-ARCH.cdx.json, the bill of materials: each system has native packages of its own.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { version } from '../../../src-main/adapters/version.ts';
import { makeSbom } from './sbom.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** What users and the feed get; not the unpacked folders and the builder's own notes. */
const isHandedOut = (name: string): boolean =>
  /\.(exe|msi|dmg|zip|pkg|AppImage|deb|rpm|tar\.[gx]z|tgz|blockmap|cdx\.json)$|^[a-z][\w-]*\.yml$/.test(
    name,
  ) && !name.startsWith('builder-');

/** Lines of `sha256sum`, sorted by name. */
export const sumsOf = async (folder: string): Promise<string> => {
  const names = (await readdir(folder)).filter(isHandedOut).sort();
  const lines = await Promise.all(
    names.map(async (name) => {
      const hash = createHash('sha256');
      for await (const piece of createReadStream(path.join(folder, name))) hash.update(piece as Buffer);
      return `${hash.digest('hex')}  ${name}\n`;
    }),
  );
  return lines.join('');
};

/** Writes both into `dist` and prints the sums. */
export const writeSums = async (dist: string): Promise<void> => {
  const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: 'mac', win32: 'win' };
  const system = `${systems[process.platform] ?? process.platform}-${process.arch}`;
  await writeFile(
    path.join(dist, `outtray-${version}-${system}.cdx.json`),
    `${JSON.stringify(makeSbom(root), null, 2)}\n`,
  );
  const sums = await sumsOf(dist);
  await writeFile(path.join(dist, 'SHA256SUMS'), sums);
  process.stdout.write(sums);
};
