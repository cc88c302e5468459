// `window.copyCard`: one card of all requested files goes to the clipboard, or none.
import type { FileId } from '../../../../src-main/contract/text/file-id.ts';
import { expect, test, vi } from 'vitest';
import { begin, share } from '../../../support/fake-world.ts';

vi.mock('electron', () => ({ app: {} }));
// Other files of this run may have loaded these modules with their own stand-ins.
vi.resetModules();
const { answerCall } = await import('../../../../src-main/contract/client.ts');
const { createWindowHandlers } = await import('../../../../src-main/shell/window/window-handlers.ts');

type Given = Parameters<typeof createWindowHandlers>;

/** The window's commands over a whole engine, with a clipboard that keeps what is copied. */
const open = async (isSure = true) => {
  const { world, run } = await begin();
  const copied: string[] = [];
  const links: Partial<Given[0]['links']> = {
    demandTrust: async () => undefined,
    copy({ text }) {
      copied.push(text);
      return Promise.resolve({ sure: isSure });
    },
  };
  // Copying a card needs nothing else of the window.
  const rooms = { context: { client: run, look: {} }, surface: { dialogs: {} }, links };
  const handlers = createWindowHandlers(rooms as unknown as Given[0], {} as Given[1]);
  const copyCard = (fileIds: FileId[], as: string) =>
    answerCall(handlers, 'window.copyCard', { fileIds, as }, new AbortController().signal);
  return { world, run, copied, copyCard };
};

test('copies one card of the files in the requested order and form', async () => {
  const { world, copied, copyCard } = await open();
  const ids = [await share(world, 'a.txt'), await share(world, 'b.txt', 'other')];
  expect(await copyCard(ids.toReversed(), 'sha256sums')).toEqual({
    ok: true,
    answer: { count: 2, sure: true },
  });
  const [first, second] = world.service.stored;
  expect(copied).toEqual([`${second?.sha256}  b.txt\n${first?.sha256}  a.txt\n`]);
  await copyCard(ids, 'markdown');
  // Sizes and sentences are English in every language of the window.
  expect(copied[1]).toMatch(/^- \[a\.txt\].*\d bytes? · .*SHA-256.*\n- \[b\.txt\].*How to check/s);
});

test('reports when it is uncertain whether the card arrived', async () => {
  const { world, copyCard } = await open(false);
  const reply = await copyCard([await share(world, 'a.txt')], 'json');
  expect(reply).toEqual({ ok: true, answer: { count: 1, sure: false } });
});

test('copies nothing when one of the files has no card, for an unknown form and for no file', async () => {
  const { world, run, copied, copyCard } = await open();
  const [kept, back] = [await share(world, 'kept.txt'), await share(world, 'back.txt')];
  await run.call('files.recall', { files: [{ fileId: back }] });
  const error = { ok: false, error: { code: 'bad-use' } };
  expect(await copyCard([kept, back], 'markdown')).toMatchObject(error);
  expect(await copyCard([], 'json')).toMatchObject(error);
  expect(await copyCard([kept], 'pdf')).toMatchObject(error);
  expect(copied).toEqual([]);
});
