// The least that small uploads cost in Node under our promises: `node post.child.mjs ORIGIN FILE…` sends four files at
// once, each over a connection of its own, with its SHA-256 and three durable notes: before it is sent, before its
// tail leaves, after its answer. Notes that come while another one is being written share the next write. There is no
// ledger, no queue, no limiter, nobody is told, and nothing is checked.
import { createHash } from 'node:crypto';
import { closeSync, fdatasync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const [origin, ...files] = process.argv.slice(2);
const { hostname, port } = new URL(origin);
const place = mkdtempSync(path.join(tmpdir(), 'outtray-bench-'));
const fd = openSync(path.join(place, 'notes'), 'a');
const sync = promisify(fdatasync);

let writing = Promise.resolve();
let waiting = null;
const note = (text) => {
  waiting ??= { lines: [], done: (writing = writing.then(write)) };
  waiting.lines.push(text);
  return waiting.done;
};
const write = async () => {
  const { lines } = waiting;
  waiting = null;
  writeSync(fd, lines.join(''));
  await sync(fd);
};

const send = async (file) => {
  const bytes = readFileSync(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await note(`sending ${file}\n`);
  const head =
    '--boundary\r\nContent-Disposition: form-data; name="file"; filename="' +
    `${path.basename(file)}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const closing = '\r\n--boundary--\r\n';
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.write(
    `POST /api/v1/files/upload HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer any\r\n` +
      'content-type: multipart/form-data; boundary=boundary\r\nconnection: close\r\n' +
      `content-length: ${head.length + bytes.length + closing.length}\r\n\r\n${head}`,
  );
  socket.write(bytes.subarray(0, -1));
  await note(`committing ${file} ${sha256}\n`);
  const answered = new Promise((resolve, reject) => {
    let answer = '';
    socket.on('data', (piece) => (answer += String(piece)));
    socket.on('end', () => resolve(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))));
    socket.on('error', reject);
  });
  socket.write(bytes.subarray(-1));
  socket.write(closing);
  const { file_id: id, public_link: link } = await answered;
  await note(`uploaded ${file} ${id} ${link}\n`);
};

const slot = async () => {
  for (let file = files.shift(); file !== undefined; file = files.shift()) await send(file);
};
await Promise.all([slot(), slot(), slot(), slot()]);
closeSync(fd);
rmSync(place, { recursive: true });
