// The shape of what the command prints: names and types, without the values that differ from run to run.

export type Shape = string | Shape[] | { [name: string]: Shape };

/** Fields whose values scripts compare: they are part of the shape. */
const fixed: ReadonlySet<string> = new Set(['event', 'code', 'rule', 'name', 'origin', 'stored', 'key']);

export const shapeOf = (value: unknown, name = ''): Shape => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return distinct(value.map((item) => shapeOf(item)));
  if (typeof value === 'object') {
    const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(fields.map(([field, inner]) => [field, shapeOf(inner, field)]));
  }
  if (typeof value !== 'string') return typeof value;
  if (fixed.has(name)) return value;
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? 'time' : 'string';
};

/** Without repetitions, in the order of their first appearance. */
export const distinct = (shapes: readonly Shape[]): Shape[] => [
  ...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values(),
];

/** Lines of one kind as one: a field that some of them lack ends with `?`, types that differ are joined by `|`. */
export const merged = (shapes: readonly { [name: string]: Shape }[]): { [name: string]: Shape } => {
  const names = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))].toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const having = shapes.flatMap((shape) => shape[name] ?? []);
      const types = [
        ...new Set(having.map((type) => (typeof type === 'string' ? type : JSON.stringify(type)))),
      ];
      const isAlways = shapes.every((shape) => name in shape);
      return [isAlways ? name : `${name}?`, types.toSorted().join(' | ')];
    }),
  );
};

/**
 * Lines of one kind, completed by their record: an optional field, or a value of several types, appears in some runs
 * and not in others, because the queue may be ahead of the line that reports it. Anything that the record lacks stays
 * as it is.
 */
export const asRecorded = (
  recorded: { [name: string]: Shape },
  now: { [name: string]: Shape },
): { [name: string]: Shape } => {
  const typesOf = (shape: Shape | undefined): string[] =>
    typeof shape === 'string' ? shape.split(' | ') : [];
  const mayLack = Object.keys(recorded).filter((name) => name.endsWith('?'));
  const known = Object.entries(now).map(([name, shape]): [string, Shape] => {
    const as = name in recorded ? name : `${name}?`;
    const before = recorded[as];
    if (before === undefined || Array.isArray(before)) return [name, shape];
    return [as, typesOf(shape).every((type) => typesOf(before).includes(type)) ? before : shape];
  });
  const lacking = mayLack
    .filter((name) => known.every(([as]) => as !== name))
    .map((name): [string, Shape] => [name, recorded[name] ?? '']);
  return Object.fromEntries([...known, ...lacking]);
};
