// The lists that `npm run package:check` compares installers with: each of these strangers has to be noticed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FuseV1Options } from '@electron/fuses';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { fuses } from '../../resources/package/after-pack.mjs';
import {
  asarProblems,
  installedProblems,
  resourceProblems,
  commandProblems,
} from '../support/package/contents.ts';
import { writeAdminZip } from '../../resources/build/package/admin-zip.ts';
import { readFpmCall } from '../../resources/build/package/fpm-call.ts';
import { isAgreed } from '../../resources/build/package/licences.ts';
import { feedNotesOf, notesOf } from '../../resources/build/package/release-notes.ts';
import { serverJson } from '../../resources/build/package/npm-package.ts';
import { makeSbom } from '../../resources/build/package/sbom.ts';
import { nodeVersion } from '../../resources/build/program/nodes.ts';
import { sumsOf } from '../../resources/build/package/sums.ts';
import { desktopProblems } from '../support/package/try-deb.ts';
import { hasProgram } from '../support/posix.ts';

const right = [
  'package.json',
  'out/main/main.mjs',
  'out/main/rolldown-runtime.mjs',
  'out/preload/preload.cjs',
  'out/window/index.html',
  'out/window/popover/index.html',
  'out/window/assets/index-Bq1_x-9.js',
  'resources/tray/idle-dark@2x.png',
];

describe('app.asar', () => {
  test('files that belong there pass', () => expect(asarProblems(right)).toEqual([]));

  test.each([
    'src-main/main.ts',
    'out/main/main.mjs.map',
    'out/cli/cli.cjs',
    'test/unit/x.test.ts',
    'node_modules/undici/index.js',
    'node_modules/node/bin/node',
    'node_modules/@napi-rs/keyring/index.js',
    'out/window/assets/../../../.env',
    '.env',
    'README.md',
  ])('%s is refused', (stranger) => {
    expect(asarProblems([...right, stranger])).toEqual([`${stranger} does not belong in app.asar`]);
  });

  test.each(right.filter((file) => !/runtime|assets|tray/.test(file)))('%s must be there', (file) => {
    expect(asarProblems(right.filter((other) => other !== file))).toHaveLength(1);
  });
});

test('resources contain only what the app reads, the command lies alone, and the system gets only its places', () => {
  const command = [
    'outtray',
    'lib/keyring.node',
    ...['LICENSE', 'packages', 'node'].map((name) => `licences/${name}.txt`),
    'outtray-cli-0.1.0.cdx.json',
  ];
  expect(commandProblems(command)).toEqual([]);
  expect(commandProblems([...command, 'lib/cli.cjs'])).toHaveLength(1);
  expect(commandProblems(command.slice(1))).toHaveLength(1);
  expect(resourceProblems(['app.asar', 'licences/packages.txt', 'elevate.ts'])).toHaveLength(1);
  const entries = [
    'usr/share/nemo/actions/outtray.nemo_action',
    'usr/share/kio/servicemenus/outtray.desktop',
    'usr/share/Thunar/sendto/outtray.desktop',
  ];
  expect(installedProblems(['opt/Outtray/outtray', ...entries])).toEqual([]);
  expect(installedProblems([...entries, 'etc/xdg/autostart/outtray.desktop'])).toHaveLength(1);
  expect(installedProblems(entries.slice(1))).toEqual([`/${entries[0]} is missing`]);
});

test('every fuse Electron has is decided', () => {
  const all = Object.values(FuseV1Options).filter((value) => typeof value === 'number');
  expect(Object.keys(fuses)).toEqual(expect.arrayContaining(all.map(String)));
  expect(fuses.strictlyRequireAllFuses).toBe(true);
});

test('a desktop entry that claims a protocol is noticed', () => {
  const entry = 'Name=Outtray\nExec=/opt/Outtray/outtray %U\nIcon=outtray\n';
  expect(desktopProblems(entry)).toEqual([]);
  expect(desktopProblems(`${entry}MimeType=x-scheme-handler/outtray;\n`)).toHaveLength(1);
});

test('a licence is accepted when one of the alternatives is, and all parts of a combination', () => {
  expect(['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC'].map(isAgreed)).toEqual([true, true, true]);
  expect(['GPL-3.0', 'MIT AND GPL-3.0', 'unknown', ''].map(isAgreed)).toEqual([false, false, false, false]);
});

