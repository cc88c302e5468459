// Reads a multipart/form-data body as it arrives (RFC 7578). The first part named `file` that has a file name goes to
// the sink. Every part is noted with its head as received.
// Uses the library's part parser, not its form parser, because tests need the heads as they were sent. The parser
// hands out views of a buffer that it uses again, so short chunks are copied. It gets one chunk at a time, and its
// parts never pause, so that it never keeps a view.
import { Dicer } from '@fastify/busboy';
import type { PartRecord } from './request-log.ts';

// The parser's reused buffer is as long as the longest boundary it takes.
const longestReusedBytes = 256;

export type FileSink = (chunk: Buffer) => void;

export type Multipart = {
  write(chunk: Buffer): Promise<void>;
  /** True if the body ended with its closing boundary. */
  end(): Promise<boolean>;
};

export type MultipartOptions = {
  boundary: string;
  onPart(part: PartRecord): void;
  /** Called when the wanted file begins; its bytes go to the sink. */
  onFile(filename: string): FileSink;
};

/** The boundary out of a Content-Type, or `null` if it is not a form. */
export function boundaryOf(contentType: string | undefined): string | null {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(
    contentType ?? '',
  );
  return match?.[1] ?? match?.[2] ?? null;
}

export function createMultipart({ boundary, onPart, onFile }: MultipartOptions): Multipart {
  // A part that pauses and ends within one chunk would leave that chunk unanswered forever, so none ever pauses: the
  // caller waits for the disk instead.
  const config: Dicer.Config & { partHwm: number } = { boundary, partHwm: Number.MAX_SAFE_INTEGER };
  const parser = new Dicer(config);
  let found = false;
  const finished = new Promise<boolean>((resolve) => {
    parser.on('finish', () => resolve(true));
    parser.on('error', () => resolve(false));
  });

  parser.on('part', (stream) => {
    const part: PartRecord = { headers: [], name: null, filename: null, bytes: 0 };
    let sink: FileSink | null = null;
    stream.on('header', (header) => {
      part.headers = linesOf(header);
      const disposition = part.headers.find(([name]) => name === 'content-disposition')?.[1] ?? '';
      const utf8 = Buffer.from(disposition, 'latin1').toString('utf8');
      part.name = parameterOf(utf8, 'name');
      part.filename = extendedFilename(utf8) ?? parameterOf(utf8, 'filename');
      onPart(part);
      if (found || part.name !== 'file' || part.filename === null || part.filename === '') return;
      found = true;
      sink = onFile(baseName(part.filename));
    });
    stream.on('data', (chunk: Buffer) => {
      part.bytes += chunk.length;
      sink?.(chunk.length <= longestReusedBytes ? Buffer.from(chunk) : chunk);
    });
    // The parser reports a broken end to the part as well as to its own listeners; `finished` covers both.
    stream.on('error', () => {});
  });

  return {
    write: (chunk) => new Promise((resolve) => parser.write(chunk, () => resolve())),
    end: () => {
      parser.end();
      return finished;
    },
  };
}

function linesOf(header: object): [string, string][] {
  return Object.entries(header as Record<string, string[]>).flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
}

/** Browsers write a quotation mark as %22. */
function parameterOf(disposition: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s"]*))`, 'is').exec(disposition);
  const value = match?.[1] ?? match?.[2];
  return (
    value?.replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) ?? null
  );
}

/** `filename*=UTF-8''…` (RFC 5987); a broken one is as good as none. */
function extendedFilename(disposition: string): string | null {
  const value = /;\s*filename\*=utf-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (value === undefined) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** A folder in the sent name is dropped, as servers do. */
function baseName(filename: string): string {
  return filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
}
