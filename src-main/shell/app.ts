// The app on the desktop: window, tray, menu, notifications and clipboard around the engine. Makes the parts of this
// folder, each from those that are there already; each part describes itself.
import { app } from 'electron';
import type { Change } from '../contract/client.ts';
import type { AppContext } from './app-context.ts';
import { createAppMenu } from './app-menu.ts';
import { isLoss } from './clipboard/clipboard.ts';
import { createLinks } from './clipboard/links.ts';
import { createUploads } from './drop/uploads.ts';
import { createParts } from './parts.ts';
import type { GivenFiles } from './start/given-files.ts';
import { tellAndExit } from './start/last-words.ts';
import { followLife, withinTime } from './start/lifecycle.ts';
import { followLaunchAtLogin } from './start/login-item.ts';
import type { AppFiles } from './start/places.ts';
import { createTrayActs } from './tray/tray-acts.ts';
import { linksInMenu } from './tray/tray-menu.ts';
import { createTray } from './tray/tray.ts';
import { updatesHere } from './updates/this-installation.ts';
import { readBundle } from './window/bundle.ts';
import { answerPages, createCalls } from './window/calls.ts';
import { createProgress } from './window/progress-bar.ts';
import { serveScheme } from './window/scheme.ts';
import { withoutSecrets } from './window/sender-check.ts';
import { createSurface } from './window/surface.ts';

/** The reason is shown after this time at the latest, even if interrupted uploads take longer to end. */
const farewellMs = 3_000;

/** Runs the app; the engine is composed, Electron is ready. `hidden`: started by the system at login. */
export const runApp = async (start: {
  context: AppContext;
  places: AppFiles;
  hidden: boolean;
  given: GivenFiles;
}): Promise<void> => {
  const { context, places, given } = start;
  const { settings, look } = context;
  const parts = createParts();
  serveScheme(readBundle(places.window));
  const surface = await createSurface(context, places);
  const { window, popover, speech, traySight, attempt } = surface;
  if (popover !== null) parts.add(popover);
  const links = createLinks(context, surface);
  const uploads = createUploads(context, surface, links, parts);
  const life = followLife({
    environment: context.environment,
    show: window.show,
    resumed: context.resumed,
    leaving: parts.stop,
    close: context.close,
  });
  parts.add({ stop: () => given.leave(life.passOn) });
  const updates = parts.add(updatesHere(context, life, () => traySight.isSeen() && !window.isSeen()));
  const { handlers, shortcut } = createCalls({ context, surface, links, uploads, life }, updates);
  parts.add(shortcut);
  const tray = createTray({
    name: app.name,
    icon: surface.trayIcon,
    shown() {
      const status = context.status();
      // Before our own engine is started, the status looks as if another process had the engine.
      const isKnown = status.running || context.isGuest;
      return { status: isKnown ? status : null, links: look.newest(linksInMenu), nowMs: Date.now() };
    },
    speech,
    acts: (confirm) => createTrayActs(context, surface, { handlers, uploads, confirm }),
    dropped: (files) => attempt(() => uploads.upload({ paths: files, door: 'tray' })),
    popover,
  });
  links.onContent((content) => {
    if (isLoss(content)) tray?.forget();
  });
  if (tray === null) traySight.hasNone();
  else parts.add(tray);
  const menu = createAppMenu({ cue: surface.cue, quit: () => app.quit() });

  const showProgress = createProgress(window.setProgress);
  const forward = (change: Change): void => {
    const clean = withoutSecrets(change, context.redact);
    window.send(clean);
    popover?.send(clean);
    showProgress(change);
    const fatal = context.fatal();
    if (fatal !== null) {
      // No ledger, no engine: the app does not start again by itself, with an empty one. `leave` closes all windows
      // first: none of them may ask the engine meanwhile.
      void withinTime(farewellMs, life.leave()).finally(() => tellAndExit(fatal));
      return;
    }
    if (change.kind === 'progress') return;
    if (change.kind === 'entries') {
      uploads.drops.hear(change.entries);
      uploads.notifier.hear(change.entries);
    } else {
      uploads.drops.look();
      if (change.kind === 'status' && change.status.storage === null) uploads.again();
    }
    tray?.changed();
  };
  parts.add({ stop: context.transport.listen(forward) });
  parts.add(window);
  parts.add({ stop: answerPages({ context, surface, uploads, life }, handlers) });

  const follow = (): void => {
    const { pasteShortcut, launchAtLogin } = settings.current();
    menu.show(speech());
    tray?.changed();
    shortcut.follow(pasteShortcut);
    followLaunchAtLogin(launchAtLogin, context.loginItem, context.home.profile).catch((error: unknown) =>
      context.log.warn('start at login not set', { error }),
    );
  };
  settings.onChange(follow);
  follow();

  // If no tray is drawn, the window is the only way to the app.
  if (context.quietUpdate.takeStart() || start.hidden)
    void traySight.wait().then((isSeen) => (isSeen ? undefined : window.show()));
  else window.show();
  // A restart is the simplest way to take over the engine, and is rarely needed.
  parts.add({ stop: context.whenAlone(() => life.restart({ hidden: !window.isSeen() })) });
  void context.pasted.tidy();
  await context.start();
  given.take((one) => {
    const { files, isShare } = one;
    if (life.isLeaving()) life.passOn(one);
    else if (one.isLate === true) uploads.late(files);
    else attempt(() => uploads.upload({ paths: files, door: 'window' }, isShare));
  });
  updates.start();
};