test('the stand-in for fpm parses electron-builder’s arguments, and refuses unknown ones', () => {
  const args = [
    '-s',
    'dir',
    '--force',
    '-t',
    'deb',
    '-d',
    'libnss3',
    '-d',
    'libgtk-3-0',
    '--name',
    'outtray',
  ];
  expect(readFpmCall([...args, '--package', '/x.deb', 'a=b/=/opt/Outtray'])).toMatchObject({
    type: 'deb',
    name: 'outtray',
    depends: ['libnss3', 'libgtk-3-0'],
    output: '/x.deb',
    mappings: [{ from: 'a=b/', to: '/opt/Outtray' }],
  });
  expect(() => readFpmCall([...args, '--before-install', 'x'])).toThrow('does not know --before-install');
});

test('the package scripts honour DPKG_ROOT and leave the users’ data alone', () => {
  const read = (name: string) => readFileSync(`resources/package/linux/${name}.sh`, 'utf8');
  for (const text of [read('after-install'), read('after-remove')]) {
    expect(text).toContain('root="${DPKG_ROOT:-}"');
    expect(text).not.toMatch(/\/home|\$HOME|rm -rf/);
  }
});

test('the sums are the ones that sha256sum checks, over the published files and nothing else', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'outtray-sums-'));
  await writeFile(path.join(folder, 'outtray-0.1.0-linux-amd64.deb'), 'x');
  await writeFile(path.join(folder, 'latest-linux.yml'), 'y');
  await writeFile(path.join(folder, 'builder-debug.yml'), 'z');
  expect(await sumsOf(folder)).toBe(
    'a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa  latest-linux.yml\n' +
      '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  outtray-0.1.0-linux-amd64.deb\n',
  );
  await rm(folder, { recursive: true });
});

test.runIf(hasProgram('/usr/bin/unzip'))('administrators get one zip, identical each time', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'outtray-admin-'));
  const zip = await writeAdminZip(folder);
  const first = readFileSync(zip);
  const names = execFileSync('/usr/bin/unzip', ['-Z1', zip], { encoding: 'utf8' }).trim().split('\n');
  expect(names).toEqual(
    expect.arrayContaining(['policy/Outtray.admx', 'policy/en-US/Outtray.adml', 'completions/outtray.ps1']),
  );
  expect(readFileSync(await writeAdminZip(folder)).equals(first)).toBe(true);
  await rm(folder, { recursive: true });
});

test('the bill of materials names its tool, time and supplier, as CycloneDX 1.6 requires', () => {
  const made = new Date('2026-11-27T02:00:00Z');
  const bill = makeSbom('.', 'app', made);
  const ajv = new Ajv2020({ allErrors: true, strictRequired: false });
  addFormats.default(ajv);
  const schema = new URL('../support/cyclonedx.schema.json', import.meta.url);
  const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')) as object);
  expect(validate(bill), JSON.stringify(validate.errors)).toBe(true);
  expect(bill).toMatchObject({
    metadata: { timestamp: made.toISOString(), supplier: { name: 'Outtray contributors' } },
  });
  expect(makeSbom('.')['serialNumber']).not.toBe(bill['serialNumber']);
  const { serialNumber: _, ...unnumbered } = bill;
  expect(validate({ ...unnumbered, metadata: {} })).toBe(false);
  expect(validate.errors).toHaveLength(4);
});

test('the bill of materials lists Electron, Node and every bundled package once, with licence and hash', () => {
  const { components } = makeSbom('.') as {
    components: { purl: string; hashes?: object[]; licenses: object[] }[];
  };
  const urls = components.map(({ purl }) => purl);
  expect(new Set(urls).size).toBe(urls.length);
  expect(urls).toEqual(expect.arrayContaining([expect.stringMatching(/^pkg:npm\/electron@45/)]));
  expect(urls).toEqual(expect.arrayContaining([expect.stringMatching(/^pkg:npm\/%40napi-rs\/keyring@2/)]));
  expect(urls).toContain(`pkg:generic/node@${process.versions.node}`);
  expect(urls.join()).not.toContain('vitest');
  const ofCommand = JSON.stringify(makeSbom('.', 'command'));
  for (const part of ['electron@', 'electron-updater', 'svelte']) expect(ofCommand).not.toContain(part);
  expect(components.every(({ licenses, hashes }) => licenses.length === 1 && hashes?.length === 1)).toBe(
    true,
  );
});

