// What the whole window shares: the client, the engine's status kept in step, the account, the progress of
// uploads, which view is open, and the one notice. It is only a copy: everything here comes from the engine.
import { innerHeight } from 'svelte/reactivity/window';
import {
  createClient,
  type Bridge,
  type Change,
  type Client,
  type Reply,
} from '../../src-main/contract/client.ts';
import type { AccountView } from '../../src-main/contract/answers.ts';
import type { CommandName } from '../../src-main/contract/commands.ts';
import type { Entry, Packing } from '../../src-main/contract/entries.ts';
import { actionFor, toAppError, type AppError } from '../../src-main/contract/errors.ts';
import type { LinkForm } from '../../src-main/contract/text/link-text.ts';
import type { EngineStatus } from '../../src-main/contract/model.ts';
import { nextRun, noRun, type Run } from '../../src-main/contract/live.ts';
import { type Cue, type GivenGroup, type WindowEnvironment } from '../../src-main/contract/window.ts';
import { forgetCopies } from '../words/copies.svelte.ts';
import { Announcer, type Topic } from '../words/announcer.svelte.ts';
import { noteHome } from '../words/path.svelte.ts';
import { recallText } from '../words/recall.ts';
import { problem } from '../words/show.ts';
import { say, speak } from '../words/say.svelte.ts';
import { createSync } from './sync.ts';
import { createEmitter } from './emitter.ts';
import { Given } from './given.svelte.ts';
import { Publishing } from './publishing.svelte.ts';
import { Recalling } from './recall/recalling.svelte.ts';
import { nextPaces, noPaces, type Paces } from './pace.ts';

export const viewNames = ['files', 'queue', 'statistics', 'settings'] as const;
export type ViewName = (typeof viewNames)[number];

/** What Ctrl+Z undoes. `actionsOf`: one of the files of each call that left out `count` files; `ids`: those that were dropped. */
export type Deed =
  | { kind: 'left-out'; actionsOf: number[]; count: number; name: string }
  | { kind: 'dropped'; ids: readonly number[] }
  | { kind: 'recall' };

/** Ctrl+Z undoes nothing that is older: the user may have forgotten it. */
const DEED_MS = 600_000;

/** `passes`: the problem may end by itself or by what the user does; then the notice closes. */
export type Notice = {
  id: number;
  kind: 'done' | 'note' | 'problem';
  text: string;
  passes: boolean;
  act?: { label: string; do: () => void };
};

/** How long good news stays; problems stay until they are read. */
const NOTICE_MS = 5_000;
/** Longer, because there is something to decide. */
const NOTICE_WITH_ACT_MS = 12_000;

const noEnvironment: WindowEnvironment = {
  platform: 'linux',
  version: '',
  languages: [],
  dataFolder: '',
  proposedFolder: '',
  userHome: '',
  canLaunchAtLogin: true,
  compactRows: false,
  ignoredSettings: [],
  isGuest: false,
};

export class Session {
  readonly client: Client<CommandName>;
  readonly #bridge: Bridge;
  readonly #sync;
  readonly #entryEmitter = createEmitter<readonly Entry[] | null>();
  readonly #settingsEmitter = createEmitter<null>();
  readonly #signedInEmitter = createEmitter<null>();
  readonly #cueEmitter = createEmitter<Cue>();
  readonly #givenEmitter = createEmitter<GivenGroup>();
  readonly onSettings = this.#settingsEmitter.add;
  readonly onCue = this.#cueEmitter.add;
  readonly onGiven = this.#givenEmitter.add;
  readonly #announcer = new Announcer();
  /** The dock has room for a line of each part. */
  readonly isLow = $derived((innerHeight.current ?? Infinity) < 400);
  /** Files given by hand, and their links. */
  readonly given = new Given({
    isAway: () => this.view !== 'files',
    isLow: () => this.isLow,
  });
  readonly publishing = new Publishing({
    account: () => this.accounts,
    ask: async (ids) =>
      (await this.attempt(() => this.client.call('window.askToPublish', { ids }))) !== undefined,
    publish: async (ids, asOfMs) => {
      this.#deed = null;
      await this.attempt(() => this.client.call('queue.confirm', { ids, asOfMs }));
      this.happened();
    },
  });
  readonly recalling = new Recalling({
    ask: async (fileIds) => {
      const ids = [...fileIds];
      const agreed = await this.attempt(() => this.client.call('window.askToRecall', { fileIds: ids }));
      if (agreed !== undefined) this.did({ kind: 'recall' });
      return agreed ?? null;
    },
    remove: (ids) =>
      this.client.call('files.delete', { fileIds: [...ids], byLink: [...ids], ...this.shownIn() }),
    keep: async (ids) => {
      const kept = await this.attempt(() => this.client.call('files.keep', { fileIds: [...ids] }));
      if (kept?.length === 0) this.tell('note', say('queue.undoLate'));
      return kept ?? [];
    },
    clipboard: async (copy, act) =>
      (await this.attempt(() => this.client.call('window.clipboard', { copy, act })))?.holds ?? false,
    ended: (recalling) => {
      this.given.deleted([...recalling.deadIds]);
      this.report('recall', recallText(recalling));
    },
  });
  #deed: { deed: Deed; atMs: number } | null = null;
  #noticeId = 0;
  #copiedNotice: Notice | null = null;
  #noticeTimer: ReturnType<typeof setTimeout> | undefined;

