// `review`: links that need a look, each with the one command that ends it.
import { isoOrNull } from '../../contract/text/formats.ts';
import { spanOf, spanText } from '../../contract/expiry.ts';
import { AppError, unreachable } from '../../contract/errors.ts';
import { reviewKinds, type Remedy, type ReviewFinding, type ReviewKind } from '../../contract/report.ts';
import { printable, unsafe } from '../../contract/text/printable.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson } from '../../engine/state/file-json.ts';
import { asOfText, bytesText, linkStateWords, nameText, timeText } from '../output/words.ts';
import { unlessInterrupted, within, type Session } from '../session.ts';

/** Findings of each kind in the text output; --json has up to 10,000. */
const mostShown = 50;
const dayMs = 24 * 3_600_000;
const longerMs = 31 * dayMs;

export const review = (session: Session, flags: { old?: string; refresh?: boolean }): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, clock, ledger }) => {
    const { output } = session;
    const asked = daysFrom(flags.old);
    if (flags.refresh === true) await unlessInterrupted(session, () => client.call('files.refresh', {}));
    const nowMs = clock.wallMs();
    const { findings, counts, asOfMs } = await client.call('report.review', asked);
    for (const kind of reviewKinds) {
      const alike = findings.filter((one) => one.kind === kind);
      const shown = alike.slice(0, mostShown);
      if (alike.length === 0) continue;
      for (const { link, sinceMs, remedy } of alike)
        output.object({
          kind,
          ...fileJson(link === null ? {} : completed(ledger, { ...link, filename: link.name })),
          since: isoOrNull(sinceMs),
          remedy: commandFor(remedy, session.platform),
        });
      output.line(`${titles[kind]} (${counts[kind]})`);
      output.table(
        shown.map((one) => cellsOf(one, nowMs, session)),
        { indent: '  ' },
      );
      if (counts[kind] > shown.length) output.line(`  and ${counts[kind] - shown.length} more`);
    }
    output.object({ event: 'review', counts, asOf: isoOrNull(asOfMs) });
    if (findings.length === 0) output.line('No link needs attention.');
    output.note(`Links ${asOfText(asOfMs, nowMs, session)}. \`outtray review --refresh\` reads the list.`);
    return exitCodes.done;
  });

const daysFrom = (text: string | undefined): { oldDays?: number } => {
  if (text === undefined) return {};
  const spanMs = spanOf(/^\d+$/.test(text) ? `${text}d` : text);
  if (spanMs !== null) return { oldDays: Math.ceil(spanMs / dayMs) };
  if (/^0+$/.test(text)) return { oldDays: 0 };
  throw new AppError('bad-use', 'This is not a time span.', 'Give --old 90d, for example.');
};

const titles: Record<ReviewKind, string> = {
  wrong: 'Read back: dead, or serving something OTHER than what was sent',
  dead: 'Dead, still answers, or not proven',
  expiring: 'Ends within 7 days',
  duplicate: 'The same content has another link',
  'never-downloaded': 'Never downloaded',
  old: 'Old',
  'daily-uploads': 'Most of the day’s uploads have been used',
  'total-size': 'The account refuses more; these files are the largest',
  'largest-file': 'Close to the size limit of the account',
};

const cellsOf = ({ link, used, remedy }: ReviewFinding, nowMs: number, session: Session): string[] => {
  const remedyText = `→ ${commandFor(remedy, session.platform)}`;
  if (link === null) return [used === undefined ? '' : `${used.uploads} of ${used.limit}`, remedyText];
  const { name, sizeBytes, uploadedAtMs, expiresAtMs, linkState } = link;
  return [
    nameText(name),
    sizeBytes === null ? '?' : bytesText(sizeBytes),
    `uploaded ${timeText(uploadedAtMs, nowMs, session)}`,
    ...(expiresAtMs === null ? [] : [`ends ${timeText(expiresAtMs, nowMs, session)}`]),
    ...(linkState === null ? [] : [linkStateWords[linkState]]),
    remedyText,
  ];
};

/** The exact command. A path is quoted for the shell of this system. */
export const commandFor = (remedy: Remedy, platform: NodeJS.Platform): string => {
  switch (remedy.do) {
    case 'recall':
    case 'remove':
      // For a file that is gone, this proves that the link is dead and removes it from the list.
      return `outtray recall ${remedy.fileId}`;
    case 'expire':
      return `outtray expire ${remedy.fileId} ${spanText(longerMs)}`;
    case 'compare':
      return `outtray info ${remedy.fileId}`;
    case 'again':
      return `outtray upload --again ${quoted(remedy.path, platform)}`;
    case 'zip':
      return `outtray upload --zip ${quoted(remedy.path, platform)}`;
    case 'pause':
      return 'outtray pause tomorrow';
    default:
      return unreachable(remedy);
  }
};

/** One word for a POSIX shell, or for PowerShell. What a terminal would not show as it is needs escapes. */
const quoted = (path: string, platform: NodeJS.Platform): string => {
  const isShown = printable(path) === path;
  if (platform === 'win32') {
    // PowerShell ends a text at a curly quote, too (its help topic about_Quoting_Rules).
    const text = `'${path.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'`;
    return isShown ? text : `(${text.replaceAll(unsafe, (found) => `'${charsOf(found)}+'`)})`;
  }
  if (isShown) return `'${path.replaceAll("'", "'\\''")}'`;
  return `$'${path.replaceAll(/['\\]/g, '\\$&').replaceAll(unsafe, bytesOf)}'`;
};

/** Outtray represents a byte that is not UTF-8 as NUL and two hex digits. */
const bytesOf = (found: string): string =>
  (found.startsWith('\0') ? found.slice(1) : Buffer.from(found).toString('hex')).replaceAll(/../g, '\\x$&');

const charsOf = (found: string): string =>
  Array.from({ length: found.length }, (_, at) => `+[char]0x${found.charCodeAt(at).toString(16)}`).join('');
