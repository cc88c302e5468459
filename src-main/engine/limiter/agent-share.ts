// The part of the request budget that agents may use (setting agentShare). What they have used is the limiter's lane
// `agent`. Uploads that they have asked for, and that spent no permit yet, count as well.
import { AppError } from '../../contract/errors.ts';
import { call, wording } from '../../contract/text/wording.ts';
import type { Limiter } from './limiter.ts';
import { agentPart } from './policy.ts';
import type { Ports } from '../ports/ports.ts';

const minuteMs = 60_000;

export const createAgentShare = (
  { ledger, settings }: Pick<Ports, 'ledger' | 'settings'>,
  limiter: Pick<Limiter, 'view' | 'laneFreeInMs'>,
) => {
  const left = () => {
    const { minute, day, lanes } = limiter.view();
    const { agentShare } = settings.current();
    const asked = ledger.uploads.countUnsentOf('agent');
    return {
      minute: agentPart(minute.limit, agentShare) - lanes.minute.agent - asked,
      day: agentPart(day.limit, agentShare) - lanes.day.agent - asked,
    };
  };
  return {
    /** How many more requests agents may ask for now. Call it in the transaction that records them. */
    left(): number {
      const { minute, day } = left();
      return Math.max(0, Math.min(minute, day));
    },
    /** Code `budget`, with the time until more are left. */
    refusal(): AppError {
      if (settings.current().agentShare === 0)
        return new AppError(
          'budget',
          'Agents may use no requests here (setting agentShare).',
          wording`A person can change that: ${call('settings', 'set agentShare 0.25')}.`,
        );
      const free = limiter.laneFreeInMs('agent');
      return new AppError(
        'budget',
        'The share of requests that agents may use is used up.',
        'Call again after that time, or pack the files: bundle_files needs one request.',
        { retryAfterMs: Math.max(1000, (left().day <= 0 ? free.day : free.minute) ?? minuteMs) },
      );
    },
  };
};

export type AgentShare = ReturnType<typeof createAgentShare>;
