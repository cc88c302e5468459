// The system's dialogs, on our window if there is one. Each returns null or nothing when the user chose nothing.
import { app, dialog, type BrowserWindow, type MessageBoxOptions, type OpenDialogOptions } from 'electron';
import type { Say } from '../contract/text/speech.ts';
import type { Question } from './window/page-questions.ts';

export type Dialogs = {
  folder(proposed: string): Promise<string | null>;
  files(folder?: string): Promise<string[]>;
  certificate(): Promise<string | null>;
  /** Where to save a text; `name` is proposed. */
  saveText(name: string): Promise<string | null>;
  /** True: the user agreed. Enter and Escape mean no. */
  confirm(question: Question): Promise<boolean>;
};

export const createDialogs = (options: { frame: () => BrowserWindow | null; say: () => Say }): Dialogs => {
  const open = async (wanted: OpenDialogOptions): Promise<string[]> => {
    const frame = options.frame();
    const answer =
      frame === null || !frame.isVisible()
        ? await dialog.showOpenDialog(wanted)
        : await dialog.showOpenDialog(frame, wanted);
    return answer.canceled ? [] : answer.filePaths;
  };
  return {
    async folder(proposed) {
      const [chosen] = await open({
        title: options.say()('welcome.folder'),
        defaultPath: proposed,
        properties: ['openDirectory', 'createDirectory', 'dontAddToRecent'],
      });
      return chosen ?? null;
    },
    files: (folder) =>
      open({
        ...(folder === undefined ? {} : { defaultPath: folder }),
        title: options.say()('keys.upload'),
        properties: ['openFile', 'multiSelections', 'dontAddToRecent'],
      }),
    async certificate() {
      const [chosen] = await open({
        title: options.say()('settings.caFile'),
        filters: [{ name: 'PEM', extensions: ['pem', 'crt', 'cer'] }],
        properties: ['openFile', 'dontAddToRecent'],
      });
      return chosen ?? null;
    },
    async saveText(name) {
      const wanted = { defaultPath: name, filters: [{ name: 'Text', extensions: ['txt'] }] };
      const frame = options.frame();
      const answer =
        frame === null ? await dialog.showSaveDialog(wanted) : await dialog.showSaveDialog(frame, wanted);
      return answer.canceled || answer.filePath === '' ? null : answer.filePath;
    },
    async confirm({ message, detail, act }) {
      const frame = options.frame();
      const wanted: MessageBoxOptions = {
        type: 'warning',
        title: app.name,
        message,
        detail,
        buttons: [act, options.say()('do.cancel')],
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      };
      const { response } =
        frame === null || !frame.isVisible()
          ? await dialog.showMessageBox(wanted)
          : await dialog.showMessageBox(frame, wanted);
      return response === 0;
    },
  };
};
