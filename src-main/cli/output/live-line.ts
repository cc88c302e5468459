// The last line of a terminal, drawn again and again while other lines are printed above it.
import type { OutStream } from '../io.ts';

export type LiveLine = {
  /** Draws `text` in place of the one before. */
  show(text: string): void;
  /** Calls `write`, which prints whole lines, above it. */
  above(write: () => void): void;
  /** Erases it. */
  end(): void;
};

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
/** A terminal that was just made narrower cuts a longer line instead of wrapping it. */
const noWrap = '\x1b[?7l';
const wrap = '\x1b[?7h';
const eraseBelow = '\r\x1b[J';

/**
 * The cursor rests at the beginning of the line. A terminal that rewraps lines after a resize keeps the cursor there,
 * so erasing from the cursor removes this line and no other (ECMA-48: ED; DEC: DECTCEM, DECAWM). Several lines are not
 * possible: a terminal that becomes narrower moves the cursor below the first of them.
 */
export const createLiveLine = (stream: OutStream): LiveLine => {
  let shown = '';
  const draw = (): void => {
    if (shown !== '') stream.write(`${hideCursor}${noWrap}${eraseBelow}${shown}\r${wrap}`);
  };
  const erase = (): void => {
    if (shown !== '') stream.write(`${eraseBelow}${showCursor}`);
  };
  return {
    show(text) {
      shown = text;
      draw();
    },
    above(write) {
      erase();
      write();
      draw();
    },
    end() {
      erase();
      shown = '';
    },
  };
};
