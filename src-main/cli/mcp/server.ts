// The server: messages of the protocol, and nothing else, on standard input and output. It ends when its client closes
// standard input; that also ends the running calls, and what they queued stays queued.
import { Writable } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type JSONObject,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { dataPlace } from '../../adapters/system/home.ts';
import { version } from '../../adapters/version.ts';
import { AppError } from '../../contract/errors.ts';
import { withoutTokens } from '../../contract/text/tokens.ts';
import { isOfService } from '../commands/links.ts';
import { within, type Session } from '../session.ts';
import { createIntake, type Intake } from './intake.ts';
import { lineFor } from './plain-answers.ts';
import { errorOf, isInVain, linksIn, type ShownLink } from './results.ts';
import { createRoots } from './roots.ts';
import { createSending } from './sending.ts';
import { inputs, outputs, type ToolName, type ToolOutput } from './shapes.ts';
import type { ToolCall } from './named.ts';
import { tools } from './tools.ts';

/** A client that does not answer in this time offers no roots, and then no file may be named. */
const rootsWaitMs = 5000;
/** A text of 1 MiB has at most six times as many bytes in JSON. */
const mostMessageBytes = 8 * 1024 * 1024;

const descriptions: Record<ToolName, { title: string; description: string; isReadOnly: boolean }> = {
  upload_files: {
    title: 'Upload files',
    description:
      'Makes files public and returns one link for each. Anyone with a link can read the file. The same content keeps its link. A file that looks like a secret is held for a person.',
    isReadOnly: false,
  },
  bundle_files: {
    title: 'Upload as one zip',
    description: 'Packs files and folders into one zip, makes it public and returns its one link.',
    isReadOnly: false,
  },
  share_text: {
    title: 'Share a text',
    description:
      'Makes a text (at most 1 MiB) public under a file name and returns its link. One that looks like a secret is held.',
    isReadOnly: false,
  },
  find_links: {
    title: 'Find links',
    description: 'Searches the links of this computer by file name, newest first. No request to the service.',
    isReadOnly: true,
  },
  get_links: {
    title: 'Links to files',
    description:
      'The links of these files, newest first. Files that are not found are listed in `failed`. No request to the service.',
    isReadOnly: true,
  },
  get_status: {
    title: 'Status',
    description: 'Folders that may be used, counts, request budgets, and what is held for a person.',
    isReadOnly: true,
  },
  make_card: {
    title: 'Release card',
    description:
      'Name, size, SHA-256, link and date of shared files, as one text in the format asked for. No request to the service.',
    isReadOnly: true,
  },
  recall_links: {
    title: 'Take links back',
    description: 'Deletes shared files and checks their links. Local files stay.',
    isReadOnly: false,
  },
};

const isTool = (name: string): name is ToolName => Object.hasOwn(inputs, name);

/** Resolves when the client is gone, or has sent too long a message. */
const endOf = (
  session: Session,
  wire: Wire,
  closing: AbortController,
  say: (text: string) => void,
): Promise<'closed' | 'too-long'> =>
  new Promise<'closed' | 'too-long'>((resolve) => {
    const end = (): void => {
      closing.abort();
      resolve('closed');
    };
    // `close` alone is not enough: a client that is killed ends the stream.
    for (const event of ['end', 'close', 'error'] as const) session.stdin().once(event, end);
    // The client may be gone although our input has not ended.
    session.stdout.once('error', end);
    // The transport closes by itself only after a message that is too long.
    wire.closed = () => {
      if (closing.signal.aborted) return;
      say(`A message is longer than ${mostMessageBytes / 1024 ** 2} MiB. The server ends.`);
      closing.abort();
      resolve('too-long');
    };
    if (session.signal.aborted) end();
    else session.signal.addEventListener('abort', end, { once: true });
  });

