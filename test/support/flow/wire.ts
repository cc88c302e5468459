// What went over the wire and what the service has stored, in the terms of these tests.
import { createHash } from 'node:crypto';
import type { RequestRecord } from '../../service/request-log.ts';
import type { Service, StoredFileView } from '../../service/service.ts';

export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** Upload requests, in order of arrival. */
export const uploads = (service: Service): RequestRecord[] =>
  service.requests().filter(({ method, path }) => method === 'POST' && path.endsWith('/files/upload'));

/** Stored files with exactly this content. */
export const storedAs = (service: Service, content: string | Uint8Array): StoredFileView[] => {
  const digest = sha256(content);
  return service.files().filter((file) => file.sha256 === digest);
};
