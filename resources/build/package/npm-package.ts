// `npm run pack:npm`: out/npm/outtray-VERSION.tgz, the command as a package of npm, and out/npm/server.json, its entry in
// the registry of MCP servers. The package.json is made here: the checkout's is private and names what building needs.
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
    if (name.endsWith('.cjs')) fs.copyFileSync(path.join(bundle, name), path.join(folder, 'lib', name));
  fs.copyFileSync(
    path.join(import.meta.dirname, '../program/npm-entry.cjs'),
    path.join(folder, 'outtray.cjs'),
  );
  fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  fs.cpSync(path.join(root, 'resources/headless/skills'), path.join(folder, 'skills'), { recursive: true });
  writeLicences(path.join(folder, 'licences.txt'), 'command');
  fs.writeFileSync(path.join(folder, 'README.md'), readme);
  writeJson(path.join(folder, 'package.json'), packageJson());
  writeJson(path.join(out, 'server.json'), serverJson());
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
    mcpName: serverName,
    keywords: ['upload', 'share', 'link', 'file', 'mcp'],
    type: 'module',
    bin: { outtray: 'outtray.cjs' },
    files: ['lib', 'skills', 'outtray.cjs', 'licences.txt'],
    engines: { node: '>=24' },
    optionalDependencies: { '@napi-rs/keyring': manifest.dependencies['@napi-rs/keyring'] },
    publishConfig: { access: 'public', provenance: true },
  };
};

/** The reverse of the home's host, as the registry demands; for a repository on GitHub it is `io.github.OWNER/outtray`. */
const serverName = `${new URL(manifest.homepage).hostname.split('.').reverse().join('.')}/outtray`;

/** github.com/modelcontextprotocol/registry, docs/reference/server-json. A description has at most 100 characters. */
export const serverJson = (): Record<string, unknown> => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: serverName,
  title: 'Outtray',
  description: 'Put a file in the tray, get its link: share files, find and take back their links.',
  version: manifest.version,
  repository: { url: manifest.repository, source: 'git' },
  packages: [
    {
      registryType: 'npm',
      identifier: manifest.name,
      version: manifest.version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
      environmentVariables: [
        {
          name: 'OUTTRAY_BASE_URL',
          description: 'Base address of the service',
          format: 'string',
          isRequired: false,
        },
        {
          name: 'OUTTRAY_API_KEY',
          description: 'API key; not needed after `outtray login`',
          format: 'string',
          isRequired: false,
          isSecret: true,
        },
      ],
    },
  ],
});

const readme = `# Outtray

${manifest.description} The command of [Outtray](${manifest.homepage}), for Node 24 and newer.

\`\`\`sh
npx outtray login                 # asks for the key, checks and stores it
npx outtray upload report.pdf     # prints the public link
npx outtray mcp                   # a server for agents (Model Context Protocol)
\`\`\`

In CI, \`OUTTRAY_BASE_URL\` and \`OUTTRAY_API_KEY\` replace the login. On macOS prefer them, or the setting \`keyCommand\`: the
keychain asks once for the Node that runs this, and every other script of that Node is then allowed as well. The packages
\`outtray-cli\` have no such limit and need no Node.
`;

const writeJson = (file: string, value: unknown): void =>
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

if (import.meta.main) console.log(path.relative(process.cwd(), packForNpm()));
