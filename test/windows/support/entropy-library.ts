// The keyring imports `ProcessPrng` of bcryptprimitives.dll, a library that Wine 8 does not have. This makes one that
// passes the call on to RtlGenRandom, which is exported as SystemFunction036 and takes the same: where to, and how many.
// The form is Microsoft's "PE Format" (learn.microsoft.com/windows/win32/debug/pe-format): a forwarder is an export whose
// address lies in the table of exports itself and names a function of another library.

const [name, exported, forward] = ['bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036'];

/** One page of headers in the file, then one section with nothing but the table of exports. */
const [headers, inMemory, section] = [0x200, 0x1000, 0x200];

export const entropyLibrary = (): Buffer => {
  const file = Buffer.alloc(headers + section);
  const numbers = (at: number, bytes: 2 | 4 | 8, ...values: readonly number[]): void => {
    for (const [index, value] of values.entries()) {
      const place = at + index * bytes;
      if (bytes === 8) file.writeBigUInt64LE(BigInt(value), place);
      else file.writeUIntLE(value, place, bytes);
    }
  };
  const text = (at: number, value: string): void => void file.write(value, at, 'latin1');

  text(0, 'MZ');
  numbers(0x3c, 4, 0x40);
  text(0x40, 'PE');
  // x64, one section, no time, no symbols, the size of the next header; a library that runs anywhere
  numbers(0x44, 2, 0x8664, 1);
  numbers(0x54, 2, 0xf0, 0x2022);
  const optional = 0x58;
  numbers(optional, 2, 0x20b);
  numbers(optional + 24, 8, 0x1_8000_0000);
  numbers(optional + 32, 4, inMemory, headers);
  numbers(optional + 40, 2, 6, 0, 0, 0, 6, 0);
  numbers(optional + 56, 4, 2 * inMemory, headers);
  // for the console; may be loaded anywhere and runs no code from data
  numbers(optional + 68, 2, 3, 0x140);
  numbers(optional + 72, 8, 0x10_0000, 0x1000, 0x10_0000, 0x1000);
  // sixteen directories, of which the first is the exports
  numbers(optional + 108, 4, 16, inMemory, section);
  const row = optional + 0xf0;
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
