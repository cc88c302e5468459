// Runs Wine's reg.exe like Windows' own: adds `/se`, the separator of the texts of a list.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';

const words = process.argv.slice(3);
const at = words.indexOf('/se');
const separator = at < 0 ? null : words.splice(at, 2)[1];
const said = `${process.env['TEMP']}\\reg-${process.pid}`;
const output = openSync(said, 'w');
const { status } = spawnSync('C:\\windows\\system32\\reg-of-wine.exe', words, {
  stdio: ['ignore', output, 'ignore'],
});
closeSync(output);
const printed = readFileSync(said, 'utf8');
rmSync(said);
process.stdout.write(
  printed
    .split('\n')
    .map((line) =>
      separator !== null && line.includes('    REG_MULTI_SZ    ') ? line.replaceAll('\\0', separator) : line,
    )
    .join('\n'),
);
process.exitCode = status ?? 1;
