// `status`, `pause`, `resume`, `why`, `settings`, `doctor`: the current state, and what holds for all. Only `doctor` asks
// the service.
import { isoOrNull } from '../../contract/text/formats.ts';
import type { Work } from '../../contract/model.ts';
import { printable } from '../../contract/text/printable.ts';
import { recordTold, takeFormer } from '../../adapters/ledger/facts.ts';
import { parseSettingText, settingNamed } from '../../adapters/settings/setting-text.ts';
import type { Check } from '../../contract/answers.ts';
import type { FileId } from '../../contract/text/file-id.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import { isBusy, type Counts, type UploadState, type WaitReason } from '../../contract/model.ts';
import { sentenceFor } from '../../engine/handlers/why.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson, ofView } from '../../engine/state/file-json.ts';
import { findFiles } from '../named-files.ts';
import { unlessInterrupted, within, type Composed, type Session } from '../session.ts';
import { troubleText, typedText } from '../output/typed.ts';
import { closedText, countsText, folderText, graceText, pauseEnd, timeText } from '../output/words.ts';

const guest = { kind: 'guest' } as const;

export const status = (session: Session): Promise<ExitCode> =>
  within(session, guest, async (composed) => {
    const { client, engine, holder, clock } = composed;
    const { output } = session;
    for (const warning of untold(composed)) output.trouble(warning);
    // On a full disk another process cannot record its fault for this one to read, and only a write reveals a quota.
    engine.checkDisk();
    const now = await client.call('app.status', {});
    const { folder, counts, paused } = now;
    const folders = (await client.call('folders.list', {})).map((one) => ({
      folder: one.folder,
      available: one.available,
      counts: one.counts,
      ...(one.scanMinutes === undefined ? {} : { scanMinutes: one.scanMinutes }),
    }));
    const { minute, day } = now.budget;
    // Without a holder the message is left over from a process that was killed.
    const remedy = holder === null ? null : now.watchMessage;
    const watch = remedy === null ? {} : { watch: 'scanning', remedy };
    const { gate } = now;
    const waiting =
      gate.kind === 'open'
        ? {}
        : {
            waiting: {
              reason: gate.reason,
              until: isoOrNull(gate.untilMs),
              message: gate.message,
              remedy: gate.remedy,
            },
          };
    const running = holder !== null;
    output.object({
      folder,
      counts,
      folders,
      outside: now.outside,
      work: now.work,
      budget: { minute, day },
      paused,
      running,
      ...watch,
      ...waiting,
      ...(now.wrongLinks === 0 ? {} : { wrongLinks: now.wrongLinks }),
      ...(now.openRecalls === 0 ? {} : { openRecalls: now.openRecalls }),
    });
    const rows = [
      ...(folders.length === 0 ? [['Folder', 'none chosen']] : []),
      ...folders.map((one) => [
        'Folder',
        one.available ? folderText(one) : `${printable(one.folder)} (missing)`,
      ]),
      ['Running', holder === null ? 'no' : `yes (${holder.who}, process ${holder.pid})`],
      [
        'Paused',
        paused
          ? now.pauseIsUnread === true
            ? 'until resumed: its end in the data folder cannot be read. Run `outtray resume` to continue.'
            : now.pausedUntilMs === null
              ? 'until resumed'
              : `until ${timeText(now.pausedUntilMs, clock.wallMs(), session)}`
          : 'no',
      ],
      ...Object.entries(counts).map(([name, count]) => [
        name.replace(/^./, (first) => first.toUpperCase()),
        `${count}`,
      ]),
      ...(isNothing(now.outside) ? [] : [['Outside the folders', countsText(now.outside)]]),
      ...(now.wrongLinks === 0 ? [] : [['Wrong links', `${now.wrongLinks}; \`outtray review\` names them`]]),
      ...(now.openRecalls === 0
        ? []
        : [['Recalls', `${now.openRecalls} not proven dead; \`outtray review\` names them`]]),
      ...(now.work.total === 0 ? [] : [['Now', workText(now.work)]]),
      ['Requests this minute', `${minute.used} of ${minute.limit}`],
      ['Requests in 24 hours', `${day.used} of ${day.limit}`],
    ];
    output.table(rows);
    if (remedy !== null) output.line(printable(typedText(remedy)));
    if (gate.kind === 'closed' && composed.ledger.unwritable === null)
      output.line(closedText(gate, clock.wallMs(), session));
    if (now.doneAtMs !== null && running)
      output.line(`All done at about ${timeText(now.doneAtMs, clock.wallMs(), session)}.`);
    return exitCodes.done;
  });

