// The rows of the command's table, and what an action gets from its row.
import type { NamedFor } from './choices.ts';

/** `usage`: as `-r, --recursive`, `--key-file <file>`, or `--no-wait` for a flag that is true without it. */
export type OptionRow = {
  usage: string;
  text?: string;
  choices?: readonly string[];
  /** What completions offer where other words are accepted, too. */
  offers?: readonly string[];
  default?: string;
  /** Options that it excludes, as an action names them. */
  conflicts?: readonly string[];
  isHidden?: true;
};

/** `usage`: as `<file>`, `[dir]` or `<id...>`. */
export type ArgumentRow = {
  usage: string;
  text?: string;
  choices?: readonly string[];
  offers?: readonly string[];
};

export type SubcommandRow = {
  text?: string;
  arguments?: readonly ArgumentRow[];
  options?: readonly OptionRow[];
  /** Used where no other one is named. */
  isDefault?: true;
};

export type ProgramRow = SubcommandRow & {
  group: 'Account' | 'Share files' | 'Files and links' | 'Verify and report' | 'Queue' | 'This computer';
  /** What the command uses its files for: completions offer files of that kind. */
  names?: NamedFor;
  below?: Readonly<Record<string, SubcommandRow>>;
} & (
    | { isHidden: true }
    /** `summary`: its line in the overview. `examples`: a test runs them. */
    | { summary: string; examples: readonly string[] }
  );

type Camel<Text extends string> = Text extends `${infer Word}-${infer More}`
  ? `${Word}${Capitalize<Camel<More>>}`
  : Text;
type LongOf<Usage extends string> = Usage extends `${string}--${infer Long} ${string}`
  ? Long
  : Usage extends `${string}--${infer Long}`
    ? Long
    : never;
type FlagName<Usage extends string> = Camel<LongOf<Usage> extends `no-${infer On}` ? On : LongOf<Usage>>;
type ValueOf<Row extends { usage: string }> = Row extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Row['usage'] extends `${string}<${string}`
    ? string
    : boolean;

/** The options of a row as its action gets them. */
export type FlagsOf<Row> = Row extends { options: readonly (infer One extends OptionRow)[] }
  ? {
      [Each in One as Each extends { default: string } ? FlagName<Each['usage']> : never]: ValueOf<Each>;
    } & {
      [Each in One as Each extends { default: string } ? never : FlagName<Each['usage']>]?: ValueOf<Each>;
    }
  : never;

type WordOf<Row extends ArgumentRow> = Row extends { choices: readonly (infer Choice)[] } ? Choice : string;
type GivenTo<Row extends ArgumentRow> = Row['usage'] extends `${string}...${string}`
  ? WordOf<Row>[]
  : Row['usage'] extends `[${string}`
    ? WordOf<Row> | undefined
    : WordOf<Row>;
type WordsOf<Rows> = Rows extends readonly [infer First extends ArgumentRow, ...infer Others]
  ? [GivenTo<First>, ...WordsOf<Others>]
  : [];

/** What an action gets: the arguments of its row one by one, and then the options, where it has any. */
export type GivenOf<Row> = [
  ...(Row extends { arguments: infer Rows } ? WordsOf<Rows> : []),
  ...(Row extends { options: unknown } ? [flags: FlagsOf<Row>] : []),
];
