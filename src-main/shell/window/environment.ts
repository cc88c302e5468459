// What the window wants to know of where it runs.
import path from 'node:path';
import { app } from 'electron';
import type { Platform, WindowEnvironment } from '../../contract/window-commands.ts';
import type { Desk } from '../app-context.ts';
import { canLaunchAtLogin } from '../start/login-item.ts';

const platformOf = (name: string): Platform => (name === 'darwin' || name === 'win32' ? name : 'linux');

export const proposedFolder = (): string => path.join(app.getPath('home'), 'Outtray');

export const environmentOf = (desk: Desk): WindowEnvironment => ({
  platform: platformOf(process.platform),
  version: desk.version,
  languages: app.getPreferredSystemLanguages(),
  dataFolder: desk.home.folder,
  proposedFolder: proposedFolder(),
  canLaunchAtLogin: canLaunchAtLogin(),
  compactRows: desk.rows.areCompact(),
  isGuest: desk.isGuest,
});
