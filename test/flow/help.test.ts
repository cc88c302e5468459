// The text of `--help`: the overview fits on two screens, and each example of a command works.
import { mkdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { commandTable } from '../../src-main/cli/program.ts';
import { programRows } from '../../src-main/contract/catalogue/program.ts';
import type { ProgramRow } from '../../src-main/contract/catalogue/program-kinds.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';

/** They need the keychain, a clipboard, an agent or a lost answer; their own tests run them. */
const elsewhere = new Set(['login', 'logout', 'paste', 'resolve', 'mcp']);
/** They end links that the others need. */
const last = ['recall', 'delete'];

const examplesOf = new Map(
  Object.entries<ProgramRow>(programRows).flatMap(([name, row]) =>
    'examples' in row ? [[name, row.examples] as const] : [],
  ),
);

test('the overview has at most 80 columns and 60 lines', () => {
  const lines = commandTable().helpInformation().split('\n');
  expect(lines.length, 'no line is left: a new command takes the place of another').toBeLessThanOrEqual(60);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('every example of a command does what its text says', async () => {
  const service = await ownService({ firstFileId: 12 });
  const place = await ownPlace(service);
  for (const name of ['id_rsa', '.env', 'report.pdf', 'notes.txt', 'photos/sea.txt'])
    await place.put(`../${name}`, `the content of ${name}`);
  await mkdir(`${place.root}/Outtray`, { recursive: true });
  // Uploads 1 and 2 are held.
  expect((await place.run(['upload', 'id_rsa', '.env'])).code).toBe(8);

  const ran: string[] = [];
  for (const name of [...[...examplesOf.keys()].filter((one) => !last.includes(one)), ...last]) {
    for (const example of examplesOf.get(name) ?? []) {
      if (elsewhere.has(name)) continue;
      const [program, ...words] = example.split(' ');
      const { code, stderr } = await place.run(words);
      ran.push(`${program}: ${code} ${example} ${code === 0 ? '' : stderr}`);
    }
  }
  expect(ran.filter((line) => !line.startsWith('outtray: 0 '))).toEqual([]);
});
