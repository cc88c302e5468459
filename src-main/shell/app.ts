// The app on the desktop: window, tray, menu, notifications and clipboard around the engine. Connects the parts of this
// folder; each part describes itself.
import { app, BrowserWindow, clipboard, dialog, globalShortcut, screen } from 'electron';
import { answerCall, type Change } from '../contract/client.ts';
import { toAppError, type AppError } from '../contract/errors.ts';
import { linkText, type LinkedFile, type LinkForm } from '../contract/text/link-text.ts';
import type { EngineStatus } from '../contract/model.ts';
import { requireNoRoots } from '../contract/rights.ts';
import { problemText } from '../contract/text/problem-text.ts';
import type { CueName, FileCue, GivenGroup } from '../contract/window.ts';
import { appOrigin, appUrl, popoverUrl, readBundle } from './window/bundle.ts';
import { createCopy, isWayland, withMemory, writeClipboard } from './clipboard/clipboard.ts';
import { createCardOf } from './clipboard/card-text.ts';
import { createPasteShortcut } from './clipboard/paste-shortcut.ts';
import type { AppContext } from './app-context.ts';
import { createDialogs } from './dialogs.ts';
import { createDrops } from './drop/drops.ts';
import { createGiving } from './drop/giving.ts';
import { createGivenPaths } from './window/given-paths.ts';
import { createPageGuard } from './window/page-guard.ts';
import { createPageQuestions } from './window/page-questions.ts';
import { createPresses } from './window/presses.ts';
import { createIsOurs, createSenderCheck, withoutSecrets } from './window/sender-check.ts';
import type { GivenFiles } from './start/given-files.ts';
import { openCalls } from './window/ipc.ts';
import { followLife, withinTime } from './start/lifecycle.ts';
import { followLaunchAtLogin } from './start/login-item.ts';
import { createAppMenu } from './app-menu.ts';
import { createClicks } from './notifications/clicks.ts';
import { createNotifier } from './notifications/notifier.ts';
import { dragFile, showInside, watchedFolder } from './open.ts';
import { platform } from './platform.ts';
import { createRulesInForce } from './rules-in-force.ts';
import { createClosing } from './start/closing.ts';
import { tellAndExit } from './start/last-words.ts';
import type { AppFiles } from './start/places.ts';
import { makeProposed, proposedFolder } from './start/proposed-folder.ts';
import { createSupport, resetSettings } from './support.ts';
import { createSpeech } from './texts.ts';
import { serveScheme } from './window/scheme.ts';
import { hasTrayHost, waitForTrayHost } from './tray/tray-host.ts';
import { createPopover } from './tray/popover.ts';
import { createLinkActs } from './tray/link-acts.ts';
import { linksInMenu } from './tray/tray-menu.ts';
import { createProgress } from './window/progress-bar.ts';
import { createTray, trayIcon } from './tray/tray.ts';
import { updatesHere } from './updates/this-installation.ts';
import { createThumbnails } from './window/thumbnails.ts';
import { createWindowHandlers, environmentOf } from './window/window-handlers.ts';
import { createAppWindow } from './window/window.ts';

/** A burst that pauses for longer counts as ended; the pace of requests makes gaps of 15 seconds. */
const soonMs = 30_000;

/** The reason is shown after this time at the latest, even if interrupted uploads take longer to end. */
const farewellMs = 3_000;
/** By then a desktop that has just started draws its icons. */
const traySoonMs = 15_000;

