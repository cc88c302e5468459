// `manifests.ts SUMS URL FOLDER`: fills in the manifests of winget, Scoop and Homebrew with the sums of a release (its
// SHA256SUMS), the address of its installers and those of package.json, and writes them into FOLDER.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../../src-main/adapters/version.ts';

const templates = path.resolve(import.meta.dirname, '../../package');

const { homepage, bugs } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
) as { homepage: string; bugs: string };

/** By the names that the package collections require. */
export const manifestNames = [
  'winget/Outtray.Outtray.yaml',
  'winget/Outtray.Outtray.installer.yaml',
  'winget/Outtray.Outtray.locale.en-US.yaml',
  'scoop/outtray.json',
  'homebrew/outtray.rb',
] as const;

/** The template of a manifest, filled in. Throws when the release lacks an installer that it names. */
export const manifestOf = (
  name: (typeof manifestNames)[number],
  given: { version: string; url: string; sums: string },
): string =>
  readFileSync(path.join(templates, `${name}.template`), 'utf8')
    .replaceAll('{{version}}', given.version)
    .replaceAll('{{url}}', given.url.replace(/\/+$/, ''))
    .replaceAll('{{homepage}}', homepage)
    .replaceAll('{{bugs}}', bugs)
    .replaceAll(/\{\{sha256 (\S+)\}\}/g, (_all, ending: string) => {
      const installer = `outtray-${given.version}-${ending}`;
      const line = given.sums.split('\n').find((one) => one.endsWith(`  ${installer}`));
      if (line === undefined) throw new Error(`SHA256SUMS does not name ${installer}.`);
      return line.slice(0, 64);
    });

if (import.meta.main) {
  const [, , sumsFile = '', url = '', folder = '.'] = process.argv;
  const sums = readFileSync(sumsFile, 'utf8');
  mkdirSync(folder, { recursive: true });
  for (const name of manifestNames)
    writeFileSync(path.join(folder, path.basename(name)), manifestOf(name, { version, url, sums }));
}
