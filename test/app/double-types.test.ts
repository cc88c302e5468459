// The stand-in for Electron offers nothing that Electron does not have, and lists what it lacks.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canLaunch, launchApp, onRealElectron, type RunningApp } from '../support/app.ts';
import { lackingModules } from '../support/electron-double/known-lacks.ts';
import { readElectronTypes } from '../support/electron-types.ts';

declare const bridge: { modules: [name: string, members: string[]][] };

describe.skipIf(!canLaunch || onRealElectron)("the stand-in compared with Electron's own types", () => {
  let home: string;
  let app: RunningApp;
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'outtray-double-'));
    app = await launchApp({ home, folder: path.join(import.meta.dirname, 'fixture') });
    await app.window.getByText('ready', { exact: true }).waitFor();
  });
  afterAll(async () => {
    await app.quit();
    await rm(home, { recursive: true, force: true });
  });

  /** What the stand-in offers: members of each export and of what hangs below them, events, static members. */
  const offered = (): Promise<Record<string, { members: string[]; statics: string[]; emits: string[] }>> =>
    app.electron.evaluate((electron) => {
      type Any = Record<string, unknown> & { constructor: { name: string; emits?: string[] | null } };
      const ends = ['EventEmitter', 'Object', 'Function'];
      const membersOf = (value: unknown): string[] => {
        const names: string[] = [];
        for (
          let at = value as Any | null;
          at && (at === value || !ends.includes(at.constructor.name));
          at = Object.getPrototypeOf(at) as Any | null
        )
          names.push(
            ...Object.getOwnPropertyNames(at).filter(
              (name) => name !== 'constructor' && !name.startsWith('_'),
            ),
          );
        return names;
      };
      const shape = (value: unknown): { members: string[]; statics: string[]; emits: string[] } => {
        if (typeof value !== 'function')
          return { members: membersOf(value), statics: [], emits: (value as Any).constructor.emits ?? [] };
        const made = value as unknown as { prototype: object; emits?: string[] };
        const own = ['length', 'name', 'prototype', 'emits'];
        const statics = Object.getOwnPropertyNames(made).filter((name) => !own.includes(name));
        return { members: membersOf(made.prototype), statics, emits: made.emits ?? [] };
      };
      const [window] = electron.BrowserWindow.getAllWindows();
      const below = {
        CommandLine: electron.app.commandLine,
        NativeImage: electron.nativeImage.createEmpty(),
        Session: window?.webContents.session,
        WebContents: window?.webContents,
        WebFrameMain: window?.webContents.mainFrame,
        WebRequest: window?.webContents.session.webRequest,
      };
      return Object.fromEntries(
        Object.entries({ ...electron, ...below }).map(([name, value]) => [name, shape(value)]),
      );
    });

  const types = readElectronTypes();

  test('every member, static member and event it offers exists in Electron', async () => {
    const invented: string[] = [];
    for (const [name, { members, statics, emits }] of Object.entries(await offered())) {
      // A class's static side is compared with the class, its instances with its members.
      const known = {
        members: types.members(name),
        statics: types.statics(name),
        events: types.events(name),
      };
      invented.push(
        ...members.filter((one) => !known.members.has(one)).map((one) => `${name}.${one}`),
        ...statics.filter((one) => !known.statics.has(one)).map((one) => `static ${name}.${one}`),
        ...emits.filter((one) => !known.events.has(one)).map((one) => `${name} event ${one}`),
      );
    }
    expect(invented).toEqual([]);
  });

  test('everything the preload gets exists in Electron', async () => {
    for (const [name, members] of await app.window.evaluate(() => bridge.modules)) {
      const known = types.members(
        { ipcRenderer: 'IpcRenderer', contextBridge: 'ContextBridge', webUtils: 'WebUtils' }[name] ?? name,
      );
      expect(members.filter((one) => !known.has(one) && !['listenerCount'].includes(one))).toEqual([]);
    }
  });

  test('every module of Electron is offered or knowingly omitted', async () => {
    const names = Object.keys(await offered());
    const neither = types.mainModules.filter((name) => !names.includes(name) && !(name in lackingModules));
    expect(neither).toEqual([]);
    expect(Object.keys(lackingModules).filter((name) => names.includes(name))).toEqual([]);
    expect(Object.keys(lackingModules).filter((name) => !types.mainModules.includes(name))).toEqual([]);
  });
});
