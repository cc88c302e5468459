// `integrate`: entries in the file managers of this computer, for this user.
import { createFileManagers, ofDefaultProfile } from '../../adapters/integrate/file-managers.ts';
import { entryLabels } from '../../adapters/integrate/labels.ts';
import { sharingWords } from '../../adapters/system/own-program.ts';
import { AppError, toAppError, toWire } from '../../contract/errors.ts';
import type { EntryState, FileManagerName, FileManagerView } from '../../contract/file-managers.ts';
import { chooseLanguage } from '../../contract/text/speech.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { within, type Session } from '../session.ts';
import { troubleText } from '../output/typed.ts';

const stateTexts: Record<EntryState, string> = {
  on: 'on',
  old: 'out of date; `outtray integrate` renews it',
  off: 'off',
  system: 'comes with the installed package',
  missing: 'not on this computer',
};

/** Where a person finds the entry. */
const shownAt: Record<FileManagerName, string> = {
  nautilus: 'In Nautilus it is in a file’s context menu, under Scripts.',
  nemo: 'In Nemo it is in a file’s context menu.',
  thunar: 'In Thunar it is in a file’s context menu once Thunar has restarted (`thunar -q` quits it).',
  dolphin: 'In Dolphin it is in a file’s context menu.',
  explorer:
    'In Explorer it is in a file’s context menu (Windows 11: Show more options); for several files, it is under Send to.',
  finder: 'In the Finder it is in a file’s context menu, under Quick Actions.',
};

export const integrate = (session: Session, flags: { list?: boolean; remove?: boolean }): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ home, settings }) => {
    const { output, env } = session;
    if (home.profile !== null) throw ofDefaultProfile();
    const { language } = chooseLanguage(settings.current().language, systemLanguages(env));
    const managers = createFileManagers({
      platform: session.platform,
      env,
      home: session.userHome,
      words: sharingWords(),
      language,
    });
    const all = await managers.list();
    const wanted = all.filter(({ state }) =>
      flags.list === true
        ? true
        : flags.remove === true
          ? state === 'on' || state === 'old'
          : state !== 'missing',
    );
    if (wanted.length === 0) {
      if (flags.remove === true) {
        output.note('There is no Outtray entry to remove.');
        return exitCodes.done;
      }
      const titles = all.map(({ title }) => title).join(', ');
      throw new AppError(
        'not-found',
        `None of these is on this computer: ${titles}.`,
        'Drop files on the window, or use `outtray upload --copy FILE`.',
      );
    }
    const rows: string[][] = [];
    const hints: string[] = [];
    let hasFailed = false;
    for (const before of wanted) {
      try {
        const view = await change(before);
        output.object({ manager: view.name, state: view.state, places: view.places });
        rows.push([
          view.title,
          stateTexts[view.state],
          view.state === 'missing' ? '' : view.places.join(' · '),
        ]);
        if (flags.list !== true && flags.remove !== true) hints.push(shownAt[view.name]);
      } catch (caught) {
        const error = toAppError(caught);
        hasFailed = true;
        output.object({
          manager: before.name,
          state: before.state,
          places: before.places,
          error: toWire(error),
        });
        output.trouble(`${before.title}: ${troubleText(error)}`);
      }
    }
    output.table(rows);
    if (hints.length > 0) output.note(`The entry is called “${entryLabels[language]}”.`);
    for (const hint of hints) output.note(hint);
    return hasFailed ? exitCodes.someFailed : exitCodes.done;

    function change({ name, ...view }: FileManagerView): Promise<FileManagerView> {
      if (flags.list === true) return Promise.resolve({ name, ...view });
      return flags.remove === true ? managers.remove(name) : managers.add(name);
    }
  });

/** In gettext's order: LC_ALL, LC_MESSAGES, LANG. Where none of them is set, Intl reports the system's language. */
const systemLanguages = (env: NodeJS.ProcessEnv): string[] => {
  const named = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find(
    (one) => one !== undefined && one !== '',
  );
  return [
    named?.replace(/[.@].*$/, '').replaceAll('_', '-') ?? Intl.DateTimeFormat().resolvedOptions().locale,
  ];
};
