// A question to the person at the terminal.
import { AppError } from '../contract/errors.ts';
import type { Session } from './session.ts';

/** There is a person who can answer. */
export const canAsk = ({ output }: Session): boolean =>
  !output.json && process.stdin.isTTY && process.stderr.isTTY;

/** Throws `aborted` for anything but yes; `otherwise` says what was not done. */
export const askBefore = async ({ signal }: Session, question: string, otherwise: string): Promise<void> => {
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr, signal });
  if (answer !== true) throw new AppError('aborted', otherwise);
};
