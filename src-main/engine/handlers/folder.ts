// The watched folders: look before choosing, choose, their rules, scan, and why a file is where it is.
import { see, sentences } from '../../contract/text/wording.ts';
import type { FolderView, PlanEnd, PlannedFile } from '../../contract/answers.ts';
import type { CommandAnswer, Handlers, CommandArguments } from '../../contract/commands.ts';
import { AppError } from '../../contract/errors.ts';
import { noCounts } from '../../contract/model.ts';
import { requireRight } from '../../contract/rights.ts';
import { folderRules, isFolderRule, withRule, type FolderRule } from '../../contract/settings.ts';
import { acceptFolder, rulesOf, whyNotThere } from '../shared/folder.ts';
import { foldedPath, joinPath } from '../shared/paths.ts';
import { linkOf } from '../shared/same-content.ts';
import { rowAt } from './named/at-path.ts';
import { sharedScan } from '../discover/folders/watching.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Upload, WatchedFolder } from '../ports/uploads.ts';
import { brakeSpanMs } from '../discover/quiet-period.ts';
import { sentenceFor } from './why.ts';
import { copiesSentence, diskSentence, wrongSentence } from '../../contract/text/why.ts';
import { copiesOf, rowsById, type Kit } from './kit.ts';
import { planFiles } from '../plan/plan.ts';
import { createFolderInspection } from '../discover/folders/inspect-folder.ts';

/** An answer of a plan has at most this many files: a plan of 100,000 files does not lie in memory. */
const plannedAtOnce = 500;

export const folderHandlers = (kit: Kit) => {
  const { ports } = kit;
  const { ledger, files } = ports;
  const inspect = createFolderInspection(ports, kit.service.account);

  /** The newest plan that is not read to its end. */
  let open: { id: number; steps: AsyncGenerator<PlannedFile, PlanEnd> } | null = null;
  let lastPlan = 0;

  const { choice } = kit.discovery;

  /** Asks the disk, so that the answer is right in every process, not only in that of the engine. */
  const isThere = async (path: string, row: WatchedFolder | null): Promise<boolean> => {
    if (row !== null) return (await whyNotThere(ports, choice, row)) === null;
    return await files.identify(path).then(
      () => true,
      () => false,
    );
  };

  const views = (): Promise<FolderView[]> =>
    Promise.all(
      choice.chosen().map(async ({ path, row }) => {
        const own = row?.own ?? {};
        return {
          folder: row?.path ?? path,
          available: await isThere(path, row),
          counts: row === null ? noCounts() : ledger.views.counts(row.id),
          ...sharedScan(ports, row),
          rules: rulesOf(ports.settings, own),
          own: folderRules.filter((name) => Object.hasOwn(own, name)),
          locked: folderRules.filter((name) => name !== 'paused' && ports.settings.isLocked(name)),
        };
      }),
    );

  const changed = (): Promise<FolderView[]> => {
    kit.feed.settingsChanged();
    kit.feed.statusChanged();
    kit.nudge();
    return views();
  };

  return {
    'folders.list': () => views(),
    'folders.ignored': ({ folder }) => ignoredNow(choice.chosen(), ledger.views, folder),
    async 'folders.find'() {
      const folder = await ports.places.screenshots();
      return { folder: await ports.places.acceptFolder(folder).catch(() => null) };
    },
    async 'folders.add'({ folder, existing, rules }) {
      for (const [name, value] of Object.entries(rules))
        if (isFolderRule(name)) checkRule(ports, name, value);
      const given = 'path' in folder ? folder.path : await ports.places.screenshots();
      const path = await ports.places.acceptFolder(given);
      await acceptFolder(ports, path);
      await choice.add(path, existing, 'path' in folder ? rules : { copyLink: 'always', ...rules });
      return await changed();
    },
    async 'folders.set'({ folder, name, value }) {
      const path = await chosenAt(ports, choice, folder);
      checkRule(ports, name, value);
      await choice.setRules(path, (own) => {
        const changed = withRule(own, name, value);
        if (changed.ok) return changed.own;
        throw new AppError('bad-setting', `${name} ${changed.problem}.`, see('help', 'folders set'));
      });
      return await changed();
    },
    async 'folders.remove'({ folder }) {
      await choice.remove(await chosenAt(ports, choice, folder));
      return await changed();
    },
    async 'files.plan'(asked, signal) {
      if ('paths' in asked) {
        await open?.steps.return({ requests: 0, finishesAtMs: null, dailyUploadsLeft: null, burst: [] });
        open = { id: ++lastPlan, steps: planFiles(kit, asked.paths, signal) };
      } else if (open?.id !== asked.next) {
        throw new AppError('bad-use', 'Another plan has been started since.', 'Plan it again.');
      }
      const { id, steps } = open;
      const planned: PlannedFile[] = [];
      while (planned.length < plannedAtOnce) {
        const step = await steps.next();
        if (step.done === true) {
          open = null;
          return { files: planned, next: null, end: step.value };
        }
        planned.push(step.value);
      }
      return { files: planned, next: id, end: null };
    },
    async 'folder.inspect'({ folder, beside }, signal) {
      const path = await ports.places.acceptFolder(folder);
      if (beside) await choice.assertNew(path);
      return await inspect(path, signal);
    },
    async 'folder.choose'({ folder, existing }) {
      const path = await ports.places.acceptFolder(folder);
      await acceptFolder(ports, path);
      await kit.discovery.choice.choose(path, existing);
      kit.nudge();
      return kit.status();
    },
    'folder.scan'() {
      kit.discovery.requestScan();
      kit.nudge();
      return kit.status();
    },
    'file.why': (asked) => why(kit, asked),
  } satisfies Partial<Handlers>;
};