test('the notes of a release are its section of the changelog; a version that is not in it is refused', () => {
  const text = '# What changed\n\n## 0.2.0 - 2027-01-02\n\n- Two.\n\n## 0.1.0\n\n- One.\n';
  expect(notesOf(text, '0.2.0')).toBe('- Two.\n');
  expect(notesOf(text, '0.1.0')).toBe('- One.\n');
  expect(() => notesOf(text, '0.1')).toThrow('The list of changes has no part 0.1');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const today = readFileSync('resources/CHANGELOG.md', 'utf8').replace(
    `## ${version} - Unreleased`,
    `## ${version} - 2027-01-02`,
  );
  expect(notesOf(today, version)).toContain('- ');
});

test('a version that the changelog calls unreleased is not released', () => {
  expect(() => notesOf('## 0.2.0 - Unreleased\n\n- Two.\n', '0.2.0')).toThrow(
    'give it the day of its release',
  );
});

test('the feed file has the notes of its version alone, dated or not, and no more of them than an app shows', () => {
  const line = `- ${'x'.repeat(97)}\n`;
  const text = `# Changelog\n\n## 0.2.0 - Unreleased\n\n${line.repeat(200)}\n## 0.1.0 - 2027-01-02\n\n- One.\n`;
  expect(feedNotesOf(text, '0.1.0')).toBe('- One.\n');
  expect(feedNotesOf(text, '0.2.0')).toBe(line.repeat(100));
});

test('fewer than 90 packages run at the users’', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const production = Object.entries(packages).filter(
    ([name, { dev, devOptional }]) => name !== '' && dev !== true && devOptional !== true,
  );
  expect(production.length).toBeGreaterThan(40);
  expect(production.length).toBeLessThan(90);
});

test('each action of a workflow is pinned by its commit', () => {
  for (const name of ['build', 'nightly'])
    for (const [line] of readFileSync(`.github/workflows/${name}.yml`, 'utf8').matchAll(/uses: .*/g))
      expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the metadata for software centres name this version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const file = readFileSync('resources/package/linux/app.outtray.desktop.metainfo.xml', 'utf8');
  expect(file).toContain(`<release version="${version}"`);
  // Once it is released, both name the same day.
  const [, day] =
    new RegExp(`^## ${version} - (\\d{4}-\\d\\d-\\d\\d)$`, 'm').exec(
      readFileSync('resources/CHANGELOG.md', 'utf8'),
    ) ?? [];
  if (day !== undefined) expect(file).toContain(`<release version="${version}" date="${day}"`);
});

test('the program contains the Node that the tests run on', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  expect(optionalDependencies['node']).toBe(nodeVersion);
  expect(readFileSync('.github/workflows/build.yml', 'utf8')).toContain(
    `{ node-version: ${nodeVersion}, cache: npm }`,
  );
});

test('the entry in the registry of MCP servers is this version, with a description that the registry takes', () => {
  const { description, packages, name } = serverJson() as {
    name: string;
    description: string;
    packages: { version: string }[];
  };
  expect(description.length).toBeLessThanOrEqual(100);
  expect(name).toMatch(/^[a-z.]+\/outtray$/);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(packages.map((one) => one.version)).toEqual([version]);
});

test('the metadata for software centres have the addresses of package.json, which no file repeats but those named here', () => {
  const { homepage, bugs } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
  const file = readFileSync('resources/package/linux/app.outtray.desktop.metainfo.xml', 'utf8');
  expect(file).toContain(`<url type="homepage">${homepage ?? ''}</url>`);
  expect(file).toContain(`<url type="bugtracker">${bugs ?? ''}</url>`);
  const known = [
    'package.json',
    'electron-builder.yml',
    'resources/package/linux/app.outtray.desktop.metainfo.xml',
  ];
  const repeated = execFileSync(
    'git',
    ['grep', '-l', '@\\?outtray\\.invalid\\|//[a-z.]*\\.invalid', '--', '.', ':!test', ':!src-main'],
    { encoding: 'utf8' },
  );
  expect(repeated.trim().split('\n').sort()).toEqual(known.sort());
});

test('the deb and the rpm install the same files, but for the licence and the completions of zsh', () => {
  const lists = readFileSync('electron-builder.yml', 'utf8')
    .split(/^ {2}fpm:$/m)
    .slice(1)
    .map((part) => part.split('\n').flatMap((line) => /^ {4}- (.*)$/.exec(line)?.[1] ?? []));
  expect(lists).toHaveLength(2);
  const [deb = [], rpm = []] = lists.map((list) =>
    list.filter((line) => !/LICENSE|_outtray|--replaces/.test(line)),
  );
  expect(deb).toEqual(rpm);
  expect(deb.length).toBeGreaterThan(5);
});
