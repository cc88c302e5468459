// What closing the window does where the tray brings it back: the app stays, or quits if the user prefers that. The
// first time, a dialog explains it and offers the setting.
import { dialog, type BrowserWindow } from 'electron';
import type { Settings } from '../../contract/settings.ts';
import type { Say } from '../../contract/text/speech.ts';
import { platform } from '../platform.ts';

export type OnClose = 'hide' | 'quit';

export const createClosing = (options: {
  say: () => Say;
  settings: { current(): Settings; set(name: 'quitOnClose', value: boolean): Promise<void> };
  /** Whether it was explained before. */
  explained: { read(): boolean; write(): void };
}): ((frame: BrowserWindow) => Promise<OnClose>) => {
  const explain = async (frame: BrowserWindow): Promise<void> => {
    options.explained.write();
    const say = options.say();
    const { checkboxChecked } = await dialog.showMessageBox(frame, {
      type: 'info',
      message: say('closing.title', { system: platform }),
      detail: say('closing.text', { system: platform }),
      checkboxLabel: say('settings.quitOnClose'),
    });
    if (checkboxChecked) await options.settings.set('quitOnClose', true);
  };
  return async (frame) => {
    const { quitOnClose } = options.settings.current();
    if (!quitOnClose && !options.explained.read()) await explain(frame);
    return options.settings.current().quitOnClose ? 'quit' : 'hide';
  };
};
