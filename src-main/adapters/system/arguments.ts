// Arguments as the system has them. Node reads them as UTF-8 and replaces every other byte, so a file with such a name
// could not be named; Linux still has the bytes.
import { readFileSync } from 'node:fs';
import { fromSystemName } from '../files/paths.ts';

/** `args`: the last ones of this process. Those that Node could not read are spelled as names are elsewhere. */
export const exactArguments = (args: readonly string[], read = readCommandLine): string[] => {
  if (!args.some((argument) => argument.includes('\ufffd'))) return [...args];
  const all = read();
  if (all === null || all.length < args.length) return [...args];
  return all.slice(all.length - args.length).map(fromSystemName);
};

/** Null where the system does not show them (proc(5), /proc/pid/cmdline). */
const readCommandLine = (): Buffer[] | null => {
  try {
    const bytes = readFileSync('/proc/self/cmdline');
    const words: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf(0, at);
      const next = end < 0 ? bytes.length : end;
      words.push(bytes.subarray(at, next));
      at = next + 1;
    }
    return words;
  } catch {
    return null;
  }
};
