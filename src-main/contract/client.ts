// The client every front end uses, over a transport of two functions. Errors arrive as data and are thrown as
// AppError again. The transport is the only thing that differs between window, command line and tests.
import * as v from 'valibot';
import type { Entry, Packing, Progress } from './entries.ts';
import {
  commands,
  isCommandName,
  type CommandAnswer,
  type CommandInput,
  type CommandName,
  type Handlers,
} from './commands.ts';
import { AppError, fromWire, toWire, type WireError } from './errors.ts';
import type { EngineStatus } from './model.ts';

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

export type Client = {
  call<Name extends CommandName>(name: Name, input: CommandInput<Name>): Promise<CommandAnswer<Name>>;
  listen(hear: (change: Change) => void): () => void;
};

export const createClient = (transport: Transport): Client => ({
  async call<Name extends CommandName>(name: Name, input: CommandInput<Name>) {
    const reply = await transport.call(name, input);
    if (!reply.ok) throw fromWire(reply.error);
    // The far side answered through the same table, so the answer has the table's type.
    return reply.answer as CommandAnswer<Name>;
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
  handlers: Handlers,
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<Reply> => {
  try {
    if (!isCommandName(name)) throw new AppError('bad-use', 'There is no such command.');
    return { ok: true, answer: await dispatch(handlers, name, input, signal) };
  } catch (error) {
    return { ok: false, error: toWire(error) };
  }
};

const dispatch = async <Name extends CommandName>(
  handlers: Handlers,
  name: Name,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> => {
  const parsed = v.safeParse(commands[name].schema, input);
  if (!parsed.success) {
    const issue = parsed.issues[0];
    const where = v.getDotPath(issue);
    // A full sentence from the schema is meant for a person, who does not know the name of the call.
    if (issue.message.endsWith('.'))
      throw new AppError('bad-use', issue.message, 'Correct it and try again.');
    throw new AppError('bad-use', `${name}: ${where === null ? '' : `${where}: `}${issue.message}`);
  }
  return await handlers[name](parsed.output, signal);
};
