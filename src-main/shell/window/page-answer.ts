// The calls of the page: the window's own are answered here, the others by the engine. Files that a call uploads are
// registered with the component that copies their links.
import type { Reply, Transport } from '../../contract/client.ts';
import { isCommandName, type GivenPath } from '../../contract/commands.ts';
import { toWire } from '../../contract/errors.ts';
import type { Door, UploadView } from '../../contract/model.ts';
import { answerWindowCall, type WindowHandlers } from '../../contract/window-commands.ts';
import { hasFolder, takenOf, type Taken } from '../start/given-folders.ts';

export const createPageAnswer =
  (parts: {
    handlers: WindowHandlers;
    transport: Transport;
    files: Parameters<typeof hasFolder>[0];
    upload: (paths: readonly string[], door: Door) => Promise<UploadView[]>;
    wereGiven: (taken: Taken) => UploadView[];
  }) =>
  async (name: string, input: unknown): Promise<Reply> => {
    const { handlers, transport, files, upload, wereGiven } = parts;
    if (!isCommandName(name)) return await answerWindowCall(handlers, name, input);
    if (name === 'files.upload' && (await hasFolder(files, pathsIn(input))))
      return await answered(() => upload(pathsIn(input), 'window'));
    const reply = await transport.call(name, input);
    if (name === 'files.upload' && reply.ok)
      return await answered(() => Promise.resolve(wereGiven(takenOf(reply.answer as GivenPath[]))));
    if (name === 'queue.zip' && reply.ok)
      wereGiven({ taken: [reply.answer as UploadView], leftOut: [], refused: null });
    return reply;
  };

/** The table of commands checks the input afterwards. */
const pathsIn = (input: unknown): string[] => {
  const { paths } = Object(input) as { paths?: unknown };
  return Array.isArray(paths) ? paths.filter((one): one is string => typeof one === 'string') : [];
};

const answered = async (work: () => Promise<unknown>): Promise<Reply> => {
  try {
    return { ok: true, answer: await work() };
  } catch (error) {
    return { ok: false, error: toWire(error) };
  }
};
