// `manifests.ts SUMS URL FOLDER`: fills in the manifests of winget and Homebrew with the sums of a release (its
// SHA256SUMS) and the address its installers lie at, and writes them into FOLDER.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../../src-main/adapters/version.ts';

const templates = path.resolve(import.meta.dirname, '../../package');

/** Throws when the release lacks an installer that the template names. */
export const fillManifest = (
  template: string,
  given: { version: string; url: string; sums: string },
): string =>
  template
    .replaceAll('{{version}}', given.version)
    .replaceAll('{{url}}', given.url.replace(/\/+$/, ''))
    .replaceAll(/\{\{sha256 (\S+)\}\}/g, (_all, ending: string) => {
      const name = `outtray-${given.version}-${ending}`;
      const line = given.sums.split('\n').find((one) => one.endsWith(`  ${name}`));
      if (line === undefined) throw new Error(`SHA256SUMS does not name ${name}.`);
      return line.slice(0, 64);
    });

if (import.meta.main) {
  const [, , sumsFile = '', url = '', folder = '.'] = process.argv;
  const sums = readFileSync(sumsFile, 'utf8');
  mkdirSync(folder, { recursive: true });
  for (const name of ['winget/outtray.yaml', 'homebrew/outtray.rb']) {
    const template = readFileSync(path.join(templates, `${name}.template`), 'utf8');
    writeFileSync(path.join(folder, path.basename(name)), fillManifest(template, { version, url, sums }));
  }
}
