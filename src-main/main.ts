// The entry of the desktop app: wiring only.
//
// The engine runs here, in the main process, and not in a utilityProcess. What is heavy is elsewhere already: hashing
// has its thread, the keychain its process, sockets and files are asynchronous. Measured on two cores that others kept
// busy (load 8): while 4 × 256 MiB go up, the loop is 5 ms late at the median (the grain of the measure) and 50 ms at
// the 99th percentile, with 150 MiB in all. One process fewer starts sooner, and quitting, sleep and the engine lock
// are decided in one place. The price: a durable commit waits for the disk here, and on a disk that is kept busy by
// others (1,000 small files at once, far over the service's pace) menus can be late by more than that.
import { createDiagnosis } from './adapters/log/diagnostic-text.ts';
import { shareSwitch } from './contract/file-managers.ts';
import { toAppError } from './contract/errors.ts';
import { plainWords } from './contract/text/wording.ts';
import type { FileId } from './contract/text/file-id.ts';
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { FileManagers } from './adapters/integrate/file-managers.ts';
import { disks } from './adapters/files/disk.ts';
import { toSystemPath } from './adapters/files/paths.ts';
import { exactArguments } from './adapters/system/arguments.ts';
import { findProgram } from './adapters/system/programs.ts';
import type { LinkedFile } from './contract/text/link-text.ts';
import { partOf } from './contract/catalogue/work.ts';
import { bucketOf, isTakenBack } from './contract/model.ts';
import { takeFormer } from './adapters/ledger/facts.ts';
import { watchedPaths } from './contract/settings.ts';
import { rulesOfFolder } from './engine/shared/folder.ts';
import { linkedFile } from './engine/shared/same-content.ts';
import type { Upload } from './engine/ports/uploads.ts';
import type { Standing } from './shell/drop/drop.ts';
import { takeEnvironment, withoutAccount, withoutKey } from './adapters/keychain/environment.ts';
import { dataPlace, defaultProfile, profilesIn, withProfile } from './adapters/system/home.ts';
import { commandAgain, packagedProgram, sharingWords } from './adapters/system/own-program.ts';
import type { AppContext } from './shell/app-context.ts';
import { handOver } from './shell/start/hand-over.ts';
import {
  hiddenSwitch,
  isForCommand,
  isUnsandboxed,
  noWindow,
  takeProfile,
  windowFolderOf,
} from './shell/start/launch-mode.ts';
import { version } from './adapters/version.ts';
import { exitCodes } from './cli/exit-codes.ts';

// Before anything is started.
const { profile, others: args } = takeProfile(exactArguments(process.argv.slice(process.defaultApp ? 2 : 1)));
const env = inProfile(takeEnvironment());

// Words of the command end here, before Electron becomes ready: it waits for this file.
if (isForCommand(args, isFileOrFolder)) process.exit(await answerCommandWords());
await openApp(args.includes(hiddenSwitch) || args.includes(shareSwitch));

/** This program is only the window. An AppImage is one file, so it hands the words over to the command inside it. */
async function answerCommandWords(): Promise<number> {
  const program = packagedProgram();
  if (program !== null && env['APPIMAGE'] && env['APPDIR']) return await handOver(program, args, env);
  const { file, args: before } = program === null ? commandAgain() : { file: program, args: [] };
  process.stderr.write(
    `outtray: This program is only the window. The command is ${[file, ...before].join(' ')}\n`,
  );
  return exitCodes.wrongUse;
}

/** A name that is no name of a profile ends the program. */
function inProfile(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  try {
    return withProfile(own, profile);
  } catch (error) {
    const { message, remedy } = toAppError(error);
    process.stderr.write(`outtray: ${message} ${plainWords(remedy)}\n`);
    process.exit(exitCodes.wrongUse);
  }
}

function isFileOrFolder(file: string): boolean {
  try {
    // On a drive that may hang this process must not look: the drive process, which can be abandoned, does so later.
    if (disks.hanging(path.isAbsolute(file) ? file : path.join(process.cwd(), file)) !== null) return true;
    const found = statSync(toSystemPath(file));
    return found.isFile() || found.isDirectory();
  } catch {
    return false;
  }
}

