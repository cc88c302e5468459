// Pages of chromium: creates ours, one per window. The page itself intercepts most windows that it wants to open
// (page/preload.ts). If one opens in spite of that, this file closes it and asks its opener's window.
import { EventEmitter } from 'node:events';
import type { CdpSession } from './cdp.ts';
import { browser } from './world.ts';

type TargetInfo = { targetId: string; type: string; url: string; openerId?: string };

export type PageTarget = { targetId: string; session: CdpSession };

/** Playwright pauses new pages at their start. Closing one before it resumes would block the opener for ever. */
const letGoMs = 500;

const ours = new Set<string>();
let making: Promise<unknown> = Promise.resolve();
let watching: Promise<unknown> | null = null;

/** Emits 'closed' (targetId) and 'popup' (openerId or null, url). */
export const targets = new EventEmitter();

export async function openPage(size: { width: number; height: number }): Promise<PageTarget> {
  const { browser: root, session } = browser().cdp;
  watching ??= watch(root);
  await watching;
  const made = root.send<{ targetId: string }>('Target.createTarget', {
    url: 'about:blank',
    newWindow: true,
    width: size.width,
    height: size.height,
  });
  making = Promise.allSettled([making, made]);
  const { targetId } = await made;
  ours.add(targetId);
  const attached = await root.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  return { targetId, session: session(attached.sessionId) };
}

export function closePage(targetId: string): void {
  browser()
    .cdp.browser.send('Target.closeTarget', { targetId })
    .catch(() => undefined); // it is gone already
}

async function watch(root: CdpSession): Promise<void> {
  root.on('Target.targetCreated', ({ targetInfo }: { targetInfo: TargetInfo }) => {
    if (targetInfo.type !== 'page') return;
    // The event comes before the answer from which we know that the page is ours.
    void making.then(() => {
      if (ours.has(targetInfo.targetId)) return;
      setTimeout(() => closePage(targetInfo.targetId), letGoMs);
      targets.emit('popup', targetInfo.openerId ?? null, targetInfo.url);
    });
  });
  root.on('Target.targetDestroyed', ({ targetId }: { targetId: string }) => {
    if (ours.delete(targetId)) targets.emit('closed', targetId);
  });
  await root.send('Target.setDiscoverTargets', { discover: true });
}
