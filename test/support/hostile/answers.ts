// The bodies of answers as text that can be changed anywhere: fields of any type, twice, missing, huge, nested. What
// may be concluded from an answer is decided here a second time, without a line of the program's own schemas.
import type { Dice } from '../simulation/dice.ts';

export type Endpoint = 'upload' | 'list' | 'info' | 'remove' | 'stats';
export const endpoints: readonly Endpoint[] = ['upload', 'list', 'info', 'remove', 'stats'];

/**
 * Whether success may be concluded: it must be (a plain, whole, valid answer), it may be (a correct client could read
 * it either way), or never.
 */
export type Legit = 'must' | 'may' | 'never';
const rank: Record<Legit, number> = { must: 0, may: 1, never: 2 };
export const worst = (...all: readonly Legit[]): Legit =>
  all.reduce((one, other) => (rank[other] > rank[one] ? other : one), 'must');

/** JSON with room for what `JSON.stringify` never writes: a key twice, any text where a value belongs. */
export type Node =
  | { kind: 'object'; pairs: [string, Node][] }
  | { kind: 'array'; items: Node[] }
  | { kind: 'raw'; text: string };

export const raw = (value: unknown): Node => ({ kind: 'raw', text: JSON.stringify(value) });
const object = (pairs: Record<string, Node>): Node => ({ kind: 'object', pairs: Object.entries(pairs) });