/** "7 of 72 ready, 3 uploading, 60 waiting, 2 need you" */
const workText = ({ ready, uploading, waiting, needYou, leftOut, total }: Work): string =>
  [
    `${ready} of ${total} ready`,
    ...(uploading > 0 ? [`${uploading} uploading`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(needYou > 0 ? [`${needYou} ${needYou === 1 ? 'needs' : 'need'} you`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
  ].join(', ');

const isNothing = (counts: Counts): boolean => Object.values(counts).every((count) => count === 0);

export const pause = (session: Session, words: readonly string[]): Promise<ExitCode> =>
  within(session, guest, async ({ client, clock }) => {
    const untilMs = pauseEnd(words.join(' '), clock.wallMs());
    await client.call('queue.pause', { untilMs });
    session.output.object({ paused: true, until: isoOrNull(untilMs) });
    session.output.line(
      untilMs === null
        ? 'Paused until resumed.'
        : `Paused until ${timeText(untilMs, clock.wallMs(), session)}.`,
    );
    return exitCodes.done;
  });

export const resume = (session: Session): Promise<ExitCode> =>
  within(session, guest, async ({ client }) => {
    await client.call('queue.resume', {});
    session.output.object({ paused: false });
    session.output.line('Resumed.');
    return exitCodes.done;
  });

export const why = (session: Session, given: string): Promise<ExitCode> =>
  within(session, guest, async ({ client, engine, holder, clock, ledger }) => {
    engine.checkDisk();
    const [named] = await findFiles(session, { client }, [given], 'path');
    const { uploadId = null, path = null } = named ?? {};
    if (uploadId === null && path === null) throw elsewhere(named?.fileId ?? 0);
    const answer = await client.call('file.why', uploadId === null ? { path: path ?? '' } : { uploadId });
    const { upload } = answer;
    const now = await client.call('app.status', {});
    const sentence =
      upload?.state.kind === 'ready'
        ? sentenceFor(upload.state, null, { gate: now.gate, paused: now.paused, running: holder !== null })
        : answer.sentence;
    const waits = upload === null ? null : waitIn(upload.state);
    session.output.object({
      ...fileJson(completed(ledger, { ...(upload === null ? {} : ofView(upload)), path: answer.path })),
      sentence,
      state: upload?.state.kind ?? null,
      ...(waits === null ? {} : { reason: waits.reason, until: isoOrNull(waits.untilMs) }),
      ...(answer.copies === undefined ? {} : { copies: answer.copies }),
    });
    const takeBack =
      upload === null || waits?.reason !== 'grace'
        ? ''
        : ` It ${graceText({ untilMs: waits.untilMs, id: upload.id, nowMs: clock.wallMs() })}`;
    const look =
      waits?.reason === 'busy' && !now.paused && now.gate.kind === 'open'
        ? ` It looks at ${timeText(waits.untilMs ?? 0, clock.wallMs(), session)}.`
        : '';
    session.output.line(`${typedText(sentence)}${takeBack}${look}`);
    return exitCodes.done;
  });

const elsewhere = (fileId: FileId): AppError =>
  new AppError(
    'not-found',
    `This machine did not upload file ${fileId}.`,
    `\`outtray info ${fileId}\` shows what the service knows of it.`,
  );

/**
 * What was not shown yet about wrong and former settings, and links that are not read any more. `settings` and `doctor`
 * show the wrong settings every time.
 */
export const untold = ({ settings, ledger, clock }: Composed): readonly string[] => {
  const warnings = [...settings.warnings(), ...settings.former()];
  const told = ledger.facts.get('settings-told')?.value ?? [];
  const fresh = warnings.filter((warning) => !told.includes(warning));
  if (fresh.length > 0 || told.length > warnings.length)
    recordTold(ledger, (facts) => facts.set('settings-told', warnings, clock.wallMs()));
  return [...fresh, ...takeFormer(ledger)];
};

const waitIn = (state: UploadState): { reason: WaitReason; untilMs: number | null } | null => {
  if (state.kind === 'waiting') return state;
  return isBusy(state) ? { reason: 'busy', untilMs: state.nextLookAtMs } : null;
};

export const settingsGet = (session: Session, name: string | undefined): Promise<ExitCode> =>
  within(session, guest, async ({ client, settings }) => {
    for (const warning of settings.warnings()) session.output.trouble(warning);
    const wanted = name === undefined ? null : settingNamed(name);
    const views = (await client.call('settings.get', {})).filter(
      (view) => wanted === null || view.name === wanted,
    );
    for (const view of views) session.output.object(view);
    const [only] = views;
    if (name !== undefined && only !== undefined) {
      // A script reads the value, and nothing else.
      session.output.line(typeof only.value === 'string' ? only.value : JSON.stringify(only.value));
      return exitCodes.done;
    }
    const rows = views.map((view) => [view.name, JSON.stringify(view.value), view.lockedBy ?? view.origin]);
    session.output.table(rows);
    return exitCodes.done;
  });

export const settingsSet = (session: Session, name: string, text: string): Promise<ExitCode> =>
  within(session, guest, async ({ client }) => {
    const setting = settingNamed(name);
    const views = await client.call('settings.set', {
      name: setting,
      value: parseSettingText(name, text, session.cwd),
    });
    const view = views.find((one) => one.name === setting);
    if (view !== undefined) {
      session.output.object(view);
      session.output.line(`${view.name} = ${JSON.stringify(view.value)}`);
    }
    return exitCodes.done;
  });

export const doctor = async (session: Session): Promise<ExitCode> => {
  const { output } = session;
  const tell = (check: Check): void => {
    output.object(check);
    const mark = check.ok === null ? '–' : check.ok ? '✓' : '✗';
    output.line(`${mark} ${check.name}: ${troubleText(check)}`);
  };
  return within(session, guest, async ({ client }) => {
    const checks = await unlessInterrupted(session, () => client.call('app.doctor', {}));
    for (const check of checks) tell(check);
    const failed = checks.find((check) => check.ok === false);
    if (failed === undefined) return exitCodes.done;
    if (failed.name === 'network' && failed.code !== 'not-configured') return exitCodes.unreachable;
    return failed.name === 'key' || failed.name === 'keychain' ? exitCodes.key : exitCodes.wrongUse;
  }).catch((caught: unknown) => {
    // Invalid settings or a policy stop the app and the other commands; `doctor` reports them as a check.
    const { code, message, remedy } = toAppError(caught);
    if (code !== 'bad-setting') throw caught;
    tell({ name: 'settings', ok: false, message, remedy, code });
    return exitCodes.wrongUse;
  });
};
