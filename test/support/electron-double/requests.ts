// Handles every request of a window: the app answers requests for its scheme, and decides about navigations first.
import { schemeHandler, toApp } from './addresses.ts';
import type { CdpSession } from './cdp.ts';
import { finalHeaders, isCancelled, type RequestDetails } from './session.ts';

type Paused = {
  requestId: string;
  frameId: string;
  resourceType: string;
  request: { url: string; method: string; headers: Record<string, string>; postData?: string };
};

/**
 * Calls `mayNavigate` with the app's address for every document that a frame wants to load.
 * Resolves when it controls all requests.
 */
export async function controlRequests(
  page: CdpSession,
  mayNavigate: (address: string, frameId: string) => boolean,
): Promise<void> {
  let count = 0;

  async function decide(paused: Paused): Promise<void> {
    const { requestId, request, resourceType, frameId } = paused;
    const fail = (errorReason: string): Promise<unknown> =>
      page.send('Fetch.failRequest', { requestId, errorReason });
    const address = toApp(request.url);
    const details: RequestDetails = {
      id: (count += 1),
      url: address,
      method: request.method,
      resourceType: resourceType === 'Document' ? 'mainFrame' : resourceType.toLowerCase(),
      referrer: toApp(request.headers['Referer'] ?? ''),
    };
    if (resourceType === 'Document' && !mayNavigate(address, frameId)) return void (await fail('Aborted'));
    if (await isCancelled(details)) return void (await fail('BlockedByClient'));
    const handler = schemeHandler(address.split(':')[0] ?? '');
    if (!handler) return void (await page.send('Fetch.continueRequest', { requestId }));
    const { method, headers, postData } = request;
    let response: Response;
    try {
      response = await handler(
        new Request(address, { method, headers, ...(postData ? { body: postData } : {}) }),
      );
    } catch (cause) {
      console.error(`The handler of ${address} failed:`, cause);
      return void (await fail('Failed'));
    }
    const body = Buffer.from(await response.arrayBuffer()).toString('base64');
    const responseHeaders = [...(await finalHeaders(details, response))].map(([name, value]) => ({
      name,
      value,
    }));
    await page.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders,
      body,
    });
  }

  page.on('Fetch.requestPaused', (paused: Paused) => {
    decide(paused).catch(() => undefined); // the window closed meanwhile
  });
  await page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
}
