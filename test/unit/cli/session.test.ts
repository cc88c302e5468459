import { expect, test, vi } from 'vitest';
import { unlessInterrupted, type Session } from '../../../src-main/cli/session.ts';

const runWith = (signal: AbortSignal): Session => ({ signal }) as Session;

test('a run that is already interrupted starts nothing', async () => {
  const begin = vi.fn(() => Promise.resolve(1));
  const run = runWith(AbortSignal.abort());
  await expect(unlessInterrupted(run, begin)).rejects.toMatchObject({ code: 'aborted' });
  expect(begin).not.toHaveBeenCalled();
});

test('an interruption does not wait for work that was started', async () => {
  const stopping = new AbortController();
  const waiting = unlessInterrupted(runWith(stopping.signal), () => new Promise(() => undefined));
  stopping.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
});
