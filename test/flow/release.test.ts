// The release job of the workflow, with made-up artefacts: its own steps run here, and only `gh` and `npm` are stand-ins.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { version } from '../../src-main/adapters/version.ts';

const root = path.resolve(import.meta.dirname, '../..');
type Step = { name?: string; uses?: string; run?: string; with?: Record<string, string> };
const { jobs } = parse(readFileSync(path.join(root, '.github/workflows/build.yml'), 'utf8')) as {
  jobs: Record<string, { steps: Step[] }>;
};
const steps = jobs['release']?.steps ?? [];

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'outtray-release-'));
  for (const part of ['resources', 'src-main', 'package.json'])
    cpSync(path.join(root, part), at(part), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), at('node_modules'));
  const changes = readFileSync(at('resources/CHANGELOG.md'), 'utf8');
  writeFileSync(
    at('resources/CHANGELOG.md'),
    changes.replace(`## ${version} - Unreleased`, `## ${version} - 2027-01-31`),
  );
  const artefacts: Record<string, string[]> = {
    'linux-x64': [`outtray-${version}-linux-amd64.deb`, `outtray-${version}.tgz`, 'latest-linux.yml'],
    'win-x64': [
      `outtray-${version}-win-x64-setup.exe`,
      `outtray-${version}-win-x64-setup.exe.blockmap`,
      'latest.yml',
    ],
  };
  for (const [artefact, names] of Object.entries(artefacts)) {
    mkdirSync(at('all', artefact), { recursive: true });
    const sums = names.map((name) => {
      writeFileSync(at('all', artefact, name), `the bytes of ${name}`);
      return `${createHash('sha256').update(`the bytes of ${name}`).digest('hex')}  ${name}\n`;
    });
    writeFileSync(at('all', artefact, 'SHA256SUMS'), sums.join(''));
  }
  mkdirSync(at('bin'));
  for (const program of ['gh', 'npm'])
    writeFileSync(at('bin', program), `#!/bin/sh\necho ${program} "$@" >> "${at('called')}"\n`, {
      mode: 0o755,
    });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const runJob = async (tag: string): Promise<string> => {
  let said = '';
  for (const { run } of steps) {
    if (run === undefined) continue;
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', run], {
      cwd: folder,
      env: {
        PATH: `${at('bin')}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: folder,
        GITHUB_REF_NAME: tag,
        GITHUB_REPOSITORY: 'outtray/outtray',
        GPG_KEY: '',
      },
    });
    said += stdout;
  }
  return said;
};

test('a tag becomes a draft with every installer, the folders of the feed, their sums and what changed', async () => {
  const said = await runJob(`v${version}`);
  const released = [
    'SHA256SUMS',
    'feed-linux-x64.tar.gz',
    'feed-win-x64.tar.gz',
    `outtray-${version}-linux-amd64.deb`,
    `outtray-${version}-win-x64-setup.exe`,
    `outtray-${version}.tgz`,
  ];
  expect(readdirSync(at('release')).sort()).toEqual([...released].sort());
  const sums = await promisify(execFile)('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: at('release'),
  });
  expect(sums.stdout.match(/: OK$/gm)).toHaveLength(released.length - 1);
  const feed = await promisify(execFile)('tar', ['-tzf', at('release/feed-win-x64.tar.gz')]);
  expect(feed.stdout).toContain('./latest.yml\n');
  expect(readFileSync(at('notes.md'), 'utf8')).toMatch(/^The first version|^### /);
  expect(readFileSync(at('called'), 'utf8').trim().split('\n')).toEqual([
    expect.stringMatching(
      `^gh release create v${version} --draft --notes-file notes.md --repo outtray/outtray release/`,
    ),
    `npm publish release/outtray-${version}.tgz`,
  ]);
  // Without its key, nothing is called signed.
  expect(said).toContain('SHA256SUMS is not signed');
});

test('an installer that is not what its machine built stops the release', async () => {
  writeFileSync(at('all/win-x64', `outtray-${version}-win-x64-setup.exe`), 'other bytes');
  await expect(runJob(`v${version}`)).rejects.toThrow(/FAILED|did NOT match/);
  expect(() => readFileSync(at('called'))).toThrow('ENOENT');
});

test('a tag that is not the version makes no draft and publishes nothing', async () => {
  await expect(runJob('v9.9.9')).rejects.toThrow('package.json says');
  expect(() => readFileSync(at('called'))).toThrow('ENOENT');
});

test('the build attests the sums once all files have theirs, and before anything is published', () => {
  const names = steps.map(({ name, uses }) => name ?? uses?.split('@')[0] ?? '');
  const attest = names.indexOf('actions/attest-build-provenance');
  expect(steps[attest]?.with).toEqual({ 'subject-checksums': 'release/SHA256SUMS' });
  expect(attest).toBeGreaterThan(names.indexOf('folders of a feed, installers, sums'));
  expect(attest).toBeLessThan(names.indexOf('draft release'));
});
