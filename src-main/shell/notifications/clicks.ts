// What a click on a notification does.
import { unreachable } from '../../contract/errors.ts';
import type { CueName, FileCue } from '../../contract/window.ts';
import type { NotificationClick } from './notifications.ts';

export const createClicks =
  (acts: {
    cue: (cue: CueName) => void;
    showFile: (uploadId: number, act: FileCue['act']) => void;
    cancel: (uploadIds: number[]) => Promise<unknown>;
    copy: (uploadIds: number[]) => Promise<unknown>;
  }) =>
  async (click: NotificationClick): Promise<void> => {
    switch (click.kind) {
      case 'show-queue':
      case 'show-files':
        acts.cue(click.kind);
        return;
      case 'show-file':
        acts.showFile(click.uploadId, 'details');
        return;
      case 'cancel':
        await acts.cancel(click.uploadIds);
        return;
      case 'copy-links':
        await acts.copy(click.uploadIds);
        return;
      default:
        unreachable(click);
    }
  };