/** The path as the settings have it; the user may give another path to the folder. Throws `not-found`. */
const chosenAt = async (
  { places, files }: Kit['ports'],
  choice: Kit['discovery']['choice'],
  given: string,
): Promise<string> => {
  const paths = choice.chosen().map(({ path, row }) => row?.path ?? path);
  if (paths.includes(given)) return given;
  const real = await places.acceptFolder(given).catch(() => null);
  if (real !== null && paths.includes(real)) return real;
  const [away] = await files.spell([given]);
  const known = paths.find(
    (path) => path === away?.path || (away?.isGuess === true && foldedPath(path) === foldedPath(away.path)),
  );
  if (known !== undefined) return known;
  throw new AppError('not-found', `${given} is not watched.`, see('folders'));
};

/** A zip with the content of an earlier one ends, and the row of the earlier one takes its path. Returns that row. */
const withContentOf = ({ spool, ledger }: Kit['ports'], row: Upload): Upload =>
  row.state.kind === 'gone' && spool.holds(row.dir)
    ? (ledger.uploads.presentAt(null, row.dir, row.name) ?? row)
    : row;

/** Throws `bad-setting`, `not-allowed`. */
const checkRule = (ports: Kit['ports'], name: FolderRule, value: unknown): void => {
  if (name === 'paused') {
    if (value === true) requireRight(ports.settings, 'allowPause');
  } else if (ports.settings.isLocked(name)) {
    throw new AppError('bad-setting', `${name} is locked by a policy.`, 'Ask your administrator.');
  }
  // A bad pattern is refused here, where the user sees it, and not at the next start.
  if (name === 'ignore' && Array.isArray(value))
    ports.ignore.compile(value.filter((pattern) => typeof pattern === 'string'));
};

/** How many files the patterns ignore. Without `folder`: in the folders that have no patterns of their own. */
const ignoredNow = (
  chosen: ReturnType<Kit['discovery']['choice']['chosen']>,
  views: Ledger['views'],
  folder: string | null,
): CommandAnswer<'folders.ignored'> => {
  const ids = chosen
    .filter(({ isAvailable }) => isAvailable)
    .flatMap(({ row }) => row ?? [])
    .filter(({ path, own }) => (folder === null ? own.ignore === undefined : path === folder))
    .map(({ id }) => id);
  if (ids.length === 0) return { ignored: null };
  const alike = views
    .alike('skipped', ids)
    .find(({ state }) => state.kind === 'skipped' && state.rule === 'ignored');
  const counts = ids.flatMap((id) => Object.values(views.counts(id)));
  return { ignored: alike?.files ?? 0, files: counts.reduce((sum, one) => sum + one, 0) };
};

/** At most this many zips are named. */
const mostZips = 5;
const mostLookedAt = 100;

/**
 * The zips that a file of this path was packed into, by their names at the service; null: none. A zip that ended in
 * favour of an earlier one with its content is left out (see `withContentOf`).
 */
const packedSentence = ({ bundled, uploads }: Ledger, path: string): string | null => {
  const zips = bundled.uploadsWith(path, mostLookedAt).flatMap((id) => uploads.byId(id) ?? []);
  const links = zips
    .filter(({ state }) => state.kind !== 'gone')
    .slice(0, mostZips)
    .map((row) => `${row.remoteName ?? row.name} (${linkOf(uploads, row) ?? 'no link'})`);
  return links.length === 0 ? null : `It was packed into ${links.join(', ')}.`;
};

const why = async (kit: Kit, asked: CommandArguments<'file.why'>): Promise<CommandAnswer<'file.why'>> => {
  const { ports } = kit;
  const { ledger, files } = ports;
  const [named] =
    'uploadId' in asked ? rowsById(kit, [asked.uploadId]).map((row) => withContentOf(ports, row)) : [];
  const path = 'path' in asked ? asked.path : named === undefined ? '' : joinPath(named.dir, named.name);
  const row = named ?? (await rowAt(kit, path));
  if (row instanceof AppError) return { path, sentence: row.message, upload: null };
  const status = kit.status();
  const packed = packedSentence(ledger, path);
  if (row !== null) {
    const link = linkOf(ledger.uploads, row);
    const versions = ledger.uploads.versionsBefore(row.id, ports.clock.wallMs() - brakeSpanMs);
    const sentence = sentenceFor(row.state, link, status, versions);
    const copies = copiesOf(ports, row);
    const doubt = copiesSentence(copies);
    const wrong = wrongSentence(ledger.watched.byId('content', row.id)?.told ?? null);
    const all = sentences(...[sentence, packed, wrong, doubt].filter((one) => one !== null));
    if (doubt === null) return { path, sentence: all, upload: kit.view(row) };
    return { path, sentence: all, upload: kit.view(row), copies };
  }
  if (packed !== null) return { path, sentence: packed, upload: null };
  const found = await files.look(path);
  if (found === null) {
    const message = `There is no file at ${path}, and Outtray has never seen one there.`;
    throw new AppError('not-found', message, 'Check the path.');
  }
  const sentence =
    diskSentence(status.gate) ??
    (status.folders.length === 0
      ? 'Outtray does not know this file: no folder is chosen.'
      : 'Outtray does not know this file: it lies outside the watched folders, or no scan has seen it yet.');
  return { path, sentence, upload: null };
};
