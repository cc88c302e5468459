// Collects the licences of every package whose code is in the app into out/licences.txt: what runs in the main process
// and the command (dependencies), and what is bundled into the window. Fails on a licence that is not in the list.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledPackages, type Bundled } from './bundled.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Compatible with distributing the app under MIT. */
const agreed = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'BlueOak-1.0.0',
  'Python-2.0',
  'Unlicense',
  'CC0-1.0',
  // Applies to the files of the package only. They are unchanged, and the text names where to find them.
  'MPL-2.0',
];

/** Throws for a package with another licence. Returns how many there are. */
export const writeLicences = (
  file = path.join(root, 'out/licences.txt'),
  holds: 'app' | 'command' = 'app',
): number => {
  const packages = bundledPackages(root, holds);
  const strange = packages.filter(({ licence }) => !isAgreed(licence));
  if (strange.length > 0)
    throw new Error(`Not agreed: ${strange.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, packages.map(section).join(`\n${'-'.repeat(80)}\n`));
  return packages.length;
};

/** `(MIT OR Apache-2.0)`: one of them is enough. */
export const isAgreed = (licence: string): boolean =>
  licence
    .split(' OR ')
    .some((one) => one.split(' AND ').every((each) => agreed.includes(each.replaceAll(/[()]/g, '').trim())));

const section = ({ name, version, licence, folder }: Bundled): string => {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  const source = licence === 'MPL-2.0' ? ` Source: https://registry.npmjs.org/${name}` : '';
  return `${[`${name} ${version} (${licence})${source}`, ...texts].join('\n\n')}\n`;
};
