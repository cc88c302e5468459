// The way to the service, for all stages: each request takes a permit of the limiter, and needs a key whose account is
// known. The gate closes it for all requests at once.
import { createLimiter, type Limiter } from '../limiter/limiter.ts';
import { limitsOf } from '../limiter/policy.ts';
import { createAsk, type Ask } from '../limiter/ask.ts';
import type { Core } from '../state/core.ts';
import { createAccount, type Account } from './account.ts';
import { createAgentShare, type AgentShare } from '../limiter/agent-share.ts';
import { createExpiry, type Expiry } from './expiry.ts';
import { createAboutOne } from './forbidden.ts';
import { createGate, type ServiceGate } from './gate.ts';
import { createSpare, type Spare } from './spare.ts';
import { createIdentity, type AccountIdentity } from './copies/identity.ts';
import { createRemoval, type Removal } from './copies/removal.ts';

export type Service = {
  limiter: Limiter;
  ask: Ask;
  /** For requests about one file each. */
  aboutOne: (ask: Ask) => Ask;
  account: Account;
  expiry: Expiry;
  identity: AccountIdentity;
  removal: Removal;
  gate: ServiceGate;
  spare: Spare;
  agentShare: AgentShare;
};

/** `owner` and `isAlive`: see createEngine. */
export const createService = (
  { ports, feed, work }: Pick<Core, 'ports' | 'feed' | 'work'>,
  {
    owner,
    isAlive,
    accountChanged,
  }: {
    owner: string;
    isAlive: (owner: string) => boolean | null;
    /** Another account is present. */
    accountChanged: () => void;
  },
): Service => {
  const { ledger, clock, chance, settings } = ports;
  const account = createAccount(ledger, clock, () => settings.current());
  const limiter = createLimiter({
    clock,
    chance,
    ledger,
    owner,
    rules: () => account.rules(),
    backlog: () => ledger.uploads.countInState('ready'),
    isAlive,
  });
  const identity = createIdentity(ports, {
    ask: createAsk(limiter, () => ports.keys.require()),
    forget: account.forget,
    changed: accountChanged,
  });
  const ask = createAsk(limiter, identity.prove);
  const aboutOne = createAboutOne(ports, account);
  const removal = createRemoval(ports, () => limitsOf(account.rules()).perMinute);
  const expiry = createExpiry(ports, limiter);
  const gate = createGate({ ports, feed, work }, { owner, isAlive });
  const spare = createSpare({ ports, work }, { limiter, gate, identity });
  const agentShare = createAgentShare(ports, limiter);
  return { limiter, ask, aboutOne, account, expiry, identity, removal, gate, spare, agentShare };
};
