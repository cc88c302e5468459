// Which links a copy takes.
import { expect, test } from 'vitest';
import { copyLinks } from '../../../src-renderer/state/actions.ts';
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
