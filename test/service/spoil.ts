// Answers that are not what they should be. Pure.
import type { Answer, JsonObject } from './answers.ts';
import type { Fault } from './faults.ts';

/** Finds an id and a link that belong to another file, for answers that point at it. */
export type OtherFile = () => { fileId: number; link: string | null };

export function spoil(answer: Answer, faults: Fault[], otherFile: OtherFile | undefined): Answer {
  return faults.reduce((spoiled, fault) => spoilOnce(spoiled, fault, otherFile), answer);
}

function spoilOnce(answer: Answer, fault: Fault, otherFile: OtherFile | undefined): Answer {
  const { body } = answer;
  if (typeof body === 'string') return answer;
  switch (fault.kind) {
    case 'malformed':
      return {
        ...answer,
        headers: { ...answer.headers, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(body).slice(0, -1),
      };
    case 'wrong-types':
      return { ...answer, body: mapValues(body, wrongType) };
    case 'huge':
      return { ...answer, body: { ...body, padding: 'x'.repeat(fault.bytes) } };
    case 'success-false':
      return { ...answer, body: { success: false, message: 'Something went wrong' } };
    case 'foreign-id': {
      if (fault.fileId !== undefined) return { ...answer, body: { ...body, file_id: fault.fileId } };
      const other = otherFile?.();
      if (!other) return answer;
      const link = other.link === null ? {} : { public_link: other.link };
      return { ...answer, body: { ...body, file_id: other.fileId, ...link } };
    }
    case 'patch':
      return { ...answer, body: { ...body, ...fault.fields } };
    default:
      return answer;
  }
}

function mapValues(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

function wrongType(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return [value];
  return 'an object or list was here';
}
