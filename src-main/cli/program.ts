// Runs the command: parses its arguments by the table (contract/catalogue/program.ts), and reports errors.
import { Argument, Command, CommanderError, Option, type OutputConfiguration } from 'commander';
import { withoutKey } from '../adapters/keychain/environment.ts';
import { withProfile } from '../adapters/system/home.ts';
import { version } from '../adapters/version.ts';
import { commonOptions } from '../contract/catalogue/program-options.ts';
import { programRows, tagline } from '../contract/catalogue/program.ts';
import type { OptionRow, ProgramRow, SubcommandRow } from '../contract/catalogue/program-kinds.ts';
import { withoutTokens } from '../contract/text/tokens.ts';
import { actions } from './actions.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes.ts';
import {
  commandIn,
  explainedFault,
  helpFor,
  helpLayout,
  isHelpWanted,
  isJsonWanted,
  usageError,
} from './help.ts';
import { createOutput, type Output } from './output/output.ts';
import type { GlobalOptions, Session } from './session.ts';
import type { Io, OutStream } from './io.ts';
import { timeLocale } from './output/words.ts';
import { guardStdout, type Stdout } from './output/stdout.ts';
import { printableLines } from '../contract/text/printable.ts';

/** Runs the command; everything that it reads and writes comes from `io`. Throws nothing. */
export const run = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const isJson = isJsonWanted(args);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  if (io.signal.aborted) stop();
  io.signal.addEventListener('abort', stop);
  const stdout = guardStdout(io, stop);
  /** The session's output removes secrets. Before there is a session, a plain output does. */
  let output = createOutput(io, stdout, { json: isJson, quiet: false });
  const undoFaults = io.hearFaults?.((fault) => reportFault(output, io, fault));
  let code: ExitCode = exitCodes.done;
  const program = build(
    { ...io, signal: stopping.signal },
    {
      stdout,
      began: (one) => {
        output = one;
      },
      done: (result) => {
        code = result;
      },
    },
  );
  const attempt = async (): Promise<ExitCode> => {
    try {
      await program.parseAsync([...args], { from: 'user' });
      return code;
    } catch (caught) {
      if (caught instanceof CommanderError && caught.exitCode === 0) return exitCodes.done;
      const isUsage = caught instanceof CommanderError;
      const error = isUsage ? usageError(caught, commandIn(program, args)) : explainedFault(caught);
      const isStopped = stopping.signal.aborted && error.code === 'aborted';
      if (isUsage && isHelpWanted(caught) && !isJson)
        io.stderr.write(program.helpInformation({ error: true }));
      // If writing the output failed, only that error is reported.
      else if ((await stdout.fault()) === null) output.error(error);
      return isStopped ? exitCodes.interrupted : exitCodeOf(error.code);
    }
  };
  try {
    const end = await attempt();
    const fault = await stdout.fault();
    if (fault === null) return end;
    if (fault.isReaderGone)
      return end === exitCodes.interrupted && !io.signal.aborted ? exitCodes.readerGone : end;
    createOutput(io, stdout, { json: false, quiet: false }).error(fault.error);
    return exitCodes.fault;
  } finally {
    io.signal.removeEventListener('abort', stop);
    stdout.release();
    undoFaults?.();
  }
};

/** The parser for reading its table; its actions must not run. */
export const commandTable = (): Command => build(null, null);

type Run = { stdout: Stdout; began: (output: Output) => void; done: (code: ExitCode) => void };

