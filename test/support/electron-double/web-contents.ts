// Electron's WebContents: a page of chromium, what it loads and may open, and its channel to the preload.
import { originOf, toApp, toChromium } from './addresses.ts';
import { app } from './app.ts';
import type { CdpSession } from './cdp.ts';
import { InnerFrame, WebFrameMain } from './frame.ts';
import { answerInvoke, receiveMessage } from './ipc-main.ts';
import { emitPreventable, LoudEmitter } from './loud.ts';
import { hasMode } from './modes.ts';
import { NativeImage } from './native-image.ts';
import { installPreload, type FromPreload, type PreloadWorld, type Speaker } from './preload-world.ts';
import { controlRequests } from './requests.ts';
import { applyPermissions, session } from './session.ts';
import { closePage, openPage, targets } from './targets.ts';

type OpenHandler = (details: { url: string; frameName: string; features: string; disposition: string }) => {
  action: 'allow' | 'deny';
};

/** What a WebContents asks of the window it fills. */
export type Owner = { closeAsked(): void; shown(): void; gone(): void };
export type ContentsOptions = { width: number; height: number; preload: string | undefined; owner: Owner };

let lastId = 0;

const afterLoad = (page: CdpSession): Promise<void> =>
  new Promise((resolve) => page.once('Page.loadEventFired', () => resolve()));

export class WebContents extends LoudEmitter {
  static override emits = [
    'did-start-loading', 'did-stop-loading', 'did-finish-load', 'did-fail-load', 'dom-ready', 'did-start-navigation',
    'did-navigate', 'did-navigate-in-page', 'will-navigate', 'will-frame-navigate', 'will-redirect',
    'will-prevent-unload', 'will-attach-webview', 'did-attach-webview', 'did-create-window', 'destroyed',
    'console-message', 'preload-error', 'render-process-gone', 'unresponsive', 'responsive', 'context-menu',
    'before-input-event', 'devtools-opened', 'page-title-updated', 'zoom-changed', 'focus', 'blur', 'input-event',
  ]; // prettier-ignore

  readonly id = (lastId += 1);
  readonly session = session.defaultSession;
  readonly mainFrame = new WebFrameMain(this);

  readonly #options: ContentsOptions;
  readonly #opened: Promise<CdpSession>;
  readonly #openedUrls: string[] = [];
  #targetId: string | null = null;
  #preload: PreloadWorld | null = null;
  #isCrashed = false;
  #openHandler: OpenHandler = () => ({ action: 'allow' });
  #url = '';
  #ownNavigation = false;
  #destroyed = false;

  constructor(options: ContentsOptions) {
    super();
    this.#options = options;
    this.#opened = this.#open();
    this.#opened.catch((cause: unknown) => console.error('A window could not be opened:', cause));
    app.emit('web-contents-created', {}, this);
  }

  /** Not Electron's: whether this is that page of chromium. */
  static isTarget(contents: WebContents, targetId: string): boolean {
    return contents.#targetId === targetId;
  }
  /** Not Electron's: runs `act` with the page's session, once it is open; never throws. */
  static withPage(contents: WebContents, act: (page: CdpSession) => Promise<unknown>): void {
    contents.#opened.then(act).catch(() => undefined);
  }

