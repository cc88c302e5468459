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
/** A line that is longer than a terminal that was just made narrower is cut. */
const noWrap = '\x1b[?7l';
const wrap = '\x1b[?7h';
const eraseBelow = '\r\x1b[J';

/**
 * The cursor rests at the beginning of the line. A terminal that breaks lines anew after a resize keeps it there, so that
 * erasing what follows takes the whole line and no other (ECMA-48: ED; DEC: DECTCEM, DECAWM). It is one line: of several,
 * terminals lose the first when they become narrower.
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
