// The system's proxy for an address, for the adapter of the service: the main process knows PAC files and the desktop's
// settings, Node does not.
import { session } from 'electron';

export const resolveSystemProxy = async (url: string): Promise<string | null> =>
  firstProxy(await session.defaultSession.resolveProxy(url));

/**
 * The first usable entry of a PAC answer ("PROXY a:80; DIRECT"): an address, or null for a direct connection. An answer
 * of nothing but SOCKS gives its address, and the adapter refuses it with a message: bypassing it would be wrong.
 */
export const firstProxy = (answer: string): string | null => {
  let unusable: string | null = null;
  for (const entry of answer.split(';')) {
    const [kind = '', host = ''] = entry.trim().split(/\s+/);
    switch (kind.toUpperCase()) {
      case 'DIRECT':
        return null;
      case 'PROXY':
      case 'HTTP':
        return `http://${host}`;
      case 'HTTPS':
        return `https://${host}`;
      case 'SOCKS':
      case 'SOCKS4':
      case 'SOCKS5':
        unusable ??= `socks://${host}`;
    }
  }
  return unusable;
};
