// The command's table (README.md): names, arguments, options; what each does lies beside this file.
import { Argument, Command, CommanderError, Option, type OutputConfiguration } from 'commander';
import { withoutKey } from '../adapters/keychain/environment.ts';
import { version } from '../adapters/version.ts';
import type { DemoFlags } from './demo.ts';
import { folderRules, type FolderRule } from '../contract/settings.ts';
import { commandHelp, tagline } from './command-help.ts';
import { cardForms, type CardForm } from '../contract/text/card.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes.ts';
import { commandIn, explained, helpFor, helpLayout, isHelpWanted, isJsonWanted, usageError } from './help.ts';
import { createOutput, type Output } from './output/output.ts';
import type { GlobalOptions, Session } from './session.ts';
import type { ExportFlags } from './commands/export.ts';
import { places, sorts, type KnownFlags } from './known-flags.ts';
import type { QueueFlags } from './commands/queue.ts';
import type { Choice } from './commands/uncertain.ts';
import type { UploadFlags } from './commands/upload.ts';
import type { VerifyFlags } from './commands/verify.ts';
import { namedHelp } from './named-files.ts';
import type { Io, OutStream } from './io.ts';
import { timeLocale } from './output/words.ts';
import { guardStdout, type Stdout } from './output/stdout.ts';

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
      const error = isUsage ? usageError(caught, commandIn(program, args)) : explained(caught);
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

/** The table as it stands, for papers and completions made from it. Nothing of it is to be run. */
export const commandTable = (): Command => build(null, null);

type Run = { stdout: Stdout; began: (output: Output) => void; done: (code: ExitCode) => void };

/** Of commands that take links away. */
const yesHelp = 'do not ask before; without a terminal it never asks';

