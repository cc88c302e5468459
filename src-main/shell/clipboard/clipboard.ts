// Writes to the clipboard and reports whether the text certainly arrived. On Wayland the system ignores a program
// without the focus and reports no error. The clipboard is not read to check: macOS would ask the user for permission.
import { clipboard, ClipboardItem } from 'electron';
import { AppError } from '../../contract/errors.ts';
import { requireRight, type RightSettings } from '../../contract/rights.ts';
import type { LinkText } from '../../contract/text/link-text.ts';

export type Copied = { sure: boolean };

/** Whose links the clipboard has, as far as Outtray knows. `later`: they are being written. */
export type ClipboardContent = { uploadIds: readonly number[]; copy: 'later' | 'done' | 'unsure' };
export const otherContent: ClipboardContent = { uploadIds: [], copy: 'done' };
/** Whether what was copied before is gone with it. */
export const isLoss = (content: ClipboardContent): boolean =>
  content.copy === 'later' || content === otherContent;

/** Throws `internal` when the system refuses. `hasFocus`: one of our windows has it. */
export const writeClipboard = async ({ text, html }: LinkText, hasFocus: boolean): Promise<Copied> => {
  try {
    if (html === undefined) await clipboard.writeText(text);
    else await clipboard.write([new ClipboardItem({ 'text/plain': text, 'text/html': html })]);
  } catch (cause) {
    throw new AppError('internal', 'The system does not take the text for its clipboard.', 'Copy again.', {
      cause,
    });
  }
  return { sure: hasFocus || !isWayland(process.platform, process.env) };
};

/** Whether this session is drawn by Wayland and the app takes part in it natively. */
export const isWayland = (platform: string, env: NodeJS.ProcessEnv): boolean =>
  platform === 'linux' && (env['WAYLAND_DISPLAY'] ?? '') !== '' && env['XDG_SESSION_TYPE'] !== 'x11';

type Board = Pick<typeof clipboard, 'readText' | 'clear'>;

/**
 * Remembers the text that it wrote last: a second press of the shortcut must not upload the link of the first. Each
 * write has a number, `copy`. `lost` is called when that text is found to be gone.
 */
export const withMemory = (
  write: typeof writeClipboard,
  board: Board,
  platform: string,
  lost: () => void = () => undefined,
) => {
  let last = '';
  let writes = 0;
  let written = 0;
  const isThere = async (): Promise<boolean> => (await board.readText().catch(() => '')) === last;
  return {
    isOurs: (text: string): boolean => writes > 0 && text === last,
    last: (): { copy: number; text: string } => ({ copy: writes, text: last }),
    async write(given: LinkText, hasFocus: boolean): Promise<Copied> {
      last = given.text;
      writes += 1;
      return await write(given, hasFocus).finally(() => (written += 1));
    },
    /** `look` may come without a press of the user, so it does not read on macOS, which would ask for permission. */
    async holds(copy: number, act: 'look' | 'clear'): Promise<boolean> {
      if (copy !== writes || writes === 0) return false;
      if (act === 'look' && platform === 'darwin') return true;
      const isWritten = written === writes;
      const isHeld = await isThere();
      if (isHeld && act === 'clear') board.clear();
      if (isWritten && copy === writes && (!isHeld || act === 'clear')) lost();
      return isHeld;
    },
  };
};

/**
 * The one way of the app to the clipboard. Throws `not-allowed` when a policy forbids it, and what `write` throws. `told`
 * hears of each write before and after it; `uploadIds`: whose links these are.
 */
export const createCopy =
  (parts: {
    settings: RightSettings;
    hasFocus: () => boolean;
    write: (text: LinkText, hasFocus: boolean) => Promise<Copied>;
    told: (content: ClipboardContent) => void;
  }) =>
  async (text: LinkText, uploadIds: readonly number[] = []): Promise<Copied> => {
    requireRight(parts.settings, 'allowCopy');
    parts.told({ uploadIds, copy: 'later' });
    try {
      const copied = await parts.write(text, parts.hasFocus());
      parts.told({ uploadIds, copy: copied.sure ? 'done' : 'unsure' });
      return copied;
    } catch (error) {
      parts.told(otherContent);
      throw error;
    }
  };
