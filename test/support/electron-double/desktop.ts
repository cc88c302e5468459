// The desktop's services without a desktop: tray, notifications, clipboard, dialogs, shell. They store their input and
// do nothing outside this process; test/support/probe.cjs records and clicks them.
import { loud, loudStatics, LoudEmitter } from './loud.ts';
import type { Menu } from './menu.ts';
import { hasMode } from './modes.ts';
import { trayBounds } from './system.ts';

export class Tray extends LoudEmitter {
  static override emits = [
    'click', 'right-click', 'double-click', 'drop-files', 'drag-enter', 'drag-leave', 'drag-end',
  ]; // prettier-ignore
  #destroyed = false;

  #menu: Menu | null = null;
  #isOpen = false;
  readonly #opened = (): void => void (this.#isOpen = true);
  readonly #closed = (): void => void (this.#isOpen = false);

  constructor(image: unknown) {
    super();
    if (hasMode('tray=fails')) throw new Error('Failed to create the tray icon');
    this.setImage(image);
  }
  setImage(image: unknown): void {
    if (typeof image !== 'string' && (typeof image !== 'object' || image === null))
      throw new TypeError('Image must be a path or a NativeImage');
  }
  setToolTip(_text: string): void {}
  /** On Linux and macOS an open menu disappears when the app replaces it: the stand-in reports that as a fault. */
  setContextMenu(menu: Menu | null): void {
    if (this.#isOpen) console.error('The menu of the tray was replaced while it was open.');
    this.#menu?.off('menu-will-show', this.#opened).off('menu-will-close', this.#closed);
    this.#menu = menu;
    this.#isOpen = false;
    menu?.on('menu-will-show', this.#opened).on('menu-will-close', this.#closed);
  }
  /** macOS: beside the icon. Elsewhere nothing is drawn. */
  setTitle(_title: string): void {
    if (!hasMode('platform=darwin')) console.error('Tray.setTitle does nothing on this system.');
  }
  /** macOS and Windows. As if the user opened the menu and closed it. */
  popUpContextMenu(menu: Menu | null = this.#menu): void {
    if (trayBounds.width === 0) console.error('Tray.popUpContextMenu does nothing on this system.');
    menu?.emit('menu-will-show');
    menu?.emit('menu-will-close');
  }
  /** Linux does not report the position of icons. */
  getBounds(): object {
    return { ...trayBounds };
  }
  destroy(): void {
    this.#destroyed = true;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
}
loudStatics(Tray);

type NotificationOptions = { title?: string; body?: string; silent?: boolean; urgency?: string } & Record<
  string,
  unknown
>;

export class Notification extends LoudEmitter {
  static override emits = ['show', 'click', 'close', 'reply', 'action', 'failed'];
  title: string;
  body: string;
  silent: boolean;

  constructor(options: NotificationOptions = {}) {
    super();
    this.title = options.title ?? '';
    this.body = options.body ?? '';
    this.silent = options.silent ?? false;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    const isRefused = hasMode('notifications=refused');
    queueMicrotask(() => (isRefused ? this.emit('failed', {}, 'not allowed') : this.emit('show', {})));
  }
  close(): void {
    queueMicrotask(() => this.emit('close', {}));
  }
}
loudStatics(Notification);

type Payload = string | Blob | Promise<string | Blob>;

export class ClipboardItem {
  readonly types: string[];
  readonly #payloads: Record<string, Payload>;

  constructor(payloads: Record<string, Payload>) {
    this.types = Object.keys(payloads);
    this.#payloads = payloads;
  }
  async getType(type: string): Promise<Blob> {
    const payload = await this.#payloads[type];
    if (payload === undefined) throw new Error(`The type '${type}' was not found`);
    return typeof payload === 'string' ? new Blob([payload], { type }) : payload;
  }
}
loud('ClipboardItem', ClipboardItem.prototype);

let clipped: ClipboardItem[] = [];

const demandClipboard = (): void => {
  if (hasMode('clipboard=refused')) throw new Error('Failed to write to the clipboard');
};

/** Asynchronous since Electron 44. */
export const clipboard = loud('clipboard', {
  async writeText(text: string): Promise<void> {
    demandClipboard();
    if (typeof text !== 'string') throw new TypeError('writeText takes a string');
    clipped = [new ClipboardItem({ 'text/plain': text })];
  },
  async readText(): Promise<string> {
    const item = clipped.find(({ types }) => types.includes('text/plain'));
    return item ? (await item.getType('text/plain')).text() : '';
  },
  async write(items: ClipboardItem[]): Promise<void> {
    demandClipboard();
    clipped = [...items];
  },
  read: async (): Promise<ClipboardItem[]> => [...clipped],
  has: async (type: string): Promise<boolean> => clipped.some(({ types }) => types.includes(type)),
  clear(): void {
    clipped = [];
  },
});

/** There is no user, so everything is cancelled, and a message box returns its Cancel button. */
export const dialog = loud('dialog', {
  showOpenDialog: async (..._given: unknown[]) => ({ canceled: true, filePaths: [] as string[] }),
  showSaveDialog: async (..._given: unknown[]) => ({ canceled: true, filePath: '' }),
  showMessageBox: async (...given: unknown[]) => {
    const { cancelId = 0 } = given.at(-1) as { cancelId?: number };
    return { response: cancelId, checkboxChecked: false };
  },
  showErrorBox(title: string, content: string): void {
    console.error(`${title}: ${content}`);
  },
});

export const shell = loud('shell', {
  openExternal: async (_url: string): Promise<void> => undefined,
  openPath: async (_path: string): Promise<string> => '',
  showItemInFolder(_path: string): void {},
  trashItem: async (_path: string): Promise<void> => undefined,
  beep(): void {},
});
