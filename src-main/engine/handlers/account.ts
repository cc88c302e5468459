// The account: who we are to the service.
import { option, wording } from '../../contract/text/wording.ts';
import type { AccountView } from '../../contract/answers.ts';
import type { Handlers } from '../../contract/commands.ts';
import { AppError, toAppError } from '../../contract/errors.ts';
import { checkSetting } from '../../contract/settings.ts';
import { createAsk } from '../limiter/ask.ts';
import { planFault } from '../account/forbidden.ts';
import { requireAccountChange, type Kit } from './kit.ts';

export const accountHandlers = (kit: Kit) => {
  const { ports } = kit;
  const { account } = kit.service;

  const view = async (): Promise<AccountView> => {
    const stats = account.stats();
    return {
      isUnknown: !kit.service.identity.holds(),
      baseUrl: ports.settings.current().baseUrl,
      key: await ports.keys.state(),
      plan: stats?.value.plan ?? null,
      planAsOfMs: stats?.atMs ?? null,
      files: stats?.value.stats.total_files ?? null,
      maxFileBytes: account.likelyMaxFileBytes(),
    };
  };

  return {
    async 'account.get'() {
      await kit.service.identity.look();
      return await view();
    },
    async 'account.login'({ baseUrl, key }, signal) {
      await requireAccountChange(ports);
      const address = cleanAddress(baseUrl) ?? ports.settings.current().baseUrl;
      if (address === null) {
        throw new AppError(
          'not-configured',
          'No base address is set.',
          wording`Give it, for example, as ${option('--base-url=https://files.example.com/api/v1')}.`,
        );
      }
      const isMoving = address !== ports.settings.current().baseUrl;
      // The key must not reach an address that the policy does not allow.
      if (isMoving && ports.settings.isLocked('baseUrl')) await ports.settings.set('baseUrl', address);
      const api = ports.keys.tryOut(key, address);
      const ask = createAsk(kit.service.limiter, () => Promise.resolve());
      const stats = await ask('user', signal, (stop) => api.stats(stop)).catch((caught: unknown) => {
        throw planFault(caught);
      });
      // Stored first: while the address is the new one, no other key can be meant for it.
      const kept = await ports.keys.store(key, address);
      if (isMoving) {
        await ports.settings.set('baseUrl', address);
        account.forget();
      }
      // The key may be that of another account: then a person is asked.
      await kit.service.identity.prove('user', signal).catch((caught: unknown) => {
        // The key is stored. What has no answer now is asked before the next request.
        if (toAppError(caught).storage !== undefined) throw caught;
      });
      account.keep(ports.ledger.accounts.present(), stats);
      kit.nudge();
      kit.feed.settingsChanged();
      const now = await view();
      return kept === null ? now : { ...now, key: kept };
    },
    async 'account.decide'({ is }, signal) {
      await requireAccountChange(ports);
      await kit.service.identity.decide(is, signal);
      kit.nudge();
      kit.feed.settingsChanged();
      kit.feed.filesChanged();
      return await view();
    },
    async 'account.logout'() {
      await requireAccountChange(ports);
      await ports.keys.remove();
      account.forget();
      kit.nudge();
      kit.feed.settingsChanged();
      return await view();
    },
  } satisfies Partial<Handlers>;
};

const cleanAddress = (baseUrl: string | undefined): string | null => {
  if (baseUrl === undefined) return null;
  const checked = checkSetting('baseUrl', baseUrl);
  if (!checked.ok || typeof checked.value !== 'string') {
    throw new AppError(
      'bad-use',
      `The base address ${checked.ok ? 'is missing' : checked.problem}.`,
      'It looks like https://files.example.com/api/v1.',
    );
  }
  return checked.value;
};
