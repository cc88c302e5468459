// The application's menu in the language of the window.
import { app, Menu } from 'electron';
import type { Speech } from '../contract/text/speech.ts';
import { menuTemplate, type MenuActs } from './menu.ts';

export const createAppMenu = (acts: MenuActs) => {
  let language: string | null = null;
  return {
    /** Only when the language changes: replacing an open menu would close it. */
    show(speech: Speech): void {
      if (language === speech.language) return;
      language = speech.language;
      const template = menuTemplate({
        platform: process.platform,
        isPackaged: app.isPackaged,
        appName: app.name,
        say: speech.say,
        acts,
      });
      Menu.setApplicationMenu(Menu.buildFromTemplate(template));
    },
  };
};
