// Which links a copy takes.
import { expect, test } from 'vitest';
import { isSmallPlain } from '../../../src-main/shell/window/sender-check.ts';
import { copyLinks } from '../../../src-renderer/state/actions.ts';
import { Files } from '../../../src-renderer/state/files.svelte.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { row } from '../../support/window/seed.ts';

const copied = async (rows: Parameters<typeof copyLinks>[1]) => {
  const transport = createFakeTransport({});
  const sure = await copyLinks(new Session(transport), rows);
  return {
    sure,
    inputs: transport.calls.filter(({ name }) => name === 'window.copyLinks').map(({ input }) => input),
  };
};

test('rows without a link are left out', async () => {
  const without = row(2, 'gone.txt', { publicLink: null, place: 'gone-from-service' });
  expect(await copied([row(1, 'a.txt'), without, row(3, 'c.txt', { uploadId: null })])).toEqual({
    sure: true,
    inputs: [{ uploadIds: [1], fileIds: [3] }],
  });
  expect(await copied([without])).toEqual({ sure: false, inputs: [] });
});

test('one copy takes 5,000 links', async () => {
  const { inputs } = await copied(Array.from({ length: 5_001 }, (_, at) => row(at + 1, 'a.txt')));
  expect(inputs).toMatchObject([{ uploadIds: { length: 5_000 } }]);
});

test('long ids of a service all fit into the calls about them, however many rows there are', async () => {
  const many = Array.from({ length: 5_001 }, (_, at) =>
    row(at + 1, 'a.txt', { uploadId: null, fileId: String(9n * 10n ** 18n + BigInt(at)) }),
  );
  const { inputs } = await copied(many);
  expect(inputs.map((input) => isSmallPlain(input))).toEqual([true]);
  const transport = createFakeTransport({});
  await new Files(new Session(transport)).remove(many.map((one) => ({ ...one, place: 'gone-from-service' })));
  const removed = transport.calls.filter(({ name }) => name === 'files.remove').map(({ input }) => input);
  expect(removed.map((input) => isSmallPlain(input))).toEqual([true, true, true]);
  expect(removed.flatMap((input) => (input as { fileIds: unknown[] }).fileIds)).toHaveLength(5_001);
});
