import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { askBefore, unlessInterrupted, type Session } from '../../../src-main/cli/session.ts';

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

test.each(['dumb', 'xterm'])(
  'a question shows other people’s bytes, and does not act on them: TERM=%s',
  async (TERM) => {
    const [stdin, stderr] = [new PassThrough(), new PassThrough()];
    const shown: string[] = [];
    stderr.on('data', (piece: Buffer) => shown.push(String(piece)));
    const session = { env: { TERM }, stdin: () => stdin, stderr, signal: new AbortController().signal };
    const link = 'https://x.example/\u001b[2J\u202e\u0007d/1';
    const answered = askBefore(
      session as unknown as Session,
      `Delete these?\n  a.txt (${link})`,
      'Nothing is deleted.',
    );
    await vi.waitFor(() => expect(shown.join('')).toContain('a.txt'));
    stdin.end('n\n');
    await expect(answered).rejects.toMatchObject({ code: 'aborted', message: 'Nothing is deleted.' });
    expect(shown.join('')).toContain('␛[2J\\u{202e}␇d/1');
    expect(shown.join('')).not.toMatch(/\u001b\[2J\u202e|\u202e|\u0007/);
  },
);
