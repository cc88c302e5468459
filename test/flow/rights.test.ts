// What an administrator forbids: the command ends with 2, names the setting, and the service gets no request.
import { expect, test } from 'vitest';
import { expectFailure } from '../support/flow/failure.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';

const none = { allowPause: false, allowGivenFiles: false, allowAccountChange: false };

test.each([
  ['allowPause', ['pause']],
  ['allowPause', ['pause', '15m']],
  ['allowGivenFiles', ['upload', 'FILE']],
  ['allowGivenFiles', ['upload', '--again', 'FILE']],
  ['allowAccountChange', ['logout']],
  ['allowAccountChange', ['settings', 'set', 'baseUrl', 'https://other.example/v2']],
  ['allowAccountChange', ['settings', 'set', 'keyCommand', 'echo another']],
])('%s: `outtray %s` is refused', async (setting, args) => {
  const service = await ownService();
  const place = await ownPlace(service, { settings: none });
  const file = await place.put('given.txt', 'given by hand');
  const ended = await place.run(args.map((arg) => (arg === 'FILE' ? file : arg)));
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(setting) as unknown });
  await expectFailure(
    place,
    args.map((arg) => (arg === 'FILE' ? file : arg)),
    { exit: 2, code: 'not-allowed' },
  );
  expect(service.files()).toEqual([]);
});

test('allowAccountChange: `outtray login` is refused while a key is there', async () => {
  const service = await ownService();
  const place = await ownPlace(service, { settings: none });
  const ended = await place.run(['login'], { stdin: 'another-key' });
  expect(ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('allowAccountChange') as unknown,
  });
});
