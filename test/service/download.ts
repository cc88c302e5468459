// GET /download/<token>: the bytes behind a public link; no key needed.
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { errorAnswer } from './answers.ts';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';

export async function download(context: Context, exchange: Exchange): Promise<void> {
  const { store } = context;
  const { record } = exchange;
  await exchange.readBody(() => null);
  await exchange.pass('read');
  const file = store.byToken(record.path.slice('/download/'.length));
  const path = file ? store.pathOf(file) : null;
  const isRead = record.method === 'GET' || record.method === 'HEAD';
  if (!file || path === null || !isRead) {
    await exchange.pass('done');
    await exchange.send(errorAnswer(404, 'File not found'));
    return;
  }
  record.fileId = file.id;
  await exchange.pass('done');
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(file.sizeBytes),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
  };
  await exchange.sendStream(200, headers, async (response, atByte) => {
    const end = Math.min(atByte, file.sizeBytes) - 1;
    if (record.method === 'HEAD' || end < 0) {
      response.end();
      return;
    }
    let bytes = 0;
    /** The download is counted before the last byte leaves, so a client that has it finds the count. */
    const counted = async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        bytes += piece.length;
        if (bytes === file.sizeBytes) store.countDownload(file);
        yield piece;
      }
    };
    await pipeline(createReadStream(path, { end, highWaterMark: 1024 * 1024 }), counted, response, {
      end: end === file.sizeBytes - 1,
    });
  });
}
