// `outtray paste` with a real clipboard, where this machine has a display without a screen.
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { startX11, type DesktopSession } from '../support/desktop-session.ts';
import { hasX11 } from '../support/machine.ts';
import { createPlace, openService, type Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;

beforeAll(async () => {
  service = await openService();
  place = await createPlace(service);
});
afterAll(async () => {
  await place.remove();
  await service.close();
});

const kept = (): Promise<string[]> => readdir(path.join(place.home, 'pasted'));

describe.skipIf(!hasX11)('on X11', () => {
  let session: DesktopSession;
  beforeAll(async () => {
    session = await startX11();
  });
  afterAll(() => session.close());

  const copy = (type: string, given: string | Buffer): void => {
    execFileSync('xclip', ['-selection', 'clipboard', '-target', type, '-in'], {
      input: given,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, ...session.env },
    });
  };
  const pasted = (...args: string[]) => place.run(['paste', ...args], { env: session.env });

  test('a text and an image go up under the time; nothing stays on the disk', async () => {
    copy('UTF8_STRING', 'grüße');
    const text = await pasted();
    copy('image/png', Buffer.from('89504e470d0a1a0a', 'hex'));
    const image = await pasted();
    expect([text.code, image.code]).toEqual([0, 0]);
    const [first, second] = service.files();
    expect(text.stdout).toBe(`${first?.link}\n`);
    expect(first?.filename).toMatch(/^Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.txt$/);
    expect(await (await fetch(first?.link ?? '')).text()).toBe('grüße');
    expect(second?.filename).toMatch(/\.png$/);
    expect(await kept()).toEqual([]);
  });

  test('copied files go up themselves, and --copy puts their links in their place', async () => {
    const files = await Promise.all(["it's.txt", 'ünï %41.txt'].map((name) => place.put(`../${name}`, name)));
    copy('text/uri-list', files.map((file) => `file://${encodeURI(file)}\r\n`).join(''));
    const ended = await pasted('--copy', '--format', 'markdown');
    expect(ended).toMatchObject({ code: 0, stderr: '2 links are copied.\n' });
    expect(ended.stdout).toMatch(/^\[it's\.txt\]\(<.*>\)\n\[ünï %41\.txt\]/);
    const now = execFileSync('xclip', ['-selection', 'clipboard', '-out'], {
      env: { ...process.env, ...session.env },
    });
    expect(`${String(now)}\n`).toBe(ended.stdout);
    // A second press of the same keys: its link is no text to upload.
    const [first] = ended.stdout.split('\n');
    copy('UTF8_STRING', first ?? '');
    expect((await pasted('--format', 'markdown')).code).toBe(5);
    expect(await readFile(files[0] ?? '', 'utf8')).toBe("it's.txt");
  });

  test('a text with a secret is held, and stays for the decision', async () => {
    // In parts, so that no scanner takes this file for a leak.
    copy('UTF8_STRING', `key: ${['gh', 'p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('')}\n`);
    const before = service.files().length;
    expect((await pasted()).code).toBe(8);
    expect(await kept()).toHaveLength(1);
    const { lines } = await place.json(['held']);
    await place.run(['cancel', String(lines[0]?.['id'])]);
    copy('UTF8_STRING', 'harmless');
    expect((await pasted()).code).toBe(0);
    expect(await kept()).toEqual([]);
    expect(service.files()).toHaveLength(before + 1);
  });

  test('an empty clipboard is said', async () => {
    copy('UTF8_STRING', '');
    expect(await pasted()).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/There is nothing on the clipboard that can be uploaded\./) as string,
    });
  });
});

test('without a display nothing is uploaded, and it says why', async () => {
  const { code, lines } = await place.json(['paste'], {
    env: { DISPLAY: undefined, WAYLAND_DISPLAY: undefined },
  });
  expect(code).toBe(2);
  expect(lines[0]?.error).toMatchObject({
    message: 'There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set.',
  });
  expect(await kept()).toEqual([]);
});
