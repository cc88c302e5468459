// The system's dialogs, on our window when it is there. Each answers null or nothing when the user chose nothing.
import { dialog, type BrowserWindow, type OpenDialogOptions } from 'electron';
import type { Say } from '../contract/text/speech.ts';

export type Dialogs = {
  folder(proposed: string): Promise<string | null>;
  files(): Promise<string[]>;
  certificate(): Promise<string | null>;
  /** Where to save a text; `name` is proposed. */
  saveText(name: string): Promise<string | null>;
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
    files: () =>
      open({
        title: options.say()('keys.upload'),
        properties: ['openFile', 'multiSelections', 'dontAddToRecent'],
      }),
    async certificate() {
      const [chosen] = await open({
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
  };
};
