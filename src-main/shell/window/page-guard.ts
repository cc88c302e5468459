// Stands between the pages of the app and the table of calls: a compromised page reaches neither key, programs,
// records nor guards by itself (`page` of their rows). Where a call would, a dialog of the main process asks.
import type { FileId } from '../../contract/text/file-id.ts';
import type { Client, Reply } from '../../contract/client.ts';
import type { KeyState } from '../../contract/answers.ts';
import {
  commands,
  isCommandName,
  parsedInput,
  type Alike,
  type CommandArguments,
  type CommandName,
  type CommandNamed,
} from '../../contract/commands.ts';
import { AppError, toWire } from '../../contract/errors.ts';
import { fateOf, isKeptBack, mayBeKept, type UploadState } from '../../contract/model.ts';
import {
  checkSetting,
  defaultSettings,
  rowOf,
  type FolderRule,
  type SettingName,
  type Settings,
} from '../../contract/settings.ts';
import { readRowName } from '../../contract/window.ts';
import type { CallFacts } from '../../contract/catalogue/calls.ts';
import { createByHand, mostByPress } from './by-hand.ts';
import type { GivenPaths } from './given-paths.ts';
import type { HandName, PageQuestions } from './page-questions.ts';
import type { Presses } from './presses.ts';

export type JudgedName = CommandNamed<{ page: 'judged' }>;

/** One load of a page: what a person gave to it is unknown to other pages and after a reload. */
type Page = object;

/** Returns the input that is passed on; throws for a refused one. */
type Judges = {
  [Name in JudgedName]: (input: CommandArguments<Name>, page: Page) => Promise<CommandArguments<Name>>;
};

export type PageGuard = (name: string, input: unknown, page: Page) => Promise<Reply>;

/** `look` returns null for an unknown id. `proposed.make` creates that folder; true: it did not exist. */
type GuardParts = {
  client: Pick<Client, 'call'>;
  settings: { current(): Settings };
  questions: PageQuestions;
  /** `offered`: the paths that a drop offers to the pages. */
  given: { paths: GivenPaths; presses: Presses; offered: (token: string) => readonly string[] | null };
  look: {
    link(file: { fileId: FileId }): { name: string } | null;
    upload(id: number): { name: string; state: UploadState; changedAtMs: number } | null;
    path(id: number): string | null;
  };
  proposed: { folder: string; make(): Promise<boolean> };
  answer: (name: string, input: unknown) => Promise<Reply>;
};

type ByHand = ReturnType<typeof createByHand>;
const createFolderJudges = (
  {
    client,
    settings,
    questions,
    proposed,
  }: Pick<GuardParts, 'client' | 'settings' | 'questions' | 'proposed'>,
  byHand: ByHand,
) => {
  /** Folders that a person chose in the system's dialog. */
  const chosen = new WeakMap<Page, Set<string>>();
  const isChosen = (page: Page, folder: string): boolean => chosen.get(page)?.has(folder) === true;

  const watched = async (): Promise<string[]> =>
    (await client.call('app.status', {})).folders.map(({ folder }) => folder);

  const demandKnown = async (folder: string, page: Page): Promise<void> => {
    const isKnown =
      folder === proposed.folder ||
      isChosen(page, folder) ||
      (await watched()).includes(folder) ||
      folder === (await client.call('folders.find', { preset: 'screenshots' })).folder;
    if (!isKnown) throw refused('Nobody chose this folder.');
  };

  /** A new folder is empty, and the user saw a chosen one: only uploading the files in it needs the question. */
  const judgeFolder = async (folder: string, existing: unknown, page: Page): Promise<void> => {
    await demandKnown(folder, page);
    if (folder === proposed.folder && (await proposed.make())) return;
    const isNone = existing === 'skip' || (Array.isArray(existing) && existing.length === 0);
    if (isNone && (isChosen(page, folder) || (await watched()).includes(folder))) return;
    await questions.watch(folder, !isNone);
  };

  const judges = {
    async 'folder.inspect'(input, page) {
      await demandKnown(input.folder, page);
      return input;
    },
    async 'folder.choose'(input, page) {
      await judgeFolder(input.folder, input.existing, page);
      return input;
    },
    async 'folders.add'(input, page) {
      if (Object.keys(input.rules).length > 0) throw refused('A page sets the rules of a folder one by one.');
      const folder =
        'path' in input.folder
          ? input.folder.path
          : (await client.call('folders.find', { preset: input.folder.preset })).folder;
      if (folder !== null) await judgeFolder(folder, input.existing, page);
      return input;
    },
    async 'folders.set'(input, page) {
      const { folder, name, value } = input;
      if (name === 'paused') {
        if (value !== true) await byHand.demand(page, 'queue.resume', [folder]);
        return input;
      }
      const view = (await client.call('folders.list', {})).find((one) => one.folder === folder);
      const next = value ?? settings.current()[name];
      const now = view?.rules[name];
      if (!isCareful(name, next) && !isSame(now, next)) await questions.rule(folder, name, now, next);
      return input;
    },
  } satisfies Partial<Judges>;

  const keep = (page: Page, answer: unknown): void => {
    const { folder } = answer as { folder: string | null };
    if (folder !== null) chosen.set(page, (chosen.get(page) ?? new Set()).add(folder));
  };
  return { judges, keep };
};

