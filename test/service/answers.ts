// The words of the service: answers, files as JSON, errors. Pure.
import type { Knobs } from './options.ts';
import type { StoredFile } from './store.ts';

export type JsonObject = Record<string, unknown>;

export type Answer = {
  status: number;
  headers: Record<string, string>;
  /** An object is sent as JSON. */
  body: JsonObject | string;
};

export function json(status: number, body: JsonObject): Answer {
  return { status, headers: {}, body };
}

export function fileAs(file: StoredFile, knobs: Knobs, host: string): JsonObject {
  return {
    file_id: idOf(file, knobs),
    filename: file.filename,
    size: file.sizeBytes,
    upload_date: new Date(file.storedAtMs).toISOString().slice(0, 19).replace('T', ' '),
    download_count: file.downloadCount,
    public_link: linkOf(file, knobs, host),
  };
}

/** Digits where a number cannot hold it; an answer has them without quotes (send.ts). */
export function idOf(file: StoredFile, knobs: Knobs): number | string {
  const id = BigInt(knobs.idsAbove) + BigInt(file.id);
  return Number.isSafeInteger(Number(id)) ? Number(id) : String(id);
}

export function linkOf(file: StoredFile, knobs: Knobs, host: string): string {
  return `${knobs.linkHost ?? host}/download/${file.token}`;
}

export const errorAnswer = (status: number, message: string): Answer =>
  json(status, { success: false, message });
