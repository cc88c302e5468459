// The one way of the app to the clipboard: nothing is written when an administrator forbids it. Pure; clipboard.ts writes.
import { requireRight, type RightSettings } from '../../contract/rights.ts';
import type { Copied } from './clipboard.ts';

/** Throws `not-allowed`, and what `write` throws. */
export const createCopy =
  (parts: {
    settings: RightSettings;
    hasFocus: () => boolean;
    write: (text: string, hasFocus: boolean) => Promise<Copied>;
  }) =>
  async (text: string): Promise<Copied> => {
    requireRight(parts.settings, 'allowCopy');
    return await parts.write(text, parts.hasFocus());
  };
