// Programs that the command starts inherit its environment; the key is not in it.
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../service/service.ts';
import { eventually } from '../support/flow/poll.ts';
import { ownPlace, ownService } from '../support/flow/own.ts';
import { apiKey, type Place } from '../support/flow/place.ts';

let service: Service;
let place: Place;
let bin: string;
let seen: string;

/** Stands for a program of the system, and writes down the environment that it gets. */
const standIn = async (name: string, prints = ''): Promise<void> => {
  const script = `#!/bin/sh\n/usr/bin/env >"${seen}/${name}.$$"\n/bin/cat >/dev/null </dev/null\n${prints}\nexit 0\n`;
  await writeFile(path.join(bin, name), script);
  await chmod(path.join(bin, name), 0o755);
};
const environmentsOf = async (name: string): Promise<string[]> => {
  const files = (await readdir(seen)).filter((file) => file.startsWith(`${name}.`));
  return await Promise.all(files.map((file) => readFile(path.join(seen, file), 'utf8')));
};
const env = (more: Record<string, string> = {}) => ({
  PATH: `${bin}:${process.env['PATH'] ?? ''}`,
  WAYLAND_DISPLAY: 'wayland-0',
  ...more,
});

const onX11 = { WAYLAND_DISPLAY: '', DISPLAY: ':9' };

beforeEach(async () => {
  service = await ownService();
  place = await ownPlace(service);
  bin = path.join(place.root, 'bin');
  seen = path.join(place.root, 'seen');
  await mkdir(bin);
  await mkdir(seen);
});

describe.skipIf(process.platform !== 'linux')('no program that Outtray starts sees the key:', () => {
  test.each([
    ['xdg-open', ['link', 'a.txt', '--open']],
    ['wl-paste', ['paste']],
    ['wl-copy', ['upload', 'a.txt', '--copy']],
    ['xclip', ['paste'], onX11],
    ['xclip', ['upload', 'a.txt', '--copy'], onX11],
  ])('%s of `outtray %s`', async (program, args, display: Record<string, string> = {}) => {
    await standIn(program);
    const file = await place.put('../a.txt', 'content');
    expect((await place.run(['upload', file])).code).toBe(0);
    await place.run(args, { env: env(display) });
    const [environment] = await eventually(`${program} was started`, async () => {
      const all = await environmentsOf(program);
      return all.length > 0 && all[0] !== '' ? all : undefined;
    });
    expect(environment).toContain('PATH=');
    expect(environment).not.toContain(apiKey);
    expect(environment).not.toContain('OUTTRAY_API_KEY');
  });

  test('the key command, which runs where the variable is empty', async () => {
    await standIn('give-key', `echo ${apiKey}`);
    await place.run(['settings', 'set', 'keyCommand', path.join(bin, 'give-key')]);
    expect((await place.run(['stats'], { env: env({ OUTTRAY_API_KEY: '' }) })).code).toBe(0);
    const all = await environmentsOf('give-key');
    expect(all).toHaveLength(1);
    expect(all.join('')).not.toContain('OUTTRAY_API_KEY');
  });
});
