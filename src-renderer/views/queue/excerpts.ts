// The lines of secrets in held files, with dots for the values. Only lines on screen are read, one after the other.
import { SvelteMap } from 'svelte/reactivity';
import { foundInLine, type UploadView } from '../../../src-main/contract/model.ts';
import type { Queue } from '../../state/queue.svelte.ts';

type Held = Pick<UploadView, 'id' | 'sha256' | 'sizeBytes' | 'state'>;

/** Another version of the file, or another finding, has another line. Null: the finding is not in a line. */
const keyOf = ({ id, sha256, sizeBytes, state }: Held): string | null => {
  const found = foundInLine(state);
  return found === null ? null : [id, sha256, sizeBytes, found.rule, found.line].join(' ');
};

export class Excerpts {
  readonly #queue: Pick<Queue, 'excerpt'>;
  /** Empty: there is none. */
  readonly #read = new SvelteMap<string, string>();
  readonly #wanted = new Map<string, number>();
  #isReading = false;

  constructor(queue: Pick<Queue, 'excerpt'>) {
    this.#queue = queue;
  }

  /** Empty: none, or not yet. Null: it has no line. */
  of(upload: Held): string | null {
    const key = keyOf(upload);
    return key === null ? null : (this.#read.get(key) ?? '');
  }

  /** Returns the function to call when it is no longer on screen. */
  shown(upload: Held): () => void {
    const key = keyOf(upload);
    if (key === null || this.#read.has(key)) return () => undefined;
    this.#wanted.set(key, upload.id);
    void this.#readAll();
    return () => this.#wanted.delete(key);
  }

  async #readAll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    for (const [key, id] of this.#wanted) {
      this.#read.set(key, (await this.#queue.excerpt(id)) ?? '');
      this.#wanted.delete(key);
    }
    this.#isReading = false;
  }
}
