// The screenshot programs of the guide on a virtual display: each gives the command a picture and reads its link.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startX11 } from '../support/desktop-session.ts';
import { commandWords } from '../support/flow/command.ts';
import { within } from '../support/flow/within.ts';
import type { Place } from '../support/flow/place.ts';
import type { Service } from '../service/service.ts';
import { lacks } from './support/parts.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../resources/docs/user-guide.md'), 'utf8');
/** What the guide's table says in this column of the program's row. */
const cellOf = (program: string): string =>
  /`(.*)`/.exec(guide.split('\n').find((line) => line.startsWith(`| ${program} `)) ?? '')?.[1] ?? '';

const onDisplay = async (
  act: (service: Service, place: Place, run: (line: string) => Promise<string>) => Promise<void>,
) => {
  await using display = await startX11();
  await within({}, async (service, place) => {
    const bin = path.join(place.root, 'bin');
    mkdirSync(bin);
    const words = commandWords.map((word) => `'${word}'`).join(' ');
    writeFileSync(path.join(bin, 'outtray'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    const env = { ...place.env, ...display.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    await act(service, place, async (line) => {
      const { stdout } = await promisify(execFile)('dbus-run-session', ['sh', '-c', line], {
        env: { ...env, XDG_RUNTIME_DIR: place.root },
        cwd: place.root,
        timeout: 60_000,
      });
      return stdout;
    });
  });
};

/** One file is public, under this name, and its link serves a picture. */
const demandPicture = async (service: Service, name: RegExp, link: string): Promise<void> => {
  expect(service.files()).toEqual([
    expect.objectContaining({ filename: expect.stringMatching(name) as string, link: link.trimEnd() }),
  ]);
  const served = Buffer.from(await (await fetch(link.trimEnd())).arrayBuffer());
  expect(served.subarray(1, 4).toString()).toBe('PNG');
};

test.skipIf(lacks('Xvfb', 'dbus-run-session', 'ksnip'))('ksnip calls its script with a picture', () =>
  onDisplay(async (service, place, run) => {
    const [script, links] = ['upload.sh', 'links'].map((name) => path.join(place.root, name));
    const line = cellOf('ksnip');
    expect(line).toMatch(/^exec outtray upload /);
    // ksnip takes what the script prints as the link; here a copy of it is kept.
    writeFileSync(script ?? '', `#!/bin/sh\n${line.replace(/^exec /, '')} | tee "${links}"\n`, {
      mode: 0o755,
    });
    const config = path.join(place.env['HOME'] ?? '', '.config/ksnip');
    mkdirSync(config, { recursive: true });
    writeFileSync(
      path.join(config, 'ksnip.conf'),
      `[Uploader]\nUploaderType=1\nConfirmBeforeUpload=false\n[UploadScript]\nUploadScriptPath=${script}\nUploadScriptStoOnStdErr=true\n`,
    );
    await run('ksnip --fullscreen --upload');
    await demandPicture(service, /^ksnip_.*\.png$/, readFileSync(links ?? '', 'utf8'));
  }),
);

test.skipIf(lacks('Xvfb', 'dbus-run-session', 'flameshot'))(
  'Flameshot pipes a picture into the command',
  () =>
    onDisplay(async (service, _, run) => {
      const line = cellOf('Flameshot').replaceAll('\\|', '|');
      expect(line).toMatch(/^sh -c 'flameshot gui --raw \| outtray upload - --name shot\.png --copy'$/);
      // `gui` needs a mouse, and --copy a clipboard that lasts.
      const stdout = await run(line.replace('flameshot gui', 'flameshot full').replace(' --copy', ''));
      await demandPicture(service, /^shot\.png$/, stdout);
    }),
);
