// The queue as the engine reports it, read again when something happened; and what can be done with it.
import type { FilesAlike, QueueView } from '../../src-main/contract/answers.ts';
import type { Alike, CommandInput } from '../../src-main/contract/commands.ts';
import { isUnwanted, type QueueOrder, type UploadView } from '../../src-main/contract/model.ts';
import type { WordKey } from '../../src-main/contract/locales/words.ts';
import { plainName } from '../words/name.ts';
import { say } from '../words/say.svelte.ts';
import { bitesOf } from './list/bites.ts';
import { readAlike, type AlikeGroup } from './grouping.ts';
import { createReader } from './list/reader.ts';
import type { Publication } from './publishing.svelte.ts';
import type { Session } from './session.svelte.ts';
import { Thumbs } from './thumbs.ts';

/** The most rows of each list: as many as the uploads under way that Files shows. */
const LOADED = 200;
/** The least time between two reads while many things happen; the first one causes a read at once. */
const SETTLE_MS = 150;

type Of = { ids: number[] } | { alike: Alike };

/** One upload, or all of a group, including those that are not in the list. */
const the = (one: UploadView | AlikeGroup): Of => {
  if ('id' in one) return { ids: [one.id] };
  const { state, key, asOfMs } = one;
  if (state.kind !== 'held' && state.kind !== 'failed' && state.kind !== 'skipped') return { ids: [] };
  return { alike: { kind: state.kind, fate: key, asOfMs } };
};

export class Queue {
  readonly #session: Session;
  readonly #loaded: number | (() => readonly number[]);
  readonly #reader: ReturnType<typeof createReader>;

  view = $state.raw<QueueView | null>(null);
  alike = $state.raw<readonly FilesAlike[]>([]);
  /** The number of the zip that is being packed from a burst. */
  packing = $state<number | null>(null);

  /** Of the files that a question shows. */
  readonly thumbs: Thumbs;

  /** `loaded`: how many rows of each list, of the rest only the number is known; or the ids that are read, by fate. */
  constructor(session: Session, loaded: number | (() => readonly number[]) = LOADED) {
    this.#session = session;
    this.thumbs = new Thumbs(session);
    this.#loaded = loaded;
    this.#reader = createReader(session, SETTLE_MS, () => this.#ask());
  }

  /** Follows the engine until the undo is called. */
  follow = (): (() => void) => this.#reader.follow();
  read = (): Promise<void> => this.#reader.read();
  readSoon = (): void => {
    this.#reader.readSoon();
  };

  /** The line of the secret in a held file, with dots for its value; null: there is none to show. */
  async excerpt(id: number): Promise<string | null> {
    // Without it, the rule and the line number are shown.
    const answer = await this.#session.client.call('queue.excerpt', { id }).catch(() => null);
    return answer?.excerpt ?? null;
  }

  async #ask(): Promise<void> {
    const limit = this.#loaded;
    const { client } = this.#session;
    if (typeof limit === 'function')
      this.alike = (await this.#session.attempt(() => readAlike(client, limit()))) ?? this.alike;
    else this.view = (await this.#session.attempt(() => client.call('queue.get', { limit }))) ?? this.view;
  }

  /** False: no upload was released. */
  async confirm(
    these: AlikeGroup | readonly UploadView[],
    how: { withoutLocation?: true } = {},
  ): Promise<boolean> {
    // Another version may have come since this one was shown.
    const of =
      'key' in these
        ? the(these)
        : { ids: these.map(({ id }) => id), asOfMs: Math.max(...these.map(({ asOfMs }) => asOfMs)) };
    const gone = await this.#session.attempt(() =>
      this.#session.client.call('queue.confirm', { ...of, ...how }),
    );
    await this.read();
    return gone !== undefined;
  }

