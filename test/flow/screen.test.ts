// What remains on a terminal after uploads with bars, rendered as a person sees it.
import { expect, test } from 'vitest';
import { exitCodes } from '../../src-main/cli/exit-codes.ts';
import { run } from '../../src-main/cli/program.ts';
import { commandEnv } from '../support/flow/command.ts';
import { ioFor } from '../support/flow/in-process.ts';
import { createScreen } from '../support/flow/screen.ts';
import { isDeep } from '../support/deep.ts';
import { within } from '../support/flow/within.ts';
import type { Place } from '../support/flow/place.ts';

/** All files of a test take a second: some ten drawings of the bars. */
const wholeBytes = 400_000;
const settings = { bandwidthBytesPerSecond: 400_000 };

/** Uploads `names` on a terminal, which is resized to each of `sizes` in turn: before a drawing, after the next. */
const uploadOn = async (
  place: Place,
  names: readonly string[],
  [first, ...sizes]: readonly [number, number][],
  more: readonly string[] = [],
) => {
  let drawings = 0;
  const screen = createScreen(...(first ?? [80, 24]), (text) => {
    if (!/\d%/.test(text)) return undefined;
    drawings += 1;
    const next = sizes.shift();
    if (next === undefined) return undefined;
    const resize = (): void => screen.resize(...next);
    if (drawings % 2 === 0) return resize;
    resize();
    return undefined;
  });
  const io = ioFor({
    env: commandEnv(place.env),
    cwd: place.folder,
    write: () => undefined,
  });
  const code = await run([...more, 'upload', ...names], {
    ...io,
    stdout: screen.stream,
    stderr: screen.stream,
  });
  return { code, drawings, lines: await screen.lines() };
};

const put = async (place: Place, count: number): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, at) => `file ${at + 1}.bin`);
  for (const [at, name] of names.entries()) await place.put(name, Buffer.alloc(wholeBytes / count, at + 1));
  return names;
};

const isBar = (line: string): boolean => /[━─]|\d%/.test(line);

const briefly = [
  [80, 24, 6],
  [40, 10, 40],
] as const;
test.each(briefly)(
  '%i columns and %i lines keep the links of %i files, and no bar',
  async (columns, rows, count) => {
    await within({ settings }, async (service, place) => {
      const names = await put(place, count);
      const { code, drawings, lines } = await uploadOn(place, names, [[columns, rows]]);
      expect(code).toBe(0);
      expect(drawings).toBeGreaterThan(2);
      for (const { link } of service.files())
        expect(lines.filter((line) => line.includes(link))).toHaveLength(1);
      expect(service.files()).toHaveLength(count);
      expect(lines.filter(isBar)).toEqual([]);
      if (count > 1) expect(lines.at(-1)).toBe(`${count} uploaded.`);
    });
  },
);

const sizes = [
  [80, 24],
  [40, 10],
  [200, 50],
] as const;
const everyCell = sizes.flatMap(([columns, rows]) =>
  [1, 6, 40].map((count) => [columns, rows, count] as const),
);

test.each(isDeep ? everyCell : everyCell.filter(([columns, , count]) => (columns === 40 ? 40 : 6) === count))(
  '%i columns and %i lines, resized meanwhile, keep the links of %i files, the held and the failed ones, and no bar',
  async (columns, rows, count) => {
    await within({ settings }, async (service, place) => {
      const names = await put(place, count);
      await place.put('id_rsa', 'a name like that of a secret');
      // The largest: after it the service is known to refuse files of that size.
      await place.put('refused.bin', Buffer.alloc(wholeBytes + 1));
      const onRefused = { filename: 'refused.bin' };
      service.faults.add({ match: onRefused, fault: { kind: 'answer', at: 'headers', status: 413 } });
      const half = Math.ceil(count / 2);
      const { code, lines } = await uploadOn(
        place,
        [...names.slice(0, half), 'id_rsa', 'refused.bin', ...names.slice(half)],
        [
          [columns, rows],
          [columns - 20, rows],
          [columns + 30, 12],
          [36, 8],
          [columns, rows],
          [40, 5],
        ],
      );
      expect(code).toBe(exitCodes.someFailed);
      expect(service.files()).toHaveLength(count);
      for (const { link } of service.files())
        expect(lines.filter((line) => line.includes(link))).toHaveLength(1);
      expect(lines.filter(isBar)).toEqual([]);
      expect(lines.at(-1)).toBe(`${count} uploaded, 1 held, 1 failed.`);
      for (const name of ['id_rsa: ', 'refused.bin: '])
        expect(lines.filter((line) => line.startsWith(name))).toHaveLength(1);
    });
  },
);

test('lines of the log stand above the bars', async () => {
  await within({ settings }, async (service, place) => {
    const { lines } = await uploadOn(place, await put(place, 6), [[80, 24]], ['--verbose']);
    for (const { link } of service.files())
      expect(lines.filter((line) => line.endsWith(link))).toHaveLength(1);
    expect(lines.some((line) => / (info|debug) /.test(line))).toBe(true);
    expect(lines.filter(isBar)).toEqual([]);
  });
});

test('a terminal without cursor movement gets no bars', async () => {
  await within({ settings }, async (_, place) => {
    const env = { ...place.env, TERM: 'dumb' };
    const { drawings, lines } = await uploadOn({ ...place, env }, await put(place, 6), [[80, 24]]);
    expect(drawings).toBe(0);
    expect(lines.at(-1)).toBe('6 uploaded.');
  });
});
