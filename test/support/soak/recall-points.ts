// Enumerated crashes of a recall: counts the effects of `outtray recall`, or of the run in which a link ends, then
// kills a run just before and just after each of them in turn. The next start finishes the recall, and reports it once.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PointsRig } from './points.ts';
import type { Build, Doom, ServiceProcess } from './processes.ts';
import { readLedger } from './promises.ts';
import { createTray } from './tray.ts';

const taken = 'taken back.bin';
const other = 'other.bin';

export const createRecallRig = async (
  service: ServiceProcess,
  { build, name, by = 'person' }: { build: Build; name: string; by?: 'person' | 'expiry' },
): Promise<PointsRig> => {
  const account = await service.account(name);
  const tray = createTray({ build, service, account });
  const aside = mkdtempSync(path.join(tmpdir(), 'outtray-soak-notes-'));
  const notes = path.join(aside, 'notes');
  tray.put(taken, 5000);
  tray.put(other, 5001);

  const readNotes = (): string[] => {
    try {
      return readFileSync(notes, 'utf8').split('\n').slice(0, -1);
    } catch {
      return [];
    }
  };
  const stored = async (): Promise<string[]> =>
    (await service.files(account.name)).map(({ filename }) => filename).toSorted();
  /** Both files are up. Returns the link that is taken back. */
  const again = async (): Promise<string> => {
    await service.remove(await service.files(account.name));
    tray.renew();
    rmSync(notes, { force: true });
    const { code } = await tray.watch({ once: true }).ended;
    const file = (await service.files(account.name)).find(({ filename }) => filename === taken);
    if (code !== 0 || file === undefined) throw new Error('The files did not go up.');
    if (by === 'expiry') {
      if ((await tray.expire(taken, '1s').ended).code !== 0) throw new Error('The end was not set.');
      await pause(1100);
    }
    return file.link;
  };
  const takeBack = (more: { doom?: Doom; notes: string }) =>
    by === 'person' ? tray.recall(taken, more) : tray.watch({ once: true, ...more });

  /** The promises that do not hold after the end. `isAsked`: the request for the recall was recorded. */
  const findBroken = async (isAsked: boolean, link: string): Promise<string[]> => {
    const broken: string[] = [];
    const expect = (what: string, found: unknown, wanted: unknown): void => {
      if (JSON.stringify(found) !== JSON.stringify(wanted)) broken.push(`${what}: ${JSON.stringify(found)}`);
    };
    const view = readLedger(tray.home);
    const rows = (view?.rows ?? []).filter((row) => row.name === taken);
    expect('on the service', await stored(), isAsked ? [other] : [other, taken]);
    expect('the link lives', (await fetch(link)).ok, !isAsked);
    expect('times told', view?.recalls.length, isAsked ? 1 : 0);
    expect('summaries', view?.summaries, by === 'expiry' ? 1 : 0);
    expect(
      'rows',
      rows.map(({ state }) => state).toSorted(),
      isAsked ? ['recalled', 'skipped'] : ['uploaded'],
    );
    expect('rows of the file', rows.filter(({ present }) => present === 1).length, 1);
    expect('the ledger', view?.sound, 'ok');
    const status = await tray.status();
    expect('status', status.ok ? [status.counts['uploaded'], status.counts['skipped']] : status.said, [
      isAsked ? 1 : 2,
      isAsked ? 1 : 0,
    ]);
    return broken;
  };

  const link = await again();
  const clean = await takeBack({ notes }).ended;
  const effects = readNotes();
  const atOnce = await findBroken(true, link);
  if (clean.code !== 0 || atOnce.length > 0)
    throw new Error(`The clean run ended with ${clean.code ?? clean.signal}: ${atOnce.join('; ')}`);

  return {
    effects,
    async try(point) {
      const living = await again();
      const { signal } = await takeBack({ doom: point, notes }).ended;
      const died = signal === 'SIGKILL' && readNotes()[0] === point.label;
      const crashed = readLedger(tray.home);
      // An end that has come is kept, whatever was recorded before the crash.
      const isAsked =
        by === 'expiry' ||
        (crashed?.rows.some(({ state }) => state === 'recalling' || state === 'recalled') ?? false);
      const next = tray.watch({ once: true });
      const { code } = await next.ended;
      const told = next.lines.filter(({ event }) => event === 'recalled').length;
      const broken = await findBroken(isAsked, living);
      if (code !== 0) broken.push(`the next start ended with ${code} ${next.stderr()}`);
      // A recall that the killed process recorded is not reported by the next one.
      if (told !== (isAsked ? 1 : 0) - (crashed?.recalls.length ?? 0))
        broken.push(`told ${told} times by the next`);
      return { point, died, broken };
    },
    async remove() {
      await service.remove(await service.files(account.name));
      tray.remove();
      rmSync(aside, { recursive: true, force: true });
    },
  };
};
