// The least that an upload with a SHA-256 costs in Node: its start, and the hash of as many bytes as the first
// argument, all from one buffer. No file is read and nothing is sent.
import { createHash } from 'node:crypto';

const piece = Buffer.alloc(1024 * 1024, 7);
const hash = createHash('sha256');
for (let bytes = Number(process.argv[2]); bytes > 0; bytes -= piece.length)
  hash.update(piece.subarray(0, Math.min(bytes, piece.length)));
process.stdout.write(hash.digest('hex'));
