// `outtray paste` with a real clipboard, where this machine has a display without a screen.
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDeep } from '../support/deep.ts';
import { startWayland, startX11, type DesktopSession } from '../support/desktop-session.ts';
import { hasWayland, hasX11 } from '../support/machine.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey } from '../support/flow/place.ts';
import { eventually } from '../support/flow/poll.ts';

const service = await ownService();
const place = await ownPlace(service);

const kept = (): Promise<string[]> => readdir(path.join(place.home, 'pasted'));

/** An empty square. */
const pictureOf = (size: number): Buffer => PNG.sync.write(new PNG({ width: size, height: size }));

/** The clipboard's own programs: what copies bytes as a type, and what reads a text. */
type Desktop = {
  name: string;
  isHere: boolean;
  start: () => Promise<DesktopSession>;
  copying: (type: string) => [string, ...string[]];
  reading: [string, ...string[]];
  /** Its option for one type. */
  readingType: string;
};
const desktops: Desktop[] = [
  {
    name: 'on X11',
    isHere: hasX11,
    start: startX11,
    copying: (type) => ['xclip', '-selection', 'clipboard', '-target', type, '-in'],
    reading: ['xclip', '-selection', 'clipboard', '-out'],
    readingType: '-target',
  },
  {
    name: 'on Wayland',
    // The programs of the clipboard are tested on both (clipboard.test.ts).
    isHere: hasWayland && (isDeep || !hasX11),
    start: startWayland,
    copying: (type) => ['wl-copy', '--type', type],
    reading: ['wl-paste', '--no-newline'],
    readingType: '--type',
  },
];

/** Of the clipboard: then its content is copied again. */
const looksBeforeAgain = 200;

