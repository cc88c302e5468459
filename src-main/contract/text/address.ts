// Addresses that a person writes: which are allowed, and what one without a scheme means. Pure.

/** An `https:` address, or `http:` on a loopback host (security.md), without user name, query and fragment. */
export const isAllowedAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(address);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  if (protocol === 'https:') return true;
  return protocol === 'http:' && isLoopbackHost(hostname);
};

/** `files.example.com` becomes an address; what has a scheme stays as it is. */
export const withScheme = (text: string, scheme: 'https' | 'http'): string =>
  text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`;

/** Loopback literals only: a name other than `localhost` may resolve to anything. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
