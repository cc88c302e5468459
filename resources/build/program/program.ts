// `npm run program [-- SYSTEM…]`: makes out/program/outtray/outtray for this system, or out/program/SYSTEM/outtray for
// others (nodes.ts lists them).
import fs from 'node:fs';
import path from 'node:path';
import { buildProgram } from './build.ts';
import { isSystem, nodes, thisSystem } from './nodes.ts';

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !isSystem(name));
if (unknown.length > 0) {
  console.error(`Not a system: ${unknown.join(', ')}. Known: ${Object.keys(nodes).join(', ')}.`);
  process.exit(2);
}
for (const system of asked.length === 0 ? [thisSystem()] : asked.filter(isSystem)) {
  const program = buildProgram(system);
  console.log(`${path.relative(process.cwd(), program)}, ${Math.round(fs.statSync(program).size / 1e6)} MB`);
}
