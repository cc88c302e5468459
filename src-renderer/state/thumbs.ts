// Small pictures of files, read from this machine's disk by the shell: requested only once the rows stay on screen.
import { SvelteMap } from 'svelte/reactivity';
import type { Session } from './session.svelte.ts';

/** Some hundred kilobytes; the oldest are read again when they are needed. */
const KEPT = 300;

export class Thumbs {
  readonly #session: Pick<Session, 'client'>;
  /** By upload; null: there is none, or it is still being read. */
  readonly #pictures = new SvelteMap<number, string | null>();

  constructor(session: Pick<Session, 'client'>) {
    this.#session = session;
  }

  of(uploadId: number | null): string | null {
    return uploadId === null ? null : (this.#pictures.get(uploadId) ?? null);
  }

  /** One after the other, so that a request for the file in view does not wait behind a hundred. */
  async read(uploadIds: readonly number[]): Promise<void> {
    const missing = uploadIds.filter((id) => !this.#pictures.has(id));
    for (const id of missing) this.#pictures.set(id, null);
    for (const uploadId of missing) {
      // Without one, the glyph of its kind is shown.
      const answer = await this.#session.client
        .call('window.thumbnail', { uploadId, use: 'row' })
        .catch(() => null);
      if (answer?.picture !== undefined) this.#pictures.set(uploadId, answer.picture);
    }
    for (const id of [...this.#pictures.keys()].slice(0, -KEPT)) this.#pictures.delete(id);
  }
}
