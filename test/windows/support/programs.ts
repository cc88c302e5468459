// Programs that stand in for those of the system, and what they wrote.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { computer } from './outtray.ts';

/** A file of the drive C: as this system names it. */
export const drive = (...names: string[]): string => path.join(computer.place, 'prefix/drive_c', ...names);
export const system32 = (name: string): string => drive('windows/system32', name);

const mark = drive('ran.txt');

/** The lines that stand-ins wrote into `C:\ran.txt`. */
export const ran = (): string[] =>
  existsSync(mark)
    ? readFileSync(mark, 'latin1')
        .split(/\r?\n/)
        .filter((line) => line !== '')
        .map((line) => line.trim())
    : [];

export const forgetRan = (): void => rmSync(mark, { force: true });

/** Puts a program in the place of one below System32; null only takes that away. Returns what undoes it. */
export const replaceProgram = (name: string, content: Buffer | null): (() => void) => {
  const [file, kept] = [system32(name), drive(`kept-${path.basename(name)}`)];
  renameSync(file, kept);
  if (content !== null) writeFileSync(file, content);
  return () => {
    rmSync(file, { force: true });
    renameSync(kept, file);
  };
};