/** Runs the app; the engine is composed, Electron is ready. `hidden`: started by the system at login. */
export const runApp = async ({
  context,
  places,
  hidden,
  given,
}: {
  context: AppContext;
  places: AppFiles;
  hidden: boolean;
  given: GivenFiles;
}): Promise<void> => {
  const { client, settings, look, files } = context;
  let isTraySeen = await hasTrayHost(context.findProgram);
  let speech = createSpeech(settings.current().language, app.getPreferredSystemLanguages());
  const say = () => speech.say;

  serveScheme(readBundle(places.window));
  const window = createAppWindow({
    preload: places.preload,
    url: appUrl,
    title: app.name,
    remembered: context.windowBounds,
    // Asked again each time: desktops lose and gain their place for icons while the app runs.
    async onClose() {
      isTraySeen = tray !== null && (await hasTrayHost(context.findProgram));
      return isTraySeen ? await closing() : 'minimize';
    },
  });
  const closing = createClosing({ frame: window.frame, say, settings, told: context.toldOfTray });
  /** Linux does not report where its icons are. */
  const popover =
    platform === 'linux'
      ? null
      : createPopover({
          preload: places.preload,
          url: popoverUrl,
          title: app.name,
          icon: () => tray?.bounds() ?? screen.getPrimaryDisplay().workArea,
          // A gap in the numbers: the page reads everything again.
          opened: () => ({ kind: 'status', seq: context.status().seq + 2, status: context.status() }),
        });
  const cue = (wanted: CueName): void => {
    window.show();
    window.send({ kind: 'cue', cue: wanted });
  };
  const watched = (): string[] => context.status().folders.map(({ folder }) => folder);
  const showFile = (uploadId: number, act: FileCue['act']): void => {
    window.show();
    window.send({ kind: 'cue', cue: 'show-file', uploadId, act });
  };
  const dialogs = createDialogs({ frame: window.frame, say });
  const hasFocus = (): boolean => BrowserWindow.getFocusedWindow() !== null;

  // ---------------------------------------------------------------- what the user asks for

  /** Not `showErrorBox`: it holds up the engine until it is closed (Electron: `dialog`). */
  const show = (type: 'info' | 'error', message: string): void =>
    void dialog.showMessageBox({ type, title: app.name, message });
  /** For clicks in tray and menu: no caller awaits them, so a dialog shows what went wrong. */
  const attempt = (work: () => Promise<unknown>): void => {
    work().catch((caught: unknown) => {
      const error = toAppError(caught);
      // The user has stopped it.
      if (error.code !== 'aborted') show('error', context.redact(problemText(speech, error)));
    });
  };

  const { upload, zip } = createGiving({
    files,
    client,
    frame: window.frame,
    say,
    settings,
    follow: (...given) => drops.given(...given),
  });
  const board = withMemory(writeClipboard, clipboard, process.platform);
  const copy = createCopy({ settings, hasFocus, write: board.write });
  const textOf = (links: readonly LinkedFile[], as: LinkForm) =>
    linkText(links, as, { template: settings.current().copyTemplate, locale: speech.locale });
  const inForce = createRulesInForce({ settings: () => settings.current(), rules: look.rules });
  const copyLinks = async (uploadIds: readonly number[]): Promise<GivenGroup['copy']> => {
    const links = look.links(uploadIds, []);
    if (links.length === 0) return 'off';
    if (!links.every(({ link }) => context.isSaneLink(link))) return 'new-host';
    return (await copy(textOf(links, inForce.copyFormat(uploadIds)))).sure ? 'done' : 'unsure';
  };

  // ---------------------------------------------------------------- what follows an upload

  const goesOn = (): boolean => {
    const { sending, doneAtMs, nextSlotAtMs } = context.status();
    if (sending > 0) return true;
    // Not the counts: they are those of the folder, and dropped files may be anywhere.
    return doneAtMs !== null && (nextSlotAtMs === null || nextSlotAtMs - Date.now() < soonMs);
  };
  const drops = createDrops({
    after: context.after,
    goesOn,
    mode: inForce.copyLink,
    isByHand: look.isByHand,
    standing: look.standing,
    copy: copyLinks,
    tell: (group) => window.send(withoutSecrets({ kind: 'given', group }, context.redact)),
  });
  const linkActs = createLinkActs({
    calls: () => handlers,
    look,
    speech: () => speech,
    showFile,
    refused: (reason) => show('error', reason),
    confirm(title, body, uploadIds) {
      tray?.confirm(title);
      notifier.confirm({ title, body, click: { kind: 'copy-links', uploadIds } });
    },
  });
  const clicks = createClicks({
    cue,
    showFile,
    cancel: (ids) => client.call('queue.cancel', { ids }),
    // The dock asks about the host.
    copy: async (ids) => ((await copyLinks(ids)) === 'new-host' ? cue('show-files') : undefined),
  });
  const notifier = createNotifier({
    after: context.after,
    goesOn,
    wanted: inForce.notify,
    isSeen: window.hasFocus,
    drops,
    say,
    clicked: (click) => attempt(() => clicks(click)),
  });

  // ---------------------------------------------------------------- the window's calls

  const leaving = new AbortController();
  const life = followLife({
    environment: context.environment,
    show: window.show,
    resumed: context.resumed,
    leaving() {
      leaving.abort();
      window.letGo();
      stopListening();
      updates.stop();
      shortcut.stop();
      drops.stop();
      notifier.stop();
      tray?.destroy();
      popover?.destroy();
    },
    close: context.close,
  });

  const inform = (message: string): void => show('info', message);
  const shortcut = createPasteShortcut(globalShortcut, isWayland(platform, process.env), () =>
    attempt(async () => {
      const taken = await handlers['window.uploadClipboard']({});
      if (taken?.length !== 0) return;
      notifier.confirm({
        title: speech.say('files.nothingToPaste'),
        body: '',
        click: { kind: 'show-queue' },
      });
    }),
  );
  const diagnostics = createSupport(context, dialogs);
  const updates = updatesHere(context, life, () => isTraySeen && !window.isSeen());
  const handlers = createWindowHandlers({
    page: {
      environment: () => environmentOf(context),
      setCompactRows: context.rows.setCompact,
      show: (wanted) => (wanted === undefined ? window.show() : cue(wanted)),
      showInside: (folder) => showInside(files, folder),
      dragFile: (file) => dragFile(files, window.contents(), file, () => trayIcon(places.tray, 'idle')),
    },
    popover,
    links: {
      look,
      isSane: context.isSaneLink,
      copy,
      formOf: inForce.copyFormat,
      textOf,
      cardOf: createCardOf(client),
    },
    files: {
      dialogs,
      folders: watched,
      upload,
      zip,
      thumbnail: createThumbnails(files, look.path).of,
      keepPasted: context.pasted.keep,
      board,
      demandPlace: () => requireNoRoots(settings.current()),
      tellUnreadable: (count) => inform(speech.say('tray.firstOnly', { count })),
      tellPrivate: () => inform(speech.say('tray.private')),
      tellElsewhere: (count) => inform(speech.say('tray.elsewhere', { count })),
    },
    caFile: {
      get: () => settings.current().caFile,
      set: (file) => settings.set('caFile', file),
      texts: context.texts,
    },
    diagnostics,
    program: {
      fileManagers: context.fileManagers,
      shortcut: shortcut.state,
      updates,
      async reset(what) {
        if (what === 'settings') {
          await resetSettings(context);
          return;
        }
        await context.forgetEverything();
        life.restart({ hidden: false });
      },
      openAccount: context.openProfile,
      quit: () => app.quit(),
    },
  });
  const givenPaths = createGivenPaths();
  const presses = createPresses();
  const guard = createPageGuard({
    client,
    settings,
    questions: createPageQuestions({ ask: dialogs.confirm, say }),
    given: { paths: givenPaths, presses },
    look,
    proposed: { folder: proposedFolder(), make: makeProposed },
    answer: async (name, input) =>
      await (Object.hasOwn(handlers, name)
        ? answerCall(handlers, name, input, leaving.signal)
        : context.transport.call(name, input)),
  });
  const pages = [
    { contents: window.contents },
    { contents: () => popover?.contents() ?? null, isPopover: true },
  ];
  const { isLeaving } = life;
  openCalls(
    createSenderCheck({ origin: appOrigin, pages, redact: context.redact, answer: guard, isLeaving }),
    createIsOurs(appOrigin, pages),
    givenPaths,
    presses,
  );

  // ---------------------------------------------------------------- tray, menu, changes

  /** Null until our own engine is started: before that, the status looks as if another process had the engine. */
  const started = (): EngineStatus | null => {
    const status = context.status();
    return status.running || context.isGuest ? status : null;
  };

  const tray = createTray({
    name: app.name,
    icon: (state) => trayIcon(places.tray, state),
    shown: () => ({ status: started(), links: look.newest(linksInMenu), nowMs: Date.now() }),
    speech: () => speech,
    acts: {
      link: (uploadId, act) => attempt(() => linkActs.act(uploadId, act)),
      copyNewest: (uploadIds) => attempt(() => linkActs.copy(uploadIds, '')),
      uploadFiles: () =>
        attempt(async () => {
          const paths = await dialogs.files();
          if (paths.length > 0) await upload({ paths, door: 'tray' });
        }),
      uploadClipboard: () => attempt(async () => await handlers['window.uploadClipboard']({})),
      pause: ({ until }) => attempt(() => client.call('queue.pause', { untilMs: until(Date.now()) })),
      resume: () => attempt(() => client.call('queue.resume', {})),
      openFolder: () => attempt(() => showInside(files, watchedFolder(watched(), undefined))),
      openApp: window.show,
      quit: () => app.quit(),
    },
    dropped: (files) => attempt(() => upload({ paths: files, door: 'tray' })),
    popover,
  });
  if (tray === null) isTraySeen = false;
  const menu = createAppMenu({ cue, quit: () => app.quit() });
  menu.show(speech);

  /** No ledger, no engine: the app ends with the reason and does not start again by itself, with an empty one. */
  const endWith = (error: AppError): void => {
    // `leave` closes all windows first: none of them may ask the engine meanwhile.
    void withinTime(farewellMs, life.leave()).finally(() => tellAndExit(error));
  };

  const showProgress = createProgress(window.setProgress);
  const forward = (change: Change): void => {
    const clean = withoutSecrets(change, context.redact);
    window.send(clean);
    popover?.send(clean);
    showProgress(change);
    const fatal = context.fatal();
    if (fatal !== null) {
      endWith(fatal);
      return;
    }
    if (change.kind === 'progress') return;
    if (change.kind === 'entries') {
      drops.hear(change.entries);
      notifier.hear(change.entries);
    } else drops.look();
    tray?.changed();
  };
  const stopListening = context.transport.listen(forward);

  const follow = (): void => {
    const now = settings.current();
    speech = createSpeech(now.language, app.getPreferredSystemLanguages());
    menu.show(speech);
    tray?.changed();
    shortcut.follow(now.pasteShortcut);
    followLaunchAtLogin(now.launchAtLogin, context.loginItem, context.home.profile).catch((error: unknown) =>
      context.log.warn('start at login not set', { error }),
    );
  };
  settings.onChange(follow);
  follow();

  // ---------------------------------------------------------------- off we go

  /** If no tray is drawn, the window is the only way to the app. */
  const stayHidden = async (): Promise<void> => {
    isTraySeen = tray !== null && (isTraySeen || (await waitForTrayHost(traySoonMs, context.findProgram)));
    if (!isTraySeen) window.show();
  };

  if (context.quietUpdate.takeStart() || hidden) void stayHidden();
  else window.show();
  // A restart is the simplest way to take over the engine, and is rarely needed.
  context.whenAlone(() => life.restart({ hidden: !window.isSeen() }));
  void context.pasted.tidy();
  await context.start();
  given.take(({ files, isShare }) => {
    if (life.isLeaving()) life.passOn({ files, isShare });
    else attempt(() => upload({ paths: files, door: 'window' }, isShare));
  });
  updates.start();
};
