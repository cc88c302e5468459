// `exposure FILE|SHA256`: every link that a content ever had here; `--recall` takes them all back.
import type { RecallResult } from '../../contract/commands.ts';
import type { ExposedLink, Exposure } from '../../contract/report.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson, type KnownFile } from '../output/file-json.ts';
import { asOfText, isoOrNull, timeText } from '../output/words.ts';
import { AppError } from '../../contract/errors.ts';
import { findFiles } from '../named-files.ts';
import { askToTakeAway, unlessInterrupted, within, type Session, type Composed } from '../session.ts';
import { nothingTakenBack, tellRecalled } from './recall.ts';

type Flags = { recall?: boolean; yes?: boolean };
type Client = Composed['client'];

export const exposure = (session: Session, given: string, flags: Flags): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async (composed) => {
    const { client, clock } = composed;
    const nowMs = clock.wallMs();
    const asked = /^[0-9a-f]{64}$/i.test(given)
      ? { sha256: given.toLowerCase() }
      : await askedOf(session, client, given);
    const found = await unlessInterrupted(session, () => client.call('report.exposure', asked));
    tellLinks(session, composed, found.links);
    if (flags.recall !== true) {
      const alive = found.links.filter((link) => link.alive !== false).length;
      tellSummary(session, found, { alive, nowMs });
      return exitCodes.done;
    }
    await askToTakeAway(session, flags.yes, () => questionAbout(found));
    const left = await endAll(session, composed, found);
    tellSummary(session, found, { alive: left, nowMs });
    return left === 0 && found.uncertain === 0 ? exitCodes.done : exitCodes.someFailed;
  });

const askedOf = async (session: Session, client: Client, given: string) => {
  const [{ uploadId, fileId, path } = { uploadId: null, fileId: null, path: null }] = await findFiles(
    session,
    { client },
    [given],
    'path',
  );
  if (uploadId !== null) return { uploadId };
  if (path !== null) return { path };
  throw new AppError(
    'not-found',
    `This machine did not upload file ${fileId}, so its content is not known here.`,
    'Do this on the machine that uploaded it.',
  );
};

const tellLinks = (session: Session, { ledger, clock }: Composed, links: readonly ExposedLink[]): void => {
  const nowMs = clock.wallMs();
  const { output } = session;
  for (const link of links)
    output.object({
      ...fileJson(exposed(ledger, link)),
      inside: link.inside,
      from: isoOrNull(link.fromMs),
      until: isoOrNull(link.untilMs),
      alive: link.alive,
    });
  const rows = links.map((link) => [
    link.alive === null ? 'not proven dead' : link.alive ? 'alive' : 'dead',
    link.publicLink,
    `${timeText(link.fromMs, nowMs, session)} – ${link.untilMs === null ? 'now' : timeText(link.untilMs, nowMs, session)}`,
    downloadsText(link.downloads),
    link.inside === null ? link.path : `${link.path} in ${link.inside}`,
  ]);
  output.table(rows);
};

/** The size and times of a zip are not those of a file in it. */
const exposed = (ledger: Composed['ledger'], link: ExposedLink): KnownFile =>
  link.inside === null ? completed(ledger, link) : link;

const tellSummary = (
  session: Session,
  { sha256, links, uncertain, asOfMs }: Exposure,
  { alive, nowMs }: { alive: number; nowMs: number },
): void => {
  const { output } = session;
  output.object({
    event: 'exposure',
    sha256,
    links: links.length,
    alive,
    uncertain,
    asOf: isoOrNull(asOfMs),
  });
  if (uncertain > 0)
    output.trouble(
      `${uncertain === 1 ? 'One upload' : `${uncertain} uploads`} of this content may be public: no answer has come. \`outtray held\` shows what waits for you.`,
    );
  const all = links.length === 1 ? '1 link' : `${links.length} links`;
  output.note(`${all}, ${alive} not known to be dead, ${asOfText(asOfMs, nowMs, session)}.`);
};

const questionAbout = ({ links }: Exposure) => {
  const zips = links.filter(({ inside }) => inside !== null).length;
  const others = zips === 0 ? '' : ` ${zips} of them have other files in them, too.`;
  const all = links.length === 1 ? 'its link' : `its ${links.length} links`;
  return { question: `Take back ${all} for good?${others}`, otherwise: nothingTakenBack };
};

/** Returns how many links are not proven dead. Links missing from the list are checked, too: absence is no proof. */
const endAll = async (
  session: Session,
  { client, ledger }: Composed,
  { links }: Exposure,
): Promise<number> => {
  const open = links.filter(({ isProven }) => !isProven);
  const files = open.flatMap(({ fileId }) => (fileId === null ? [] : { fileId }));
  if (files.length === 0) return open.length;
  const results: RecallResult[] = await unlessInterrupted(session, () =>
    client.call('files.recall', { files }),
  );
  tellRecalled(
    session,
    ledger,
    results,
    files.map(({ fileId }) => String(fileId)),
  );
  return open.length - results.filter(({ recalled }) => recalled?.dead === true).length;
};

/** From the last count: there may have been more downloads since. */
const downloadsText = (count: number | null): string =>
  count === null ? 'downloads unknown' : `at least ${count} ${count === 1 ? 'download' : 'downloads'}`;
