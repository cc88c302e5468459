// Links that need a look, as the engine finds them, and every link of one content. Read again when something happened.
import type { LinkState } from '../../src-main/contract/files/taken-back.ts';
import type { FileId } from '../../src-main/contract/text/file-id.ts';
import { reviewKinds } from '../../src-main/contract/report.ts';
import type { CopyLink, Copies, Review, ReviewFinding, ReviewKind } from '../../src-main/contract/report.ts';
import type { FileRow } from '../../src-main/contract/model.ts';
import { tomorrowMorning } from '../../src-main/contract/expiry.ts';
import { rowName } from '../../src-main/contract/window.ts';
import type { Deletable } from './recall/deletion.ts';
import { createReader } from './list/reader.ts';
import type { Session } from './session.svelte.ts';

/** The most findings of each kind: as many as a person looks through. */
const LOADED = 200;
/** The least time between two reads while many things happen. */
const SETTLE_MS = 500;

/** The remedies that can be applied to several links at once. */
type ForAll = 'recall' | 'expire' | 'remove';
/** `total` includes those that are not listed. `all`: the remedy that all listed ones share. */
export type ReviewGroup = {
  kind: ReviewKind;
  total: number;
  findings: ReviewFinding[];
  all: ForAll | null;
};

export const groupFindings = ({ findings, counts }: Review): ReviewGroup[] =>
  reviewKinds.flatMap((kind) => {
    const alike = findings.filter((one) => one.kind === kind);
    return alike.length === 0
      ? []
      : [{ kind, total: counts[kind], findings: alike, all: sharedRemedy(alike) }];
  });

const sharedRemedy = (findings: readonly ReviewFinding[]): ForAll | null => {
  const [first, ...others] = findings.map(({ remedy }) => remedy.do);
  if (others.length === 0 || others.some((one) => one !== first)) return null;
  return first === 'recall' || first === 'expire' || first === 'remove' ? first : null;
};

/** The files of these findings, in the form for the dialogs of recall and expiry. */
export const rowsOf = (findings: readonly ReviewFinding[]): Pick<FileRow, 'fileId' | 'name' | 'place'>[] =>
  findings.flatMap(({ link }) =>
    link === null ? [] : [{ fileId: link.fileId, name: link.name, place: 'this-machine' as const }],
  );

export class ReviewList {
  readonly #session: Session;
  readonly #reader: ReturnType<typeof createReader>;

  told = $state.raw<Review | null>(null);
  readonly groups: ReviewGroup[] = $derived(this.told === null ? [] : groupFindings(this.told));

  constructor(session: Session) {
    this.#session = session;
    this.#reader = createReader(session, SETTLE_MS, async () => {
      const answer = () => session.client.call('report.review', { limit: LOADED });
      this.told = (await session.attempt(answer)) ?? this.told;
    });
  }

  /** Follows the engine until the undo is called. */
  follow = (): (() => void) => this.#reader.follow();
  read = (): Promise<void> => this.#reader.read();

  async remove(findings: readonly ReviewFinding[]): Promise<void> {
    const fileIds = rowsOf(findings).flatMap(({ fileId }) => fileId ?? []);
    await this.#session.attempt(() => this.#session.client.call('files.remove', { fileIds }));
    this.#session.happened();
    await this.read();
  }

  /** Uploads its file again; the shell reports the progress. */
  async uploadAgain(finding: ReviewFinding): Promise<void> {
    const asked = { paths: fileOf(finding), again: true };
    await this.#session.attempt(() => this.#session.client.call('files.upload', asked));
    this.#session.happened();
  }

  async zip(finding: ReviewFinding): Promise<void> {
    await this.#session.attempt(() => this.#session.client.call('files.bundle', { paths: fileOf(finding) }));
    this.#session.happened();
  }

  async pause(): Promise<void> {
    const untilMs = tomorrowMorning(Date.now());
    await this.#session.attempt(() => this.#session.client.call('queue.pause', { untilMs }));
  }
}

const fileOf = ({ link }: ReviewFinding): string[] => (link === null ? [] : [rowName(link.uploadId)]);

/** The state of a link of a content. `ended`: only the list of the account shows it. */
export const stateOfCopy = ({ alive, linkState }: CopyLink): LinkState | 'alive' | 'ended' =>
  linkState ?? (alive === true ? 'alive' : 'ended');

/** The links that a recall of all must take back, including those that a list no longer shows. */
export const openLinks = ({ links }: Copies): (CopyLink & { fileId: FileId })[] =>
  links
    .flatMap((link) =>
      link.linkState === 'dead' || link.fileId === null ? [] : [{ ...link, fileId: link.fileId }],
    )
    // A zip that has the content twice is one link.
    .filter(({ fileId }, index, all) => all.findIndex((one) => one.fileId === fileId) === index);

/** The rows of these links, in the form for a recall. */
export const rowsOfLinks = (links: readonly (CopyLink & { fileId: FileId })[]): Deletable[] =>
  links.map(({ fileId, filename, inside, fromMs, downloads }) => ({
    fileId,
    name: inside ?? filename,
    place: 'this-machine',
    uploadedAtMs: fromMs,
    downloads: downloads ?? 0,
  }));

export const copiesOf = (session: Session, uploadId: number): Promise<Copies> =>
  session.client.call('report.copies', { uploadId });
