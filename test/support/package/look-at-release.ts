// Checks what a release has beside the installers: the manifests of winget and Scoop and the bill of materials by their
// schemas, the cask by Ruby itself. The sums of installers that this system cannot make are made up.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parse as parseYaml } from 'yaml';
import { manifestOf, type manifestNames } from '../../../resources/build/package/manifests.ts';
import { makeSbom } from '../../../resources/build/package/sbom.ts';
import { version } from '../../../src-main/adapters/version.ts';
import { scoopManifest, wingetInstaller, wingetLocale, wingetVersion } from '../card-schemas.ts';
import { cyclonedx } from '../cyclonedx-schema.ts';
import { hasRuby } from '../machine.ts';
import { schemaProblems } from '../schema-problems.ts';
import { finding, type Finding } from './finding.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const endings = ['win-x64-setup.exe', 'win-arm64-setup.exe', 'mac-x64.dmg', 'mac-arm64.dmg'];
const sums = endings.map((ending, at) => `${String(at).repeat(64)}  outtray-${version}-${ending}\n`).join('');

const filled = (name: (typeof manifestNames)[number]): string =>
  manifestOf(name, { version, url: 'https://example.com/d', sums });

const against = (schema: object, value: unknown): string[] =>
  (schemaProblems(schema, value) ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);

export const lookAtRelease = async (): Promise<Finding[]> => [
  ...(await Promise.all(
    (
      [
        ['winget/Outtray.Outtray.yaml', wingetVersion],
        ['winget/Outtray.Outtray.installer.yaml', wingetInstaller],
        ['winget/Outtray.Outtray.locale.en-US.yaml', wingetLocale],
        ['scoop/outtray.json', scoopManifest],
      ] as const
    ).map(([name, schema]) =>
      // JSON is YAML, too.
      finding(`${name} is as its schema wants it`, () => against(schema, parseYaml(filled(name)))),
    ),
  )),
  hasRuby
    ? await finding('ruby is content with the cask', () => {
        const { status, stderr } = spawnSync('ruby', ['-wc'], {
          input: filled('homebrew/outtray.rb'),
          encoding: 'utf8',
        });
        return status === 0 && stderr === '' ? [] : [stderr];
      })
    : ['ruby is content with the cask', [], 'not here (apt-get install -y ruby)'],
  await finding('the bill of materials is as CycloneDX 1.6 wants it', () =>
    against(cyclonedx, makeSbom(root)),
  ),
];