  status = $state.raw<EngineStatus | null>(null);
  account = $state.raw<AccountView | null>(null);
  environment = $state.raw<WindowEnvironment>(noEnvironment);
  /** Set when the engine cannot be reached at all. */
  broken = $state.raw<AppError | null>(null);
  paces = $state.raw<Paces>(noPaces);
  run = $state.raw<Run>(noRun);
  /** The zips that are being packed. */
  packings = $state.raw<readonly Packing[]>([]);
  view = $state<ViewName>('files');
  /** Files shows the links that need a look instead of the list. */
  reviewing = $state(false);
  /** The settings tab to open next; set by the part that sends the user there. */
  settingsTab = $state('account');
  /** The form in which links are copied unless another one is requested. */
  copyFormat = $state<LinkForm>('plain');
  notice = $state.raw<Notice | null>(null);
  showsShortcuts = $state(false);
  /** Set by the part that sends the user to Settings to type a new key. */
  replacingKey = $state(false);
  /** True once first run is over, or was put off. */
  welcomed = $state(false);

  did(deed: Deed): void {
    this.#deed = { deed, atMs: performance.now() };
  }

  /** The newest deed, once. Null: there is none that a user would remember. */
  takeDeed(): Deed | null {
    const last = this.#deed;
    this.#deed = null;
    return last === null || performance.now() - last.atMs > DEED_MS ? null : last.deed;
  }

