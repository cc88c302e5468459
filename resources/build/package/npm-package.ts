// `npm run pack:npm`: out/npm/outtray-VERSION.tgz, the command as a package of npm. Its package.json is made here: the
// checkout's is private and names what building needs.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { writeLicences } from './licences.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const bundle = path.join(root, 'out/cli');

/** Returns the archive. */
export const packForNpm = (): string => {
  const out = path.join(root, 'out/npm');
  const folder = path.join(out, 'package');
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(path.join(folder, 'lib'), { recursive: true });
  for (const name of fs.readdirSync(bundle))
    if (name.endsWith('.mjs')) fs.copyFileSync(path.join(bundle, name), path.join(folder, 'lib', name));
  fs.copyFileSync(
    path.join(import.meta.dirname, '../program/npm-entry.cjs'),
    path.join(folder, 'outtray.cjs'),
  );
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  writeLicences(path.join(folder, 'licences.txt'), 'command');
  fs.copyFileSync(path.join(root, 'resources/package/npm/README.md'), path.join(folder, 'README.md'));
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(packageJson(), null, 2)}\n`);
  const given = ['pack', '--silent', '--ignore-scripts', '--pack-destination', out];
  const name = execFileSync('npm', given, {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  }).trim();
  return path.join(out, name);
};

const packageJson = (): Record<string, unknown> => {
  const { name, version, description, author, license, homepage, repository, bugs } = manifest;
  return {
    ...{ name, version, description, author, license, homepage, repository, bugs },
    // The registry of MCP servers demands the name of server.json here.
    mcpName: serverName(),
    keywords: ['upload', 'share', 'link', 'file', 'mcp'],
    type: 'module',
    bin: { outtray: 'outtray.cjs' },
    files: ['lib', 'outtray.cjs', 'licences.txt'],
    engines: { node: '>=24' },
    optionalDependencies: { '@napi-rs/keyring': manifest.dependencies['@napi-rs/keyring'] },
    publishConfig: { access: 'public', provenance: true },
  };
};

const serverName = (): string => {
  const file = path.join(root, 'resources/package/npm/server.json');
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { name: string }).name;
};

if (import.meta.main) console.log(path.relative(process.cwd(), packForNpm()));
