// A terminal as a person sees it: what a program writes is rendered, with its history above the screen.
import { Writable } from 'node:stream';
import xterm from '@xterm/headless';
import type { OutStream } from '../../../src-main/cli/io.ts';

export type Screen = {
  /** Both outputs of a command. */
  stream: OutStream;
  resize(columns: number, rows: number): void;
  /** History and screen as lines, whole where the terminal broke them, without the empty ones at the end. */
  lines(): Promise<string[]>;
};

/** `wrote` gets each piece of output before it is rendered; the function that it returns is called afterwards. */
export const createScreen = (
  columns: number,
  rows: number,
  wrote: (text: string) => (() => void) | undefined,
): Screen => {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    convertEol: true,
    allowProposedApi: true,
  });
  const stream: OutStream = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        const next = wrote(chunk.toString());
        terminal.write(chunk);
        next?.();
        done();
      },
    }),
    { isTTY: true, columns },
  );
  return {
    stream,
    resize(toColumns, toRows) {
      Object.assign(stream, { columns: toColumns });
      // Earlier output is rendered in the size that it was written for.
      terminal.write('', () => terminal.resize(toColumns, toRows));
    },
    async lines() {
      await new Promise<void>((rendered) => terminal.write('', rendered));
      const { active } = terminal.buffer;
      const lines: string[] = [];
      for (let at = 0; at < active.length; at += 1) {
        const line = active.getLine(at);
        const text = line?.translateToString(true) ?? '';
        if (line?.isWrapped === true) lines.push(`${lines.pop() ?? ''}${text}`);
        else lines.push(text);
      }
      while (lines.at(-1) === '') lines.pop();
      return lines;
    },
  };
};