  /** Photos that are held for their location: one decision for these, and for future ones if `remember` is set. */
  async decideLocation(
    photos: readonly UploadView[],
    does: 'keep' | 'remove',
    remember: boolean,
  ): Promise<void> {
    const isDone = await this.confirm(photos, does === 'remove' ? { withoutLocation: true } : {});
    if (!isDone || !remember) return;
    await this.#session.attempt(() =>
      this.#session.client.call('settings.set', { name: 'photoLocation', value: does }),
    );
  }

  /** True: the service has files that could be this one. */
  async check({ id, name }: UploadView): Promise<boolean> {
    const found = await this.#session.attempt(() => this.#session.client.call('queue.candidates', { id }));
    await this.read();
    const isOpen = [...(this.view?.held ?? []), ...(this.view?.waiting ?? [])].some(
      (one) => one.id === id && one.state.kind === 'uncertain',
    );
    if (found?.length === 0 && isOpen)
      this.#session.tell('done', say('queue.notThere', { name: plainName(name) }));
    return found !== undefined && found.length > 0 && isOpen;
  }

  async retry(one: UploadView | AlikeGroup): Promise<void> {
    await this.#session.attempt(() => this.#session.client.call('queue.retry', the(one)));
    await this.read();
  }

  /** Asks first, and waits ten seconds. */
  async publish(wanted: Publication): Promise<void> {
    await this.#session.publishing.begin(wanted);
  }

  /** All of a group, including those that are not in the list. */
  async publishAlike(group: AlikeGroup): Promise<void> {
    const of = the(group);
    if (!('alike' in of)) return;
    const alike = await this.#session.attempt(() => this.#session.client.call('queue.alike', of));
    for (const one of alike ?? []) await this.publish(one);
  }

  async dismissThese(ids: readonly number[]): Promise<void> {
    await this.#leaveThese('queue.wasDismissed', 'queue.skip', ids);
  }

  async skipThese(ids: readonly number[]): Promise<void> {
    this.#session.publishing.keep(ids);
    await this.#leaveThese('queue.wasSkipped', 'queue.skip', ids);
  }

  async skip(one: UploadView | AlikeGroup): Promise<void> {
    await this.#leaveOut('queue.wasSkipped', () => this.#session.client.call('queue.skip', the(one)));
  }

  /** Uploads the newest file of a burst and skips the others. */
  async newestOfBurst({ asOfMs }: AlikeGroup): Promise<void> {
    await this.#leaveOut('queue.wasSkipped', async () => {
      const answered = await this.#session.client.call('queue.newest', { asOfMs });
      return answered.filter(({ state }) => state.kind === 'skipped');
    });
  }

  /** The shell reports the progress of its upload (given.svelte.ts). */
  async zipBurst({ asOfMs }: AlikeGroup): Promise<void> {
    const packing = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER) + 1;
    this.packing = packing;
    this.#session.announce(say('burst.packing'));
    await this.#session.attempt(() => this.#session.client.call('queue.zip', { asOfMs, packing }));
    this.packing = null;
    await this.read();
  }

  async stopPacking(): Promise<void> {
    const { packing } = this;
    if (packing === null) return;
    await this.#session.attempt(() => this.#session.client.call('files.stopPacking', { packing }));
  }

  async dismiss(one: UploadView | AlikeGroup): Promise<void> {
    await this.#leaveOut('queue.wasDismissed', () => this.#session.client.call('queue.skip', the(one)));
  }

  async cancel({ id }: UploadView): Promise<void> {
    await this.#leaveOut('queue.wasCancelled', () =>
      this.#session.client.call('queue.cancel', { ids: [id] }),
    );
  }

  async cancelThese(ids: readonly number[]): Promise<void> {
    await this.#leaveThese('queue.wasCancelled', 'queue.cancel', ids);
  }

  /** In as many calls as they need. What one call refuses keeps none of the others. */
  async #leaveThese(
    said: WordKey,
    name: 'queue.skip' | 'queue.cancel',
    all: readonly number[],
  ): Promise<void> {
    const firsts: number[] = [];
    const leaveAll = async (): Promise<UploadView[]> => {
      const left: UploadView[] = [];
      const refused: unknown[] = [];
      for (const ids of bitesOf(all))
        await this.#session.client
          .call(name, { ids })
          .then((some) => {
            firsts.push(...some.slice(0, 1).map(({ id }) => id));
            left.push(...some);
          })
          .catch((error: unknown) => refused.push(error));
      if (left.length === 0 && refused.length > 0) throw refused[0];
      return left;
    };
    await this.#leaveOut(said, leaveAll, firsts);
  }

  /** The ticket offers to undo it, in case it was a mistake; without a line of the ticket, a notice does. */
  async #leaveOut(
    said: WordKey,
    act: () => Promise<UploadView[]>,
    /** One of the files of each call, if there are several. */
    firsts?: number[],
  ): Promise<void> {
    const left = await this.#session.attempt(act);
    const first = left?.[0];
    if (left !== undefined && first !== undefined) {
      const actionsOf = firsts ?? [first.id];
      this.#session.did({ kind: 'left-out', actionsOf, count: left.length, name: first.name });
      const isOpen = left.some(({ state }) => isUnwanted(state));
      const text = say(isOpen ? 'queue.wasAsked' : said, {
        count: left.length,
        name: plainName(first.name),
      });
      if (this.#session.given.names(left.map(({ id }) => id)))
        this.#session.announce(`${text} · ${say('queue.undo')}`);
      else
        this.#session.tell('done', text, {
          act: { label: say('queue.undo'), do: () => void this.#undo({ actionsOf }, left.length) },
        });
    }
    await this.read();
  }

  /** Brings back exactly these. */
  async undo(ids: readonly number[]): Promise<void> {
    for (const some of bitesOf(ids)) await this.#undo({ ids: some }, some.length);
  }

  async #undo(of: CommandInput<'queue.undo'>, count: number): Promise<void> {
    await undoLeftOut(this.#session, of, count);
    await this.read();
  }

  async toTop({ id }: UploadView): Promise<void> {
    await this.#session.attempt(() => this.#session.client.call('queue.toTop', { ids: [id] }));
    await this.read();
  }

  /** False when the order did not change; the session has shown the reason. */
  async orderBy(by: QueueOrder): Promise<boolean> {
    const done = await this.#session.attempt(() => this.#session.client.call('queue.order', { by }));
    await this.read();
    return done !== undefined;
  }

  async pause(untilMs: number | null): Promise<void> {
    await this.#session.attempt(() => this.#session.client.call('queue.pause', { untilMs }));
  }

  async resume(): Promise<void> {
    await this.#session.attempt(() => this.#session.client.call('queue.resume', {}));
  }
}

