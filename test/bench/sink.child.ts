// A receiver that costs as little as one can: it takes whole request bodies, counts their bytes and throws them away,
// so that a benchmark measures the sender. One read buffer serves all connections, nothing of a body is looked at but
// the name in its first bytes, and each request is answered as our service, S3 or WebDAV would:
//
//   POST …/files/upload   our service: multipart, one file         GET …/stats, …/files   an empty Business account
//   PUT, HEAD /…          S3 and WebDAV: an object by its path      PROPFIND, MKCOL        WebDAV
//
// `node sink.child.ts [BYTES_PER_SECOND]` prints { port } and answers GET /counts with what it saw.
import { createServer, Socket, type Server, type SocketConstructorOpts } from 'node:net';

const bytesPerSecond = Number(process.argv[2] ?? 0);

const counts = { uploads: 0, bytes: 0, connections: 0 };
/** Sizes by path, for a peer that asks after its PUT. */
const objects = new Map<string, { sizeBytes: number; md5: string }>();

type Asked = {
  method: string;
  path: string;
  headers: Map<string, string>;
  name: string;
  bodyBytes: number;
  leftBytes: number;
};

const head = (text: string): Asked => {
  const [first = '', ...lines] = text.split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyBytes = Number(headers.get('content-length') ?? 0);
  return { method, path: path.split('?')[0] ?? '', headers, name: '', bodyBytes, leftBytes: bodyBytes };
};

type Said = { status: number; headers?: Record<string, string>; body?: string };

const json = (value: unknown): Said => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

const answer = (asked: Asked): Said => {
  const { method, path } = asked;
  if (method === 'POST' && path.endsWith('/files/upload')) {
    counts.uploads += 1;
    // The size that the multipart form adds depends only on the file's name, not on its length.
    const formBytes = Number(asked.headers.get('x-form-bytes') ?? 0);
    return json({
      success: true,
      file_id: counts.uploads,
      public_link: `http://${asked.headers.get('host') ?? ''}/download/${counts.uploads}`,
      size: asked.bodyBytes - formBytes,
      filename: asked.name,
    });
  }
  if (method === 'PUT') {
    counts.uploads += 1;
    const md5 = Buffer.from(asked.headers.get('content-md5') ?? '', 'base64').toString('hex');
    objects.set(path, { sizeBytes: asked.bodyBytes, md5 });
    return { status: 200, headers: { etag: `"${md5}"` } };
  }
  if (method === 'HEAD') {
    const object = objects.get(path);
    if (object === undefined) return { status: 404 };
    return {
      status: 200,
      headers: {
        etag: `"${object.md5}"`,
        'content-length': String(object.sizeBytes),
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
      },
    };
  }
  if (method === 'PROPFIND') {
    const object = objects.get(path);
    if (object === undefined) return { status: 404 };
    return {
      status: 207,
      headers: { 'content-type': 'application/xml' },
      body: properties(path, object.sizeBytes),
    };
  }
  if (method === 'MKCOL') return { status: 201 };
  if (path.endsWith('/counts')) return json(counts);
  if (path.endsWith('/stats')) {
    return json({
      success: true,
      stats: { total_files: 0, total_size: 0 },
      limits: { max_file_size: -1, daily_uploads: -1 },
      plan: 'Business',
    });
  }
  if (path.endsWith('/files')) {
    return json({ success: true, files: [], pagination: { page: 1, limit: 100, total: 0, pages: 0 } });
  }
  return { status: 404 };
};

