// The words of the service: answers, files as JSON, dates, sizes, names, errors. Pure.
import type { FileField, Knobs, SizeUnit } from './options.ts';
import type { StoredFile } from './store.ts';

export type JsonObject = Record<string, unknown>;

export type Answer = {
  status: number;
  headers: Record<string, string>;
  /** An object is sent as JSON. */
  body: JsonObject | string;
};

export function json(status: number, body: JsonObject, headers: Record<string, string> = {}): Answer {
  return { status, headers, body };
}

const unitBytes: Record<SizeUnit, number> = { B: 1, kB: 1000, KiB: 1024, MB: 1e6, MiB: 1024 ** 2 };

export function sizeIn(unit: SizeUnit, rounding: Knobs['sizeRounding'], sizeBytes: number): number {
  const size = sizeBytes / unitBytes[unit];
  switch (rounding) {
    case 'up':
      return Math.ceil(size);
    case 'down':
      return Math.floor(size);
    case 'nearest':
      return Math.round(size);
  }
}

/** `YYYY-MM-DD HH:MM:SS` on a wall clock that many minutes east of UTC. */
export function dateOf(atMs: number, offsetMinutes: number): string {
  return new Date(atMs + offsetMinutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}

export function fileAs(
  fields: readonly FileField[],
  file: StoredFile,
  knobs: Knobs,
  host: string,
): JsonObject {
  const all: Record<FileField, unknown> = {
    file_id: idOf(file, knobs),
    filename: file.filename,
    size: sizeIn(knobs.sizeUnit, knobs.sizeRounding, file.sizeBytes),
    upload_date: dateOf(file.storedAtMs, knobs.uploadDateOffsetMinutes),
    download_count: file.downloadCount,
    public_link: linkOf(file, knobs, host),
  };
  return Object.fromEntries(fields.map((field) => [field, all[field]]));
}

/** Digits where a number cannot hold it; an answer has them without quotes (send.ts). */
export function idOf(file: StoredFile, knobs: Knobs): number | string {
  const id = BigInt(knobs.idsAbove) + BigInt(file.id);
  return Number.isSafeInteger(Number(id)) ? Number(id) : String(id);
}

export function linkOf(file: StoredFile, knobs: Knobs, host: string): string {
  return `${knobs.linkHost ?? host}/download/${file.token}`;
}

export function storedName(sent: string, rule: Knobs['filenames'], taken: (name: string) => boolean): string {
  switch (rule) {
    case 'as-is':
      return sent;
    case 'prefix':
      return `upload_${sent}`;
    case 'unique':
      return uniqueName(sent, taken);
    case 'lowercase':
      return sent.toLowerCase();
    case 'nfc':
      return sent.normalize('NFC');
    case 'nfd':
      return sent.normalize('NFD');
    case 'ascii':
      return sent.replace(/[^ -~]/g, '_');
    case 'underscores':
      return sent.replace(/[^\w.-]/g, '_');
  }
}

function uniqueName(sent: string, taken: (name: string) => boolean): string {
  const dot = sent.lastIndexOf('.');
  const stem = dot > 0 ? sent.slice(0, dot) : sent;
  const ending = dot > 0 ? sent.slice(dot) : '';
  let name = sent;
  for (let copy = 1; taken(name); copy += 1) name = `${stem} (${copy})${ending}`;
  return name;
}

export function errorAnswer(shape: Knobs['errorShape'], status: number, message: string): Answer {
  switch (shape) {
    case 'message':
      return json(status, { success: false, message });
    case 'nested':
      return json(status, { success: false, error: { code: status, message } });
    case 'text':
      return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${message}\n` };
    case 'html':
      return {
        status,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: `<!doctype html><title>${status}</title><h1>${status} ${message}</h1>\n`,
      };
    case 'empty':
      return { status, headers: {}, body: '' };
  }
}

export function retryAfter(rule: Knobs['retryAfter'], waitMs: number, nowMs: number): Record<string, string> {
  if (rule === 'none') return {};
  if (rule === 'seconds') return { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  if (rule === 'date') {
    return { 'retry-after': new Date(Math.ceil((nowMs + waitMs) / 1000) * 1000).toUTCString() };
  }
  return { 'retry-after': rule.raw };
}