/** `io` and `current`: null where the table is only read. */
const build = (io: Io | null, current: Run | null): Command => {
  const program = withOptions(
    new Command('outtray').description(tagline).version(version, '-V, --version'),
    commonOptions,
  )
    .configureOutput(helpOutput(io))
    .configureHelp(helpLayout)
    .exitOverride()
    .showSuggestionAfterError()
    .helpCommand(false);

  const act = async (work: (session: Session) => Promise<ExitCode>): Promise<void> => {
    if (io === null || current === null) return;
    const options = program.opts<GlobalOptions>();
    const { env, apiKey } = withoutKey(io.env);
    const output = createOutput(io, current.stdout, {
      json: options.json === true,
      quiet: options.quiet === true,
    });
    current.began(output);
    current.done(
      await work({
        ...io,
        env: withProfile(env, options.profile),
        apiKey,
        options,
        output,
        locale: () => timeLocale(io.env, io.platform),
      }),
    );
  };

  const help = async (names: readonly string[]): Promise<void> => {
    const [first] = names;
    const isKnown = first === undefined || program.commands.some((command) => command.name() === first);
    // Commander reports the unknown word with a suggestion.
    if (!isKnown) await program.parseAsync([first], { from: 'user' });
    await act(({ output }) => {
      const text = helpFor(program, names);
      output.object({ help: text });
      output.styled(text.trimEnd());
      return Promise.resolve(exitCodes.done);
    });
  };

  const add = (above: Command, name: string, row: SubcommandRow & { isHidden?: true }): Command => {
    const command = above.command(name, { isDefault: row.isDefault === true, hidden: row.isHidden === true });
    if (row.text !== undefined) command.description(row.text);
    for (const { usage, text, choices } of row.arguments ?? []) {
      const argument = new Argument(usage, text);
      command.addArgument(choices === undefined ? argument : argument.choices(choices));
    }
    return withOptions(command, row.options ?? []);
  };

  for (const [name, row] of Object.entries<ProgramRow>(programRows)) {
    program.commandsGroup(`${row.group}:`);
    const command = add(program, name, row).summary('summary' in row ? row.summary : '');
    for (const [below, its] of Object.entries(row.below ?? {}))
      add(command, below, its).action(doing(`${name}.${below}`, its));
    if (row.below === undefined) command.action(name === 'help' ? help : doing(name, row));
  }
  return program;

  function doing(name: string, row: SubcommandRow): (...given: unknown[]) => Promise<void> {
    // Commander passes the arguments and options of the row, in the order of `GivenOf`, and then the command itself.
    const count = (row.arguments?.length ?? 0) + (row.options === undefined ? 0 : 1);
    const action = (actions as Readonly<Record<string, Action | undefined>>)[name];
    return (...given) =>
      act(async (session) => {
        if (action === undefined) throw new Error(`${name} has no action.`);
        return await action(session, ...given.slice(0, count));
      });
  }
};

/** Called with the arguments and options that its row declares. */
type Action = (session: Session, ...given: unknown[]) => Promise<ExitCode>;

const withOptions = (command: Command, rows: readonly OptionRow[]): Command => {
  for (const { usage, text, choices, default: value, conflicts, isHidden } of rows) {
    const option = new Option(usage, text).default(value);
    if (choices !== undefined) option.choices(choices);
    if (conflicts !== undefined) option.conflicts([...conflicts]);
    command.addOption(option.hideHelp(isHidden === true));
  }
  return command;
};

/** Errors reach a person through `output`; help has the width of the stream it is written to. */
const helpOutput = (io: Io | null): OutputConfiguration => ({
  writeOut: (text) => io?.stdout.write(text),
  writeErr: () => undefined,
  outputError: () => undefined,
  ...(io === null
    ? {}
    : {
        getOutHelpWidth: () => helpWidth(io.stdout),
        getErrHelpWidth: () => helpWidth(io.stderr),
        getOutHasColors: () => false,
        getErrHasColors: () => false,
      }),
});

/** 80 without a terminal. */
const helpWidth = ({ isTTY, columns }: OutStream): number => (isTTY === true ? (columns ?? 80) : 80);

/**
 * An unhandled error (a timer that runs into a dead disk) ends the process with one sentence and a code. Only our own
 * faults come with a stack trace.
 */
const reportFault = (output: Output, { stderr }: Io, fault: unknown): ExitCode => {
  const error = explainedFault(fault);
  output.error(error);
  if (error.code === 'internal' && fault instanceof Error) {
    // It begins with the message, which may quote a name.
    stderr.write(`${output.clean(withoutTokens(printableLines(fault.stack ?? '')))}\n`);
  }
  return exitCodeOf(error.code);
};
