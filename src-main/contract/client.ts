// The client every front end uses, over a transport of two functions. Errors arrive as data and are thrown as
// AppError again. The transport is the only thing that differs between window, command line and tests.
import type { Entry, Packing, Progress } from './entries.ts';
import {
  isCommandName,
  noSuchCall,
  parsedInput,
  type CommandAnswer,
  type CommandInput,
  type CommandName,
  type EngineCommandName,
  type Handlers,
} from './commands.ts';
import { fromWire, toWire, type WireError } from './errors.ts';
import type { EngineStatus } from './model.ts';
import type { Platform } from './text/speech.ts';
import type { WindowNews } from './window.ts';

/** What listeners get. `seq` has no gaps; after a gap, take a new snapshot (`app.status`). */
export type Change =
  | { seq: number; kind: 'status'; status: EngineStatus }
  | { seq: number; kind: 'entries'; entries: Entry[] }
  | { seq: number; kind: 'progress'; progress: Progress[] }
  /** All zips that are being packed with a number; empty: the last one has ended. */
  | { seq: number; kind: 'packing'; packings: readonly Packing[] }
  | { seq: number; kind: 'settings' };

export type Reply = { ok: true; answer: unknown } | { ok: false; error: WireError };

export type Transport = {
  call(name: string, input: unknown): Promise<Reply>;
  /** Returns its undo. */
  listen(hear: (change: Change) => void): () => void;
};

/** What preload exposes as `window.outtray`: call, listen, and what only a preload can know. */
export type Bridge = {
  call: Transport['call'];
  listen(hear: (change: Change | WindowNews) => void): () => void;
  /** Tokens for the paths of dropped or pasted files, for this load of the page; '' for files that have no path. */
  tokensOf?(files: readonly unknown[]): Promise<string[]>;
  platform?: Platform;
};

/** The engine's calls, in the window (`Client<CommandName>`) all of them. */
export type Client<Name extends CommandName = EngineCommandName> = {
  call<One extends Name>(name: One, input: CommandInput<One>): Promise<CommandAnswer<One>>;
  /** Returns its undo. */
  listen(hear: (change: Change) => void): () => void;
};

export const createClient = <Name extends CommandName = EngineCommandName>(
  transport: Transport,
): Client<Name> => ({
  async call<One extends Name>(name: One, input: CommandInput<One>) {
    const reply = await transport.call(name, input);
    if (!reply.ok) throw fromWire(reply.error);
    // The far side answered through the same table, so the answer has the table's type.
    return reply.answer as CommandAnswer<One>;
  },
  listen: transport.listen,
});

/** Answers calls until `end`, which aborts those that are still on their way and resolves once all are answered. */
export const answerCalls = (handlers: Handlers): { call: Transport['call']; end(): Promise<void> } => {
  const ending = new AbortController();
  const answering = new Set<Promise<Reply>>();
  return {
    async call(name, input) {
      const answer = answerCall(handlers, name, input, ending.signal);
      answering.add(answer);
      return await answer.finally(() => answering.delete(answer));
    },
    async end() {
      ending.abort();
      await Promise.all(answering);
    },
  };
};

/** The far side of a transport: unknown names and malformed inputs come back as error values, nothing throws. */
export const answerCall = async (
  handlers: Partial<Handlers<CommandName>>,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<Reply> => {
  try {
    if (!isCommandName(name)) throw noSuchCall();
    return { ok: true, answer: await dispatch(handlers, name, input, signal) };
  } catch (error) {
    return { ok: false, error: toWire(error) };
  }
};

const dispatch = async <Name extends CommandName>(
  handlers: Partial<Handlers<CommandName>>,
  name: Name,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> => {
  const handle = handlers[name];
  if (handle === undefined) throw noSuchCall();
  return await handle(parsedInput(name, input), signal);
};
