// The files in an installer, without folders, as paths from its root.
import { execFileSync } from 'node:child_process';

export const listArchive = (archive: string): string[] => {
  if (archive.endsWith('.rpm')) return lines('rpm', ['-qlp', archive]).map((line) => line.slice(1));
  const listed = archive.endsWith('.deb')
    ? lines('dpkg-deb', ['--contents', archive])
    : lines('tar', ['--list', '--verbose', '--file', archive]);
  return listed
    .filter((line) => !line.startsWith('d'))
    .map((line) =>
      line
        .split(/\s+/)
        .slice(5)
        .join(' ')
        .replace(/^\.\//, '')
        .replace(/ -> .*/, ''),
    );
};

const lines = (program: string, args: string[]): string[] =>
  execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 16_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter((line) => line !== '');
