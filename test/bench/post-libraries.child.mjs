// The same as post.child.mjs over the libraries that Outtray is built on: undici's client sends, and the three durable
// notes are transactions of SQLite on one table with one index, shared by all who come to theirs in the same turn.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { Client } from 'undici';

// As the command does (adapters/api/exchange.ts): the parser's optimisation would cost more than it brings.
setFlagsFromString('--wasm-tiering-budget=2000000000');

const [origin, ...files] = process.argv.slice(2);
const { hostname, port } = new URL(origin);
const place = mkdtempSync(path.join(tmpdir(), 'outtray-bench-'));
const sqlite = new DatabaseSync(path.join(place, 'notes.sqlite'));
sqlite.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE uploads (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, state TEXT NOT NULL, sha256 TEXT, file_id INTEGER, link TEXT
  ) STRICT;
  CREATE INDEX uploads_sha256 ON uploads (sha256) WHERE sha256 IS NOT NULL;`);
const begin = sqlite.prepare('BEGIN IMMEDIATE');
const commit = sqlite.prepare('COMMIT');
const sending = sqlite.prepare("INSERT INTO uploads (path, state) VALUES (?, 'sending')");
const committing = sqlite.prepare("UPDATE uploads SET state = 'committing', sha256 = ? WHERE id = ?");
const uploaded = sqlite.prepare("UPDATE uploads SET state = 'uploaded', file_id = ?, link = ? WHERE id = ?");

let waiting = [];
const note = (statement, ...values) =>
  new Promise((resolve) => {
    waiting.push({ statement, values, resolve });
    if (waiting.length === 1) setImmediate(write);
  });
const write = () => {
  const notes = waiting;
  waiting = [];
  begin.run();
  const results = notes.map(({ statement, values }) => statement.run(...values));
  commit.run();
  for (const [at, { resolve }] of notes.entries()) resolve(results[at]);
};

const send = async (file) => {
  const handle = await open(file);
  const bytes = await handle.readFile();
  await handle.close();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { lastInsertRowid: id } = await note(sending, file);
  const head =
    '--boundary\r\nContent-Disposition: form-data; name="file"; filename="' +
    `${path.basename(file)}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const closing = '\r\n--boundary--\r\n';
  const body = async function* () {
    yield Buffer.from(head);
    yield bytes.subarray(0, -1);
    await note(committing, sha256, id);
    yield bytes.subarray(-1);
    yield Buffer.from(closing);
  };
  const client = new Client(origin, {
    pipelining: 0,
    connect: (_options, callback) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true, highWaterMark: 1 });
      socket.once('connect', () => callback(null, socket));
      socket.once('error', (error) => callback(error, null));
    },
  });
  const answer = await client.request({
    path: '/api/v1/files/upload',
    method: 'POST',
    headers: {
      authorization: 'Bearer any',
      'content-type': 'multipart/form-data; boundary=boundary',
      'content-length': String(head.length + bytes.length + closing.length),
    },
    body: body(),
    reset: true,
  });
  const { file_id: fileId, public_link: link } = await answer.body.json();
  await note(uploaded, fileId, link, id);
};

const slot = async () => {
  for (let file = files.shift(); file !== undefined; file = files.shift()) await send(file);
};
await Promise.all([slot(), slot(), slot(), slot()]);
sqlite.close();
rmSync(place, { recursive: true });
