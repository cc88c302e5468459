// What happened in one run: a trace with its hash (equal for two runs of one seed), how often each fault was injected,
// and what broke a promise.
import { createHash } from 'node:crypto';

/** The promises of upload-protocol.md that the simulation checks. */
export type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I11'
  | 'I12'
  | 'I13'
  | 'I14'
  | 'I15'
  | 'I16'
  | 'I17'
  | 'I18'
  | 'I19'
  | 'I20'
  | 'I21'
  | 'I22'
  | 'I23'
  // No upload goes out against a person's no.
  | 'W2'
  // What is not wanted and may be public has a next act.
  | 'W3'
  // What a person does not want public any more is dead at the end, or was never there.
  | 'W4'
  | 'W5'
  // Dead is said only after the id led to nothing, and after that the link.
  | 'W6'
  // Absent is said only of what is not there, and not before a slow list must show it.
  | 'W7'
  // No upload goes out at or after its end.
  | 'W9'
  | 'W11'
  | 'W12'
  // What closes uploads is obeyed by the next process.
  | 'W14'
  // Undo gives the want that was before.
  | 'W15'
  // A list alone proves nothing about a file whose id is known.
  | 'W16';

export type Violation = { invariant: Invariant; what: string; atMs: number };

export type Story = {
  /** One line of the trace. */
  note(text: string): void;
  /** A fault was injected: counted and noted. */
  fault(kind: string, text?: string): void;
  violated(invariant: Invariant, what: string): void;
  violations: Violation[];
  faults: Map<string, number>;
  /** The present amount (`now`) of something that has a bound; more than `most` breaks I11. */
  bounded(name: string, now: number, most: number): void;
  /** The largest amount of each so far. */
  peaks: Map<string, number>;
  /** The hash of everything noted so far. */
  hash(): string;
  /** The newest lines, or all of them if the run keeps them. */
  lines: string[];
};

/** Enough to see how a violation came about. */
const linesKept = 300;
/** One cause often breaks a promise again and again. */
const violationsKept = 20;

export const createStory = (nowMs: () => number, keepAll: boolean): Story => {
  const digest = createHash('sha256');
  const lines: string[] = [];
  const faults = new Map<string, number>();
  const peaks = new Map<string, number>();
  const violations: Violation[] = [];
  const note = (text: string): void => {
    const line = `${(nowMs() / 1000).toFixed(3)} ${text}`;
    digest.update(`${line}\n`);
    lines.push(line);
    if (!keepAll && lines.length > 2 * linesKept) lines.splice(0, linesKept);
  };
  const violated = (invariant: Invariant, what: string): void => {
    note(`VIOLATED ${invariant} ${what}`);
    if (violations.length < violationsKept) violations.push({ invariant, what, atMs: nowMs() });
  };
  return {
    note,
    fault(kind, text = '') {
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
      note(`fault ${kind} ${text}`);
    },
    violated,
    violations,
    faults,
    bounded(name, now, most) {
      if (now > (peaks.get(name) ?? -1)) peaks.set(name, now);
      if (now > most) violated('I11', `${now} ${name}, where ${most} are the most`);
    },
    peaks,
    hash: () => digest.copy().digest('hex').slice(0, 16),
    lines,
  };
};
