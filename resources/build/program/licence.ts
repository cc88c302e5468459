// Node's licence, with those of OpenSSL, ICU, V8 and the others in it: out/program/node-licence.txt.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nodes, nodeVersion } from './nodes.ts';
import { fromNpm } from './npm.ts';

export const nodeLicence = path.resolve(import.meta.dirname, '../../../out/program/node-licence.txt');

/** The same text for all systems; not every package of npm has it. */
export const writeNodeLicence = (): void => {
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'outtray-licence-'));
  try {
    fs.mkdirSync(path.dirname(nodeLicence), { recursive: true });
    fs.copyFileSync(path.join(fromNpm(nodes['linux-x64'].npm, nodeVersion, work), 'LICENSE'), nodeLicence);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
};
