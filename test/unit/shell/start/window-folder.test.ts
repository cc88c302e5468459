import { expect, test } from 'vitest';
import { windowFolderOf } from '../../../../src-main/shell/start/window-folder.ts';

test('on macOS the window keeps its files beside the data folder, not in it under a name with a capital', () => {
  const appData = '/Users/me/Library/Application Support';
  const folder = windowFolderOf('darwin', appData, false);
  expect(folder).toBe(`${appData}/app.outtray.desktop`);
  expect(folder?.toLowerCase()).not.toBe(`${appData}/outtray`.toLowerCase());
});

test('elsewhere, and where the folder was named, Electron’s choice stands', () => {
  expect(windowFolderOf('darwin', '/x', true)).toBeNull();
  expect(windowFolderOf('win32', 'C:\\x', false)).toBeNull();
  expect(windowFolderOf('linux', '/home/me/.config', false)).toBeNull();
});
