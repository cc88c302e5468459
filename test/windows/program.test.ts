// The program of the packages with the pipes of Windows: what a shell, a script and an agent give it.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lacks } from '../real/support/parts.ts';
import type { Service } from '../service/service.ts';
import { apiKey, openService } from '../support/flow/place.ts';
import { storedAs } from '../support/flow/wire.ts';
import { version } from '../../src-main/adapters/version.ts';
import { windowsPath } from './support/computer.ts';
import { computer, outtray, put, run } from './support/outtray.ts';

type Said = { code: number; out: string; err: string; answers: { result?: Record<string, unknown> }[] };

let service: Service;
const env = () => ({ OUTTRAY_BASE_URL: service.baseUrl, OUTTRAY_API_KEY: apiKey });

/** Starts the program by the Node of Windows, so that its pipes are those of Windows (support/pipes.mjs). */
const piped = async (task: object): Promise<Said> => {
  cpSync(path.join(import.meta.dirname, 'support/pipes.mjs'), path.join(computer.place, 'pipes.mjs'));
  const script = windowsPath(path.join(computer.place, 'pipes.mjs'));
  const program = windowsPath(computer.program);
  const ended = await run([computer.node, script, program, JSON.stringify(task)], { env: env() });
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout) as Said;
};

describe.skipIf(lacks('wine'))('the program on Windows', () => {
  beforeAll(async () => {
    service = await openService();
    rmSync(path.join(computer.home, 'AppData/Local/outtray'), { recursive: true, force: true });
  });
  afterAll(() => service.close());

  test('its output begins with its first byte and ends with one line', async () => {
    expect(await outtray(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    expect(await piped({ args: ['--version'] })).toMatchObject({ code: 0, out: `${version}\n` });
  });

  test('reads three megabytes from a pipe, and gives one line for a link', async () => {
    const upload = await piped({ args: ['upload', '-', '--name', 'piped.bin'], bytes: 3_000_000 });
    expect(upload).toMatchObject({ code: 0, err: '' });
    const link = await piped({ args: ['link', 'piped.bin'] });
    expect(link.out).toBe(upload.out);
    expect(link.out).toMatch(/^http\S+\n$/);
    expect(storedAs(service, Buffer.alloc(3_000_000, 'abc').toString())[0]?.link).toBe(link.out.trim());
  });

  test('reads a list of files, and a pipe of the command prompt', async () => {
    put('piped', { 'a b & 100% ^x.txt': 'from a list', 'typed.txt': 'typed' });
    const cwd = path.join(computer.home, 'piped');
    const listed = await piped({
      args: ['upload', '--files-from', '-'],
      input: 'a b & 100% ^x.txt\n',
      cwd: 'piped',
    });
    expect(listed).toMatchObject({ code: 0, err: '' });
    put('piped', {
      'pipe.bat': `@type typed.txt | "${windowsPath(computer.program)}" upload - --name typed-2.txt\r\n`,
    });
    expect(await run(['cmd', '/c', 'pipe.bat'], { cwd, env: env() })).toMatchObject({ code: 0 });
    expect(service.files().map(({ filename }) => filename)).toContain('typed-2.txt');
  });

  test('serves an agent, and ends with its input', async () => {
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const said = await piped({
      args: ['mcp'],
      requests: [
        ['initialize', hello],
        ['tools/list', {}],
      ],
    });
    expect(said.code).toBe(0);
    expect(said.answers[0]).toMatchObject({ result: { serverInfo: { version } } });
    expect(JSON.stringify(said.answers[1])).toContain('upload_files');
  });

  test('uploads from a share, which a process of its own reads', async () => {
    put('of-the-server', { 'shared.txt': 'from a share' });
    // Wine finds shares here.
    const server = path.join(computer.env['WINEPREFIX'] ?? '', 'dosdevices/unc/nas');
    mkdirSync(server, { recursive: true });
    symlinkSync(path.join(computer.home, 'of-the-server'), path.join(server, 'share'));
    const { code, stderr } = await outtray(['upload', String.raw`\\nas\share\shared.txt`], { env: env() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(service.files().map(({ filename }) => filename)).toContain('shared.txt');
  });

  test('runs nothing that NODE_OPTIONS names, and has names and a version of its own', async () => {
    const hostile = { ...env(), NODE_OPTIONS: '--require Z:/no/such.js' };
    expect(await run([windowsPath(computer.program), '--version'], { env: hostile })).toMatchObject({
      code: 0,
    });
    const text = readFileSync(computer.program).toString('utf16le');
    const odd = readFileSync(computer.program).subarray(1).toString('utf16le');
    expect(text.includes('Outtray command') || odd.includes('Outtray command')).toBe(true);
    expect(text.includes('Node.js JavaScript Runtime') || odd.includes('Node.js JavaScript Runtime')).toBe(
      false,
    );
  });
});
