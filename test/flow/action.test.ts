// The action for workflows runs its own script, with the command in the place of npm's.
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { commandWords } from '../support/flow/command.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { storedAs } from '../support/flow/wire.ts';
import { hasProgram } from '../support/posix.ts';

const action = path.resolve(import.meta.dirname, '../../resources/headless/action.yml');

test.runIf(hasProgram('/bin/bash')).each([
  ['files with any names are uploaded, and their links are the output', [], 0],
  ['the links of the others are the output when a file is held, and the step fails', ['../id_rsa'], 8],
] as const)('%s', async (_title, held, exit) => {
  const service = await ownService();
  const place = await ownPlace(service);
  const [, script = ''] = /run: \|\n([\s\S]*)$/.exec(await readFile(action, 'utf8')) ?? [];
  const files = [
    await place.put('../$(touch bad) `x`.txt', 'one'),
    await place.put("../it's; rm -rf.txt", 'two'),
    ...(await Promise.all(held.map((name) => place.put(name, 'three')))),
  ];
  // `npx --yes --ignore-scripts outtray@VERSION ARGS`
  const npx = path.join(place.root, 'npx');
  await writeFile(
    npx,
    `#!/bin/sh\nshift 3\nexec ${commandWords.map((word) => `'${word}'`).join(' ')} "$@"\n`,
  );
  await chmod(npx, 0o755);
  const [output, summary] = ['output', 'summary'].map((name) => path.join(place.root, name));
  const ran = promisify(execFile)(
    '/bin/bash',
    ['-e', '-o', 'pipefail', '-c', script.replaceAll(/^ {8}/gm, '')],
    {
      cwd: place.root,
      env: {
        ...place.env,
        PATH: `${place.root}:${process.env['PATH'] ?? ''}`,
        FILES: files.join('\n'),
        VERSION: '0.1.0',
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
      },
    },
  );
  const code = await ran.then(
    () => 0,
    (error: unknown) => (error as { code: number }).code,
  );
  expect(code).toBe(exit);
  const links = ['one', 'two'].map((content) => storedAs(service, content)[0]?.link);
  expect(await readFile(summary ?? '', 'utf8')).toBe(`${links.join('\n')}\n`);
  expect(await readFile(output ?? '', 'utf8')).toMatch(
    new RegExp(`^links<<(\\w{32})\\n${links.join('\\n')}\\n\\1\\n$`),
  );
});