export const textOf = (node: Node): string => {
  switch (node.kind) {
    case 'raw':
      return node.text;
    case 'array':
      return `[${node.items.map(textOf).join(',')}]`;
    case 'object':
      return `{${node.pairs.map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`).join(',')}}`;
  }
};

/** The subject of the request, as a correct answer repeats it. */
export type Asked = { fileId: number; name: string; sizeBytes: number; link: string };

const fileNode = (asked: Asked): Node =>
  object({
    file_id: raw(asked.fileId),
    filename: raw(asked.name),
    size: raw(asked.sizeBytes),
    upload_date: raw('2026-01-02 03:04:05'),
    download_count: raw(0),
    public_link: raw(asked.link),
  });

export const honest = (endpoint: Endpoint, asked: Asked): Node => {
  switch (endpoint) {
    case 'upload':
      return object({
        success: raw(true),
        file_id: raw(asked.fileId),
        public_link: raw(asked.link),
        size: raw(asked.sizeBytes),
        filename: raw(asked.name),
      });
    case 'list':
      return object({
        success: raw(true),
        files: {
          kind: 'array',
          items: [fileNode(asked), fileNode({ ...asked, fileId: asked.fileId + 1_000_000 })],
        },
        pagination: object({ page: raw(1), limit: raw(20), total: raw(2), pages: raw(1) }),
      });
    case 'info':
      return object({ success: raw(true), file: fileNode(asked) });
    case 'remove':
      return object({ success: raw(true), message: raw('File deleted') });
    case 'stats':
      return object({
        success: raw(true),
        stats: object({ total_files: raw(3), total_size: raw(4096) }),
        limits: object({ max_file_size: raw(1_000_000), daily_uploads: raw(100) }),
        plan: raw('Pro'),
      });
  }
};

/** A place in a body: keys and indexes from the root. */
export type Path = readonly (string | number)[];

export const pathsOf = (node: Node, at: Path = []): Path[] => {
  const below =
    node.kind === 'object'
      ? node.pairs.flatMap(([key, value]) => pathsOf(value, [...at, key]))
      : node.kind === 'array'
        ? node.items.flatMap((value, index) => pathsOf(value, [...at, index]))
        : [];
  return [at, ...below];
};

/** The body with something else, or nothing (null), at that place. */
export const changed = (node: Node, at: Path, to: Node | null): Node => {
  const [step, ...rest] = at;
  if (step === undefined) return to ?? { kind: 'raw', text: '' };
  if (node.kind === 'object') {
    const pairs = node.pairs.flatMap(([key, value]): [string, Node][] => {
      if (key !== step) return [[key, value]];
      if (rest.length === 0 && to === null) return [];
      return [[key, changed(value, rest, to)]];
    });
    return { kind: 'object', pairs };
  }
  if (node.kind === 'array') {
    const items = node.items.flatMap((value, index) => {
      if (index !== step) return [value];
      if (rest.length === 0 && to === null) return [];
      return [changed(value, rest, to)];
    });
    return { kind: 'array', items };
  }
  return node;
};

/** A key of one object a second time, before or after the first. */
export const doubled = (node: Node, at: Path, to: Node, first: boolean): Node => {
  const [step, ...rest] = at;
  if (step === undefined) return node;
  if (node.kind === 'array') {
    return {
      kind: 'array',
      items: node.items.map((value, index) => (index === step ? doubled(value, rest, to, first) : value)),
    };
  }
  if (node.kind !== 'object') return node;
  if (rest.length > 0) {
    return {
      kind: 'object',
      pairs: node.pairs.map(([key, value]) => [key, key === step ? doubled(value, rest, to, first) : value]),
    };
  }
  const again: [string, Node] = [String(step), to];
  return { kind: 'object', pairs: first ? [again, ...node.pairs] : [...node.pairs, again] };
};

const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth);

/** Texts in place of a value. Some are right in some places: `isBelievable` decides. */
export const wrongValues: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e2',
  '1e400',
  '-1e400',
  '1E21',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '123456789012345678901234567890',
  '"7"',
  '"true"',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\u202egnp.exe"',
  '"x\\r\\ny: z"',
  `"${'x'.repeat(5000)}"`,
  `"${'語'.repeat(3000)}"`,
  '[]',
  '[7]',
  '[[],[]]',
  '{}',
  '{"__proto__":{"success":true,"file_id":9}}',
  '{"toString":1,"valueOf":null,"hasOwnProperty":false}',
  '{"then":"x"}',
  nested(200, '[', ']'),
  nested(4000, '{"a":', '}').replace(':}', ':1}'),
  'undefined',
  'NaN',
  "'x'",
  '/* */1',
  '1,',
  '\u0000',
];

/** Every kind of wrong link. Whether an answer with one is believed is a separate question from opening it. */
export const badLinks = (asked: Asked): string[] => {
  const { host } = new URL(asked.link);
  return [
    'javascript:alert(1)',
    'JaVaScRiPt://%0aalert(1)',
    'data:text/html,<script>1</script>',
    'file:///etc/passwd',
    `http://user:pass@${host}/download/a`,
    `http://${host}@evil.example/download/a`,
    'https://evil.example/download/a',
    '//evil.example/download/a',
    `/download/a`,
    `http://${host}.evil.example/download/a`,
    `http://${host}/down\u202eload/a`,
    `http://${host}/a\u200bb`,
    `http://${host}/a b`,
    `http://${host}/a\\..\\b`,
    `http://${host}/a\nb`,
    `http:\\\\${host}\\a`,
    `http://${host}`,
    `http://\u0435vil.example/a`,
    `http://${host}/${'a'.repeat(3000)}`,
    `ftp://${host}/a`,
    ' ',
    'http://[::1',
    'https://',
    `http://${host}:99999/a`,
  ];
};

/** Fields that were not asked for, at the root or anywhere: they must change nothing. */
export const extraFields = (dice: Dice): [string, Node] =>
  dice.pick<[string, Node]>([
    ['__proto__', { kind: 'raw', text: '{"polluted":true,"success":true}' }],
    ['constructor', { kind: 'raw', text: '{"prototype":{"polluted":true}}' }],
    ['extra', raw('x'.repeat(dice.whole(0, 2000)))],
    ['', raw(1)],
    ['Success', raw(false)],
    ['success ', raw(false)],
    ['error', raw('no')],
    ['\u202e', raw(null)],
    ['deep', { kind: 'raw', text: nested(300, '[', ']') }],
  ]);
