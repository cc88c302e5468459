// What a page of the app may ask for, command by command. A page shows names that others chose: whatever gets into it
// must reach neither key, programs, records nor guards by itself. Settings: `page` in contract/catalogue/settings.ts.
import type { CommandName } from '../../contract/commands.ts';
import type { WindowCommandName } from '../../contract/window-commands.ts';

/**
 * `free`: it reads or narrows. `ids`: so it does, with files by id, not by path. `hand`: it destroys, publishes or loosens:
 * one press of the user is one call, else a dialog of the main process asks. `judged`: that depends on the input
 * (page-guard.ts). `never`: no page needs it.
 */
type PageRight = 'free' | 'ids' | 'hand' | 'judged' | 'never';

export const pageRights = {
  'app.status': 'free',
  'account.get': 'free',
  'account.login': 'judged',
  'account.logout': 'judged',
  'files.page': 'free',
  'files.refresh': 'free',
  'files.list': 'free',
  'files.find': 'never',
  'files.info': 'free',
  'files.delete': 'hand',
  'files.recall': 'hand',
  'files.expire': 'hand',
  'files.follow': 'ids',
  'files.unfollow': 'hand',
  'files.followed': 'free',
  'files.watch': 'ids',
  'files.unwatch': 'hand',
  'files.watched': 'free',
  'files.card': 'ids',
  'files.linked': 'free',
  'files.verify': 'ids',
  'files.remove': 'hand',
  'files.upload': 'judged',
  'files.bundle': 'judged',
  'files.stopPacking': 'free',
  'files.links': 'free',
  'files.plan': 'never',
  'queue.get': 'free',
  'queue.held': 'free',
  'queue.pause': 'free',
  'queue.resume': 'hand',
  'queue.confirm': 'judged',
  'queue.skip': 'free',
  'queue.newest': 'judged',
  'queue.zip': 'judged',
  'queue.retry': 'judged',
  'queue.cancel': 'free',
  'queue.undo': 'hand',
  'queue.order': 'free',
  'queue.toTop': 'free',
  'queue.uncertain': 'free',
  'queue.candidates': 'free',
  'queue.resolve': 'judged',
  'stats.get': 'free',
  'folder.inspect': 'judged',
  'folder.choose': 'judged',
  'folder.scan': 'free',
  'folders.list': 'free',
  'folders.find': 'free',
  'folders.add': 'judged',
  'folders.set': 'judged',
  'folders.remove': 'hand',
  'settings.get': 'free',
  'settings.set': 'judged',
  'report.exposure': 'ids',
  'report.review': 'free',
  'report.export': 'free',
  'file.story': 'free',
  'file.why': 'never',
  'app.doctor': 'free',
  'app.trial': 'never',
  'window.environment': 'free',
  'window.compactRows': 'free',
  'window.changes': 'free',
  'window.copySha256': 'free',
  'window.copyLinks': 'free',
  'window.copyCard': 'free',
  'window.newestLinks': 'free',
  'window.openLink': 'free',
  'window.thumbnail': 'free',
  'window.showInFolder': 'free',
  'window.startDrag': 'free',
  'window.openFolder': 'free',
  'window.chooseFolder': 'free',
  'window.chooseFiles': 'free',
  'window.uploadClipboard': 'hand',
  'window.askToPublish': 'judged',
  'window.pasteShortcut': 'free',
  'window.fileManagers': 'free',
  'window.setFileManager': 'hand',
  'window.caFile': 'free',
  // The system's dialog chooses the file.
  'window.chooseCaFile': 'free',
  'window.diagnostics': 'free',
  'window.saveDiagnostics': 'free',
  'window.update': 'judged',
  'window.reset': 'judged',
  'window.quit': 'free',
  'window.show': 'free',
  'window.fitPopover': 'free',
  'window.closePopover': 'free',
} as const satisfies Record<CommandName | WindowCommandName, PageRight>;

type PageRights = typeof pageRights;
type NameOf<Right extends PageRight> = {
  [Name in keyof PageRights]: PageRights[Name] extends Right ? Name : never;
}[keyof PageRights];
export type JudgedName = NameOf<'judged'>;
export type HandName = NameOf<'hand'>;
