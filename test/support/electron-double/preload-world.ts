// Puts the preload script into a window: an isolated world with Electron's renderer modules, joined with the
// page's own world, and a channel to ipcMain.
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import vm from 'node:vm';
import type { CdpSession } from './cdp.ts';
import { createCodec } from './page/codec.ts';
import { runPreload, type PreloadNames } from './page/preload.ts';
import { joinWorlds } from './page/worlds.ts';
import { toClone, type Answer } from './ipc-main.ts';

const worldName = 'Electron Isolated Context';

export type FromPreload =
  | { kind: 'invoke'; id: number; channel: string; given: string }
  | { kind: 'send'; channel: string; given: string }
  | { kind: 'open'; url: string }
  | { kind: 'input'; type: string; modifiers: string[] }
  | { kind: 'preload-error'; message: string };

/** The sender: the preload of the top frame, or code in an inner frame that found the channel. */
export type Speaker = { frameId: string; isTop: boolean; context: string };

export type PreloadWorld = {
  /** Sends the preload's listeners a message. As in Electron, it is lost while no document has a preload. */
  send(channel: string, given: unknown[]): void;
  settle(id: number, answer: Answer, to: Speaker): void;
};

/** Installs `preload` (a path) for every document the window loads from now on. */
export async function installPreload(
  page: CdpSession,
  preload: string,
  mainFrameId: string,
  hear: (message: FromPreload, from: Speaker) => void,
): Promise<PreloadWorld> {
  const secret = `outtray${randomBytes(12).toString('hex')}`;
  const names: PreloadNames = { binding: `${secret}ipc`, entry: `${secret}in` };
  const script = readFileSync(preload, 'utf8');
  // Reports a syntax error here with the file's name, not somewhere inside the page.
  new vm.Script(`(function(require,module,exports,process){${script}\n})`, { filename: preload });

  let context: { id: number; uniqueId: string } | null = null;
  const speakers = new Map<number, Speaker>();
  page.on('Runtime.executionContextCreated', ({ context: made }: ContextCreated) => {
    if (made.name !== worldName) return;
    const { frameId } = made.auxData;
    speakers.set(made.id, { frameId, isTop: frameId === mainFrameId, context: made.uniqueId });
    if (frameId === mainFrameId) context = made;
  });
  page.on('Runtime.executionContextDestroyed', ({ executionContextUniqueId }: ContextDestroyed) => {
    for (const [id, speaker] of speakers)
      if (speaker.context === executionContextUniqueId) speakers.delete(id);
    if (context?.uniqueId === executionContextUniqueId) context = null;
  });
  page.on('Runtime.bindingCalled', (call: { name: string; payload: string; executionContextId: number }) => {
    const speaker = speakers.get(call.executionContextId);
    if (call.name !== names.binding || speaker === undefined) return;
    if (!speaker.isTop || call.executionContextId === context?.id)
      hear(JSON.parse(call.payload) as FromPreload, speaker);
  });
  await page.send('Runtime.enable');
  await page.send('Runtime.addBinding', { name: names.binding, executionContextName: worldName });

  const bridge = (side: string): string =>
    `(${joinWorlds.toString()})(${JSON.stringify(side)}, codec, ${JSON.stringify(secret)})`;
  // Electron runs the preload only in top frames.
  const inTopFrame = (body: string): string =>
    `if (window === window.top) { const codec = (${createCodec.toString()})(); ${body} }`;
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: inTopFrame(bridge('page')) });
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    worldName,
    source: inTopFrame(
      `(${runPreload.toString()})(${JSON.stringify(names)}, codec, ${bridge('preload')}, ${JSON.stringify(processFields())},
        function (require, module, exports, process) {${script}\n});`,
    ),
  });
  // Pausing makes scripts slower, so it is possible only for a preload that asks for paths.
  if (script.includes('getPathForFile')) await answerQuestions(page);

  function call(uniqueContextId: string | undefined, method: string, ...given: unknown[]): void {
    if (uniqueContextId === undefined) return;
    // As arguments: inside the source, a page of a long list would be compiled as a script each time.
    const functionDeclaration = `function (...given) { globalThis[${JSON.stringify(names.entry)}].${method}(...given); }`;
    const values = given.map((value) => ({ value }));
    page
      .send<Called>('Runtime.callFunctionOn', { functionDeclaration, arguments: values, uniqueContextId })
      .then(({ exceptionDetails: thrown }) => {
        if (thrown !== undefined) console.error(`${method}: ${thrown.exception?.description ?? thrown.text}`);
      })
      .catch(() => undefined); // the document is gone
  }
  return {
    send: (channel, given) => call(context?.uniqueId, 'hear', channel, toClone(given)),
    settle: (id, { text, failed }, to) => call(to.context, 'settle', id, text, failed),
  };
}

type Called = { exceptionDetails?: { text: string; exception?: { description?: string } } };
type ContextCreated = {
  context: { id: number; uniqueId: string; name: string; auxData: { frameId: string } };
};
type ContextDestroyed = { executionContextUniqueId: string };

/** What `process` shows to a sandboxed preload. */
function processFields(): object {
  const { platform, arch, versions } = process;
  return {
    type: 'renderer',
    sandboxed: true,
    contextIsolated: true,
    platform,
    arch,
    versions,
    env: {},
    argv: [],
  };
}

type Paused = { callFrames: { callFrameId: string; functionName: string }[] };

/** The other end of `askNow` in page/preload.ts: the script is paused until it has its answer. */
async function answerQuestions(page: CdpSession): Promise<void> {
  await page.send('Debugger.enable');
  page.on('Debugger.paused', ({ callFrames: [frame] }: Paused) => {
    void (async () => {
      try {
        if (frame?.functionName !== 'askNow') return;
        const evaluate = (expression: string): Promise<{ result: { objectId?: string } }> =>
          page.send('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression });
        const subject = await evaluate('asked.subject');
        const { path } = await page.send<{ path: string }>('DOM.getFileInfo', {
          objectId: subject.result.objectId,
        });
        await evaluate(`asked.answer = ${JSON.stringify(path)}`);
      } finally {
        await page.send('Debugger.resume');
      }
    })().catch(() => undefined); // the window closed meanwhile
  });
}
