// Values of every setting, for tests that go through all of them.
import { resolve } from 'node:path';
import type { ItemCheck, TextCheck } from '../../src-main/contract/catalogue/checks.ts';
import { rowOf, settingNames, type SettingName } from '../../src-main/contract/settings.ts';

type Pair = [policy: unknown, other: unknown];

const texts: Record<TextCheck, [string, string]> = {
  address: ['https://a.example/api', 'https://b.example/api'],
  httpsAddress: ['https://a.example/feed', 'https://b.example/feed'],
  program: ['pass show a', 'pass show b'],
  hook: ['logger -t a', 'logger -t b'],
  span: ['7d', '1h'],
  template: ['[{name}]({link})', '{link}'],
  proxy: ['none', 'http://b.example:3128'],
  keys: ['Alt+F5', 'Ctrl+Shift+U'],
  channel: ['beta', 'alpha'],
  version: ['0.0.2', '0.0.1 from 2027-03-01'],
  folderPath: [resolve('/srv/a'), resolve('/srv/b')],
  filePath: [resolve('/a.pem'), resolve('/b.pem')],
  absolutePath: [resolve('/srv/a.jsonl'), resolve('/srv/b.jsonl')],
};

const items: Record<ItemCheck, [string, string]> = {
  pattern: ['*.a', '*.b'],
  folder: [resolve('/srv/a'), resolve('/srv/b')],
  host: ['a.example', 'b.example'],
  ending: ['pdf', 'png'],
};

const valuesOf = (name: SettingName): Pair => {
  const row = rowOf(name);
  const firstTwo = (values: readonly unknown[]): Pair => {
    const [one, two = row.default] = values.filter((value) => value !== row.default);
    return [one, two];
  };
  switch (row.kind) {
    case 'flag':
      return firstTwo([true, false]);
    case 'whole':
      return firstTwo([10, 20, 1000, 2000, 1, 2].filter((n) => n >= row.min && n <= (row.max ?? n)));
    case 'share':
      return firstTwo([0.05, 0.5]);
    case 'choice':
      return firstTwo(row.of);
    case 'text':
    case 'path':
      return texts[row.check];
    case 'list':
      return [[items[row.of][0]], [items[row.of][1]]];
  }
};

/** Two values of each, different from each other: the policy's, which is not the default, and that of others. */
export const settingValues = Object.fromEntries(settingNames.map((name) => [name, valuesOf(name)])) as Record<
  SettingName,
  Pair
>;