async function openApp(hidden: boolean): Promise<void> {
  const { app } = await import('electron');
  const trouble = noWindow({
    platform: process.platform,
    env,
    hasSwitch: (name) => app.commandLine.hasSwitch(name),
  });
  if (trouble !== null) {
    process.stderr.write(`outtray: ${trouble}\n`);
    app.exit(exitCodes.wrongUse);
    return;
  }
  const { followFaults, isFirstStart, nameForWindows, wasOpenedAtLogin } =
    await import('./shell/start/lifecycle.ts');
  const { filesAmong, followGivenFiles } = await import('./shell/start/given-files.ts');
  const { claimScheme } = await import('./shell/window/scheme.ts');
  const { forbidEverything } = await import('./shell/window/window.ts');
  nameForWindows();
  const isNamed = app.commandLine.hasSwitch('user-data-dir');
  const windowFolder = windowFolderOf(process.platform, app.getPath('appData'), isNamed);
  if (windowFolder !== null) app.setPath('userData', windowFolder);
  const named = dataPlace(undefined, env).profile;
  if (named !== null) {
    // Each profile is an app of its own: one instance, window, tray and title for each.
    app.setPath('userData', path.join(app.getPath('userData'), 'profiles', named));
    app.setName(`${app.name} (${named})`);
  }
  app.enableSandbox();
  claimScheme();
  forbidEverything();
  const first = { files: filesAmong(args, process.cwd()), isShare: args.includes(shareSwitch) };
  if (!isFirstStart(first)) {
    app.exit(0);
    return;
  }
  const given = followGivenFiles(first);
  const { runApp } = await import('./shell/app.ts');
  const { placesFrom } = await import('./shell/start/places.ts');
  const { tellAndExit } = await import('./shell/start/last-words.ts');
  const faults = followFaults(tellAndExit);
  // Not awaited: Electron is not ready before this file has been read to its end.
  void app
    .whenReady()
    .then(async () => {
      const isHidden = wasOpenedAtLogin(hidden);
      const context = await openAppContext(isHidden);
      faults.logTo(context.log);
      await runApp({ context, places: placesFrom(import.meta.dirname), hidden: isHidden, given });
    })
    .catch(tellAndExit);
}

