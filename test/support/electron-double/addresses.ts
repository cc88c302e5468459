// Chromium without Electron has no custom schemes, so `outtray://app/x` is served there as
// `https://outtray--app.stand-in.invalid/x`: a separate secure origin with a name that never resolves.
// The app sees and uses only its own addresses; `page.url()` and `location` in a test show the other ones.

const suffix = '.stand-in.invalid';
const handled = new Map<string, SchemeHandler>();

export type SchemeHandler = (request: Request) => Response | Promise<Response>;

export function setScheme(scheme: string, handler: SchemeHandler | null): void {
  if (handler) handled.set(scheme, handler);
  else handled.delete(scheme);
}

export const schemeHandler = (scheme: string): SchemeHandler | undefined => handled.get(scheme);

/** Converts an address of the app to the one that chromium uses; other addresses do not change. */
export function toChromium(address: string): string {
  const [, scheme = '', host = '', rest = ''] =
    /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  if (!handled.has(scheme.toLowerCase())) return address;
  return `https://${scheme.toLowerCase()}--${host}${suffix}${rest.startsWith('/') ? rest : `/${rest}`}`;
}

/** Converts chromium's address to the one that the app uses; other addresses do not change. */
export function toApp(address: string): string {
  return address.replace(
    /^https:\/\/([a-z\d+.]+)--([^/?#]*)\.stand-in\.invalid(?=[/?#]|$)/i,
    (_whole, scheme: string, host: string) => `${scheme}://${host}`,
  );
}

/** `outtray://app` of an address of the app; for web addresses their origin; else 'null'. */
export function originOf(address: string): string {
  const [whole, scheme = ''] = /^([a-z][a-z\d+.-]*):\/\/[^/?#]*/i.exec(address) ?? [];
  if (whole !== undefined && handled.has(scheme)) return whole;
  return URL.canParse(address) ? new URL(address).origin : 'null';
}
