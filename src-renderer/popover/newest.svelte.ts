// What the popover shows: the engine's status kept in step, the newest links, how far the run is. Read again each
// time the popover is opened; while it is hidden it gets no events.
import {
  createClient,
  type Bridge,
  type Change,
  type Client,
  type Reply,
} from '../../src-main/contract/client.ts';
import type { CommandName } from '../../src-main/contract/commands.ts';
import { toAppError } from '../../src-main/contract/errors.ts';
import { isSecret, type EngineStatus } from '../../src-main/contract/model.ts';
import { nextRun, noRun, type Run } from '../../src-main/contract/live.ts';
import { type CueName, type NewestLink } from '../../src-main/contract/window.ts';
import { createSync } from '../state/sync.ts';
import { Thumbs } from '../state/thumbs.ts';
import { say, speak } from '../words/say.svelte.ts';
import { problem } from '../words/show.ts';

/** A longer list would need a search, and the window has that. */
export const SHOWN_LINKS = 5;
/** The most that can be copied together. */
const READ_LINKS = 10;
/** How many held files are read: a single secret is decided here, several in the window. */
const READ_HELD = 20;
/** Long enough to read "Copied". */
const COPIED_MS = 600;

export class Newest {
  readonly #bridge: Bridge;
  readonly client: Client<CommandName>;
  readonly thumbs: Thumbs;
  #copiedTimer: ReturnType<typeof setTimeout> | undefined;

  status = $state.raw<EngineStatus | null>(null);
  isGuest = $state(false);
  links = $state.raw<readonly NewestLink[]>([]);
  run = $state.raw<Run>(noRun);
  /** The file held as a secret, if there is exactly one. */
  secret = $state.raw<{ uploadId: number; name: string } | null>(null);
  /** What was copied just now: one link, or the newest together. */
  copied = $state<string | null>(null);
  /** What went wrong, and what a screen reader announces. */
  problem = $state('');
  spoken = $state('');

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    const call = (name: string, input: unknown): Promise<Reply> => bridge.call(name, input);
    this.client = createClient<CommandName>({ call, listen: () => () => undefined });
    this.thumbs = new Thumbs(this);
    const sync = createSync<EngineStatus>({
      snapshot: () => this.#read(),
      start: (status) => {
        this.status = status;
        this.run = nextRun(noRun, { kind: 'status', seq: status.seq, status });
      },
      apply: (change) => {
        this.#apply(change);
      },
      failed: (error) => {
        this.#fail(error);
      },
    });
    bridge.listen((change) => {
      if (change.kind === 'clipboard') this.#forgetCopies();
      else if (change.kind !== 'cue' && change.kind !== 'given') sync.hear(change);
    });
    void sync.restart();
  }

  async #read(): Promise<EngineStatus> {
    const status = await this.client.call('app.status', {});
    const [{ languages, isGuest }, settings] = await Promise.all([
      this.client.call('window.environment', {}),
      this.client.call('settings.get', {}),
      this.#readQueue(),
      this.#readLinks(),
    ]);
    for (const setting of settings) if (setting.name === 'language') await speak(setting.value, languages);
    this.isGuest = isGuest;
    this.copied = null;
    this.problem = '';
    this.spoken = '';
    return status;
  }

  async #readLinks(): Promise<void> {
    this.links = await this.client.call('window.newestLinks', { limit: READ_LINKS });
    void this.thumbs.read(this.links.slice(0, SHOWN_LINKS).map(({ uploadId }) => uploadId));
  }

  async #readQueue(): Promise<void> {
    const view = await this.client.call('queue.get', { limit: READ_HELD });
    const secrets = view.held.filter(isSecret);
    const [only] = secrets;
    this.secret =
      only !== undefined && secrets.length === 1 && view.heldTotal <= READ_HELD
        ? { uploadId: only.id, name: only.name }
        : null;
  }

  #apply(change: Change): void {
    this.run = nextRun(this.run, change);
    if (change.kind === 'status') this.status = change.status;
    if (change.kind === 'entries')
      void this.#attempt(() => Promise.all([this.#readLinks(), this.#readQueue()]));
  }

  #fail(error: unknown): void {
    this.problem = problem(toAppError(error));
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** In the form of the settings. `which`: what the buttons of this copy have in common. */
  async copy(which: string, links: readonly NewestLink[]): Promise<void> {
    await this.#attempt(async () => {
      const uploadIds = links.map(({ uploadId }) => uploadId);
      const { count, sure } = await this.client.call('window.copyLinks', { uploadIds, fileIds: [] });
      this.spoken = say(sure ? 'files.linksCopied' : 'do.copyUnsure', { count });
      if (!sure) {
        this.problem = this.spoken;
        return;
      }
      this.copied = which;
      clearTimeout(this.#copiedTimer);
      this.#copiedTimer = setTimeout(() => {
        this.copied = null;
        void this.close();
      }, COPIED_MS);
    });
  }

  /** The clipboard gets another text. */
  #forgetCopies(): void {
    this.copied = null;
    this.spoken = '';
  }

  async openLink(uploadId: number): Promise<void> {
    await this.#attempt(async () => {
      const result = await this.client.call('window.openLink', { file: { uploadId } });
      if (result.kind === 'refused') this.problem = say('files.openRefused', { reason: result.reason });
      else await this.close();
    });
  }

  async togglePause(): Promise<void> {
    await this.#attempt(() =>
      this.status?.paused === true
        ? this.client.call('queue.resume', {})
        : this.client.call('queue.pause', { untilMs: null }),
    );
  }

  /** Only the window offers to make it public. */
  async keepPrivate(uploadId: number): Promise<void> {
    await this.#attempt(async () => {
      await this.client.call('queue.skip', { ids: [uploadId] });
      await this.#readQueue();
    });
  }

  async upload(tokens: readonly string[]): Promise<void> {
    const usable = tokens.filter((token) => token !== '');
    if (usable.length > 0)
      await this.#attempt(() => this.client.call('files.upload', { paths: usable, door: 'tray' }));
  }

  async uploadDropped(files: readonly unknown[]): Promise<void> {
    const tokens = (await this.#bridge.tokensOf?.(files)) ?? [];
    await this.upload(tokens);
    if (tokens.includes('')) this.problem = say('files.notOnDisk');
  }

  async chooseAndUpload(): Promise<void> {
    await this.#attempt(async () => this.upload((await this.client.call('window.chooseFiles', {})).paths));
  }

  async uploadClipboard(): Promise<void> {
    await this.#attempt(async () => {
      const taken = await this.client.call('window.uploadClipboard', {});
      if (taken?.length === 0) this.problem = say('files.nothingToPaste');
    });
  }

  async openFolder(): Promise<void> {
    await this.#attempt(() => this.client.call('window.openFolder', {}));
  }

  /** Brings up the window; the popover closes as it loses the focus. */
  async show(cue?: CueName): Promise<void> {
    await this.#attempt(() => this.client.call('window.show', cue === undefined ? {} : { cue }));
  }

  async quit(): Promise<void> {
    await this.#attempt(() => this.client.call('window.quit', {}));
  }

  async fit(heightPx: number): Promise<void> {
    await this.#attempt(() => this.client.call('window.fitPopover', { heightPx }));
  }

  async close(): Promise<void> {
    await this.#attempt(() => this.client.call('window.closePopover', {}));
  }
}
