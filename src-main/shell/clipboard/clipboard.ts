// Writes to the clipboard and reports whether the text certainly arrived. On Wayland the system ignores a program
// without the focus and reports no error. The clipboard is not read to check: macOS would ask the user for permission.
import { clipboard, ClipboardItem } from 'electron';
import { AppError } from '../../contract/errors.ts';
import { requireRight, type RightSettings } from '../../contract/rights.ts';
import type { LinkText } from '../../contract/text/link-text.ts';

export type Copied = { sure: boolean };

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
 * write has a number, `copy`.
 */
export const withMemory = (write: typeof writeClipboard, board: Board, platform: string) => {
  let last = '';
  let writes = 0;
  const isThere = async (): Promise<boolean> => (await board.readText().catch(() => '')) === last;
  return {
    isOurs: (text: string): boolean => writes > 0 && text === last,
    last: (): { copy: number; text: string } => ({ copy: writes, text: last }),
    write(given: LinkText, hasFocus: boolean): Promise<Copied> {
      last = given.text;
      writes += 1;
      return write(given, hasFocus);
    },
    /** `look` may come without a press of the user, so it does not read on macOS, which would ask for permission. */
    async holds(copy: number, act: 'look' | 'clear'): Promise<boolean> {
      if (copy !== writes || writes === 0) return false;
      if (act === 'look' && platform === 'darwin') return true;
      if (!(await isThere())) return false;
      if (act === 'clear') board.clear();
      return true;
    },
  };
};

/** The one way of the app to the clipboard. Throws `not-allowed` when a policy forbids it, and what `write` throws. */
export const createCopy =
  (parts: {
    settings: RightSettings;
    hasFocus: () => boolean;
    write: (text: LinkText, hasFocus: boolean) => Promise<Copied>;
  }) =>
  async (text: LinkText): Promise<Copied> => {
    requireRight(parts.settings, 'allowCopy');
    return await parts.write(text, parts.hasFocus());
  };
