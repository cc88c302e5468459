// How a run fails: one sentence with its remedy for people, one JSON line for scripts, the same exit code for both.
import { expect } from 'vitest';
import { jsonLines, type RunOptions } from './command.ts';
import type { Place } from './place.ts';

export type Expected = {
  exit: number;
  code: string;
  says?: RegExp;
  /** For commands of which two at once would wait for each other, or share every step that matters. */
  onlyJson?: boolean;
};

/** Runs the command both ways at once and checks that each reports its failure once, and only in its own form. */
export const expectFailure = async (
  place: Place,
  args: readonly string[],
  { exit, code, says, onlyJson }: Expected,
  options: RunOptions = {},
): Promise<{ tookMs: number }> => {
  const [json, text] = await Promise.all([
    place.run(['--json', ...args], options),
    onlyJson === true ? null : place.run(args, options),
  ]);
  const what = `outtray ${args.join(' ')}`;
  expect({ what, exit: json.code, stderr: json.stderr }, json.stdout).toEqual({ what, exit, stderr: '' });
  const errors = jsonLines(json).filter((line) => line.error !== undefined);
  expect(errors, `${what}: ${json.stdout}`).toHaveLength(1);
  const error = errors[0]?.error;
  expect(error?.code, what).toBe(code);
  expect(Object.keys(error ?? {})).toEqual(['code', 'message', 'remedy']);
  expect(error?.message, what).toMatch(/^[^\n]*[.?!)]$/);
  expect(error?.remedy, what).toMatch(/^(For example: \S+|[^\n]*[.!)])$/);
  if (says !== undefined) expect(error?.message).toMatch(says);

  if (text === null) return { tookMs: json.tookMs };

  expect({ what, exit: text.code }).toEqual({ what, exit });
  const said = text.stderr.split('\n').filter((line) => line.startsWith('outtray: '));
  expect(said, `${what}: ${text.stderr}`).toEqual([
    `outtray: ${error?.message ?? ''} ${error?.remedy ?? ''}`,
  ]);
  return { tookMs: Math.max(json.tookMs, text.tookMs) };
};
