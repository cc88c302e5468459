// What the tray's menu does with a link.
import type { Speech } from '../../contract/text/speech.ts';
import type { FileCue } from '../../contract/window.ts';
import type { LedgerLook } from '../app-context.ts';
import { plainName } from '../texts.ts';
import type { ShellHandlers } from '../window/window-handlers.ts';
import type { LinkAct } from './tray-menu.ts';

export const createLinkActs = (parts: {
  calls: () => Pick<ShellHandlers, 'window.copyLinks' | 'window.openLink'>;
  look: Pick<LedgerLook, 'link'>;
  speech: () => Speech;
  showFile: (uploadId: number, act: FileCue['act']) => void;
  /** Shows why a link was not opened. */
  refused: (reason: string) => void;
  /** Reports that these links were copied, or may have been. */
  confirm: (title: string, body: string, uploadIds: number[]) => void;
}) => {
  const { calls, look, speech, showFile, refused, confirm } = parts;
  const copy = async (uploadIds: number[], body: string): Promise<void> => {
    const { count, sure } = await calls()['window.copyLinks']({ uploadIds, fileIds: [] });
    confirm(speech().say(sure ? 'files.linksCopied' : 'do.copyUnsure', { count }), body, uploadIds);
  };
  return {
    copy,
    async act(uploadId: number, act: LinkAct): Promise<void> {
      switch (act) {
        case 'copy': {
          await copy([uploadId], plainName(look.link({ uploadId })?.name ?? ''));
          return;
        }
        case 'open': {
          const result = await calls()['window.openLink']({ file: { uploadId } });
          if (result.kind === 'refused')
            refused(speech().say('files.openRefused', { reason: result.reason }));
          return;
        }
        case 'qr':
          showFile(uploadId, 'details');
          return;
        case 'recall':
          showFile(uploadId, 'recall');
      }
    },
  };
};