async function openAppContext(isHidden: boolean): Promise<AppContext> {
  const { compose } = await import('./compose.ts');
  const { createLinkCheck } = await import('./adapters/api/links.ts');
  const { createPasted } = await import('./adapters/spool/pasted.ts');
  const { eraseMarked, markToErase } = await import('./adapters/system/erase.ts');
  const { engineTaken, readHolder } = await import('./adapters/system/lock.ts');
  const { createFileManagers } = await import('./adapters/integrate/file-managers.ts');
  const { chooseLanguage } = await import('./contract/text/speech.ts');
  const { app } = await import('electron');
  const { resolveSystemProxy } = await import('./shell/proxy.ts');
  let hideNotice = (): void => undefined;
  const composed = await compose({
    role: { kind: 'either', who: 'the Outtray app', orRead: true },
    ...withoutKey(env),
    resolveProxy: resolveSystemProxy,
    isUnsandboxed: () => isUnsandboxed(process.argv, env),
    async onLongUpdate(settings) {
      // A hidden start shows no window, so no user waits for one.
      if (isHidden) return;
      const { showUpdateNotice } = await import('./shell/start/update-notice.ts');
      hideNotice = await showUpdateNotice(settings);
    },
  }).finally(() => hideNotice());
  const { client, clock, engine, feedRequest, home, isEngine, ledger, log, redactor, settings, transport } =
    composed;
  const { uploads, views, remote, facts } = ledger;
  /** The engine of another process (`outtray watch`) sends us no events, so we poll its status at this interval. */
  const otherEveryMs = 3_000;
  const pasted = createPasted(home.folder);
  const fileManagers = (): FileManagers =>
    createFileManagers({
      platform: process.platform,
      env: withoutKey(env).env,
      home: homedir(),
      words: sharingWords(),
      profile: home.profile,
      language: chooseLanguage(settings.current().language, app.getPreferredSystemLanguages()).language,
    });

  /** The upload whose link this one has: itself, the one with the same content, or the one that it became part of. */
  const sharedBy = (row: Upload): Upload | null => {
    if (row.publicLink !== null) return isTakenBack(row.state) ? null : row;
    if (row.state.kind === 'gone') return uploads.presentAt(row.folderId, row.dir, row.name);
    const isShared = row.state.kind === 'skipped' && row.state.rule === 'already-shared';
    const same = isShared && row.sameAsId !== null ? uploads.byId(row.sameAsId) : null;
    return same === null || isTakenBack(same.state) ? null : same;
  };
  const linkedRow = (uploadId: number) => {
    const row = uploads.byId(uploadId);
    const shared = row === null ? null : sharedBy(row);
    const link = shared?.publicLink ?? null;
    return row === null || shared === null || link === null ? null : { name: row.name, shared, link };
  };
  const ours = (uploadId: number): LinkedFile | null => {
    const linked = linkedRow(uploadId);
    return linked === null ? null : linkedFile(linked.name, linked.shared, linked.link);
  };
  const standing = (uploadId: number): Standing => {
    const row = uploads.byId(uploadId);
    const linked = linkedRow(uploadId);
    const isGoing = row !== null && bucketOf(row.state) === 'waiting';
    const part = row === null ? null : partOf(row.state);
    const needsYou = part === 'held' || part === 'failed';
    const isGone = row === null || row.state.kind === 'gone';
    const file = { name: row?.name ?? '', sizeBytes: row?.stamp?.sizeBytes ?? 0, isGone };
    if (linked === null) return { isGoing, link: null, needsYou, ...file };
    const { id, fileId, name, uploadedAtMs } = linked.shared;
    const link = remote.isGone(fileId)
      ? null
      : { uploadId: id, fileId, name, link: linked.link, uploadedAtMs };
    return { isGoing, link, ...file };
  };
  const theirs = (fileId: FileId): LinkedFile | null => {
    const row = uploads.byFileId(fileId);
    if (row !== null) return ours(row.id);
    const seen = remote.byId(fileId);
    const link = seen?.public_link;
    if (link === undefined) return null;
    // The service's size has no unit, and its date no zone.
    const notKnown = { sizeBytes: null, sha256: null, uploadedAtMs: null };
    return { name: seen?.filename ?? String(fileId), link, ...notKnown };
  };
  const present = <Thing>(thing: Thing | null): Thing[] => (thing === null ? [] : [thing]);

  const whenDiskIsBack = (act: () => void): void => {
    const undo = engine.listen(() => {
      if (engine.trouble() !== null) return;
      undo();
      act();
    });
  };

  const isFree = (): boolean => {
    if (ledger.unwritable !== null) return composed.canBeWritten();
    // A data folder that is gone has no holder either; another start would make a new, empty one.
    ledger.check();
    return engine.trouble() === null && readHolder(home.folder) === null;
  };

  /** Stores how the window looks. A failing disk loses this, but the window works all the same. */
  const remember: typeof facts.set = (name, value, atMs) => {
    try {
      facts.set(name, value, atMs);
    } catch (error) {
      log.warn('not remembered', { name, error });
    }
  };

  const start = async (): Promise<void> => {
    if (!isEngine) return;
    try {
      const [folder = null] = watchedPaths(settings.current());
      await engine.start({ folder, existing: 'skip' });
    } catch (error) {
      log.warn('folder not opened', { error });
      if (engine.trouble() !== null) whenDiskIsBack(() => void start());
    }
  };

  return {
    environment: env,
    client,
    transport: {
      call: transport.call,
      listen(hear) {
        const undo = transport.listen(hear);
        if (isEngine) return undo;
        const look = setInterval(() => {
          const status = engine.status();
          // A gap in the numbers: every listener reads everything again.
          hear({ seq: status.seq + 2, kind: 'status', status });
        }, otherEveryMs);
        return () => {
          clearInterval(look);
          undo();
        };
      },
    },
    whenAlone(act) {
      if (isEngine) return;
      const look = setInterval(() => {
        if (!isFree()) return;
        clearInterval(look);
        act();
      }, otherEveryMs);
    },
    settings,
    former: takeFormer(ledger),
    files: composed.files,
    texts: composed.texts,
    home: { folder: home.folder, log: home.log, profile: home.profile },
    otherProfiles: () =>
      profilesIn(home.root)
        .filter(({ name }) => name !== defaultProfile)
        .map(({ name, folder }) => ({ name, isRunning: readHolder(folder) !== null })),
    openProfile: async (name) =>
      (await import('./shell/start/lifecycle.ts')).startProfile(name, withProfile(withoutAccount(env), name)),
    version,
    log,
    status: engine.status,
    fatal: engine.fatal,
    isGuest: !isEngine,
    start,
    resumed() {
      clock.resumed();
      engine.resumed();
    },
    look: {
      link: (file) => ('uploadId' in file ? ours(file.uploadId) : theirs(file.fileId)),
      links: (uploadIds, fileIds) => [
        ...uploadIds.toSorted((a, b) => a - b).flatMap((id) => present(ours(id))),
        ...fileIds.flatMap((id) => present(theirs(id))),
      ],
      path(uploadId) {
        const row = uploads.byId(uploadId);
        return row === null ? null : path.join(row.dir, row.name);
      },
      upload: (uploadId) => uploads.byId(uploadId),
      newest: (count) =>
        views
          .newestLinks(count)
          .filter(({ state }) => !isTakenBack(state))
          .map(({ id, name, uploadedAtMs }) => ({ uploadId: id, name, uploadedAtMs: uploadedAtMs ?? 0 })),
      rules(uploadId) {
        const folderId = uploads.byId(uploadId)?.folderId ?? null;
        return folderId === null ? null : rulesOfFolder({ ledger, settings }, folderId);
      },
      isByHand: (uploadId) => uploads.byId(uploadId)?.folderId === null,
      standing,
    },
    diagnose: createDiagnosis(composed, version),
    isSaneLink(link) {
      const { baseUrl, linkHosts } = settings.current();
      return baseUrl !== null && createLinkCheck(new URL(baseUrl), linkHosts)(link);
    },
    after: (delayMs, act) => clock.after(delayMs, act),
    redact: (text) => redactor.redactKnown(text),
    windowBounds: {
      read: () => facts.get('window')?.value ?? null,
      write: (bounds) => remember('window', bounds, clock.wallMs()),
    },
    findProgram: (name) => findProgram(name, process.env, process.platform),
    feedRequest,
    quietUpdate: {
      begin: (tried) => facts.set('quietUpdate', { tried, isFresh: true }, clock.wallMs()),
      tried: () => facts.get('quietUpdate')?.value.tried ?? null,
      takeStart() {
        const update = facts.get('quietUpdate')?.value;
        if (update?.isFresh !== true) return false;
        remember('quietUpdate', { ...update, isFresh: false }, clock.wallMs());
        return true;
      },
    },
    fileManagers: {
      list: () => fileManagers().list(),
      async set(name, on) {
        await (on ? fileManagers().add(name) : fileManagers().remove(name));
        return await fileManagers().list();
      },
    },
    toldOfTray: {
      read: () => facts.get('toldOfTray') !== null,
      write: () => remember('toldOfTray', true, clock.wallMs()),
    },
    loginItem: {
      read: () => facts.get('launchAtLogin')?.value ?? false,
      write: (wanted) => remember('launchAtLogin', wanted, clock.wallMs()),
    },
    rows: {
      areCompact: () => facts.get('compactRows')?.value ?? false,
      setCompact: (on) => remember('compactRows', on, clock.wallMs()),
    },
    pasted: {
      keep: (bytes, ending) =>
        pasted.keep(ending, (file) => writeFile(file, bytes, { flag: 'wx', mode: 0o600 })),
      tidy: () => pasted.tidy(uploads),
    },
    async close() {
      await composed.close();
      eraseMarked(home.folder);
    },
    async forgetEverything() {
      const other = isEngine ? null : readHolder(home.folder);
      if (other !== null) throw engineTaken(other);
      // Without a keychain there is no key in it; a locked one still has it, and then nothing is forgotten.
      await client.call('account.logout', {}).catch((error: unknown) => {
        if (toAppError(error).code !== 'keychain-unavailable') throw error;
      });
      markToErase(home.folder);
    },
  };
}
