// The head that a program and a library of Windows in one section have in common, by Microsoft's "PE Format"
// (learn.microsoft.com/windows/win32/debug/pe-format).

type Executable = {
  file: Buffer;
  /** Writes these numbers, one after another. */
  numbers(at: number, bytes: 2 | 4 | 8, ...values: readonly number[]): void;
  text(at: number, value: string): void;
};

/** One page of headers in the file. */
export const headers = 0x200;
/** Where its section begins in memory. */
export const inMemory = 0x1000;
/** Where the optional header and the row of the section begin. */
export const optional = 0x58;
export const row = optional + 0xf0;

/** For x64, with one section of `section` bytes. `kind`: flags that say what it is. */
export const executable = (section: number, kind: number): Executable => {
  const file = Buffer.alloc(headers + section);
  const numbers: Executable['numbers'] = (at, bytes, ...values) => {
    for (const [index, value] of values.entries()) {
      const place = at + index * bytes;
      if (bytes === 8) file.writeBigUInt64LE(BigInt(value), place);
      else file.writeUIntLE(value, place, bytes);
    }
  };
  const text: Executable['text'] = (at, value) => void file.write(value, at, 'latin1');

  text(0, 'MZ');
  numbers(0x3c, 4, 0x40);
  text(0x40, 'PE');
  // x64, one section, no time, no symbols, the size of the next header
  numbers(0x44, 2, 0x8664, 1);
  numbers(0x54, 2, 0xf0, kind);
  numbers(optional, 2, 0x20b);
  numbers(optional + 40, 2, 6, 0, 0, 0, 6, 0);
  numbers(optional + 72, 8, 0x10_0000, 0x1000, 0x10_0000, 0x1000);
  return { file, numbers, text };
};