/** `io` and `current`: null where the table is only read. */
const build = (io: Io | null, current: Run | null): Command => {
  const program = new Command('outtray')
    .description(tagline)
    .version(version, '-V, --version')
    .option('--json', 'one JSON object per line on standard output, nothing else there')
    .option('--home <dir>', 'data folder (default: OUTTRAY_HOME or the system’s own place)')
    .option('--base-url <url>', 'base address of the service, as https://…/api/v1')
    .option('--quiet', 'no remarks, only results and errors')
    .option('-v, --verbose', 'the log’s lines on standard error')
    .option('--no-progress', 'no progress bars')
    .configureOutput(helpOutput(io))
    .configureHelp(helpLayout)
    .exitOverride()
    .showSuggestionAfterError()
    .helpCommand(false);

  /** Loads what a command needs only when it runs. */
  const act =
    <Args extends unknown[]>(work: (session: Session, ...args: Args) => Promise<ExitCode>) =>
    async (...args: Args): Promise<void> => {
      if (io === null || current === null) return;
      const options = program.opts<GlobalOptions>();
      const output = createOutput(io, current.stdout, {
        json: options.json === true,
        quiet: options.quiet === true,
      });
      current.began(output);
      current.done(
        await work(
          { ...io, ...withoutKey(io.env), options, output, locale: timeLocale(io.env, io.platform) },
          ...args,
        ),
      );
    };

  program.commandsGroup('Account:');
  program
    .command('login')
    .description('read the API key from standard input or a file, check it, and store it in the keychain')
    .option('--key-file <file>', 'read the key from this file')
    .action(
      act(async (session, flags: { keyFile?: string }) =>
        (await import('./commands/account.ts')).login(session, flags),
      ),
    );
  program
    .command('logout')
    .description('remove the key')
    .action(act(async (session) => (await import('./commands/account.ts')).logout(session)));
  program
    .command('stats')
    .description('the service’s statistics and our request budgets')
    .action(act(async (session) => (await import('./commands/files.ts')).stats(session)));
  program.commandsGroup('Share files:');
  withUploadOptions(
    program
      .command('upload')
      .description('upload these files now, - is standard input; prints one link per line')
      .argument('[file...]')
      .option('-r, --recursive', 'take folders too: what lies in them, by the rules of the watched folder')
      .option('--files-from <list>', 'take the paths in this file, one a line; - is standard input')
      .option('--zip', 'pack the files and folders into one zip with one link')
      .option('--name <name>', 'with - or --zip: what standard input or the zip is called')
      .option('--size <bytes>', 'with -: upload only when it had so many bytes')
      .option('--sha256 <hex>', 'with -: upload only when this is its SHA-256')
      .option('-0, --null', 'with --files-from: a NUL character ends each path')
      .addOption(new Option('--background').hideHelp()),
  ).action(
    act(
      async (session, files: string[], { background, ...flags }: UploadFlags & { background?: boolean }) => {
        const { upload, uploadQueued } = await import('./commands/upload.ts');
        return background === true ? await uploadQueued(session) : await upload(session, files, flags);
      },
    ),
  );
  program
    .command('plan')
    .description('what would happen with these files and folders, and when; no request, changes nothing')
    .argument('<path...>', 'a folder you watch, as a scan finds it; others as upload --recursive takes them')
    .action(
      act(async (session, given: string[]) => (await import('./commands/plan.ts')).plan(session, given)),
    );
  withUploadOptions(
    program.command('paste').description('upload what is on the clipboard: copied files, an image or a text'),
  ).action(
    act(async (session, flags: UploadFlags) => (await import('./commands/paste.ts')).paste(session, flags)),
  );
  program
    .command('watch')
    .description('watch a folder and upload what is new, until interrupted')
    .argument('[dir]')
    .option('--once', 'upload what is new, then end')
    .addOption(
      new Option('--existing <what>', 'files found in a folder never watched before')
        .choices(['skip', 'upload'])
        .default('skip'),
    )
    .action(
      act(async (session, dir: string | undefined, flags: { once?: boolean; existing?: 'skip' | 'upload' }) =>
        (await import('./commands/watch.ts')).watch(session, dir, flags),
      ),
    );
  const folders = program.command('folders').description('the watched folders, each with rules of its own');
  folders
    .command('list', { isDefault: true })
    .description('show them: counts, and the rules that differ from the settings')
    .action(act(async (session) => (await import('./commands/folders.ts')).list(session)));
  folders
    .command('add')
    .description('watch these folders, too; screenshots stands for the system’s folder of them')
    .argument('<dir...>')
    .addOption(
      new Option('--existing <what>', 'files found in a folder never watched before')
        .choices(['skip', 'upload'])
        .default('skip'),
    )
    .action(
      act(async (session, dirs: string[], flags: { existing: 'skip' | 'upload' }) =>
        (await import('./commands/folders.ts')).add(session, dirs, flags),
      ),
    );
  folders
    .command('set')
    .description('give a folder a rule of its own, or `default` to follow the settings again')
    .argument('<dir>')
    .addArgument(new Argument('<rule>', 'what is different here').choices(folderRules))
    .argument('<value>', 'a value, or `default`')
    .action(
      act(async (session, dir: string, rule: FolderRule, value: string) =>
        (await import('./commands/folders.ts')).set(session, dir, rule, value),
      ),
    );
  folders
    .command('remove')
    .description('stop watching a folder; its files keep their links')
    .argument('<dir>')
    .action(
      act(async (session, dir: string) => (await import('./commands/folders.ts')).remove(session, dir)),
    );
  program.commandsGroup('Files and links:');
  withOrder(
    program
      .command('list')
      .description(
        'the account’s files, one request a page; with an order, place or folder: as this machine knows them, without a request',
      ),
  ).action(
    act(async (session, flags: KnownFlags) => (await import('./commands/files.ts')).list(session, flags)),
  );
  withOrder(
    program
      .command('search')
      .description('files that this machine knows with all of these words in their names; no request')
      .argument('<words...>'),
  ).action(
    act(async (session, words: string[], flags: KnownFlags) =>
      (await import('./commands/files.ts')).search(session, words, flags),
    ),
  );
  program
    .command('link')
    .description('the links of a name, newest first; no request')
    .argument('<file|id>', namedHelp)
    .option('--open', 'open the newest one in the browser')
    .action(
      act(async (session, name: string, flags: { open?: boolean }) =>
        (await import('./commands/links.ts')).link(session, name, flags),
      ),
    );
  program
    .command('info')
    .description('one file of the account')
    .argument('<file|id>', namedHelp)
    .action(act(async (session, id: string) => (await import('./commands/files.ts')).info(session, id)));
  program
    .command('delete')
    .description('delete files of the account; local files stay')
    .argument('<file|id...>', namedHelp)
    .option('--yes', yesHelp)
    .action(
      act(async (session, ids: string[], flags: { yes?: boolean }) =>
        (await import('./commands/files.ts')).remove(session, ids, flags),
      ),
    );
  program
    .command('recall')
    .description('take links back: delete the files at the service and prove that the links are dead')
    .argument('<file|id...>', namedHelp)
    .option('--yes', yesHelp)
    .action(
      act(async (session, given: string[], flags: { yes?: boolean }) =>
        (await import('./commands/recall.ts')).recall(session, given, flags),
      ),
    );
  program
    .command('expire')
    .description('say when links end: after 1h or 7d, tomorrow, on a date, or never; Outtray must run then')
    .argument('<file|id|when...>', `${namedHelp}; and last when: 7d, 2026-12-31, never`)
    .action(
      act(async (session, given: string[]) => (await import('./commands/recall.ts')).expire(session, given)),
    );
  program
    .command('follow')
    .description(
      'report downloads of these links, at the first one and then once a day; without a name, list what is followed',
    )
    .argument('[file|id...]', namedHelp)
    .action(
      act(async (session, given: string[]) => (await import('./commands/follow.ts')).follow(session, given)),
    );
  program
    .command('unfollow')
    .description('stop reporting downloads of these links')
    .argument('<file|id...>', namedHelp)
    .action(
      act(async (session, given: string[]) =>
        (await import('./commands/follow.ts')).unfollow(session, given),
      ),
    );
  program.commandsGroup('Verify and report:');
  program
    .command('card')
    .description('a release card: name, size, SHA-256 and link of files of this machine; no request')
    .argument('<file|id...>', namedHelp)
    .addOption(
      new Option('--format <form>', 'what it is written as').choices([...cardForms]).default('markdown'),
    )
    .action(
      act(async (session, given: string[], flags: { format: CardForm }) =>
        (await import('./commands/card.ts')).card(session, given, flags.format),
      ),
    );
  program
    .command('verify')
    .description('download links without the key and compare their SHA-256 with what was sent')
    .argument('[file|id...]', namedHelp)
    .option('--all', 'all links of this machine')
    .option('--card <file>', 'what a card names: its JSON form, or its sha256sums form')
    .option('--watch', 'read these links back again and again; without a name: what is watched')
    .option('--unwatch', 'read these links back no more')
    .action(
      act(async (session, given: string[], flags: VerifyFlags) =>
        (await import('./commands/verify.ts')).verify(session, given, flags),
      ),
    );
  program
    .command('exposure')
    .description('every link that a content ever had here: other names, older versions, in zips; no request')
    .argument('<file|id|sha256>', `a SHA-256, ${namedHelp}`)
    .option('--recall', 'take all of them back, and prove that they are dead')
    .option('--yes', `with --recall: ${yesHelp}`)
    .action(
      act(async (session, given: string, flags: { recall?: boolean; yes?: boolean }) =>
        (await import('./commands/exposure.ts')).exposure(session, given, flags),
      ),
    );
  program
    .command('review')
    .description('links that need a look, each with the one command that settles it')
    .option('--old <span>', 'a link is old after this time (default: 90d)')
    .option('--refresh', 'read the list of the account first: one request for each page')
    .action(
      act(async (session, flags: { old?: string; refresh?: boolean }) =>
        (await import('./commands/review.ts')).review(session, flags),
      ),
    );
  program
    .command('export')
    .description('everything that this machine knows of files, for spreadsheets and scripts; no request')
    .addOption(new Option('--format <form>', 'csv, or json: one object a line').choices(['csv', 'json']))
    .option('--output <file>', 'write to this file instead of standard output')
    .option('--force', 'write over a file that is there')
    .action(
      act(async (session, flags: ExportFlags) =>
        (await import('./commands/export.ts')).exportFiles(session, flags),
      ),
    );
  program.commandsGroup('Queue:');
  program
    .command('status')
    .description('queue, counts, budgets, folder; no request')
    .action(act(async (session) => (await import('./commands/controls.ts')).status(session)));
  program
    .command('queue')
    .description('what is on its way, waits, is held or has failed: ids, why, until when, what you can do')
    .option('--uploading', 'what is on its way')
    .option('--waiting', 'what waits and goes on by itself')
    .option('--held', 'what waits for your decision')
    .option('--failed', 'what has failed')
    .action(
      act(async (session, flags: QueueFlags) => (await import('./commands/queue.ts')).queue(session, flags)),
    );
  program
    .command('held')
    .description('what waits for your decision')
    .action(act(async (session) => (await import('./commands/uncertain.ts')).held(session)));
  program
    .command('confirm')
    .description('upload what is held')
    .argument('<id|name...>', namedHelp)
    .option('--without-location', 'photos go as copies that do not tell where they were taken')
    .action(
      act(async (session, ids: string[], flags: { withoutLocation?: boolean }) =>
        (await import('./commands/controls.ts')).control(session, 'queue.confirm', ids, flags),
      ),
    );
  for (const [name, ids, description, control] of [
    ['cancel', '<id|name...>', 'take uploads out of the queue', 'queue.cancel'],
    ['retry', '[id|name...]', 'try failed uploads again; without a name all of them', 'queue.retry'],
  ] as const) {
    program
      .command(name)
      .description(description)
      .argument(ids, namedHelp)
      .action(
        act(async (session, given: string[]) =>
          (await import('./commands/controls.ts')).control(session, control, given),
        ),
      );
  }
  program
    .command('resolve')
    .description('decide about an upload whose answer was lost; without an option, show what the service has')
    .argument('<id|name>', namedHelp)
    .addOption(new Option('--adopt <file_id>', 'this file of the account is it').conflicts(['again', 'drop']))
    .addOption(new Option('--again', 'the service does not have it: upload it again').conflicts('drop'))
    .option('--drop', 'leave it as it is')
    .action(
      act(async (session, id: string, flags: Choice) =>
        (await import('./commands/uncertain.ts')).resolve(session, id, flags),
      ),
    );
  program
    .command('pause')
    .description('pause the queue for 15m or 1h, until tomorrow or a date, or until resumed')
    .argument('[when...]', '15m, 3 days, tomorrow, 2026-12-31; nothing: until resumed')
    .action(
      act(async (session, when: string[]) => (await import('./commands/controls.ts')).pause(session, when)),
    );
  program
    .command('resume')
    .description('go on')
    .action(act(async (session) => (await import('./commands/controls.ts')).resume(session)));
  program
    .command('why')
    .description('why a file is where it is, in one sentence')
    .argument('<file|id>', namedHelp)
    .action(
      act(async (session, path: string) => (await import('./commands/controls.ts')).why(session, path)),
    );

  program.commandsGroup('This computer:');
  const settings = program.command('settings').description('show or change settings');
  settings
    .command('get', { isDefault: true })
    .argument('[name]')
    .action(
      act(async (session, name?: string) =>
        (await import('./commands/controls.ts')).settingsGet(session, name),
      ),
    );
  settings
    .command('list')
    .description('show all settings')
    .action(act(async (session) => (await import('./commands/controls.ts')).settingsGet(session, undefined)));
  settings
    .command('unset')
    .description('follow the default of a setting again')
    .argument('<name>')
    .action(
      act(async (session, name: string) =>
        (await import('./commands/controls.ts')).settingsSet(session, name, 'default'),
      ),
    );
  settings
    .command('set')
    .argument('<name>')
    .argument('<value>', 'a value, or `default`')
    .action(
      act(async (session, name: string, value: string) =>
        (await import('./commands/controls.ts')).settingsSet(session, name, value),
      ),
    );

  program
    .command('integrate')
    .description('put “Upload and copy link” into the menus of the file managers on this computer')
    .option('--list', 'show the file managers and whether the entry is there; change nothing')
    .addOption(new Option('--remove', 'take the entries away again').conflicts('list'))
    .action(
      act(async (session, flags: { list?: boolean; remove?: boolean }) =>
        (await import('./commands/integrate.ts')).integrate(session, flags),
      ),
    );
  program
    .command('mcp')
    .description('serve an agent: a server of the Model Context Protocol on standard input and output')
    .action(act(async (session) => (await import('./mcp/mcp.ts')).mcp(session)));
  program
    .command('doctor')
    .description('check keychain, folder, watcher, disk, network, key and clock')
    .option(
      '--service',
      'check instead what Outtray relies on at the service, with 4 tiny files, deleted again',
    )
    .option('--yes', 'with --service: do not ask before')
    .action(
      act(async (session, flags: { service?: boolean; yes?: boolean }) =>
        flags.service === true
          ? (await import('./commands/service-trial.ts')).trial(session, flags.yes === true)
          : (await import('./commands/controls.ts')).doctor(session),
      ),
    );
  program
    .command('help', { hidden: true })
    .description('how a command is used')
    .argument('[command...]')
    .action(async (names: string[]) => {
      const [first] = names;
      const isKnown = first === undefined || program.commands.some((command) => command.name() === first);
      // For its suggestion.
      if (!isKnown) await program.parseAsync([first], { from: 'user' });
      await act(({ output }) => {
        const text = helpFor(program, names);
        output.object({ help: text });
        output.styled(text.trimEnd());
        return Promise.resolve(exitCodes.done);
      })();
    });
  program
    .command('completion')
    .description('print the completions for a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish', 'powershell']))
    .addOption(new Option('--ids-for <command>').hideHelp())
    .action(
      act(async (session, shell: string, flags: { idsFor?: string }) =>
        (await import('./completion/completion.ts')).completion(session, program, shell, flags.idsFor),
      ),
    );
  program
    .command('demo', { hidden: true })
    .description('try everything in a temporary home, with a service of its own (in a checkout)')
    .option('--stay', 'keep watching the folder afterwards')
    .option('--double', 'with the window on the stand-in for Electron, which needs chromium')
    .action(act(async (session, flags: DemoFlags) => (await import('./demo.ts')).demo(session, flags)));
  for (const command of program.commands) command.summary(commandHelp[command.name()]?.summary ?? '');
  return program;
};

