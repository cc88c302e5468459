// Comparing candidates while the service fails.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import type { Ask } from '../../../../src-main/engine/limiter/ask.ts';
import { createVerifyContent } from '../../../../src-main/engine/reconcile/verify-content.ts';
import type { Ports } from '../../../../src-main/engine/ports/ports.ts';

const never = new AbortController().signal;
const ask: Ask = (_lane, signal, request) => request(signal, { accountId: 1, mark: '' });
const lost = { sentName: 'a.txt', sizeBytes: 5, startedAtMs: 0 };
/** The list has no links: each candidate has to be requested. */
const candidates = [1, 2, 3].map((id) => ({ file_id: id, filename: 'a.txt', size: 5 }));

const apiThat = (fault: AppError) => {
  const asked: number[] = [];
  const api: unknown = {
    info: async (id: number) => {
      asked.push(id);
      throw fault;
    },
  };
  return { ports: { api } as unknown as Ports, asked };
};

test.each([
  ['a 502', new AppError('unusable-answer', 'The service answered 502.', '', { status: 502 })],
  ['a broken connection', new AppError('interrupted', 'The connection broke.')],
  ['no network', new AppError('offline', 'There is no network.')],
  ['a pause', new AppError('aborted', 'Nothing may be asked just now.')],
])('after %s no other candidate is requested', async (_, fault) => {
  const { ports, asked } = apiThat(fault);
  await expect(
    createVerifyContent(ports, ask, never)(lost, 'a'.repeat(64), candidates, 'namesakes'),
  ).rejects.toBe(fault);
  expect(asked).toEqual([1]);
});

test('a missing candidate says nothing about the others', async () => {
  const { ports, asked } = apiThat(new AppError('not-found', 'There is no such file.'));
  const evidence = await createVerifyContent(ports, ask, never)(
    lost,
    'a'.repeat(64),
    candidates,
    'namesakes',
  );
  expect(evidence).toEqual({ kind: 'undecided' });
  expect(asked).toEqual([1, 2, 3]);
});

test('candidates without an id are distinguished by their links', async () => {
  const links = ['https://x/1', 'https://x/2'];
  const api: unknown = { digestOfLink: async (link: string) => (link === links[1] ? 'right' : 'other') };
  const files = links.map((public_link) => ({ public_link, size: 5 }));
  const evidence = await createVerifyContent({ api } as unknown as Ports, ask, never)(
    lost,
    'right',
    files,
    'namesakes',
  );
  expect(evidence).toEqual({ kind: 'proved', file: files[1] });
});

test('a link that is being read when Outtray stops is not undecided: the lookup has no result', async () => {
  const stop = new AbortController();
  const api: unknown = {
    digestOfLink: async () => {
      stop.abort();
      throw new AppError('aborted', 'Stopped.');
    },
  };
  const files = [{ file_id: 1, public_link: 'https://x/1', filename: 'a.txt', size: 5 }];
  const proof = createVerifyContent({ api } as unknown as Ports, ask, stop.signal);
  await expect(proof(lost, 'a'.repeat(64), files, 'namesakes')).rejects.toThrow('Stopped.');
});
