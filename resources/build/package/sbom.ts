// A CycloneDX 1.6 bill of materials of what a package holds: Node, in the app Electron, and every bundled package, from the
// lock file.
// `npm sbom` and @cyclonedx/cyclonedx-npm list an installation; the app is a bundle: dependencies.md has the figures.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { nodes, nodeVersion, thisSystem } from '../program/nodes.ts';
import { bundledPackages } from './bundled.ts';

type Manifest = { name: string; version: string; license: string; author: string; homepage: string };
type Locked = { packages: Record<string, { version?: string; license?: string; integrity?: string }> };

export const makeSbom = (
  root: string,
  holds: 'app' | 'command' = 'app',
  made = new Date(),
): Record<string, unknown> => {
  const { name, version, license, author, homepage } = readJson(path.join(root, 'package.json')) as Manifest;
  const lock = readJson(path.join(root, 'package-lock.json')) as Locked;
  const own = { name, version, licence: license, integrity: '' };
  const locked = (part: string): Part => {
    const { version = '', license = 'MIT', integrity = '' } = lock.packages[`node_modules/${part}`] ?? {};
    return { name: part, version, licence: license, integrity };
  };
  const parts = [...(holds === 'app' ? [locked('electron')] : []), ...bundledPackages(root, holds)];
  // Several packages may depend on the same version of another one.
  const unique = [...new Map(parts.map((part) => [purl(part), part])).values()];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: made.toISOString(),
      lifecycles: [{ phase: 'build' }],
      tools: {
        components: [{ type: 'application', name: 'outtray/resources/build/package/sbom.ts', version }],
      },
      supplier: { name: author.replace(/ <.*/, ''), url: [homepage] },
      component: { ...component(own), type: 'application' },
    },
    components: [nodeItself(), ...unique.map(component)],
    dependencies: [{ ref: purl(own), dependsOn: [nodeItself()['bom-ref'], ...unique.map(purl)] }],
  };
};

/** Of the program, with the libraries that are in it: the Node that runs this is the same one. */
const nodeItself = (): Record<string, unknown> => {
  const address = `pkg:generic/node@${nodeVersion}`;
  const { sha256 } = nodes[thisSystem()];
  const inside = Object.entries(process.versions).filter(
    ([name]) => !['node', 'modules', 'napi'].includes(name),
  );
  return {
    type: 'platform',
    'bom-ref': address,
    name: 'node',
    version: nodeVersion,
    purl: address,
    licenses: [{ license: { id: 'MIT' } }],
    ...(sha256 === null ? {} : { hashes: [{ alg: 'SHA-256', content: sha256 }] }),
    components: inside.map(([name, version]) => ({ type: 'library', name, version })),
  };
};

type Part = { name: string; version: string; licence: string; integrity: string };

const component = (part: Part): Record<string, unknown> => {
  const hash = /^sha512-(.+)$/.exec(part.integrity)?.[1];
  return {
    type: 'library',
    'bom-ref': purl(part),
    name: part.name,
    version: part.version,
    purl: purl(part),
    licenses: [
      / (OR|AND) /.test(part.licence) ? { expression: part.licence } : { license: { id: part.licence } },
    ],
    ...(hash === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  };
};

/** Package URL of npm: the at sign of a scope is escaped. */
const purl = ({ name, version }: Part): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