/** What `list` and `search` share. */
const withOrder = (command: Command): Command =>
  command
    .addOption(new Option('--sort <by>', 'in this order, newest or largest first').choices([...sorts]))
    .option('--reverse', 'the other way round')
    .addOption(
      new Option('--place <where>', 'uploaded here, elsewhere, or gone from the service').choices([
        ...places,
      ]),
    )
    .option('--folder <dir>', 'only files of this watched folder')
    .option('--page <n>', 'page number')
    .option('--limit <n>', 'page size')
    .option('--all', 'all pages');

/** What `upload` and `paste` share. */
const withUploadOptions = (command: Command): Command =>
  command
    .option('--no-wait', 'end with exit code 6 instead of waiting for the request budget')
    .option('--again', 'upload again what is already shared')
    .option('--open', 'open the links in the browser')
    .option('--copy', 'copy the links to the clipboard')
    .option('--format <form>', 'print and copy them as plain, markdown, html, bbcode, or a text with {link}')
    .addOption(
      new Option('--detach', 'queue the files and return; the upload goes on in the background').conflicts([
        'copy',
        'format',
        'open',
        'wait',
      ]),
    )
    .option(
      '--expire <when>',
      'take the links back after 1h, 7d, on 2026-12-31, or never; Outtray must run then',
    );

/** Errors reach a person through `output`; help is as wide as what it is written to. */
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

/** 80: it is no terminal. */
const helpWidth = ({ isTTY, columns }: OutStream): number => (isTTY === true ? (columns ?? 80) : 80);

/**
 * An error that nothing awaits (a timer that meets a dead disk) ends the process with one sentence and a code. Only our
 * own faults show where they come from.
 */
const reportFault = (output: Output, { stderr }: Io, fault: unknown): ExitCode => {
  const error = explained(fault);
  output.error(error);
  if (error.code === 'internal' && fault instanceof Error)
    stderr.write(`${output.clean(fault.stack ?? '')}\n`);
  return exitCodeOf(error.code);
};
