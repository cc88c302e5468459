// The fake window's process: the calls that it answers.
import type { Handlers, WindowCommandName } from '../../../src-main/contract/commands.ts';
import type { Platform } from '../../../src-main/contract/text/speech.ts';
import { NOW_MS } from './seed.ts';

export type ShellSeed = {
  platform: Platform;
  languages: string[];
  compactRows: boolean;
  /** Thumbnails by upload. */
  pictures?: Record<number, string>;
  isClipboardPrivate?: boolean;
};

export const shellHandlers = (seed: ShellSeed): Handlers<WindowCommandName> => ({
  'window.environment': () => ({
    platform: seed.platform,
    version: '0.1.0',
    languages: seed.languages,
    dataFolder: '/home/mara/.local/share/outtray',
    proposedFolder: '/home/mara/Outtray',
    userHome: seed.platform === 'win32' ? '' : '/home/mara',
    canLaunchAtLogin: true,
    compactRows: seed.compactRows,
    ignoredSettings: [],
    isGuest: false,
  }),
  'window.compactRows': ({ on }) => {
    seed.compactRows = on;
    return null;
  },
  'window.changes': () => ({
    text: '# What changed\n\n## 0.2.0\n\n- Rows can be low.\n\n## 0.1.0\n\nThe first version.\n\n- A folder whose new files\n  become public links.\n',
  }),
  'window.copySha256': () => ({ count: 1, sure: true }),
  'window.copyLinks': ({ uploadIds, fileIds }) => ({
    count: uploadIds.length + fileIds.length,
    sure: true,
  }),
  'window.copyCard': ({ fileIds }) => ({ count: fileIds.length, sure: true }),
  'window.newestLinks': () => [],
  'window.askToPublish': () => null,
  'window.askToRecall': () => ({ copied: [], copy: 0 }),
  'window.clipboard': () => ({ holds: true }),
  'window.fileManagers': () => [],
  'window.setFileManager': () => [],
  'window.isClipboardPrivate': () => seed.isClipboardPrivate ?? false,
  'window.pasteShortcut': () => ({ state: 'off' }),
  'window.startDrag': () => null,
  'window.openLink': () => ({ kind: 'opened' }),
  'window.thumbnail': ({ uploadId }) => ({ picture: seed.pictures?.[uploadId] ?? null }),
  'window.showInFolder': () => null,
  'window.openFolder': () => null,
  'window.chooseFolder': () => ({ folder: '/home/mara/Outtray' }),
  'window.chooseFiles': () => ({ paths: [] }),
  'window.uploadClipboard': () => [],
  'window.caFile': () => null,
  'window.chooseCaFile': () => null,
  'window.diagnostics': () => ({
    text: 'Outtray 0.1.0\nplatform linux x64, Electron 45.3.4\nkey «redacted»\nfolder ~/Outtray, live\nlast entries\n  14:01:58 uploaded #101\n',
  }),
  'window.saveDiagnostics': () => ({ path: '/home/mara/outtray-diagnostics.txt' }),
  'window.update': () => ({ kind: 'current', checkedAtMs: NOW_MS }),
  'window.reset': () => null,
  'window.openAccount': () => null,
  'window.quit': () => null,
  'window.show': () => null,
  'window.fitPopover': () => null,
  'window.closePopover': () => null,
});
