// What the entries of the tray's menu do.
import { app } from 'electron';
import { plainName } from '../texts.ts';
import type { AppContext } from '../app-context.ts';
import type { Uploads } from '../drop/uploads.ts';
import { showInside, watchedFolder } from '../open.ts';
import type { Surface } from '../window/surface.ts';
import type { ShellHandlers } from '../window/window-handlers.ts';
import type { LinkAct, TrayActs } from './tray-menu.ts';

/** `confirm` shows for a moment that something was done. */
export const createTrayActs = (
  { client, files, look, status }: AppContext,
  { speech, window, dialogs, show, showFile, attempt }: Surface,
  parts: {
    handlers: Pick<ShellHandlers, 'window.copyLinks' | 'window.openLink' | 'window.uploadClipboard'>;
    uploads: Pick<Uploads, 'upload' | 'notifier'>;
    confirm: (title: string) => void;
  },
): TrayActs => {
  const { handlers, uploads, confirm } = parts;
  const copy = async (uploadIds: number[], body: string): Promise<void> => {
    const { count, sure } = await handlers['window.copyLinks']({ uploadIds, fileIds: [] });
    const title = speech().say(sure ? 'files.linksCopied' : 'do.copyUnsure', { count });
    confirm(title);
    uploads.notifier.confirm({ title, body, click: { kind: 'copy-links', uploadIds } });
  };
  const act = async (uploadId: number, wanted: LinkAct): Promise<void> => {
    switch (wanted) {
      case 'copy':
        await copy([uploadId], plainName(look.link({ uploadId })?.name ?? ''));
        return;
      case 'open': {
        const result = await handlers['window.openLink']({ file: { uploadId } });
        if (result.kind === 'refused')
          show('error', speech().say('files.openRefused', { reason: result.reason }));
        return;
      }
      case 'qr':
        showFile(uploadId, 'details');
        return;
      case 'recall':
        showFile(uploadId, 'recall');
    }
  };
  return {
    link: (uploadId, wanted) => attempt(() => act(uploadId, wanted)),
    copyNewest: (uploadIds) => attempt(() => copy(uploadIds, '')),
    uploadFiles: () =>
      attempt(async () => {
        const paths = await dialogs.files();
        if (paths.length > 0) await uploads.upload({ paths, door: 'tray' });
      }),
    uploadClipboard: () => attempt(async () => await handlers['window.uploadClipboard']({})),
    pause: ({ until }) => attempt(() => client.call('queue.pause', { untilMs: until(Date.now()) })),
    resume: () => attempt(() => client.call('queue.resume', {})),
    openFolder: () => {
      const folders = status().folders.map(({ folder }) => folder);
      attempt(() => showInside(files, watchedFolder(folders, undefined)));
    },
    openApp: window.show,
    quit: () => app.quit(),
  };
};
