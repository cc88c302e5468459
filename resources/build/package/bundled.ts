// The packages whose code is in the app, from the lock file: everything that `dependencies` and the window's libraries
// reach. Optional packages count where they are installed.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Bundled = { name: string; version: string; licence: string; folder: string; integrity: string };

/** Libraries of the window; they are devDependencies because the bundle contains them. */
const ofWindow = ['svelte', 'bits-ui', '@lucide/svelte', 'uqr'];

/** Dependencies that the command does not have. */
const ofApp = ['electron-updater'];

type Locked = {
  version?: string;
  license?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** `holds`: without the window's libraries in the command alone. */
export const bundledPackages = (root: string, holds: 'app' | 'command' = 'app'): Bundled[] => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const found = new Map<string, Bundled>();
  const visit = (name: string, from: string): void => {
    const place = placeOf(lock.packages, name, from);
    if (place === null || found.has(place) || !existsSync(path.join(root, place))) return;
    const locked = lock.packages[place] ?? {};
    found.set(place, {
      name,
      version: locked.version ?? '',
      licence: locked.license ?? licenceIn(path.join(root, place)),
      folder: path.join(root, place),
      integrity: locked.integrity ?? '',
    });
    for (const below of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      visit(below, place);
  };
  const own = lock.packages[''] ?? {};
  const needed = Object.keys(own.dependencies ?? {});
  for (const name of holds === 'app'
    ? [...needed, ...ofWindow]
    : needed.filter((one) => !ofApp.includes(one)))
    visit(name, '');
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
};

/** Where Node finds the package: beside the package that imports it, then further up. */
const placeOf = (packages: Record<string, Locked>, name: string, from: string): string | null => {
  for (
    let at = from;
    ;
    at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : ''
  ) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (at === '') return null;
  }
};

/** Packages that name their licence only in the text of the licence. */
const byText: readonly (readonly [RegExp, string])[] = [[/^(MIT License|The MIT License)/i, 'MIT']];

const licenceIn = (folder: string): string => {
  const { license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    license?: string;
  };
  if (license !== undefined) return license;
  const file = path.join(folder, 'LICENSE');
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return byText.find(([pattern]) => pattern.test(text))?.[1] ?? 'unknown';
};
