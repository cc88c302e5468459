// Deletions at the service: what was seen before, and whose refusal an answer is.
import { expect, test } from 'vitest';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { createRemoval, type AskOne } from '../../../../src-main/engine/account/copies/removal.ts';
import type { KnownKey } from '../../../../src-main/engine/limiter/ask.ts';
import { begin, share } from '../../../support/fake-world.ts';

const forbidden = (): Promise<never> =>
  Promise.reject(new AppError('limit', 'Forbidden.', '', { status: 403 }));

const seenFile = async () => {
  const { world } = await begin();
  const fileId = await share(world, 'a.txt', 'content');
  const { accountId, publicLink } = world.row('a.txt');
  const { api } = world.service;
  const file = { file_id: fileId, filename: 'a.txt', public_link: publicLink ?? '' };
  const info = (): ReturnType<typeof api.info> => Promise.resolve(file);
  api.info = info;
  const removal = createRemoval({ api, clock: world.clock, ledger: world.ledger }, () => 48);
  const askAs =
    (key: KnownKey): AskOne =>
    (request) =>
      request(AbortSignal.timeout(60_000), key);
  const ask = askAs({ accountId, mark: 'mark' });
  const copy = { accountId, fileId, publicLink };
  const seen = await removal.see(copy, ask);
  if (seen.kind !== 'seen') throw new Error(seen.kind);
  return { world, api, info, removal, askAs, ask, copy, seen };
};

test('a look that is refused before a deletion is no refusal of the deletion', async () => {
  const { world, api, info, removal, ask, copy, seen } = await seenFile();
  api.remove = forbidden;
  expect(await removal.remove(copy, seen, ask)).toMatchObject({ kind: 'refused' });

  await world.clock.advance(11_000);
  api.info = forbidden;
  await expect(removal.remove(copy, seen, ask)).rejects.toMatchObject({ code: 'limit' });
  api.info = info;
  expect(await removal.remove(copy, seen, ask)).toMatchObject({ kind: 'refused' });
});

test('what was seen with one key deletes nothing with another, which has to see it, too', async () => {
  const { world, api, removal, askAs, copy, seen } = await seenFile();
  const { accountId } = copy;
  api.info = () => Promise.reject(new AppError('not-found', 'No such file.', '', { status: 404 }));
  expect(await removal.remove(copy, seen, askAs({ accountId, mark: 'new' }))).toEqual({ kind: 'gone' });
  const other = askAs({ accountId: accountId + 1, mark: 'mark' });
  await expect(removal.see(copy, other)).rejects.toMatchObject({ code: 'bad-use' });
  expect(world.service.count('remove')).toBe(0);
});