/** Returns why it ended: the client closed it, or sent a message over `mostMessageBytes`. */
export const serve = async (session: Session): Promise<'closed' | 'too-long'> => {
  const stdin = session.stdin();
  const closing = new AbortController();
  const sending = createSending(session);
  const cancelled = new Map<number, number>();
  const running = new Set<Promise<unknown>>();
  const intake = createIntake(stdin);
  const { profile } = dataPlace(session.options.home, session.env, session.cwd);

  const say = (text: string): void => {
    if (session.options.quiet !== true) session.stderr.write(`outtray mcp: ${session.output.clean(text)}\n`);
  };
  const sayError = (error: Error): void =>
    say(withoutTokens(error.message.slice(0, 500).replace(/[^\x20-\x7e]/g, '?')));

  const call = async <Name extends ToolName>(
    name: Name,
    given: unknown,
    clientRoots: readonly string[] | null,
    rest: Pick<ToolCall, 'signal' | 'progress'>,
  ): Promise<{ answer: ToolOutput<Name>; links: ShownLink[] }> => {
    const parsed = v.safeParse(inputs[name], given ?? {});
    if (!parsed.success) throw refusedInput(name, parsed.issues[0]);
    return await within(session, { kind: 'guest' }, async (composed) => {
      const parts = {
        composed,
        roots: await createRoots(composed.settings.current(), clientRoots, composed),
      };
      const whole = { ...parts, sending, cancelled, closing: closing.signal, ...rest };
      const act: (call: ToolCall, input: never) => Promise<unknown> = tools[name];
      const answer = (await act(whole, parsed.output as never)) as ToolOutput<Name>;
      return { answer, links: linksIn(answer, isOfService(composed.settings)) };
    });
  };

  /** Serves clients of the old and the new protocol; each connection gets one. */
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const createServer = (): Server => {
    // The plain class takes JSON schemas for its tools; ours are generated from our own schemas.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const server = new Server(
      { name: 'outtray', title: profile === null ? 'Outtray' : `Outtray (${profile})`, version },
      {
        capabilities: { tools: {} },
        instructions: `Outtray makes files public by links. Ask the user before you share what they did not ask to share. Only a person can release what is held.${profile === null ? '' : ` These tools share files in the account of the profile “${profile}”.`}`,
      },
    );
    server.onerror = sayError;
    const rootsOf = createClientRoots(server);

    server.setRequestHandler('tools/list', () => ({
      tools: Object.entries(descriptions).map(([name, { title, description, isReadOnly }]) => ({
        name,
        title,
        description,
        inputSchema: schemaOf(inputs[name as ToolName], 'input'),
        outputSchema: schemaOf(outputs[name as ToolName], 'output'),
        annotations: {
          readOnlyHint: isReadOnly,
          destructiveHint: name === 'recall_links',
          idempotentHint: true,
          openWorldHint: !isReadOnly,
        },
      })),
    }));

    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const { name } = params;
      const { mcpReq } = context;
      if (!isTool(name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
      const token = mcpReq._meta?.progressToken;
      const rest: Pick<ToolCall, 'signal' | 'progress'> = {
        signal: mcpReq.signal,
        progress(progress, total, message) {
          // A client that does not read needs no progress.
          if (token === undefined || mcpReq.signal.aborted || session.stdout.writableNeedDrain) return;
          const told = { progressToken: token, progress, total, message };
          void mcpReq.notify({ method: 'notifications/progress', params: told }).catch(() => undefined);
        },
      };
      if (mustAskForRoots(context))
        return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
      const work = intake.run(async () => {
        if (mcpReq.signal.aborted || closing.signal.aborted) throw new AppError('aborted', 'Stopped.');
        return await call(name, params.arguments, await rootsOf(context), rest);
      });
      running.add(work);
      try {
        const { answer, links } = await work;
        return {
          content: [{ type: 'text', text: lineFor(answer) }, ...links],
          structuredContent: answer,
          ...(isInVain(name, answer) ? { isError: true } : {}),
        };
      } catch (caught) {
        const error = errorOf(caught);
        const text = `${error.code}: ${error.message} ${error.remedy}`.trim();
        return { content: [{ type: 'text', text }], structuredContent: { error }, isError: true };
      } finally {
        running.delete(work);
      }
    });
    return server;
  };

  const wire = new Wire(stdin, throughClean(session, intake), { maxBufferSize: mostMessageBytes });
  const ended = endOf(session, wire, closing, say);
  const served = serveStdio(createServer, { transport: wire, onerror: sayError });
  const why = await ended;
  await Promise.allSettled(running);
  await sending.stop();
  await served.close();
  stdin.destroy();
  return why;
};

/** Reports when it closes. */
class Wire extends StdioServerTransport {
  closed: () => void = () => undefined;

  override async close(): Promise<void> {
    await super.close();
    this.closed();
  }
}

/** The folders that the client offers; null: it offers none. Throws when it offers roots but does not list them. */
type RootsOf = (context: ServerContext) => Promise<readonly string[] | null>;