const createQueueJudges = ({
  client,
  look,
  questions,
}: Pick<GuardParts, 'client' | 'look' | 'questions'>) => {
  /** Uploads that a person made public in the system's dialog, and when. */
  const agreed = new WeakMap<Page, Map<number, number>>();

  const isAgreed = (page: Page, id: number, changedAtMs: number): boolean =>
    changedAtMs <= (agreed.get(page)?.get(id) ?? -1);

  /** The names of those that only a person may release. */
  const keptBack = (ids: readonly number[], page: Page, withoutLocation = false): string[] =>
    ids.flatMap((id) => {
      const upload = look.upload(id);
      const isFree =
        upload === null ||
        isAgreed(page, id, upload.changedAtMs) ||
        mayApprove(upload.state.kind, fateOf(upload.state), withoutLocation);
      return isFree ? [] : [upload.name];
    });

  const judgeIds = async (...of: Parameters<typeof keptBack>): Promise<void> => {
    const names = keptBack(...of);
    if (names.length > 0) await questions.approve(names.length, names);
  };

  const judgeAlike = async ({ kind, fate }: Alike, withoutLocation = false): Promise<void> => {
    if (mayApprove(kind, fate, withoutLocation)) return;
    const { alike, held, failed, skipped } = await client.call('queue.get', { limit: mostRead });
    const isMeant = ({ state }: { state: UploadState }): boolean =>
      state.kind === kind && fateOf(state) === fate;
    const files = alike.find(isMeant)?.files ?? 0;
    const names = [...held, ...failed, ...skipped].filter(isMeant).map(({ name }) => name);
    if (files > 0) await questions.approve(files, names);
  };

  return {
    async 'queue.confirm'(input, page) {
      if ('alike' in input) {
        const alike = { ...input.alike, asOfMs: untilNow(input.alike.asOfMs) };
        await judgeAlike(alike, input.withoutLocation);
        return { ...input, alike };
      }
      const asOfMs = untilNow(input.asOfMs);
      await judgeIds(input.ids, page, input.withoutLocation);
      return { ...input, asOfMs };
    },
    async 'queue.newest'(input) {
      const asOfMs = untilNow(input.asOfMs);
      const { burst } = await client.call('queue.get', { limit: 1 });
      const name = burst.find(({ plan }) => plan === 'newest')?.name ?? null;
      await questions.approve(1, name === null ? [] : [name]);
      return { ...input, asOfMs };
    },
    async 'queue.zip'(input) {
      const asOfMs = untilNow(input.asOfMs);
      await judgeAlike({ kind: 'held', fate: 'burst', asOfMs });
      return { ...input, asOfMs };
    },
    async 'queue.retry'(input, page) {
      const { ids = [], alike } = input;
      if (keptBack(ids, page).length > 0 || (alike !== undefined && !mayApprove(alike.kind, alike.fate)))
        throw refused('What was kept back is not tried again, but confirmed.');
      if (ids.some((id) => mayBeKept(look.upload(id)?.state ?? { kind: 'gone' })))
        throw refused('A page keeps a link by `files.keep`.');
      return input;
    },
    async 'queue.resolve'(input, page) {
      if (input.choice === 'again') await judgeIds([input.id], page);
      return input;
    },
    async 'window.askToPublish'(input, page) {
      const asOfMs = Date.now();
      const names = input.ids.flatMap((id) => look.upload(id)?.name ?? []);
      if (names.length === 0) throw refused('There are no such uploads.');
      await questions.publish(names);
      const known = agreed.get(page) ?? new Map<number, number>();
      agreed.set(page, known);
      for (const id of input.ids) known.set(id, asOfMs);
      return input;
    },
  } satisfies Partial<Judges>;
};

