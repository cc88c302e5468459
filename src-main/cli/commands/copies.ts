// Every link that a content ever had here: `info` shows them, `recall --all-copies` takes them all back.
import { isoOrNull } from '../../contract/text/formats.ts';
import type { NamedFile, RecallResult } from '../../contract/answers.ts';
import type { Copies, CopyLink } from '../../contract/report.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson, type KnownFile } from '../../engine/state/file-json.ts';
import { linkStateWords, timeText } from '../output/words.ts';
import { queueIdText } from '../../contract/text/named-file.ts';
import { findFiles } from '../named-files.ts';
import { askToTakeAway, unlessInterrupted, within, type Session, type Composed } from '../session.ts';
import { nothingTakenBack, tellRecalled, type RecallFlags } from './recall.ts';

type Client = Composed['client'];

export const recallCopies = (
  session: Session,
  given: readonly string[],
  { yes, olderThan, neverDownloaded }: RecallFlags,
): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { client } = composed;
    const { output } = session;
    if (given.length === 0 || olderThan !== undefined || neverDownloaded === true)
      throw new AppError(
        'bad-use',
        'It is not clear whose copies to take back.',
        'Name files, and leave out --older-than and --never-downloaded.',
      );
    const found: Copies[] = [];
    for (const one of given) {
      const asked = await askedOf(session, client, one);
      found.push(await unlessInterrupted(session, () => client.call('report.copies', asked)));
    }
    const links = openLinks(found);
    const open = [...new Set(found.flatMap(({ uncertain }) => uncertain))];
    if (links.length + open.length > 0)
      await askToTakeAway(session, yes, () => {
        const nowMs = composed.clock.wallMs();
        output.table(links.map((link) => copyCells(session, nowMs, link)));
        return { question: questionAbout(links, open.length), otherwise: nothingTakenBack };
      });
    else output.line('Every link to this content is dead.');
    const isDead = await endAll(session, composed, links, open);
    output.object({ event: 'copies', links: links.length, dead: isDead, uncertain: open.length });
    return isDead && open.length === 0 ? exitCodes.done : exitCodes.someFailed;
  });

/** Other links of the content of this file that may be public; none of a file that another machine uploaded. */
export const otherCopies = async (client: Client, { uploadId, fileId }: NamedFile): Promise<CopyLink[]> => {
  if (uploadId === null) return [];
  try {
    const { links } = await client.call('report.copies', { uploadId });
    return links.filter((link) => link.alive !== false && link.fileId !== fileId);
  } catch (error) {
    if (toAppError(error).code === 'not-found') return [];
    throw error;
  }
};

export const copyJson = ({ ledger }: Pick<Composed, 'ledger'>, link: CopyLink) => ({
  ...fileJson(knownOf(ledger, link)),
  inside: link.inside,
  from: isoOrNull(link.fromMs),
  until: isoOrNull(link.untilMs),
  alive: link.alive,
  linkState: link.linkState,
});

const stateText = ({ alive, linkState }: CopyLink): string =>
  linkState === null ? (alive === true ? 'alive' : 'no longer listed') : linkStateWords[linkState];

export const copyCells = (session: Session, nowMs: number, link: CopyLink): string[] => [
  stateText(link),
  link.publicLink,
  `since ${timeText(link.fromMs, nowMs, session)}`,
  downloadsText(link.downloads),
  link.inside === null ? link.path : `${link.path} in ${link.inside}`,
];

/** The size and times of a zip are not those of a file in it. */
const knownOf = (ledger: Composed['ledger'], link: CopyLink): KnownFile =>
  link.inside === null ? completed(ledger, link) : link;

const askedOf = async (session: Session, client: Client, given: string) => {
  const isDigest = /^[0-9a-f]{64}$/i.test(given);
  // A file may be called like a digest.
  const [file] = await findFiles(session, { client }, [given], 'path').catch((error: unknown) => {
    if (isDigest && toAppError(error).code === 'not-found') return [];
    throw error;
  });
  if (isDigest && file === undefined) return { sha256: given.toLowerCase() };
  if (file !== undefined && file.uploadId !== null) return { uploadId: file.uploadId };
  if (file !== undefined && file.path !== null) return { path: file.path };
  throw new AppError(
    'not-found',
    `This machine did not upload file ${file?.fileId ?? given}, so its content is not known here.`,
    'Do this on the machine that uploaded it.',
  );
};

/** Links that are not proven dead, each once. A link that is missing from the list is checked, too: absence is no proof. */
const openLinks = (found: readonly Copies[]): CopyLink[] => {
  const open = found.flatMap(({ links }) => links.filter(({ linkState }) => linkState !== 'dead'));
  return [...new Map(open.map((link) => [link.uploadId, link])).values()];
};

const questionAbout = (links: readonly CopyLink[], open: number): string => {
  const zips = links.filter(({ inside }) => inside !== null).length;
  const others =
    zips === 0 ? '' : ` ${zips === 1 ? 'One is a zip' : `${zips} are zips`} with other files in it, too.`;
  const lost = open === 0 ? '' : `${open === 1 ? 'one upload' : `${open} uploads`} without an answer`;
  const what = links.length === 1 ? 'this link' : links.length === 0 ? '' : `these ${links.length} links`;
  return `Take back ${[what, lost].filter(Boolean).join(' and ')} for good?${others}`;
};

/** Takes back the links, and what may be public. Returns whether all links are dead now. */
const endAll = async (
  session: Session,
  { client, ledger }: Composed,
  links: readonly CopyLink[],
  open: readonly number[],
): Promise<boolean> => {
  if (links.length + open.length === 0) return true;
  const files = [...links.map(({ uploadId }) => uploadId), ...open].map((queueId) => ({ queueId }));
  const results: RecallResult[] = await unlessInterrupted(session, () =>
    client.call('files.recall', { files }),
  );
  tellRecalled(session, ledger, results, [...links.map(({ path }) => path), ...open.map(queueIdText)]);
  return results.slice(0, links.length).every(({ recalled }) => recalled?.dead === true);
};

/** From the last count: there may have been more downloads since. */
const downloadsText = (count: number | null): string =>
  count === null ? 'downloads unknown' : `at least ${count} ${count === 1 ? 'download' : 'downloads'}`;
