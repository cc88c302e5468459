// The process of a drive: it makes the calls that may hang. A call that hangs holds up this process and no other.
import { toWire } from '../../contract/errors.ts';
import type { Files, Inspect, OpenFile, Watch } from '../../engine/ports/files.ts';
import type { DriveCall, Calls, NewText, DriveOrder, RealPaths, DriveReply, Texts } from './messages.ts';

type Answering = { [C in DriveCall]: (...args: Parameters<Calls[C]>) => Promise<ReturnType<Calls[C]>> };
type Opened = { file: OpenFile; pieces: AsyncIterator<Uint8Array> | null; last: Promise<unknown> };

/** Returns the function that takes an order. `busy` gets the number of orders that are not answered yet. */
export const createServer = (
  {
    files,
    paths,
    texts,
    watch,
    inspect,
  }: { files: Files; paths: RealPaths; texts: Texts; watch: Watch; inspect: Pick<Inspect, 'photo'> },
  say: (reply: DriveReply) => void,
  busy: (open: number) => void,
): ((order: DriveOrder) => void) => {
  const opened = new Map<number, Opened>();
  const written = new Map<number, NewText>();
  const watches = new Map<number, { stop(): Promise<void> }>();
  const ending = new AbortController();

  const keep = (id: number, file: OpenFile) => {
    opened.set(id, { file, pieces: null, last: Promise.resolve() });
    return file.stamp;
  };
  const at = (id: number): Opened => {
    const found = opened.get(id);
    if (found === undefined) throw new Error(`File ${id} is not open.`);
    return found;
  };

  const textAt = (id: number): NewText => {
    const found = written.get(id);
    if (found === undefined) throw new Error(`Text ${id} is not open.`);
    return found;
  };

  const answering: Answering = {
    identify: files.identify,
    list: (folder) => files.list(folder),
    look: files.look,
    spell: files.spell,
    real: paths.real,
    realFolder: paths.realFolder,
    place: files.place,
    openForWriting: files.openForWriting,
    open: async (id, path, root) => keep(id, await files.open(path, root)),
    cut: async (id, from, parts) => keep(id, at(from).file.cut(parts)),
    placeOfOpen: async (id) => at(id).file.place(),
    head: async (id, maxBytes) => at(id).file.head(maxBytes),
    async read(id) {
      const one = at(id);
      one.pieces ??= one.file.pieces(ending.signal)[Symbol.asyncIterator]();
      const { pieces, last } = one;
      // A piece is valid until the next one is asked for.
      const next = last.then(async () => {
        const piece = await pieces.next();
        return piece.done === true ? null : Buffer.from(piece.value);
      });
      one.last = next.catch(() => undefined);
      return await next;
    },
    sha256: async (id) => at(id).file.sha256(),
    unchanged: async (id) => at(id).file.unchanged(),
    photo: async (id, head, cutsAll) => inspect.photo(at(id).file, head, cutsAll),
    async close(id) {
      const one = opened.get(id);
      opened.delete(id);
      await one?.last;
      await one?.file.close();
    },
    readText: texts.read,
    createText: async (id, path, replaces) => void written.set(id, await texts.create(path, replaces)),
    writeText: async (id, piece) => textAt(id).write(piece),
    finishText: async (id) => textAt(id).finish(),
    discardText: async (id) => textAt(id).discard(),
    async watch(id, root, recursive) {
      const own = new AbortController();
      // On a slow drive the start takes minutes: it can be stopped, too.
      watches.set(id, { stop: async () => own.abort() });
      const started = await watch.start({
        root,
        recursive,
        sighted: (batch) => say({ kind: 'sighted', watch: id, batch }),
        health: (health) => say({ kind: 'health', watch: id, health }),
        signal: AbortSignal.any([ending.signal, own.signal]),
      });
      watches.set(id, started);
    },
    async unwatch(id) {
      await watches.get(id)?.stop();
      watches.delete(id);
    },
  };

  const answer = <C extends DriveCall>({ call, args }: DriveOrder<C>): Promise<unknown> =>
    (answering[call] as (...args: Parameters<Calls[C]>) => Promise<unknown>)(...args);

  let open = 0;
  return (order) => {
    busy((open += 1));
    void answer(order)
      .then(
        (value) => say({ kind: 'answer', id: order.id, value }),
        (error: unknown) => say({ kind: 'error', id: order.id, error: toWire(error) }),
      )
      .finally(() => busy((open -= 1)));
  };
};
