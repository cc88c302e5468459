// Packages of other systems, from npm's registry or its cache.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Unpacks a package below `work`, and returns its folder. `integrity`: npm's, as in the lock file. */
export const fromNpm = (name: string, version: string, work: string, integrity?: string): string => {
  const folder = fs.mkdtempSync(path.join(work, 'npm-'));
  const options = { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' } as const;
  const given = ['pack', '--silent', '--prefer-offline', '--ignore-scripts', `${name}@${version}`];
  const archive = path.join(folder, execFileSync('npm', given, options).trim());
  const [kind = '', expected] = integrity?.split('-') ?? [];
  if (expected !== undefined) {
    const sum = createHash(kind).update(fs.readFileSync(archive)).digest('base64');
    if (sum !== expected) throw new Error(`${name} ${version} is not the package of the lock file.`);
  }
  execFileSync('tar', ['-xzf', path.basename(archive)], options);
  return path.join(folder, 'package');
};
