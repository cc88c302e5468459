// How Outtray starts itself, in each form in which it is installed.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  childCommand,
  commandAgain,
  packagedProgram,
  sharingWords,
  type Running,
} from '../../src-main/adapters/system/own-program.ts';

const cli = path.resolve('/repo/cli.ts');
const child = path.resolve('/repo/child.ts');
const node = { node: '24.21.0' } as NodeJS.ProcessVersions;
const electron = { ...node, electron: '45.3.4' };
const upload = ['upload', '--copy', '--'];

const forms: Record<
  string,
  {
    running: Running;
    isInside?: boolean;
    program: string | null;
    child: string[];
    again: string[];
    share?: string[];
  }
> = {
  'Node with a file: a checkout, or npm': {
    running: { platform: 'linux', execPath: '/n/node', versions: node, argv: ['/n/node', cli], env: {} },
    program: null,
    child: ['/n/node', child],
    again: ['/n/node', cli],
  },
  'the program of the packages': {
    running: {
      platform: 'linux',
      execPath: '/p/outtray',
      versions: node,
      argv: ['/p/outtray', 'x'],
      env: {},
    },
    isInside: true,
    program: '/p/outtray',
    child: ['/p/outtray', '--keychain-child'],
    again: ['/p/outtray'],
  },
  'the program on a terminal of another AppImage': {
    running: {
      platform: 'linux',
      execPath: '/p/outtray',
      versions: node,
      argv: [],
      env: { APPIMAGE: '/a/Editor.AppImage', APPDIR: '/tmp/.mount_Editor' },
    },
    isInside: true,
    program: '/p/outtray',
    child: ['/p/outtray', '--keychain-child'],
    again: ['/p/outtray'],
  },
  'the program inside our AppImage': {
    running: {
      platform: 'linux',
      execPath: '/tmp/.mount_Outtray/program/outtray',
      versions: node,
      argv: [],
      env: { APPIMAGE: '/home/a/Outtray.AppImage', APPDIR: '/tmp/.mount_Outtray' },
    },
    isInside: true,
    program: '/tmp/.mount_Outtray/program/outtray',
    child: ['/tmp/.mount_Outtray/program/outtray', '--keychain-child'],
    again: ['/home/a/Outtray.AppImage'],
  },
  'the installed app on Linux': {
    running: {
      platform: 'linux',
      execPath: '/opt/Outtray/outtray',
      resourcesPath: '/opt/Outtray/resources',
      versions: electron,
      argv: [],
      env: {},
    },
    program: '/opt/Outtray/program/outtray',
    child: ['/opt/Outtray/program/outtray', '--keychain-child'],
    again: ['/opt/Outtray/program/outtray'],
  },
  'the installed app on macOS': {
    running: {
      platform: 'darwin',
      execPath: '/Applications/Outtray.app/Contents/MacOS/Outtray',
      resourcesPath: '/Applications/Outtray.app/Contents/Resources',
      versions: electron,
      argv: [],
      env: {},
    },
    program: '/Applications/Outtray.app/Contents/Helpers/outtray',
    child: ['/Applications/Outtray.app/Contents/Helpers/outtray', '--keychain-child'],
    again: ['/Applications/Outtray.app/Contents/Helpers/outtray'],
  },
  'the installed app on Windows': {
    running: {
      platform: 'win32',
      execPath: String.raw`C:\P\Outtray\Outtray.exe`,
      resourcesPath: String.raw`C:\P\Outtray\resources`,
      versions: electron,
      argv: [],
      env: {},
    },
    program: String.raw`C:\P\Outtray\bin\outtray.exe`,
    child: [String.raw`C:\P\Outtray\bin\outtray.exe`, '--keychain-child'],
    again: [String.raw`C:\P\Outtray\bin\outtray.exe`],
    share: [String.raw`C:\P\Outtray\Outtray.exe`, '--share'],
  },
  'the command alone on Windows': {
    running: {
      platform: 'win32',
      execPath: String.raw`C:\tools\outtray\outtray.exe`,
      versions: node,
      argv: [],
      env: {},
    },
    isInside: true,
    program: String.raw`C:\tools\outtray\outtray.exe`,
    child: [String.raw`C:\tools\outtray\outtray.exe`, '--keychain-child'],
    again: [String.raw`C:\tools\outtray\outtray.exe`],
  },
  'an Electron that was given the folder of a checkout': {
    running: {
      platform: 'linux',
      execPath: '/e/electron',
      resourcesPath: '/e/resources',
      versions: electron,
      defaultApp: true,
      argv: ['/e/electron', cli],
      // Without a Node in PATH the executable is the best guess.
      env: { PATH: '/nowhere' },
    },
    program: null,
    child: ['/e/electron', child],
    again: ['/e/electron', cli],
  },
};

describe.each(Object.entries(forms))('%s', (_name, form) => {
  const { running, isInside = false } = form;
  test('names the program of the packages', () => {
    expect(packagedProgram(running, isInside)).toBe(form.program);
  });
  test('starts a child, itself and an entry', () => {
    const { file, args } = childCommand('keychain', pathToFileURL(child), running, isInside);
    expect([file, ...args]).toEqual(form.child);
    const again = commandAgain(running, isInside);
    expect([again.file, ...again.args]).toEqual(form.again);
    expect(sharingWords(running, isInside)).toEqual(form.share ?? [...form.again, ...upload]);
  });
});
