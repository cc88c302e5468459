// Which proxy leads to an address: none, the one from the settings, or the system's. The app passes a resolver that
// asks the system; the command reads the environment, as curl does.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { AppError } from '../../contract/errors.ts';
import { isLoopbackHost } from '../../contract/text/address.ts';

/** The address of a proxy, with or without `name:password@`; null for a direct connection. */
export type ResolveProxy = (url: string) => Promise<string | null>;

export type Proxy = { url: URL; authorization: string | null };

export type ProxyChoice = {
  /** `system`, `none`, or an address (contract/settings.ts). */
  setting: string;
  resolve: ResolveProxy;
};

/** Throws `bad-setting` for an address that cannot be a proxy. */
export const proxyFor = async (target: URL, { setting, resolve }: ProxyChoice): Promise<Proxy | null> => {
  if (setting === 'none') return null;
  if (setting !== 'system') return parseProxy(setting);
  // No proxy of the system can reach the loopback of this machine.
  const address = isLoopbackHost(target.hostname) ? null : await resolve(target.href);
  return address === null ? null : parseProxy(address);
};

const parseProxy = (address: string): Proxy => {
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  // The address may hold a password, so it is not quoted.
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new AppError('bad-setting', 'Outtray cannot use this kind of proxy.', 'Set an http: proxy.');
  }
  const login = `${decode(url.username)}:${decode(url.password)}`;
  return {
    url,
    authorization: url.username === '' ? null : `Basic ${Buffer.from(login).toString('base64')}`,
  };
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The passwords in the addresses of proxies that the environment names, decoded. */
export const proxyPasswords = (environment: Environment): { reveal(): string }[] =>
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']
    .flatMap((name) => [environment[name], environment[name.toLowerCase()]])
    .map((address = '') => URL.parse(address.includes('://') ? address : `http://${address}`))
    .flatMap((url) => {
      if (url === null || url.password === '') return [];
      const password = decode(url.password);
      return [{ reveal: () => password }];
    });

export type Environment = Readonly<Record<string, string | undefined>>;

/** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, lower case first. */
export const proxyFromEnvironment =
  (environment: Environment): ResolveProxy =>
  (address) => {
    const url = new URL(address);
    const read = (name: string) => environment[name.toLowerCase()] || environment[name] || null;
    if (isExcluded(url, read('NO_PROXY') ?? '')) return Promise.resolve(null);
    return Promise.resolve(
      read(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? read('ALL_PROXY'),
    );
  };

/**
 * `*`, `example.com`, `.example.com`, `*.example.com`, an IP address with or without brackets, or a range as in
 * `10.0.0.0/8`, each with or without `:port`. A name covers its subdomains. No name is looked up to find its address.
 */
const isExcluded = (url: URL, noProxy: string): boolean => {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const host = url.hostname.replaceAll(/[[\]]|\.$/g, '');
  return noProxy.split(/[\s,]+/).some((entry) => {
    // The last group of an IPv6 address without brackets is no port.
    const [, name = entry, only] = isIP(entry) === 0 ? (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []) : [];
    if (name === '' || (only !== undefined && only !== port)) return false;
    if (name === '*') return true;
    if (isIP(host) !== 0) return isInRange(host, name.replaceAll(/[[\]]/g, ''));
    const suffix = name.toLowerCase().replaceAll(/^\*?\.|\.$/g, '');
    return host === suffix || host.endsWith(`.${suffix}`);
  });
};

/** `range`: one address, or the first one and the length of the prefix. What is neither contains nothing. */
const isInRange = (host: string, range: string): boolean => {
  const [, address = '', bits] = /^(.*?)(?:\/(\d+))?$/.exec(range) ?? [];
  const list = new BlockList();
  try {
    list.addSubnet(address, Number(bits ?? (isIPv6(address) ? 128 : 32)), familyOf(address));
  } catch {
    return false;
  }
  return list.check(host, familyOf(host));
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