for (const { name, isHere, start, copying, reading, readingType } of desktops)
  describe.skipIf(!isHere)(name, () => {
    let session: DesktopSession;
    let first = 0;
    beforeAll(async () => {
      session = await start();
      first = service.files().length;
    });
    afterAll(() => session.close());

    const ask = ([program, ...args]: [string, ...string[]]): Buffer =>
      execFileSync(program, args, {
        env: { ...process.env, ...session.env },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    /** The program continues in the background, and another one may take the clipboard after it. */
    const copy = async (type: string, given: string | Buffer): Promise<void> => {
      const [program, ...args] = copying(type);
      const take = (): void => {
        execFileSync(program, args, {
          input: given,
          stdio: ['pipe', 'ignore', 'ignore'],
          env: { ...process.env, ...session.env },
        });
      };
      let looks = 0;
      await eventually('the clipboard has it', () => {
        if (looks % looksBeforeAgain === 0) take();
        looks += 1;
        try {
          return ask([...reading, readingType, type]).equals(Buffer.from(given));
        } catch {
          return false;
        }
      });
    };
    const pasted = (...args: string[]) => place.run(['paste', ...args], { env: session.env });

    test('a text and an image are uploaded, named after the time; nothing stays on the disk', async () => {
      await copy('UTF8_STRING', `grüße ${name}`);
      const text = await pasted();
      await copy('image/png', pictureOf(name.length));
      const image = await pasted();
      expect([text.code, image.code]).toEqual([0, 0]);
      const [words, picture] = service.files().slice(first);
      expect(text.stdout).toBe(`${words?.link}\n`);
      expect(words?.filename).toMatch(/^Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.txt$/);
      expect(await (await fetch(words?.link ?? '')).text()).toBe(`grüße ${name}`);
      expect(picture?.filename).toMatch(/\.png$/);
      expect(await kept()).toEqual([]);
    });

    test('copied files are uploaded themselves, and --copy replaces them with their links', async () => {
      const files = await Promise.all(
        ["it's.txt", 'ünï %41.txt'].map((name) => place.put(`../${name}`, name)),
      );
      await copy('text/uri-list', files.map((file) => `file://${encodeURI(file)}\r\n`).join(''));
      const ended = await pasted('--copy', '--format', 'markdown');
      expect(ended).toMatchObject({ code: 0, stderr: '2 links are copied.\n' });
      expect(ended.stdout).toMatch(/^\[it's\.txt\]\(.*\)\n\[ünï %41\.txt\]/);
      expect(`${String(ask(reading))}\n`).toBe(ended.stdout);
      // A second press of the same keys: the links are not a text to upload, in whatever form they were copied.
      const before = service.files().length;
      const template = '{name}:\n{link}\n';
      for (const form of isDeep ? ['markdown', 'plain', 'html', 'bbcode', template] : ['html', template]) {
        await copy('text/uri-list', files.map((file) => `file://${encodeURI(file)}\r\n`).join(''));
        const again = await pasted('--copy', '--format', form);
        expect(again.stderr).toContain('2 links are copied.');
        for (const format of form === template ? [form] : ['markdown', 'plain']) {
          await copy('UTF8_STRING', again.stdout);
          expect((await pasted('--format', format)).code).toBe(5);
        }
        await copy('UTF8_STRING', again.stdout.split('\n')[0] ?? '');
        if (form !== template) expect((await pasted()).code).toBe(5);
      }
      expect(service.files()).toHaveLength(before);
      expect(await readFile(files[0] ?? '', 'utf8')).toBe("it's.txt");
    });

    test('of copied files only those on this computer are uploaded; the others are reported', async () => {
      const before = service.files().length;
      const file = await place.put('../here.txt', `here ${name}`);
      const remote = 'sftp://anna@intranet.example/payroll.xlsx';
      await copy('x-special/gnome-copied-files', `copy\nfile://${file}\n${remote}`);
      const mixed = await pasted();
      expect(mixed.code).toBe(0);
      expect(mixed.stderr).toContain('1 copied file is left out');
      await copy('text/uri-list', `${remote}\r\n`);
      expect(await pasted()).toMatchObject({ code: 2, stdout: '' });
      expect(service.files()).toHaveLength(before + 1);
      expect(await kept()).toEqual([]);
    });

    test.each([
      // In parts, so that no scanner takes this file for a leak.
      ['a secret', ['gh', 'p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('')],
      ['the own key', apiKey],
    ])('a text with %s is held, and stays until it is decided', async (what, secret) => {
      await copy('UTF8_STRING', `word: ${secret}\n`);
      const before = service.files().length;
      expect((await pasted()).code).toBe(8);
      expect(await kept()).toHaveLength(1);
      const { lines } = await place.json(['held']);
      await place.run(['cancel', String(lines[0]?.['queueId'])]);
      await copy('UTF8_STRING', `harmless ${name}, not ${what}`);
      expect((await pasted()).code).toBe(0);
      expect(await kept()).toEqual([]);
      expect(service.files()).toHaveLength(before + 1);
    });

    test('where only some folders are allowed, files in them are uploaded and a text or an image is not', async () => {
      const before = service.files().length;
      const file = await place.put('../allowed/a.txt', `allowed ${name}`);
      await place.run(['settings', 'set', 'allowedRoots', path.dirname(file)]);
      await copy('UTF8_STRING', 'lies nowhere');
      const text = await pasted();
      await copy('text/uri-list', `file://${file}\r\n`);
      const named = await pasted();
      await place.run(['settings', 'set', 'allowedRoots', '']);
      expect(text).toMatchObject({ code: 2, stdout: '' });
      expect(text.stderr).toContain('Save it there as a file');
      expect(await kept()).toEqual([]);
      expect(named.code).toBe(0);
      expect(service.files()).toHaveLength(before + 1);
    });

    test('an empty clipboard is reported', async () => {
      await copy('UTF8_STRING', '');
      expect(await pasted()).toMatchObject({
        code: 5,
        stderr: expect.stringMatching(/There is nothing on the clipboard that can be uploaded\./) as string,
      });
    });
  });

test('without a display nothing is uploaded, and the reason is reported', async () => {
  const { code, lines } = await place.json(['paste'], {
    env: { DISPLAY: undefined, WAYLAND_DISPLAY: undefined },
  });
  expect(code).toBe(2);
  expect(lines[0]?.error).toMatchObject({
    message: 'There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.',
  });
  expect(await kept()).toEqual([]);
});
