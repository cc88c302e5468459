// Status, statistics, settings, doctor.
import type { StatsView } from '../../contract/answers.ts';
import type { Handlers } from '../../contract/commands.ts';
import type { ServiceStats } from '../../contract/model.ts';
import { isAccountSetting } from '../../contract/rights.ts';
import { acceptFolder } from '../shared/folder.ts';
import { planFault } from '../account/forbidden.ts';
import { requireAccountChange, type Kit } from './kit.ts';
import { downloadsSoFar } from './files/readings.ts';

const dayMs = 24 * 3_600_000;
const daysShown = 30;
const topShown = 5;
const firstShown = 4;

export const overviewHandlers = (kit: Kit) => {
  const { ports } = kit;
  const { account, ask } = kit.service;
  const { ledger, clock } = ports;

  /** The service's totals are as old as its answer: files that were uploaded since are only in the ledger. */
  const shared = (service: ServiceStats | null, downloads: number): StatsView['shared'] => {
    const known = ledger.views.shared();
    const unit = account.unit();
    const knownBytes = known.bytes + (unit === null ? 0 : known.others * unit);
    const told = service === null || unit === null ? null : service.stats.total_size * unit;
    const total = service?.stats.total_files ?? 0;
    const isAtLeast = known.files > (service?.stats.total_files ?? -1);
    // Once the list was read, fewer known files mean that some have gone since. The view Files shows the same number.
    const isFewer = known.files < total && ledger.facts.get('list-seen') !== null;
    const bytes = isFewer ? knownBytes : isAtLeast || told === null ? Math.max(knownBytes, told ?? 0) : told;
    const { neverDownloaded, downloaded, reported, gone } = known;
    return {
      files: isFewer ? known.files : Math.max(known.files, total),
      bytes: bytes === 0 && known.files > 0 ? null : bytes,
      isAtLeast,
      neverDownloaded,
      downloaded,
      downloads,
      reported,
      gone,
    };
  };

  /** A command that is set again belongs to the address of now; a key of the environment to its own. */
  const forgetCommandOrigin = (): void => {
    const { command: _, ...others } = ledger.facts.get('key-origins')?.value ?? {};
    ledger.facts.set('key-origins', others, clock.wallMs());
  };

  return {
    async 'app.status'() {
      await kit.service.identity.look();
      return kit.status();
    },
    'app.doctor': (_, signal) => ports.checks(signal),
    async 'stats.get'({ refresh }, signal): Promise<StatsView> {
      if (refresh) {
        await ask('user', signal, async (stop, { accountId }) =>
          account.keep(accountId, await ports.api.stats(stop)),
        ).catch((caught: unknown) => {
          throw planFault(caught);
        });
      }
      const stats = account.stats();
      const nowMs = clock.wallMs();
      const { readings, downloads } = downloadsSoFar(ledger);
      return {
        service: stats?.value ?? null,
        // Downloads come with the list. If it could not be read, they are as old as the last one.
        asOfMs: ledger.facts.get('list-seen')?.atMs ?? stats?.atMs ?? null,
        budget: kit.service.limiter.view(),
        dailyUploads: {
          used: ledger.attempts.committedSince(nowMs - dayMs),
          limit: account.rules().dailyUploads,
        },
        days: ledger.views.perDay(nowMs - daysShown * dayMs),
        readings,
        top: ledger.views.mostDownloaded(topShown, readings.at(-2)?.atMs ?? nowMs),
        firstDownloads: ledger.views.firstDownloads(firstShown),
        shared: shared(stats?.value ?? null, downloads),
        maxFileBytes: account.likelyMaxFileBytes(),
      };
    },
    'settings.get': () => ports.settings.view(),
    async 'settings.set'({ name, value }) {
      if (isAccountSetting(name)) await requireAccountChange(ports);
      // A bad pattern is refused here, where the user sees it, and not at the next start.
      if (name === 'ignore' && Array.isArray(value)) {
        ports.ignore.compile(value.filter((pattern) => typeof pattern === 'string'));
      }
      if (name === 'folder' && typeof value === 'string') {
        const folder = await ports.places.acceptFolder(value);
        await acceptFolder(ports, folder);
        await kit.discovery.choice.choose(folder, 'skip');
      } else if (name === 'folders' && Array.isArray(value)) {
        await kit.discovery.choice.setOthers(value.filter((path) => typeof path === 'string'));
      } else await ports.settings.set(name, value);
      if (name === 'keyCommand') forgetCommandOrigin();
      kit.feed.settingsChanged();
      kit.nudge();
      return ports.settings.view();
    },
  } satisfies Partial<Handlers>;
};
