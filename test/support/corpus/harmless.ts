// Files of this project and of its packages: sources, minified scripts, maps, papers. None of them has a secret in it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const mostBytes = 1024 * 1024;
const textual = /\.(?:[cm]?[jt]s|svelte|json|md|map|css|html|yml|txt)$|^LICENSE$/;

/** Folders of sources, then of packages that stand for what people share. */
const folders = ['src-main', 'src-renderer', 'test', 'resources', 'node_modules'];

const textsBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    // What is hidden is no source: programs make and remove it while this runs.
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const inside = path.join(folder, entry.name);
      if (entry.isDirectory()) return textsBelow(inside);
      return entry.isFile() && textual.test(entry.name) && statSync(inside).size <= mostBytes ? [inside] : [];
    });

/** `count` of them, evenly spread. */
export const harmlessFiles = (count: number): { name: string; bytes: Buffer }[] => {
  const all = folders.flatMap((folder) => textsBelow(path.join(root, folder)));
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] ?? '').map(
    (file) => ({ name: path.relative(root, file), bytes: readFileSync(file) }),
  );
};
