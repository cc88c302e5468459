// Reads the arguments that electron-builder gives to fpm. An unknown option is an error, because it would be lost
// silently.

export type FpmCall = {
  type: 'deb' | 'rpm';
  name: string;
  version: string;
  architecture: string;
  maintainer: string;
  description: string;
  license: string;
  url: string;
  category: string;
  output: string;
  depends: string[];
  recommends: string[];
  provides: string[];
  conflicts: string[];
  replaces: string[];
  afterInstall: string | null;
  afterRemove: string | null;
  mappings: { from: string; to: string }[];
};

const known = [
  ...['s', 't', 'd', 'name', 'version', 'architecture', 'maintainer', 'vendor', 'url', 'description'],
  ...['package', 'license', 'category', 'after-install', 'after-remove', 'deb-recommends', 'deb-priority'],
  ...['provides', 'conflicts', 'replaces'],
  ...['deb-compression', 'rpm-compression', 'rpm-os', 'rpm-summary'],
];
const flag = /^--(force|deb-no-.*|rpm-auto-.*)$/;

export const readFpmCall = (args: readonly string[]): FpmCall => {
  const options = new Map<string, string[]>();
  const mappings: FpmCall['mappings'] = [];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] ?? '';
    if (flag.test(argument)) continue;
    if (!argument.startsWith('-')) {
      const cut = argument.lastIndexOf('=/');
      mappings.push({ from: argument.slice(0, cut), to: argument.slice(cut + 1) });
      continue;
    }
    const [, name = '', inline] = /^--?([\w-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (!known.includes(name)) throw new Error(`The stand-in for fpm does not know ${argument}.`);
    const value = inline ?? args[(at += 1)] ?? '';
    options.set(name, [...(options.get(name) ?? []), value]);
  }
  const all = (name: string): string[] => options.get(name) ?? [];
  const one = (name: string, otherwise = ''): string => all(name)[0] ?? otherwise;
  const type = one('t');
  if (type !== 'deb' && type !== 'rpm')
    throw new Error(`The stand-in for fpm makes deb and rpm, not ${type}.`);
  return {
    type,
    name: one('name'),
    version: one('version'),
    architecture: one('architecture'),
    maintainer: one('maintainer'),
    description: one('description'),
    license: one('license', 'unknown'),
    url: one('url'),
    category: one('category', 'net'),
    output: one('package').trim(),
    depends: all('d'),
    recommends: all('deb-recommends'),
    provides: all('provides'),
    conflicts: all('conflicts'),
    replaces: all('replaces'),
    afterInstall: all('after-install')[0] ?? null,
    afterRemove: all('after-remove')[0] ?? null,
    mappings,
  };
};
