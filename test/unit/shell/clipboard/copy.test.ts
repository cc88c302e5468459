import { expect, test } from 'vitest';
import { createCopy } from '../../../../src-main/shell/clipboard/copy.ts';
import { createFakeSettings } from '../../../support/fake-ports.ts';

test('the app copies only what an administrator does not forbid', async () => {
  const settings = createFakeSettings();
  const written: string[] = [];
  const copy = createCopy({
    settings,
    hasFocus: () => true,
    async write(text, hasFocus) {
      written.push(text);
      return { sure: hasFocus };
    },
  });
  expect(await copy('a link')).toEqual({ sure: true });
  await settings.set('allowCopy', false);
  await expect(copy('another link')).rejects.toMatchObject({
    code: 'not-allowed',
    message: 'Nothing can be copied to the clipboard: the setting allowCopy is false.',
  });
  expect(written).toEqual(['a link']);
});