const properties = (path: string, sizeBytes: number): string =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>${path}</d:href><d:propstat><d:prop>` +
  `<d:resourcetype/><d:getcontentlength>${sizeBytes}</d:getcontentlength>` +
  `<d:getlastmodified>Thu, 01 Jan 2026 00:00:00 GMT</d:getlastmodified>` +
  `</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`;

/** Takes what came on one connection; `say` writes back. Returns how many bytes of it were of a body. */
const createReceiver = (say: (text: string, isLast: boolean) => void) => {
  let text = '';
  let asked: Asked | null = null;
  const finish = (done: Asked): void => {
    const { status, headers = {}, body = '' } = answer(done);
    const isLast = done.headers.get('connection') === 'close';
    const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers });
    if (isLast) lines.push(['connection', 'close']);
    const fields = lines.map(([field, value]) => `${field}: ${value}\r\n`).join('');
    asked = null;
    say(`HTTP/1.1 ${status} -\r\n${fields}\r\n${body}`, isLast);
  };
  const begin = (piece: Buffer): number => {
    // Almost always the whole head is in one piece, with the beginning of the body behind it.
    const inPiece = text === '' ? piece.indexOf('\r\n\r\n') : -1;
    const before = text.length;
    text += piece.toString('latin1', 0, inPiece < 0 ? piece.length : inPiece + 4);
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) return piece.length;
    asked = head(text.slice(0, end));
    const used = end + 4 - before;
    text = '';
    if (asked.headers.get('expect') === '100-continue') say('HTTP/1.1 100 Continue\r\n\r\n', false);
    return used;
  };
  return (piece: Buffer): void => {
    let at = 0;
    while (at < piece.length) {
      if (asked === null) at += begin(piece.subarray(at));
      if (asked === null) break;
      const took = Math.min(asked.leftBytes, piece.length - at);
      if (took > 0 && asked.leftBytes === asked.bodyBytes && asked.method === 'POST')
        readForm(asked, piece.toString('latin1', at, Math.min(piece.length, at + 1024)));
      at += took;
      counts.bytes += took;
      asked.leftBytes -= took;
      if (asked.leftBytes === 0) finish(asked);
    }
  };
};

/** The name, and how much of the body is form rather than file. */
const readForm = (asked: Asked, text: string): void => {
  const end = text.indexOf('\r\n\r\n');
  const boundary = text.slice(0, text.indexOf('\r\n'));
  asked.name = Buffer.from(/filename="([^"]*)"/.exec(text)?.[1] ?? '', 'latin1').toString('utf8');
  asked.headers.set('x-form-bytes', String(end + 4 + boundary.length + 6));
};

/** Holds a connection back so that it takes `bytesPerSecond` over time. */
const createBrake = (pause: () => void, resume: () => void) => {
  let takenBytes = 0;
  const startMs = performance.now();
  return (pieceBytes: number): void => {
    if (bytesPerSecond === 0) return;
    takenBytes += pieceBytes;
    const aheadMs = (takenBytes / bytesPerSecond) * 1_000 - (performance.now() - startMs);
    if (aheadMs < 5) return;
    pause();
    setTimeout(resume, aheadMs);
  };
};

const sayOn = (socket: Socket) => (text: string, isLast: boolean) => {
  if (isLast) socket.end(text, 'latin1');
  else socket.write(text, 'latin1');
};

const shared = Buffer.allocUnsafeSlow(1024 * 1024);

/** Node gives a client's socket a buffer to read into, but not a server's: so its connection is taken over. */
const serve = (): Server =>
  createServer({ pauseOnConnect: true, noDelay: true }, (accepted) => {
    counts.connections += 1;
    const options: SocketConstructorOpts = {
      handle: (accepted as Socket & { _handle: NonNullable<SocketConstructorOpts['handle']> })._handle,
      onread: {
        buffer: shared,
        callback: (sizeBytes: number, _buffer: unknown): boolean => {
          receive(shared.subarray(0, sizeBytes));
          brake(sizeBytes);
          return true;
        },
      },
    };
    const socket = new Socket(options);
    const receive = createReceiver(sayOn(socket));
    const brake = createBrake(
      () => socket.pause(),
      () => socket.resume(),
    );
    socket.on('error', () => {});
    socket.resume();
  });

const server = serve();
server.listen(0, '127.0.0.1', () => {
  const at = server.address();
  console.log(JSON.stringify({ port: typeof at === 'object' && at !== null ? at.port : 0 }));
});
