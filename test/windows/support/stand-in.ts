// A program of Windows in one page, which runs one line of cmd.exe and ends as it does: a stand-in for a program of the
// system, or one that lies in wait under its name. The code calls
//
//   sprintf(buffer, line, GetCommandLineA()); exit(system(buffer));

import { executable, headers, inMemory, optional, row } from './portable-executable.ts';

const section = 0x800;

/** `line`: `%s` stands for the program's own command line. */
export const standIn = (line: string): Buffer => {
  // a program
  const { file, numbers, text } = executable(section, 0x23);
  numbers(optional + 16, 4, inMemory + 0x100, inMemory);
  numbers(optional + 24, 8, 0x40_0000);
  numbers(optional + 32, 4, 0x1000, 0x200);
  numbers(optional + 56, 4, 0x8000, headers);
  // for the console
  numbers(optional + 68, 2, 3, 0);
  // sixteen directories, of which the second is the imports
  numbers(optional + 108, 4, 16, 0, 0, inMemory, 60);
  text(row, '.all');
  numbers(row + 8, 4, 0x7000, inMemory, section, headers);
  // read, written and run
  numbers(row + 36, 4, 0xe000_0020);

  const here = (offset: number): number => headers + offset;
  const address = (offset: number): number => inMemory + offset;
  // Two libraries: names of their functions at 0x40 and 0x50, where the loader puts their addresses.
  numbers(here(12), 4, address(0xd0), address(0x40));
  numbers(here(20 + 12), 4, address(0xe0), address(0x50));
  numbers(here(0x40), 8, address(0x80));
  numbers(here(0x50), 8, address(0xa0), address(0xb0), address(0xc0));
  for (const [at, name] of [
    [0x80, 'GetCommandLineA'],
    [0xa0, 'sprintf'],
    [0xb0, 'system'],
    [0xc0, 'exit'],
  ] as const)
    text(here(at) + 2, name);
  text(here(0xd0), 'kernel32.dll');
  text(here(0xe0), 'msvcrt.dll');

  let at = 0x100;
  const code = (...bytes: readonly number[]): void => {
    file.set(bytes, here(at));
    at += bytes.length;
  };
  /** An instruction that names a place by its distance from the next one. */
  const about = (place: number, ...bytes: readonly number[]): void => {
    code(...bytes);
    file.writeInt32LE(place - (at + 4), here(at));
    at += 4;
  };
  const [call, toFirst, toSecond] = [
    [0xff, 0x15],
    [0x48, 0x8d, 0x0d],
    [0x48, 0x8d, 0x15],
  ] as const;
  const [format, buffer] = [0x200, 0x1000];
  code(0x48, 0x83, 0xec, 0x28);
  about(0x40, ...call);
  code(0x49, 0x89, 0xc0);
  about(format, ...toSecond);
  about(buffer, ...toFirst);
  about(0x50, ...call);
  about(buffer, ...toFirst);
  about(0x58, ...call);
  code(0x89, 0xc1);
  about(0x60, ...call);

  if (line.length >= section - format) throw new Error(`This line is too long: ${line}`);
  text(here(format), line);
  return file;
};
