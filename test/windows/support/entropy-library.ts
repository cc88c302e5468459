// The keyring imports `ProcessPrng` of bcryptprimitives.dll, a library that Wine 8 does not have. This makes one that
// passes the call on to RtlGenRandom, which is exported as SystemFunction036 and takes the same: where to, and how many.
// A forwarder is an export whose address lies in the table of exports itself and names a function of another library.
import { executable, headers, inMemory, optional, row } from './portable-executable.ts';

const [name, exported, forward] = ['bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036'];

/** Nothing but the table of exports. */
const section = 0x200;

export const entropyLibrary = (): Buffer => {
  // a library that runs anywhere
  const { file, numbers, text } = executable(section, 0x2022);
  numbers(optional + 24, 8, 0x1_8000_0000);
  numbers(optional + 32, 4, inMemory, headers);
  numbers(optional + 56, 4, 2 * inMemory, headers);
  // for the console; may be loaded anywhere and runs no code from data
  numbers(optional + 68, 2, 3, 0x140);
  // sixteen directories, of which the first is the exports
  numbers(optional + 108, 4, 16, inMemory, section);
  text(row, '.rdata');
  numbers(row + 8, 4, section, inMemory, section, headers);
  numbers(row + 36, 4, 0x4000_0040);

  const at = { functions: 0x28, names: 0x2c, ordinals: 0x30, exported: 0x40, name: 0x60, forward: 0x80 };
  const address = (offset: number): number => inMemory + offset;
  numbers(headers + 12, 4, address(at.name), 1, 1, 1);
  numbers(headers + 28, 4, address(at.functions), address(at.names), address(at.ordinals));
  numbers(headers + at.functions, 4, address(at.forward));
  numbers(headers + at.names, 4, address(at.exported));
  text(headers + at.name, name);
  text(headers + at.exported, exported);
  text(headers + at.forward, forward);
  return file;
};
