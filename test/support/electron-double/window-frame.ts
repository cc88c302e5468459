// The frame of a window: its position, size and visibility. There is no desktop here, so the window gets what it
// requests within its limits, and the window shown last has the focus.
import { LoudEmitter } from './loud.ts';
import { app } from './app.ts';
import { world, type OpenWindow } from './world.ts';

export type Bounds = { x: number; y: number; width: number; height: number };
export type FrameOptions = Partial<Bounds> & {
  minWidth?: number;
  minHeight?: number;
  maxWidth?: number;
  maxHeight?: number;
  show?: boolean;
  backgroundColor?: string;
};

const progressModes = ['none', 'normal', 'indeterminate', 'error', 'paused'];

/** The window with the focus, of all there are. */
const focus: { on: WindowFrame | null } = { on: null };

export class WindowFrame extends LoudEmitter {
  static override emits = [
    'close', 'closed', 'show', 'hide', 'focus', 'blur', 'minimize', 'restore', 'maximize', 'unmaximize', 'move',
    'moved', 'resize', 'resized', 'will-resize', 'will-move', 'ready-to-show', 'enter-full-screen',
    'leave-full-screen', 'page-title-updated', 'responsive', 'unresponsive', 'session-end', 'query-session-end',
    'always-on-top-changed', 'app-command', 'system-context-menu',
  ]; // prettier-ignore

  readonly #fit: (width: number, height: number) => void;
  #bounds: Bounds;
  #limits: { minWidth: number; minHeight: number; maxWidth: number; maxHeight: number };
  #visible = false;
  #minimized = false;
  #maximized = false;
  #fullScreen = false;
  #ground: string;

  /** `fit`: makes the contents as large as the window has become. */
  constructor(options: FrameOptions, fit: (width: number, height: number) => void) {
    super();
    this.#fit = fit;
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.#bounds = { x, y, width, height };
    this.#ground = options.backgroundColor ?? '#FFFFFF';
    this.#limits = {
      minWidth: options.minWidth ?? 0,
      minHeight: options.minHeight ?? 0,
      maxWidth: options.maxWidth ?? Infinity,
      maxHeight: options.maxHeight ?? Infinity,
    };
  }

  static getFocusedWindow(): WindowFrame | null {
    return focus.on;
  }

  show(): void {
    this.showInactive();
    this.focus();
  }
  showInactive(): void {
    if (this.#visible) return;
    this.#visible = true;
    this.emit('show');
  }
  hide(): void {
    if (!this.#visible) return;
    this.blur();
    this.#visible = false;
    this.emit('hide');
  }
  focus(): void {
    if (!this.#visible || focus.on === this) return;
    focus.on?.blur();
    focus.on = this;
    this.emit('focus');
    app.emit('browser-window-focus', {}, this);
  }
  blur(): void {
    if (focus.on !== this) return;
    focus.on = null;
    this.emit('blur');
    app.emit('browser-window-blur', {}, this);
  }
  isFocused(): boolean {
    return focus.on === this;
  }
  isVisible(): boolean {
    return this.#visible && !this.#minimized;
  }
  minimize(): void {
    if (this.#minimized) return;
    this.blur();
    this.#minimized = true;
    this.emit('minimize');
  }
  isMinimized(): boolean {
    return this.#minimized;
  }
  restore(): void {
    if (!this.#minimized) return;
    this.#minimized = false;
    this.emit('restore');
    this.focus();
  }
  maximize(): void {
    this.#visible = true;
    if (this.#maximized) return;
    this.#maximized = true;
    this.emit('maximize');
  }
  unmaximize(): void {
    if (!this.#maximized) return;
    this.#maximized = false;
    this.emit('unmaximize');
  }
  isMaximized(): boolean {
    return this.#maximized;
  }
  setFullScreen(on: boolean): void {
    if (this.#fullScreen === on) return;
    this.#fullScreen = on;
    this.emit(on ? 'enter-full-screen' : 'leave-full-screen');
  }
  isFullScreen(): boolean {
    return this.#fullScreen;
  }

  getBounds(): Bounds {
    return { ...this.#bounds };
  }
  getNormalBounds(): Bounds {
    return this.getBounds();
  }
  setBounds(asked: Partial<Bounds>): void {
    const before = this.#bounds;
    const { minWidth, minHeight, maxWidth, maxHeight } = this.#limits;
    const next = { ...before, ...asked };
    next.width = Math.min(Math.max(next.width, minWidth), maxWidth);
    next.height = Math.min(Math.max(next.height, minHeight), maxHeight);
    this.#bounds = next;
    if (next.x !== before.x || next.y !== before.y) {
      this.emit('move');
      this.emit('moved');
    }
    if (next.width === before.width && next.height === before.height) return;
    this.#fit(next.width, next.height);
    this.emit('resize');
    this.emit('resized');
  }
  getSize(): [number, number] {
    return [this.#bounds.width, this.#bounds.height];
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }
  center(): void {
    const { width, height } = this.#bounds;
    this.setPosition(Math.round((1280 - width) / 2), Math.round((800 - height) / 2));
  }
  setMenu(_menu: unknown): void {}
  getBackgroundColor(): string {
    return this.#ground;
  }
  setBackgroundColor(color: string): void {
    this.#ground = color;
  }
  /** There is no taskbar and no Dock: test/support/probe.cjs records the last request. */
  setProgressBar(progress: number, options: { mode?: string } = {}): void {
    if (typeof progress !== 'number') throw new TypeError('Error processing argument at index 0');
    if (!progressModes.includes(options.mode ?? 'normal'))
      throw new TypeError('Error processing argument at index 1');
  }
}

/** Removes a closed window from the world. After the last one it notifies the app. */
export function windowGone(window: OpenWindow & WindowFrame): void {
  if (focus.on === window) focus.on = null;
  world.windows = world.windows.filter((known) => known !== window);
  window.emit('closed');
  if (world.windows.length > 0 || world.quitting) return;
  if (!app.emit('window-all-closed')) app.quit();
}
