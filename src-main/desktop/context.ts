// Composes the engine for the app, and makes of it what the shell needs.
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { app } from 'electron';
import { createLinkFault } from '../adapters/api/links.ts';
import { createFileManagers, type FileManagers } from '../adapters/integrate/file-managers.ts';
import { withoutAccount, withoutKey } from '../adapters/keychain/environment.ts';
import { takeFormer } from '../adapters/ledger/facts.ts';
import { createDiagnosis } from '../adapters/log/diagnostic-text.ts';
import { createPasted } from '../adapters/spool/pasted.ts';
import { eraseMarked, markToErase } from '../adapters/system/erase.ts';
import { defaultProfile, profilesIn, withProfile } from '../adapters/system/home.ts';
import { engineTaken, readHolder } from '../adapters/system/lock.ts';
import { sharingWords } from '../adapters/system/own-program.ts';
import { findProgram } from '../adapters/system/programs.ts';
import { version } from '../adapters/version.ts';
import { compose } from '../compose.ts';
import { toAppError } from '../contract/errors.ts';
import { chooseLanguage } from '../contract/text/speech.ts';
import type { AppContext } from '../shell/app-context.ts';
import { resolveSystemProxy } from '../shell/proxy.ts';
import { isUnsandboxed } from '../shell/start/launch-mode.ts';
import { startProfile } from '../shell/start/lifecycle.ts';
import { showUpdateNotice } from '../shell/start/update-notice.ts';
import { createEngineHere } from './engine-here.ts';
import { createLedgerLook } from './ledger-look.ts';
import { createRemembered } from './remembered.ts';

/** `env`: of this start, with the key. */
export const openAppContext = async (env: NodeJS.ProcessEnv, isHidden: boolean): Promise<AppContext> => {
  let hideNotice = (): void => undefined;
  const composed = await compose({
    role: { kind: 'either', who: 'the Outtray app', orRead: true },
    ...withoutKey(env),
    resolveProxy: resolveSystemProxy,
    isUnsandboxed: () => isUnsandboxed(process.argv, env),
    async onLongUpdate(settings) {
      // A hidden start shows no window, so no user waits for one.
      if (!isHidden) hideNotice = await showUpdateNotice(settings);
    },
  }).finally(() => hideNotice());
  const { client, clock, engine, home, isEngine, ledger, log, redactor, settings } = composed;
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
  return {
    ...createEngineHere(composed),
    ...createRemembered(ledger.facts, clock, log),
    environment: env,
    client,
    settings,
    former: takeFormer(ledger),
    files: composed.files,
    texts: composed.texts,
    home: { folder: home.folder, log: home.log, profile: home.profile },
    otherProfiles: () =>
      profilesIn(home.root)
        .filter(({ name }) => name !== defaultProfile)
        .map(({ name, folder }) => ({ name, isRunning: readHolder(folder) !== null })),
    openProfile: (name) => startProfile(name, withProfile(withoutAccount(env), name)),
    version,
    log,
    status: engine.status,
    fatal: engine.fatal,
    isGuest: !isEngine,
    resumed() {
      clock.resumed();
      engine.resumed();
    },
    look: createLedgerLook(ledger, settings),
    diagnose: createDiagnosis(composed, version),
    linkFault(link) {
      const { baseUrl, linkHosts } = settings.current();
      return baseUrl === null ? 'new-host' : createLinkFault(new URL(baseUrl), linkHosts)(link);
    },
    after: (delayMs, act) => clock.after(delayMs, act),
    redact: (text) => redactor.redactKnown(text),
    findProgram: (name) => findProgram(name, process.env, process.platform),
    feedRequest: composed.feedRequest,
    fileManagers: {
      list: () => fileManagers().list(),
      async set(name, on) {
        await (on ? fileManagers().add(name) : fileManagers().remove(name));
        return await fileManagers().list();
      },
    },
    pasted: {
      keep: (bytes, ending) =>
        pasted.keep(ending, (file) => writeFile(file, bytes, { flag: 'wx', mode: 0o600 })),
      tidy: () => pasted.tidy(ledger.uploads),
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
};
