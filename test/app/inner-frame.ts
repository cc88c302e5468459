// Frames inside the window's page: first those of an attacker who got past the content security policy, then those of
// an attacker who controls the page's process and uses the app's channel directly. On the stand-in only.
import type { Page } from 'playwright-core';

export type InsideThePage = {
  /** Addresses of another origin that a frame was able to load. */
  foreign: string[];
  /** Whether a frame has the bridge. */
  hasBridge: boolean;
  /** The answer of the main process to each frame, as text. */
  answers: string[];
};

/** Asks from inside the page for the app's status. `reload` loads the page again, before and after. */
export const insideThePage = async (page: Page, reload: () => Promise<void>): Promise<InsideThePage> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Page.enable');
  await cdp.send('Page.setBypassCSP', { enabled: true });
  await reload();
  const hasBridge = await page.evaluate(async () => {
    const foreign = document.createElement('iframe');
    foreign.src = 'https://attacker.example/';
    const inner = document.createElement('iframe');
    document.body.append(foreign, inner);
    await new Promise((done) => setTimeout(done, 200));
    return Object.hasOwn(inner.contentWindow ?? {}, 'outtray');
  });
  const { frameTree } = await cdp.send('Page.getFrameTree');
  const frames = (frameTree.childFrames ?? []).map(({ frame }) => frame);
  const answers: string[] = [];
  for (const { id } of frames.filter(({ url }) => url === 'about:blank')) {
    // The stand-in's channel is a function of this world; its name is the window's secret.
    const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
      frameId: id,
      worldName: 'Electron Isolated Context',
    });
    const { result } = await cdp.send('Runtime.evaluate', {
      contextId,
      awaitPromise: true,
      returnByValue: true,
      expression: `new Promise((settled) => {
        const speak = Object.getOwnPropertyNames(globalThis).find((name) => /^outtray[0-9a-f]{24}ipc$/.test(name));
        globalThis[speak.replace(/ipc$/, 'in')] = { settle: (id, text) => settled(text) };
        const given = JSON.stringify([['@', 0], [['array', ['app.status', ['@', 1]]], ['object', []]]]);
        globalThis[speak](JSON.stringify({ kind: 'invoke', id: 1, channel: 'outtray:call', given }));
      })`,
    });
    answers.push(String(result.value));
  }
  await cdp.send('Page.setBypassCSP', { enabled: false });
  await cdp.detach();
  await reload();
  return {
    foreign: frames.map(({ url }) => url).filter((url) => url.startsWith('http')),
    hasBridge,
    answers,
  };
};
