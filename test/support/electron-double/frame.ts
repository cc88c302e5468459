// The frames of a window as the sender for ipcMain's listeners: the main frame, and the frames inside it.
import { originOf } from './addresses.ts';
import { LoudEmitter } from './loud.ts';

type Contents = {
  getURL(): string;
  isDestroyed(): boolean;
  send(channel: string, ...given: unknown[]): void;
};

export class WebFrameMain extends LoudEmitter {
  static override emits = ['dom-ready'];
  readonly name = '';
  readonly parent: WebFrameMain | null = null;
  readonly detached = false;
  readonly #contents: Contents;

  constructor(contents: Contents) {
    super();
    this.#contents = contents;
  }
  get top(): WebFrameMain {
    return this.parent?.top ?? this;
  }
  get url(): string {
    return this.#contents.getURL();
  }
  get origin(): string {
    return originOf(this.url);
  }
  isDestroyed(): boolean {
    return this.#contents.isDestroyed();
  }
  send(channel: string, ...given: unknown[]): void {
    this.#contents.send(channel, ...given);
  }
}

/** A frame inside the page. Its document is the browser's own empty one, which has the origin of its parent. */
export class InnerFrame extends WebFrameMain {
  override readonly parent: WebFrameMain;

  constructor(contents: Contents, parent: WebFrameMain) {
    super(contents);
    this.parent = parent;
  }
}
