// Electron's `session`: one for all windows. Permissions and request filters are real: chromium applies them.
import { browser } from './world.ts';
import { loud, LoudEmitter } from './loud.ts';
import { protocol } from './protocol.ts';

type PermissionCheck = (contents: unknown, permission: string, origin: string, details: object) => boolean;
type PermissionRequest = (
  contents: unknown,
  permission: string,
  decide: (granted: boolean) => void,
  details: object,
) => void;

/** Electron's name of a permission → the protocol's, for those that a page can request without a device. */
const permissions: Record<string, string> = {
  notifications: 'notifications',
  geolocation: 'geolocation',
  media: 'camera',
  midi: 'midi',
  'clipboard-read': 'clipboard-read',
  'clipboard-sanitized-write': 'clipboard-write',
  'persistent-storage': 'persistent-storage',
  'local-fonts': 'local-fonts',
  'idle-detection': 'idle-detection',
};

export type RequestDetails = {
  id: number;
  url: string;
  method: string;
  resourceType: string;
  referrer: string;
};
type BeforeRequest = (
  details: RequestDetails,
  decide: (answer: { cancel?: boolean; redirectURL?: string }) => void,
) => void;
type HeadersReceived = (
  details: RequestDetails & { responseHeaders: Record<string, string[]>; statusCode: number },
  decide: (answer: { cancel?: boolean; responseHeaders?: Record<string, string | string[]> }) => void,
) => void;

let check: PermissionCheck | null = null;
let request: PermissionRequest | null = null;
let beforeRequest: BeforeRequest | null = null;
let headersReceived: HeadersReceived | null = null;

/** Electron allows a filter as the first argument. The stand-in calls for every request, so it accepts only "all". */
function listenerOf<T>(given: unknown[]): T | null {
  const [filter] = given as [{ urls: string[] }];
  if (given.length > 1 && !filter.urls.includes('<all_urls>'))
    throw new Error('The stand-in for Electron filters web requests by <all_urls> only.');
  return (given.at(-1) ?? null) as T | null;
}

class Session extends LoudEmitter {
  static override emits = ['will-download', 'preconnect', 'spellcheck-dictionary-download-failure'];
  readonly protocol = protocol;
  readonly webRequest = loud('webRequest', {
    onBeforeRequest(...given: unknown[]): void {
      beforeRequest = listenerOf<BeforeRequest>(given);
    },
    onHeadersReceived(...given: unknown[]): void {
      headersReceived = listenerOf<HeadersReceived>(given);
    },
  });
  setPermissionCheckHandler(handler: PermissionCheck | null): void {
    check = handler;
  }
  setPermissionRequestHandler(handler: PermissionRequest | null): void {
    request = handler;
  }
  /** There are no such devices here, so the handler is never called. */
  setDevicePermissionHandler(_handler: unknown): void {}
  setDisplayMediaRequestHandler(_handler: unknown): void {}
  async resolveProxy(_address: string): Promise<string> {
    return 'DIRECT';
  }
  async closeAllConnections(): Promise<void> {}
}

export const session = loud('session', {
  defaultSession: new Session(),
  fromPartition: (): Session => session.defaultSession,
});

/** Applies the app's decisions to chromium. Without handlers everything is granted, as in Electron. */
export async function applyPermissions(contents: unknown, origin: string): Promise<void> {
  for (const [name, protocolName] of Object.entries(permissions)) {
    let granted = check?.(contents, name, origin, { isMainFrame: true, requestingUrl: origin }) ?? true;
    if (granted && request) {
      const handler = request;
      granted = await new Promise<boolean>((resolve) =>
        handler(contents, name, resolve, { isMainFrame: true, requestingUrl: origin }),
      );
    }
    await browser().cdp.browser.send('Browser.setPermission', {
      permission: { name: protocolName },
      setting: granted ? 'granted' : 'denied',
    });
  }
}

/** True when the app's onBeforeRequest cancels this request. */
export async function isCancelled(details: RequestDetails): Promise<boolean> {
  const listener = beforeRequest;
  if (!listener) return false;
  return new Promise((resolve) => listener(details, (answer) => resolve(answer.cancel === true)));
}

/** The response's headers after the app's onHeadersReceived. */
export async function finalHeaders(details: RequestDetails, response: Response): Promise<Headers> {
  const listener = headersReceived;
  if (!listener) return response.headers;
  const before: Record<string, string[]> = {};
  for (const [name, value] of response.headers) before[name] = [value];
  return new Promise((resolve) =>
    listener({ ...details, responseHeaders: before, statusCode: response.status }, ({ responseHeaders }) => {
      const after = new Headers();
      for (const [name, value] of Object.entries(responseHeaders ?? before))
        for (const one of [value].flat()) after.append(name, one);
      resolve(after);
    }),
  );
}
