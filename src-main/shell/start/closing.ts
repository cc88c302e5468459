// What closing the window does where the tray brings it back: the app stays, or quits if the user prefers that. The
// first time, a dialog explains it and offers the setting.
import { dialog, type BrowserWindow } from 'electron';
import type { Settings } from '../../contract/settings.ts';
import type { Say } from '../../contract/text/speech.ts';
import { platform } from '../platform.ts';

export type OnClose = 'hide' | 'quit';

export const createClosing = (options: {
  frame: () => BrowserWindow | null;
  say: () => Say;
  settings: { current(): Settings; set(name: 'quitOnClose', value: boolean): Promise<void> };
  /** Whether it was explained before. */
  told: { read(): boolean; write(): void };
}): (() => Promise<OnClose>) => {
  const tell = async (frame: BrowserWindow): Promise<void> => {
    options.told.write();
    const say = options.say();
    const { checkboxChecked } = await dialog.showMessageBox(frame, {
      type: 'info',
      message: say('closing.title', { system: platform }),
      detail: say('closing.text', { system: platform }),
      checkboxLabel: say('settings.quitOnClose'),
    });
    if (checkboxChecked) await options.settings.set('quitOnClose', true);
  };
  return async () => {
    const frame = options.frame();
    const { quitOnClose } = options.settings.current();
    if (!quitOnClose && frame !== null && !options.told.read()) await tell(frame);
    return options.settings.current().quitOnClose ? 'quit' : 'hide';
  };
};