const envelopeWithRoots = v.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: v.looseObject({ roots: v.looseObject({}) }),
});
/** A client of 2026-07-28 or later declares its capabilities in each request and answers questions in its next one. */
const offersRoots = ({ mcpReq }: ServerContext): boolean => v.is(envelopeWithRoots, mcpReq.envelope);

const mustAskForRoots = (context: ServerContext): boolean =>
  offersRoots(context) && inputResponse(context.mcpReq.inputResponses, 'roots').kind !== 'roots';

/** Asks a client of an older protocol once, and again when its folders have changed. */
// eslint-disable-next-line @typescript-eslint/no-deprecated
const createClientRoots = (server: Server): RootsOf => {
  let offered: Promise<readonly string[]> | null = null;
  const ofConnection = async (): Promise<readonly string[] | null> => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    if (server.getClientCapabilities()?.roots === undefined) return null;
    offered ??= server
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      .listRoots(undefined, { timeout: rootsWaitMs })
      .then(({ roots }) => roots.map(({ uri }) => uri));
    return await offered.catch((cause: unknown) => {
      offered = null;
      const message = 'The client offers roots, but did not list them.';
      throw new AppError('outside', message, 'Try again, or restart the client.', { cause });
    });
  };
  // Asked for early: behind many calls the answer would be read too late.
  const askForRoots = (): void => {
    offered = null;
    void ofConnection().catch(() => undefined);
  };
  server.oninitialized = askForRoots;
  server.setNotificationHandler('notifications/roots/list_changed', askForRoots);
  return async (context) => {
    if (context.mcpReq.envelope === undefined) return await ofConnection();
    const told = inputResponse(context.mcpReq.inputResponses, 'roots');
    return told.kind === 'roots' ? told.roots.map(({ uri }) => uri) : null;
  };
};

/** Standard output without secrets: one line per message, without any character that acts on a terminal. */
const throughClean = ({ output, stdout }: Session, intake: Intake): Writable =>
  new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      if (stdout.write(output.clean(chunk.toString()))) {
        done();
        return;
      }
      intake.output(true);
      stdout.once('drain', () => {
        intake.output(false);
        done();
      });
    },
    // Each answer that waits listens for `drain`; the intake bounds their number.
  }).setMaxListeners(0);

/** What was wrong, as a sentence. */
const refusedInput = (name: ToolName, issue: v.BaseIssue<unknown>): AppError => {
  const where = v.getDotPath(issue) ?? 'arguments';
  const takes = `${name} takes ${Object.keys(inputs[name].entries).join(', ') || 'no arguments'}.`;
  if (issue.expected === 'never') return new AppError('bad-use', `“${where}” is not known here.`, takes);
  if (issue.received === 'undefined') return new AppError('bad-use', `“${where}” is missing.`, takes);
  const kinds: Record<string, string> = {
    string: 'a text',
    number: 'a number',
    Array: 'a list',
    Object: 'an object such as {"path": "/a/b.txt"}',
    '(number | string)': 'a number or a text',
  };
  const must = kinds[issue.expected ?? ''];
  const what =
    must === undefined
      ? `cannot be used: ${issue.message.replace(/^Invalid /, 'invalid ')}`
      : `must be ${must}`;
  return new AppError('bad-use', `“${where}” ${what.replace(/\.$/, '')}.`, takes);
};

/** Every client sends this list to its model, so it is short: what a name says needs no description. */
const schemaOf = (schema: v.GenericSchema, typeMode: 'input' | 'output') => {
  const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode, errorMode: 'ignore' });
  return { ...(slim(rest, typeMode) as JSONObject), type: 'object' as const };
};

const slim = (value: unknown, mode: 'input' | 'output'): unknown => {
  if (Array.isArray(value)) return value.map((one) => slim(one, mode));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, one]) => !isNeedless(key, one, mode));
  const { anyOf, ...rest } = Object.fromEntries(entries.map(([key, one]) => [key, slim(one, mode)]));
  if (!Array.isArray(anyOf)) return rest;
  const types = anyOf.flatMap((one: Record<string, unknown>) =>
    Object.keys(one).length === 1 ? one['type'] : null,
  );
  return types.every((type) => typeof type === 'string') ? { ...rest, type: types } : { ...rest, anyOf };
};

/** The server checks lengths by itself. */
const isNeedless = (key: string, value: unknown, mode: 'input' | 'output'): boolean =>
  mode === 'output'
    ? key === 'required' && Array.isArray(value)
    : (key === 'minLength' || key === 'maxLength') && typeof value === 'number';
