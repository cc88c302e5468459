// The queue as the engine tells it, read again when something happened; and what can be done with it.
import type { QueueView } from '../../src-main/contract/commands.ts';
import type { QueueOrder, UploadView } from '../../src-main/contract/model.ts';
import type { Session } from './session.svelte.ts';

/** Users do not read a longer list; the rest is shown as a number. */
const SHOWN = 200;
/** At most this often while many things happen; the first of them is read at once. */
const SETTLE_MS = 150;

export class Queue {
  readonly #session: Session;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #reading = false;
  #readMs = -SETTLE_MS;
  #again = false;

  view = $state.raw<QueueView | null>(null);

  constructor(session: Session) {
    this.#session = session;
  }

  /** Follows the engine until the undo is called. */
  follow(): () => void {
    void this.read();
    const undo = this.#session.onEntries(() => {
      this.readSoon();
    });
    return () => {
      undo();
      clearTimeout(this.#soon);
      this.#soon = undefined;
    };
  }

  readSoon(): void {
    this.#soon ??= setTimeout(
      () => {
        this.#soon = undefined;
        void this.read();
      },
      Math.max(0, this.#readMs + SETTLE_MS - performance.now()),
    );
  }

  async read(): Promise<void> {
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    this.#readMs = performance.now();
    this.view =
      (await this.#session.attempt(() => this.#session.client.call('queue.get', { limit: SHOWN }))) ??
      this.view;
    this.#reading = false;
    if (this.#again) {
      this.#again = false;
      await this.read();
    }
  }

  async confirm(uploads: readonly UploadView[]): Promise<void> {
    await this.#act('queue.confirm', uploads);
  }

  async skip(uploads: readonly UploadView[]): Promise<void> {
    await this.#act('queue.skip', uploads);
  }

  async retry(uploads: readonly UploadView[]): Promise<void> {
    await this.#act('queue.retry', uploads);
  }

  async cancel(uploads: readonly UploadView[]): Promise<void> {
    await this.#act('queue.cancel', uploads);
  }

  async toTop(uploads: readonly UploadView[]): Promise<void> {
    await this.#act('queue.toTop', uploads);
  }

  async #act(
    name: 'queue.confirm' | 'queue.skip' | 'queue.retry' | 'queue.cancel' | 'queue.toTop',
    uploads: readonly UploadView[],
  ): Promise<void> {
    const ids = uploads.map((upload) => upload.id);
    if (ids.length === 0) return;
    await this.#session.attempt(() => this.#session.client.call(name, { ids }));
    await this.read();
  }

  /** False when the order did not change; the session has shown the reason. */
  async orderBy(by: QueueOrder): Promise<boolean> {
    const done = await this.#session.attempt(() => this.#session.client.call('queue.order', { by }));
    await this.read();
    return done !== undefined;
  }

  async pause(untilMs: number | null): Promise<void> {
    await this.#session.attempt(() => this.#session.client.call('queue.pause', { untilMs }));
  }

  async resume(): Promise<void> {
    await this.#session.attempt(() => this.#session.client.call('queue.resume', {}));
  }
}
