// The queue and its controls, which are facts of the ledger, so that they work from any process.
import type { BurstPlan, FilesAlike } from '../../../contract/answers.ts';
import type { Handlers } from '../../../contract/commands.ts';
import { fateOf, statesWith, type AlikeUploads, type UploadState } from '../../../contract/model.ts';
import { burstPlans } from '../../plan/burst.ts';
import { pauseNow, queueOrder } from '../../shared/controls.ts';
import type { Kit } from '../kit.ts';
import { createExcerpts } from './excerpts.ts';
import { chosenRows, foldersOf, heldRows, heldShown, skippedRows, uncertainRows } from './rows.ts';

/** Of files alike, as many as a line names. */
const mostShown = 100;

export const queueHandlers = (kit: Kit) => {
  const { ports, feed } = kit;
  const { ledger, clock } = ports;

  const excerpt = createExcerpts(ports);

  const plansOf = (alike: readonly AlikeUploads[], mayGo: boolean): BurstPlan[] => {
    const held = alike.find(({ state }) => fateOf(state) === 'burst');
    const of = ledger.views.burst();
    const newest = of === null ? null : ledger.uploads.byId(of.newestId);
    if (held === undefined || of === null || newest === null) return [];
    return burstPlans(
      { ...held, newest: kit.view(newest), dirs: of.dirs },
      {
        settings: ports.settings.current(),
        mostBytes: kit.service.account.maxFileSizeBytes(),
        ahead: mayGo ? kit.forecast : null,
      },
    );
  };

  return {
    'queue.get'({ limit }) {
      const list = (kind: UploadState['kind']) =>
        ledger.uploads.inState(kind, limit).map((row) => kit.view(row));
      const status = kit.status();
      // While nothing may go, no times are forecast.
      const ahead = status.paused || status.gate.kind === 'closed' ? null : kit.forecast();
      const ready = ledger.uploads
        .inState('ready', limit, queueOrder(ledger))
        .map((row, index) => kit.view(row, ahead?.doneAtMs(index + 1) ?? null));
      const alike = (['held', 'failed', 'skipped'] as const).flatMap((kind) =>
        ledger.views.alike(kind, foldersOf(kit, kind)),
      );
      const busy = ledger.views.countLookedFor();
      return {
        status,
        sending: statesWith({ phase: 'under-way' }).flatMap(list),
        waiting: [
          ...ready,
          ...uncertainRows(ledger, true).map((row) => kit.view(row)),
          ...list('waiting'),
          ...list('settling'),
        ].slice(0, limit),
        waitingTotal: statesWith({ bucket: 'waiting', phase: 'idle' }).reduce(
          (sum, kind) => sum + ledger.uploads.countInState(kind),
          busy,
        ),
        held: heldRows(ledger, limit).map((row) => kit.view(row)),
        heldTotal: ledger.uploads.countInState('held') + ledger.uploads.countInState('uncertain') - busy,
        failed: list('failed'),
        failedTotal: ledger.uploads.countInState('failed'),
        skipped: skippedRows(kit, limit).map((row) => kit.view(row)),
        alike,
        burst: plansOf(alike, ahead !== null),
      };
    },
    'queue.alike'(of) {
      const groups = new Map<string, FilesAlike>();
      const rows = 'ids' in of ? of.ids.flatMap((id) => ledger.uploads.byId(id) ?? []) : chosenRows(kit, of);
      for (const row of rows) {
        const key = `${row.state.kind} ${fateOf(row.state)}`;
        const group = groups.get(key) ?? { asOfMs: 0, ids: [], uploads: [] };
        groups.set(key, group);
        group.asOfMs = Math.max(group.asOfMs, row.changedAtMs);
        group.ids.push(row.id);
        if (group.uploads.length < mostShown) group.uploads.push(kit.view(row));
      }
      return [...groups.values()];
    },
    'queue.held': () => heldRows(ledger, heldShown).map((row) => kit.view(row)),
    'queue.excerpt': async ({ id }, signal) => ({ excerpt: await excerpt(id, signal) }),
    'queue.pause'({ untilMs }) {
      ledger.facts.set('pause', { untilMs }, clock.wallMs());
      feed.statusChanged();
      kit.nudge();
      return kit.status();
    },
    'queue.resume'() {
      // Nothing is paused, so the user wants to end the wait that the service asked for.
      if (pauseNow(ports) === null) kit.tryNow();
      ledger.facts.remove('pause');
      feed.statusChanged();
      kit.nudge();
      return kit.status();
    },
    'queue.order'({ by }) {
      ledger.facts.set('order', by, clock.wallMs());
      feed.statusChanged();
      kit.nudge();
      return kit.status();
    },
  } satisfies Partial<Handlers>;
};
