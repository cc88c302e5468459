// Electron's `autoUpdater`; the modes decide what Squirrel does. It keeps the native order
// (shell/browser/api/electron_api_auto_updater.cc): first the event, then every window is asked to close. Once all are
// closed, Squirrel ends the app, and `before-quit` is emitted.
import { app } from './app.ts';
import { LoudEmitter } from './loud.ts';
import { hasMode, record } from './modes.ts';
import { world } from './world.ts';

class AutoUpdater extends LoudEmitter {
  static override emits = [
    'error', 'checking-for-update', 'update-available', 'update-not-available', 'update-downloaded',
    'before-quit-for-update',
  ]; // prettier-ignore
  #feed = '';

  setFeedURL({ url }: { url: string }): void {
    this.#feed = url;
  }
  getFeedURL(): string {
    return this.#feed;
  }
  checkForUpdates(): void {}
  quitAndInstall(): void {
    this.emit('before-quit-for-update');
    if (world.windows.length === 0) {
      this.#install();
      return;
    }
    // Not the app's `window-all-closed`: this must work whether or not the app listens.
    for (const window of world.windows) window.once('closed', () => this.#installWhenAlone());
    for (const window of [...world.windows]) window.close();
  }
  #installWhenAlone(): void {
    if (world.windows.length === 0) setImmediate(() => this.#install());
  }
  #install(): void {
    if (hasMode('squirrel=empty'))
      this.emit('error', new Error("No update available, can't quit and install"));
    if (!hasMode('squirrel=ready')) return;
    record({ installed: true });
    app.quit();
  }
}
export const autoUpdater = new AutoUpdater();