/** Brings back `count` files that were left out, as far as nothing else happened to them since. Returns how many. */
const undoLeftOut = async (
  session: Session,
  of: CommandInput<'queue.undo'>,
  count: number,
): Promise<number | null> => {
  const back = await session.attempt(() => session.client.call('queue.undo', of));
  if (back === undefined) return null;
  if (back.length > 0) session.dismiss();
  else session.tell('note', say('queue.undoLate'));
  if (back.length > 0 && back.length < count)
    session.tell('note', say('queue.undoSome', { back: back.length, count }));
  session.happened();
  return back.length;
};

/** Undoes what the user did last in this window, once: a drop as far as it is not public, a recall, what was left out. */
export const undoNewest = async (session: Session): Promise<void> => {
  const deed = session.takeDeed();
  if (deed?.kind === 'left-out') {
    const back = await undoLeftOut(session, { actionsOf: deed.actionsOf }, deed.count);
    if (back === deed.count)
      session.tell('done', say('queue.wasBack', { count: back, name: plainName(deed.name) }));
    return;
  }
  const going = deed?.kind === 'dropped' ? session.given.goingOf(deed.ids) : [];
  if (going.length > 0) await new Queue(session).cancelThese(going);
  else if (deed?.kind === 'recall' && session.recalling.undoable.length > 0) await session.recalling.undo();
  else session.announce(say('queue.undoNone'));
};
