// Electron's BrowserWindow: our own frame around a page of chromium.
import { app } from './app.ts';
import { emitPreventable, loud, loudStatics } from './loud.ts';
import { WebContents } from './web-contents.ts';
import { windowGone, WindowFrame, type FrameOptions } from './window-frame.ts';
import { world } from './world.ts';

type WebPreferences = { preload?: string } & Record<string, unknown>;
type WindowOptions = FrameOptions & { webPreferences?: WebPreferences };

/** Options that make a window less secure than Electron's defaults. The stand-in rejects them. */
const insecure: Record<string, unknown> = {
  nodeIntegration: true,
  nodeIntegrationInWorker: true,
  nodeIntegrationInSubFrames: true,
  contextIsolation: false,
  sandbox: false,
  webSecurity: false,
  allowRunningInsecureContent: true,
  webviewTag: true,
};

export class BrowserWindow extends WindowFrame {
  readonly webContents: WebContents;
  readonly id: number;
  #destroyed = false;

  constructor(options: WindowOptions = {}) {
    super(options, (width, height) => fitPage(this.webContents, width, height));
    const preferences = options.webPreferences ?? {};
    for (const [name, value] of Object.entries(insecure))
      if (preferences[name] === value) throw new Error(`webPreferences.${name} must not be ${String(value)}`);
    const { width, height } = this.getBounds();
    this.webContents = new WebContents({
      width,
      height,
      preload: preferences.preload,
      owner: {
        closeAsked: () => this.close(),
        shown: () => this.emit('ready-to-show'),
        gone: () => this.#gone(),
      },
    });
    this.id = this.webContents.id;
    fitPage(this.webContents, width, height);
    world.windows.push(this);
    app.emit('browser-window-created', {}, this);
    if (options.show ?? true) this.show();
  }

  static getAllWindows(): BrowserWindow[] {
    return [...world.windows] as BrowserWindow[];
  }
  static override getFocusedWindow(): BrowserWindow | null {
    return WindowFrame.getFocusedWindow() as BrowserWindow | null;
  }
  static fromWebContents(contents: WebContents): BrowserWindow | null {
    return this.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }
  reload(): void {
    this.webContents.reload();
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  close(): void {
    if (!this.#destroyed && !emitPreventable(this, 'close')) this.destroy();
  }
  destroy(): void {
    if (!this.#destroyed) WebContents.drop(this.webContents);
  }
  #gone(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    windowGone(this);
  }
}
loudStatics(BrowserWindow);

function fitPage(contents: WebContents, width: number, height: number): void {
  WebContents.withPage(contents, (page) =>
    page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }),
  );
}

const all = (): WebContents[] => BrowserWindow.getAllWindows().map((window) => window.webContents);

export const webContents = loud('webContents', {
  /** How Playwright finds a page's window. */
  fromDevToolsTargetId: (targetId: string): WebContents | undefined =>
    all().find((contents) => WebContents.isTarget(contents, targetId)),
});
