// Which links a copy takes.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FileRow } from '../../../src-main/contract/model.ts';
import { isSmallPlain } from '../../../src-main/shell/window/sender-check.ts';
import { copyLinks, dragOut } from '../../../src-renderer/state/actions.ts';
import { Files } from '../../../src-renderer/state/files.svelte.ts';
import { Session } from '../../../src-renderer/state/session.svelte.ts';
import { speak } from '../../../src-renderer/words/say.svelte.ts';
import { createFakeTransport } from '../../support/window/fake-transport.ts';
import { row } from '../../support/window/seed.ts';

beforeEach(async () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  await speak('en', ['en-US']);
  return () => vi.unstubAllGlobals();
});

const copied = async (rows: Parameters<typeof copyLinks>[1]) => {
  const transport = createFakeTransport({});
  const session = new Session(transport);
  const sure = await copyLinks(session, rows);
  return {
    sure,
    notice: session.notice?.text ?? null,
    inputs: transport.calls.filter(({ name }) => name === 'window.copyLinks').map(({ input }) => input),
  };
};

test('rows without a link are left out', async () => {
  const without = row(2, 'gone.txt', { publicLink: null, place: 'gone-from-service' });
  expect(await copied([row(1, 'a.txt'), without, row(3, 'c.txt', { uploadId: null })])).toEqual({
    sure: true,
    notice: '2 links copied',
    inputs: [{ uploadIds: [1], fileIds: [3] }],
  });
});

describe.each<[string, Partial<FileRow>]>([
  ['is dead', { publicLink: null, place: 'gone-from-service' }],
  ['was taken back and still answers', { linkState: 'answers' }],
  ['was taken back and is not proven', { linkState: 'not-proven' }],
])('a link that %s leaves by no door', (_, change) => {
  test('a copy of it alone says that there is none', async () => {
    const without = row(2, 'b.txt', change);
    const none = { sure: false, inputs: [] };
    expect(await copied([without])).toEqual({ ...none, notice: '“b.txt” has no link to copy' });
    expect(await copied([without, without])).toEqual({
      ...none,
      notice: 'None of these files has a link to copy',
    });
  });

  test('a drag does not take it along', () => {
    const drag = (change: Partial<FileRow>) => {
      const event = { preventDefault: vi.fn(), dataTransfer: { setData: vi.fn() } };
      const dragged = row(2, 'b.txt', { place: 'elsewhere', ...change });
      dragOut(new Session(createFakeTransport({})), dragged, event as unknown as DragEvent, 'link');
      return [event.dataTransfer.setData.mock.calls.length > 0, event.preventDefault.mock.calls.length > 0];
    };
    expect([drag({}), drag(change)]).toEqual([
      [true, false],
      [false, true],
    ]);
  });
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