  /** For screen readers only: what just happened and is already visible. */
  get spoken(): string {
    return this.#announcer.spoken;
  }

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    this.#sync = createSync<EngineStatus>({
      snapshot: () => this.client.call('app.status', {}),
      start: (status) => {
        this.broken = null;
        this.status = status;
        this.paces = noPaces;
        this.run = nextRun(noRun, { kind: 'status', seq: status.seq, status });
        this.packings = [];
        this.#entryEmitter.tell(null);
      },
      apply: (change) => {
        this.#apply(change);
      },
      failed: (error) => {
        this.broken = toAppError(error);
      },
    });
    const call = (name: string, input: unknown): Promise<Reply> => bridge.call(name, input);
    this.client = createClient<CommandName>({ call, listen: () => () => undefined });
    this.onGiven((group) => this.given.hear(group));
    bridge.listen((change) => {
      if (change.kind === 'cue') this.#cueEmitter.tell(change);
      else if (change.kind === 'given') this.#givenEmitter.tell(change.group);
      else if (change.kind === 'clipboard') this.#forgetCopies();
      else this.#sync.hear(change);
    });
  }

  async start(): Promise<void> {
    this.broken = null;
    try {
      await Promise.all([this.#readEnvironment(), this.#sync.restart(), this.readAccount()]);
      await this.#readSettings();
    } catch (error) {
      this.broken = toAppError(error);
    }
  }

  /** Read before the account, so that the first rows have their final height. */
  async #readEnvironment(): Promise<void> {
    this.environment = await this.client
      .call('window.environment', {})
      .catch(() => ({ ...noEnvironment, languages: [...navigator.languages] }));
    noteHome(this.environment.userHome);
  }

  async setCompactRows(on: boolean): Promise<void> {
    this.environment = { ...this.environment, compactRows: on };
    await this.attempt(() => this.client.call('window.compactRows', { on }));
  }

  async readAccount(): Promise<void> {
    this.account = await this.client.call('account.get', {});
  }

  /** Listens to entries as they happen; null after a gap: read everything again. Returns its undo. */
  onEntries(hear: (entries: readonly Entry[] | null) => void): () => void {
    return this.#entryEmitter.add(hear);
  }

  /** Shows at once what the user did: the engine reports it only in its next bundle. */
  happened(): void {
    this.#entryEmitter.tell([]);
  }

  /** Listens for a key that the service has just accepted. */
  onSignedIn(hear: () => void): () => void {
    return this.#signedInEmitter.add(hear);
  }

  signedIn(): void {
    this.#signedInEmitter.tell(null);
  }

  /** The tokens of dropped or pasted files, of those that are on the disk. */
  async tokensOf(files: readonly unknown[]): Promise<string[]> {
    const tokens = (await this.#bridge.tokensOf?.(files)) ?? [];
    return tokens.filter((token) => token !== '');
  }

  /** In which account the files were that the page shows. */
  #listedIn: number | null = null;
  /** Grows with each change of the account. A view names files of one account, so the next account gets new views. */
  accounts = $state(0);
  /** True for a list of another account: ids of the former one may be those of other files in it. */
  listed(accountId: number): boolean {
    const isOther = this.#listedIn !== null && this.#listedIn !== accountId;
    this.#listedIn = accountId;
    if (!isOther) return false;
    this.given.keepOf(accountId);
    this.recalling.leaveAccount();
    this.publishing.undo();
    this.accounts += 1;
    return true;
  }
  shownIn(): { accountId?: number } {
    return this.#listedIn === null ? {} : { accountId: this.#listedIn };
  }

  /** Without an answer the paste goes no further. */
  async isClipboardPrivate(): Promise<boolean> {
    return (await this.attempt(() => this.client.call('window.isClipboardPrivate', {}))) !== false;
  }

  open(view: ViewName, settingsTab?: string): void {
    if (settingsTab !== undefined) this.settingsTab = settingsTab;
    this.view = view;
    this.reviewing = false;
  }

  tell(kind: Notice['kind'], text: string, more: Partial<Pick<Notice, 'passes' | 'act'>> = {}): void {
    clearTimeout(this.#noticeTimer);
    this.#noticeId += 1;
    this.notice = { id: this.#noticeId, kind, text, passes: false, ...more };
    this.announce(more.act === undefined ? text : `${text} · ${more.act.label}`);
    const shownMs = more.act === undefined ? NOTICE_MS : NOTICE_WITH_ACT_MS;
    if (kind !== 'problem') this.#noticeTimer = setTimeout(() => (this.notice = null), shownMs);
  }

  /** Says that something is on the clipboard, until it gets another text. */
  tellCopied(text: string): void {
    this.tell('done', text);
    this.#copiedNotice = this.notice;
  }

  /** Nothing that was copied before is on the clipboard any more. */
  #forgetCopies(): void {
    forgetCopies();
    this.#announcer.forget();
    if (this.notice !== null && this.notice === this.#copiedNotice) this.dismiss();
  }

  /** Announces in the live region, at once, the result of what the user has just done. */
  announce(text: string): void {
    this.#announcer.answer(text);
  }

  /** Announces news that the user did not ask for, when it is its turn. */
  report(topic: Topic, text: string): void {
    this.#announcer.report(topic, text);
  }

  /** Whether news of this topic is still to be announced. */
  isToReport(topic: Topic): boolean {
    return this.#announcer.waits(topic);
  }

  /** Escape, when there is nothing else to close: the dock folds, then closes. */
  closeDock(): void {
    if (this.recalling.rows.length > 0) this.recalling.close();
    else if (this.given.shown !== null) this.given.foldOrDismiss();
  }

  dismiss(): void {
    clearTimeout(this.#noticeTimer);
    this.notice = null;
  }

  /** The service answers again, or the obstacle is gone: closes the notice of a passing problem. */
  recovered(): void {
    if (this.notice?.kind === 'problem' && this.notice.passes) this.dismiss();
  }

  /** Runs something for the user; a failure becomes the notice and returns undefined. */
  async attempt<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await work();
    } catch (error) {
      const known = toAppError(error);
      if (known.code !== 'aborted') {
        this.tell('problem', problem(known), { passes: actionFor(known.code) !== 'none' });
      }
      return undefined;
    }
  }

  #apply(change: Change): void {
    this.run = nextRun(this.run, change);
    switch (change.kind) {
      case 'status':
        this.#follow(change.status);
        return;
      case 'entries':
        this.recalling.hear(change.entries);
        this.#entryEmitter.tell(change.entries);
        return;
      case 'progress':
        this.paces = nextPaces(this.paces, change.progress, performance.now());
        return;
      case 'packing':
        this.packings = change.packings;
        return;
      case 'settings':
        this.#settingsEmitter.tell(null);
        void this.attempt(() => this.readAccount());
        void this.attempt(() => this.#readSettings());
        return;
    }
  }

  #follow(status: EngineStatus): void {
    const before = this.status;
    const gateBefore = before?.gate.kind;
    this.status = status;
    const isBack =
      (gateBefore === 'closed' && status.gate.kind === 'open') ||
      (before?.folderAvailable === false && status.folderAvailable);
    if (isBack) this.recovered();
    if (status.sending === 0 && this.paces.size > 0) this.paces = noPaces;
    // A key that was refused, or replaced elsewhere, changes the account.
    if (gateBefore !== status.gate.kind) void this.attempt(() => this.readAccount());
  }

  async #readSettings(): Promise<void> {
    const settings = await this.client.call('settings.get', {});
    for (const setting of settings) {
      if (setting.name === 'copyFormat') this.copyFormat = setting.value;
      if (setting.name === 'language') await speak(setting.value, this.environment.languages);
    }
  }
}
