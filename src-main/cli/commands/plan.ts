// `plan PATH…`: what would happen to files and folders, and when. Makes no request and writes nothing.
import { isoOrNull } from '../../contract/text/formats.ts';
import type { BurstPlan, PlanEnd, PlannedFile } from '../../contract/answers.ts';
import type { CommandAnswer } from '../../contract/commands.ts';
import { unreachable } from '../../contract/errors.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { completed, fileJson } from '../../engine/state/file-json.ts';
import { bytesText, nameText, pathFrom, timeText, type InLocale } from '../output/words.ts';
import { unlessInterrupted, within, type Session } from '../session.ts';

type Verdict = PlannedFile['verdict'];
/** Names shown of each group: enough to recognise the files. */
const namesShown = 3;
const titles: Record<Verdict, string> = {
  upload: 'To be uploaded',
  held: 'Held',
  skipped: 'Skipped',
  failed: 'Cannot be uploaded',
};

export const plan = (session: Session, given: readonly string[]): Promise<ExitCode> =>
  within(session, { kind: 'guest' }, async ({ client, clock, ledger }) => {
    const { output } = session;
    const groups = createGroups(clock.wallMs(), session);
    const call = (asked: { paths: string[] } | { next: number }): Promise<CommandAnswer<'files.plan'>> =>
      unlessInterrupted(session, () => client.call('files.plan', asked));
    let answer = await call({ paths: given.map((one) => pathFrom(one, session)) });
    for (;;) {
      for (const file of answer.files) {
        const { path, verdict, why, sizeBytes, expectedAtMs } = file;
        const reason = why === null ? {} : verdict === 'skipped' ? { rule: why } : { reason: why };
        const told = fileJson(completed(ledger, { path, sizeBytes }));
        output.object({ ...told, verdict, ...reason, expectedAt: isoOrNull(expectedAtMs) });
        groups.add(file);
      }
      if (answer.next === null) break;
      answer = await call({ next: answer.next });
    }
    const { end } = answer;
    if (end !== null) {
      const { requests, finishesAtMs, dailyUploadsLeft, burst } = end;
      output.object({
        event: 'plan',
        requests,
        finishesAt: isoOrNull(finishesAtMs),
        dailyUploadsLeft,
        ...(burst.length === 0 ? {} : { burst: burst.map(planObject) }),
      });
      const answers = burst.map((one) => answerText(one, clock.wallMs(), session));
      if (answers.length > 0) answers.unshift('The burst can be answered in the window:');
      output.lines([...groups.lines(), ...answers, groups.summary(end)]);
    }
    return groups.isAllFine() ? exitCodes.done : exitCodes.someFailed;
  });

const planObject = ({ plan, uploads, bytes, name, finishesAtMs, today }: BurstPlan) => ({
  plan,
  uploads,
  sizeBytes: bytes,
  name,
  finishesAt: isoOrNull(finishesAtMs),
  today,
});

/** What a person can do with the burst in the window. */
const answerText = (
  { plan, uploads, bytes, name, finishesAtMs, today }: BurstPlan,
  nowMs: number,
  where: InLocale,
): string => {
  const done = finishesAtMs === null ? '' : `, done about ${timeText(finishesAtMs, nowMs, where)}`;
  const days = finishesAtMs !== null && today < uploads ? `; ${today} today, the rest later` : '';
  switch (plan) {
    case 'all':
      return `  all: ${filesText(uploads)}, ${bytesText(bytes)}${done}${days}`;
    case 'zip':
      return `  zip: one link, ${nameText(name ?? '')}, ${bytesText(bytes)}${done}`;
    case 'newest':
      return `  newest: ${nameText(name ?? '')} only, ${bytesText(bytes)}${done}`;
    default:
      return unreachable(plan);
  }
};

type Group = { verdict: Verdict; why: string | null; files: number; bytes: number; names: string[] };

const createGroups = (nowMs: number, where: InLocale) => {
  const groups = new Map<string, Group>();
  /** How many are uploaded on another day than today. */
  let [tomorrow, later] = [0, 0];
  const of = (verdict: Verdict): Group[] =>
    [...groups.values()].filter((one) => one.verdict === verdict).toSorted((a, b) => b.files - a.files);
  const filesOf = (verdict: Verdict): number => of(verdict).reduce((sum, { files }) => sum + files, 0);

  return {
    add({ path, verdict, why, sizeBytes, expectedAtMs }: PlannedFile): void {
      const key = `${verdict} ${why ?? ''}`;
      const group = groups.get(key) ?? { verdict, why, files: 0, bytes: 0, names: [] };
      groups.set(key, group);
      group.files += 1;
      group.bytes += sizeBytes ?? 0;
      if (group.names.length < namesShown) group.names.push(nameText(path));
      const days = expectedAtMs === null ? 0 : daysBetween(nowMs, expectedAtMs);
      if (days === 1) tomorrow += 1;
      else if (days > 1) later += 1;
    },
    isAllFine: () => filesOf('held') + filesOf('failed') === 0,
    lines: (): string[] =>
      (['upload', 'held', 'skipped', 'failed'] as const).flatMap((verdict) =>
        of(verdict).map(({ why, files, bytes, names }) => {
          const more = files > names.length ? ', …' : '';
          const said = why === null ? titles[verdict] : `${titles[verdict]} (${why})`;
          return `${said}: ${filesText(files)}, ${bytesText(bytes)}: ${names.join(', ')}${more}`;
        }),
      ),
    summary({ requests, finishesAtMs, dailyUploadsLeft }: PlanEnd): string {
      const files = filesOf('upload');
      if (files === 0) return 'No file would be uploaded.';
      const cost = `${requests} ${requests === 1 ? 'request' : 'requests'}`;
      const done =
        finishesAtMs === null
          ? '; the time is not known yet'
          : `, done about ${timeText(finishesAtMs, nowMs, where)}`;
      const days = [
        ...(tomorrow > 0 ? [`${tomorrow} of them tomorrow`] : []),
        ...(later > 0 ? [`${later} of them later`] : []),
      ].join(', ');
      const left = leftText(dailyUploadsLeft);
      return `${filesText(files)} would be uploaded with ${cost}${done}${days === '' ? '' : `; ${days}`}.${left}`;
    },
  };
};

const leftText = (left: PlanEnd['dailyUploadsLeft']): string => {
  if (left === null) return '';
  if (left === 'unlimited') return ' The account has no daily limit on uploads.';
  return ` The account has ${left} ${left === 1 ? 'upload' : 'uploads'} left today.`;
};

const filesText = (files: number): string => `${files} ${files === 1 ? 'file' : 'files'}`;

/** Calendar days, in local time. */
const daysBetween = (fromMs: number, toMs: number): number => {
  const day = (ms: number): number => {
    const at = new Date(ms);
    return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate());
  };
  return Math.round((day(toMs) - day(fromMs)) / 86_400_000);
};
