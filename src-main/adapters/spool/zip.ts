// A zip (APPNOTE.TXT 6.3.10). Its files are stored, not compressed: the output of a compressor differs between versions
// and machines, so the same files would get another link. Each local header holds size and CRC-32, because a reader
// that streams (Java's ZipInputStream) cannot find the end of a stored file without them. The CRC-32 is known only
// after the file, so it is written into the header then: a piece with a position.
import { crc32 } from 'node:zlib';
import type { Packed } from '../../engine/ports/files.ts';

/** `at`: overwrites at this position; null: appends. */
export type Written = { at: number | null; bytes: Uint8Array };

const utf8Names = 1 << 11;
/** 1 January 1980, midnight: the same for all, so that the same content gives the same bytes. */
const [dosTime, dosDate] = [0, (1 << 5) | 1];
/** Unix, version 6.3. A regular file that its owner may write and all may read: rights would differ between systems. */
const madeBy = (3 << 8) | 63;
const attributes = 0o100644 * 2 ** 16;
const most32 = 0xffff_fffe;
const most16 = 0xfffe;
const over32 = 0xffff_ffff;
const crcAt = 14;

/** Names are UTF-8 and marked so; what is too large or too many for a zip makes a zip64. One file is read at a time. */
export async function* zipOf(files: AsyncIterable<Packed>): AsyncGenerator<Written> {
  const central: Buffer[] = [];
  let end = 0;
  for await (const { name, sizeBytes, pieces } of files) {
    const at = end;
    const bytes = Buffer.from(name);
    const header = localHeader(bytes, sizeBytes);
    yield { at: null, bytes: header };
    end += header.length;
    let sum = 0;
    for await (const piece of pieces) {
      sum = crc32(piece, sum);
      yield { at: null, bytes: piece };
      end += piece.length;
    }
    if (end !== at + header.length + sizeBytes) throw new Error(`${name} had another size than it told.`);
    yield { at: at + crcAt, bytes: fields([4, sum]) };
    central.push(centralRecord(bytes, sizeBytes, sum, at));
  }
  const sizeBytes = central.reduce((all, { length }) => all + length, 0);
  for (const bytes of central) yield { at: null, bytes };
  yield { at: null, bytes: endRecord(central.length, sizeBytes, end) };
}

const localHeader = (name: Buffer, sizeBytes: number): Buffer => {
  const isLarge = sizeBytes > most32;
  const extra = isLarge ? fields([2, 1], [2, 16], [8, sizeBytes], [8, sizeBytes]) : fields();
  const size = isLarge ? over32 : sizeBytes;
  return Buffer.concat([
    fields([4, 0x04034b50], ...common(isLarge), [4, 0], [4, size], [4, size]),
    fields([2, name.length], [2, extra.length]),
    name,
    extra,
  ]);
};

const centralRecord = (name: Buffer, sizeBytes: number, sum: number, at: number): Buffer => {
  const large = [
    ...(sizeBytes > most32 ? [sizeBytes, sizeBytes] : []),
    // Only a value that does not fit in its own field is stored here, in this order.
    ...(at > most32 ? [at] : []),
  ];
  const isLarge = large.length > 0;
  const extra = isLarge
    ? fields([2, 1], [2, 8 * large.length], ...large.map((one): Field => [8, one]))
    : fields();
  const size = sizeBytes > most32 ? over32 : sizeBytes;
  return Buffer.concat([
    fields([4, 0x02014b50], [2, madeBy], ...common(isLarge), [4, sum], [4, size], [4, size]),
    // No comment, the first disk, no mark of a text.
    fields([2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, attributes]),
    fields([4, at > most32 ? over32 : at]),
    name,
    extra,
  ]);
};

/** Version that a reader needs, flags, method (stored), time and date. */
const common = (isLarge: boolean): Field[] => [
  [2, isLarge ? 45 : 20],
  [2, utf8Names],
  [2, 0],
  [2, dosTime],
  [2, dosDate],
];

const endRecord = (count: number, sizeBytes: number, at: number): Buffer => {
  const isLarge = count > most16 || sizeBytes > most32 || at > most32;
  const zip64 = isLarge
    ? fields(
        [4, 0x06064b50],
        [8, 44], // bytes of this record that follow
        [2, madeBy],
        [2, 45],
        [4, 0],
        [4, 0],
        [8, count],
        [8, count],
        [8, sizeBytes],
        [8, at],
        // Where that record is.
        [4, 0x07064b50],
        [4, 0],
        [8, at + sizeBytes],
        [4, 1],
      )
    : fields();
  const shortCount = isLarge ? 0xffff : count;
  return Buffer.concat([
    zip64,
    fields([4, 0x06054b50], [2, 0], [2, 0], [2, shortCount], [2, shortCount]),
    fields([4, isLarge ? over32 : sizeBytes], [4, isLarge ? over32 : at], [2, 0]),
  ]);
};

/** Bytes of the field, and its value. */
type Field = readonly [2 | 4 | 8, number];

/** Not from Node's pool: small buffers that are kept would keep the large ones of the pool in memory. */
const fields = (...all: Field[]): Buffer => {
  const bytes = Buffer.alloc(all.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of all) {
    if (length === 2) bytes.writeUInt16LE(value, at);
    else if (length === 4) bytes.writeUInt32LE(value, at);
    else bytes.writeBigUInt64LE(BigInt(value), at);
    at += length;
  }
  return bytes;
};
