// Checks an app folder as electron-builder leaves it: the files in the archive, those beside it, and the fuses.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { FuseV1Options, getCurrentFuseWire, FuseState } from '@electron/fuses';
import { fuses } from '../../../resources/package/after-pack.mjs';
import { listApp } from './asar.ts';
import type { Finding } from './finding.ts';
import { asarProblems, resourceProblems } from './contents.ts';

export const lookAtApp = async (folder: string): Promise<Finding[]> => {
  const resources = path.join(folder, 'resources');
  const listed = listApp(path.join(resources, 'app.asar'));
  const beside = await readdir(resources, { recursive: true, withFileTypes: true });
  const locales = await readdir(path.join(folder, 'locales'));
  return [
    [`app.asar: ${listed.length} files, each on the list`, asarProblems(listed.map((file) => file.path))],
    [
      'nothing lies beside app.asar unpacked',
      listed.filter((file) => file.isUnpacked).map((file) => file.path),
    ],
    [
      'resources: nothing strange',
      resourceProblems(
        beside
          .filter((entry) => entry.isFile())
          .map((entry) => path.relative(resources, path.join(entry.parentPath, entry.name))),
      ),
    ],
    [
      `languages: ${locales.join(', ')}`,
      locales.includes('fr.pak') ? ['languages the app does not speak are still there'] : [],
    ],
    ['fuses stand as configured, all of them', await fuseProblems(path.join(folder, 'outtray'))],
    ['no key, map or path of this machine in the bundles', await bundleProblems(folder)],
  ];
};

const fuseProblems = async (program: string): Promise<string[]> => {
  const wire = await getCurrentFuseWire(program);
  const wanted = new Map(Object.entries(fuses));
  return Object.entries(wire)
    .filter(([fuse]) => /^\d+$/.test(fuse))
    .filter(([fuse, state]) => state !== (wanted.get(fuse) === true ? FuseState.ENABLE : FuseState.DISABLE))
    .map(([fuse]) => `the fuse ${FuseV1Options[Number(fuse)] ?? fuse} is not as configured`);
};

const bundleProblems = async (folder: string): Promise<string[]> => {
  const archive = await readFile(path.join(folder, 'resources/app.asar'), 'latin1');
  const root = path.resolve(import.meta.dirname, '../../..');
  return archive.includes(`${root}/`) ? [`the archive names the checkout ${root}`] : [];
};
