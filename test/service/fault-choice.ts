// The faults that the script has chosen for one request.
import type { Answer } from './answers.ts';
import { isManner, type Fault, type Faults, type Stage } from './faults.ts';
import type { RequestRecord } from './request-log.ts';

type OfKind<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

export type ChosenFaults = {
  all(): Fault[];
  find<K extends Fault['kind']>(kind: K): OfKind<K> | undefined;
  findAll<K extends Fault['kind']>(kind: K): OfKind<K>[];
  scriptedAnswer(): { at: Stage; answer: Answer } | null;
  /** Once the file's name is known. */
  chooseFor(filename: string): void;
};

export function chooseFaults(script: Faults, record: RequestRecord): ChosenFaults {
  const faults: Fault[] = [];
  const choose = (filename: string | null) => {
    const taken = script.take(
      record,
      filename,
      faults.some((fault) => !isManner(fault)),
    );
    record.faults.push(...taken.map((fault) => fault.kind));
    faults.push(...(filename === null ? taken : taken.map(afterHeaders)));
  };
  choose(null);
  const findAll = <K extends Fault['kind']>(kind: K) =>
    faults.filter((fault): fault is OfKind<K> => fault.kind === kind);
  const find = <K extends Fault['kind']>(kind: K) => findAll(kind)[0];

  return {
    all: () => faults,
    find,
    findAll,
    chooseFor: choose,
    scriptedAnswer: () => {
      const answer = find('answer');
      if (answer) {
        const { at = 'read', status, headers = {}, body = '' } = answer;
        return { at, answer: { status, headers, body } };
      }
      const redirect = find('redirect');
      if (!redirect) return null;
      const { at = 'read', status = 302, location } = redirect;
      return { at, answer: { status, headers: { location }, body: '' } };
    },
  };
}

/** A fault chosen by the file's name comes too late for the headers, so it applies to the next stage. */
function afterHeaders(fault: Fault): Fault {
  switch (fault.kind) {
    case 'reset':
    case 'stall':
      return fault.at === 'headers' ? { ...fault, at: 'body' } : fault;
    case 'answer':
    case 'redirect':
      return fault.at === 'headers' ? { ...fault, at: 'read' } : fault;
    case 'delay':
      return fault.at === 'headers' ? { ...fault, at: 'done' } : fault;
    default:
      return fault;
  }
}