export const createPageGuard = (parts: GuardParts): PageGuard => {
  const { client, look, settings, questions } = parts;
  const { presses } = parts.given;
  const byHand = createByHand({
    presses,
    questions,
    nameOf: (fileId) => look.link({ fileId })?.name ?? null,
  });
  /**
   * The paths of these tokens and rows. A dialog asks first for the file of a row, for another link, and without a press
   * for what a drop left out, or for many of those.
   */
  const judgePaths = async (names: readonly string[], again: boolean, page: Page): Promise<string[]> => {
    const named = names.flatMap((name) => {
      const id = readRowName(name);
      const given = id === null ? parts.given.paths.pathOf(page, name) : look.path(id);
      if (given !== null) return [{ path: given, from: id === null ? 'user' : 'row' }];
      const offered = id === null ? parts.given.offered(name) : null;
      if (offered === null) throw refused('Nobody gave this file to the page.');
      return offered.map((path) => ({ path, from: 'drop' }));
    });
    const paths = named.map(({ path }) => path);
    const from = (where: string): number => named.filter((one) => one.from === where).length;
    const offered = from('drop');
    const isPressed = offered === 0 || (presses.take(page) && offered <= mostByPress);
    if (again || from('row') > 0 || !isPressed) await questions.upload(paths);
    return paths;
  };

  const folders = createFolderJudges(parts, byHand);
  const judges: Judges = {
    ...folders.judges,
    ...createQueueJudges(parts),
    async 'account.login'(input, page) {
      const account = await client.call('account.get', {});
      const address = input.baseUrl ?? account.baseUrl;
      if (address !== account.baseUrl) await questions.signIn(account.baseUrl, address);
      else if (hasKey(account.key)) await questions.replaceKey(account.key, input.key);
      else await byHand.demand(page, 'account.login', [address ?? '']);
      return input;
    },
    async 'account.logout'(input) {
      const { key } = await client.call('account.get', {});
      if (hasKey(key)) await questions.signOut();
      return input;
    },
    async 'files.upload'(input, page) {
      if (input.agent !== undefined) throw refused('A page is no agent.');
      if (input.door !== 'window' && input.door !== 'tray') throw refused('A page has no other door.');
      return { ...input, paths: await judgePaths(input.paths, input.again, page) };
    },
    async 'window.chooseFiles'({ near }) {
      if (near === undefined) return {};
      const [path] = parts.given.offered(near) ?? [];
      if (path === undefined) throw refused('No drop offers this file.');
      return { near: path };
    },
    async 'files.bundle'(input, page) {
      if (input.agent !== undefined) throw refused('A page is no agent.');
      return { ...input, paths: await judgePaths(input.paths, input.again, page) };
    },
    async 'window.askToRecall'(input, page) {
      await byHand.allowDeletion(page, input.fileIds);
      return input;
    },
    async 'settings.set'({ name, value }, page) {
      if (rowOf(name).page === 'never') throw refused('The window does not choose a program to run.');
      const checked = value === null ? null : checkSetting(name, value);
      // The command table refuses it.
      if (checked?.ok === false) return { name, value };
      const next = checked === null ? defaultSettings()[name] : checked.value;
      const now = settings.current()[name];
      const isFree = isCareful(name, next) || isSame(now, next);
      const isPressed = !isFree && rowOf(name).page === 'hand' && presses.take(page);
      if (!isFree && !isPressed) await questions.setting(name, now, next);
      return { name, value: checked === null ? null : next };
    },
    async 'window.update'(input, page) {
      if (input.act === 'load' || input.act === 'install') await byHand.demand(page, input.act);
      return input;
    },
    async 'window.reset'(input) {
      await questions.reset(input.what);
      return input;
    },
  };

  const judge = async <Name extends JudgedName>(name: Name, input: unknown, page: Page): Promise<unknown> =>
    // The schema of this command has parsed it.
    await judges[name](input as CommandArguments<Name>, page);

  return async (name, input, page) => {
    try {
      if (!isCommandName(name) || rightOf(name) === 'never') throw refused('A page may not ask for that.');
      const read = parsedInput(name, input);
      if (['ids', 'hand'].includes(rightOf(name)) && namesNoIds(read))
        throw refused('A page names files by their ids.');
      if (goesByHand(name)) await byHand.demandFor(page, name, read);
      const given = isJudged(name) ? await judge(name, read, page) : read;
      const reply = await parts.answer(name, given);
      if (name === 'window.chooseFolder' && reply.ok) folders.keep(page, reply.answer);
      return name === 'window.chooseFiles' && reply.ok ? withTokens(page, reply.answer) : reply;
    } catch (error) {
      return { ok: false, error: toWire(error) };
    }
  };

  function withTokens(page: Page, answer: unknown): Reply {
    const { paths } = answer as { paths: string[] };
    return { ok: true, answer: { paths: parts.given.paths.give(page, paths) } };
  }
};

/** There is a key in use, or one in a locked keychain. */
const hasKey = ({ kind }: KeyState): boolean => kind !== 'absent' && kind !== 'unavailable';

/** A person reads no more names than these. */
const mostRead = 200;

const refused = (why: string): AppError => new AppError('bad-use', why);

const rightOf = (name: CommandName): CallFacts['page'] => commands[name].page;
const isJudged = (name: CommandName): name is JudgedName => rightOf(name) === 'judged';
const goesByHand = (name: CommandName): name is HandName => rightOf(name) === 'hand';

/** Whether the input names files otherwise than by ids of the service: a question shows names of those alone. */
const namesNoIds = (input: unknown): boolean => {
  const { files = [], card, path } = Object(input) as { files?: object[]; card?: unknown; path?: unknown };
  return card !== undefined || path !== undefined || files.some((file) => !('fileId' in file));
};

const isCareful = (name: SettingName | Exclude<FolderRule, 'paused'>, value: unknown): boolean => {
  const { page } = rowOf(name);
  return page === 'any' || (Array.isArray(page) && page.includes(value));
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Without `withoutLocation` the file is uploaded as it is. */
const mayApprove = (kind: UploadState['kind'], fate: string, withoutLocation = false): boolean =>
  !isKeptBack(kind, fate) || (withoutLocation && kind === 'held' && fate === 'location');

/** The question covers only what happened before it was asked. */
const untilNow = (asOfMs = Infinity): number => Math.min(asOfMs, Date.now());