  async #open(): Promise<CdpSession> {
    await app.whenReady();
    const { width, height, preload } = this.#options;
    const { targetId, session: page } = await openPage({ width, height });
    this.#targetId = targetId;
    this.#followEnds(targetId);
    await page.send('Page.enable');
    const tree = await page.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
    const mainFrameId = tree.frameTree.frame.id;
    this.#followLoading(page, mainFrameId);
    if (preload !== undefined)
      this.#preload = await installPreload(page, preload, mainFrameId, (message, from) =>
        this.#hear(message, from),
      );
    else await page.send('Runtime.enable');
    await controlRequests(page, (address, frameId) => this.#mayNavigate(address, frameId === mainFrameId));
    return page;
  }

  #followEnds(targetId: string): void {
    targets.on('closed', (closed: string) => {
      if (closed === targetId) this.#end();
    });
    targets.on('popup', (openerId: string | null, url: string) => {
      if (openerId === null || openerId === targetId) this.#openAsked(this.#openedUrls.shift() ?? toApp(url));
    });
  }

  #openAsked(url: string): void {
    const { action } = this.#openHandler({ url, frameName: '', features: '', disposition: 'foreground-tab' });
    if (action === 'allow')
      console.error(`The stand-in for Electron does not open windows for pages: ${url}`);
  }

  #followLoading(page: CdpSession, mainFrameId: string): void {
    type Navigated = { frame: { id: string; parentId?: string; url: string } };
    page.on('Page.frameNavigated', ({ frame }: Navigated) => {
      if (frame.id !== mainFrameId) return;
      this.#url = toApp(frame.url);
      this.emit('did-navigate', {}, this.#url, 200, 'OK');
    });
    page.on('Page.navigatedWithinDocument', ({ frameId, url }: { frameId: string; url: string }) => {
      if (frameId !== mainFrameId) return;
      this.#url = toApp(url);
      this.emit('did-navigate-in-page', {}, this.#url, true, 1, 1);
    });
    page.on('Page.windowOpen', ({ url }: { url: string }) => void this.#openedUrls.push(toApp(url)));
    page.on('Page.domContentEventFired', () => {
      this.emit('dom-ready', {});
      this.mainFrame.emit('dom-ready');
    });
    page.on('Page.loadEventFired', () => {
      this.emit('did-finish-load', {});
      this.#options.owner.shown();
    });
    page.on('Page.frameStartedLoading', ({ frameId }: { frameId: string }) => {
      if (frameId !== mainFrameId) return;
      this.emit('did-start-loading', {});
    });
    page.on('Page.frameStoppedLoading', ({ frameId }: { frameId: string }) => {
      if (frameId !== mainFrameId) return;
      this.emit('did-stop-loading', {});
    });
    page.on('Inspector.targetCrashed', () => {
      this.#isCrashed = true;
      this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    });
    page.on('Inspector.targetReloadedAfterCrash', () => void (this.#isCrashed = false));
    type Console = { type: string; args: { value?: string | number | boolean; description?: string }[] };
    page.on('Runtime.consoleAPICalled', ({ type, args }: Console) => {
      const message = args.map((one) => String(one.value ?? one.description ?? '')).join(' ');
      this.emit('console-message', {
        level: type === 'log' ? 'info' : type,
        message,
        lineNumber: 0,
        sourceId: '',
      });
    });
  }

  /** Called for documents that pages want to load. As in Electron, loads of the app itself need no permission. */
  #mayNavigate(address: string, isMainFrame: boolean): boolean {
    if (isMainFrame && this.#ownNavigation) return true;
    const details = { url: address, isMainFrame, isSameDocument: false, frame: this.mainFrame };
    const refused = emitPreventable(this, 'will-frame-navigate', details);
    return !refused && !(isMainFrame && emitPreventable(this, 'will-navigate', details, address));
  }

  #hear(message: FromPreload, from: Speaker): void {
    const frame = {
      sender: this,
      senderFrame: from.isTop ? this.mainFrame : new InnerFrame(this, this.mainFrame),
      processId: 1,
      frameId: 1,
      type: 'frame' as const,
    };
    if (message.kind === 'preload-error') {
      console.error(`The preload failed: ${message.message}`);
      this.emit('preload-error', {}, this.#options.preload, new Error(message.message));
    } else if (message.kind === 'open') {
      this.#openAsked(toApp(message.url));
    } else if (message.kind === 'input') {
      const { type, modifiers } = message;
      if (from.isTop) this.emit('input-event', {}, { type, modifiers });
    } else if (message.kind === 'send') {
      const reply = (channel: string, ...given: unknown[]): void => this.send(channel, ...given);
      receiveMessage({ ...frame, ports: [], reply }, message.channel, message.given);
    } else {
      void answerInvoke(frame, message.channel, message.given).then((answer) =>
        this.#preload?.settle(message.id, answer, from),
      );
    }
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.#opened;
    await applyPermissions(this, originOf(url));
    const loaded = afterLoad(page);
    await this.#navigate(async () => {
      const { errorText } = await page.send<{ errorText?: string }>('Page.navigate', {
        url: toChromium(url),
      });
      if (errorText === undefined) return;
      this.emit('did-fail-load', {}, -2, errorText, url, true);
      throw new Error(`${errorText} loading '${url}'`);
    });
    await loaded;
  }
  /** As `Page.crash` of chromium, which never answers. */
  forcefullyCrashRenderer(): void {
    WebContents.withPage(this, (page) => page.send('Page.crash'));
  }
  isCrashed = (): boolean => this.#isCrashed;
  reload(): void {
    // Chromium answers before it requests the page. Until the page has loaded, this is still the app's own navigation.
    WebContents.withPage(this, (page) =>
      this.#navigate(async () => {
        const loaded = afterLoad(page);
        await page.send('Page.reload');
        await loaded;
      }),
    );
  }
  async #navigate(act: () => Promise<unknown>): Promise<void> {
    this.#ownNavigation = true;
    try {
      await act();
    } finally {
      this.#ownNavigation = false;
    }
  }

  send(channel: string, ...given: unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    this.#preload?.send(channel, given);
  }
  async executeJavaScript(expression: string, userGesture = false): Promise<unknown> {
    const page = await this.#opened;
    type Evaluated = {
      result: { value?: unknown };
      exceptionDetails?: { exception?: { description?: string } };
    };
    const { result, exceptionDetails } = await page.send<Evaluated>('Runtime.evaluate', {
      expression,
      userGesture,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? 'Script failed to execute');
    return result.value;
  }
  /** The desktop performs the drag; test/support/probe.cjs records it. The errors are Electron's. */
  startDrag(item: { file?: string; files?: string[]; icon?: unknown }): void {
    if ((item.file ?? item.files?.[0] ?? '') === '')
      throw new Error("Must specify either 'file' or 'files' option");
    if (!(item.icon instanceof NativeImage) && typeof item.icon !== 'string')
      throw new Error("Must specify 'icon' option");
    if (item.icon instanceof NativeImage && item.icon.isEmpty() && hasMode('platform=darwin'))
      throw new Error("Must specify non-empty 'icon' option");
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  close(): void {
    this.#options.owner.closeAsked();
  }
  /** Not Electron's: closes the page without asking. */
  static drop(contents: WebContents): void {
    if (contents.#targetId !== null) closePage(contents.#targetId);
    contents.#end();
  }
  #end(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.emit('destroyed');
    this.#options.owner.gone();
  }

  getURL = (): string => this.#url;
  isDestroyed = (): boolean => this.#destroyed;
  focus(): void {
    WebContents.withPage(this, (page) => page.send('Page.bringToFront'));
  }
  setZoomFactor(factor: number): void {
    WebContents.withPage(this, (page) =>
      page.send('Emulation.setPageScaleFactor', { pageScaleFactor: factor }),
    );
  }
}
