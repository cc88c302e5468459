// The questions to the keychain's child and its answers. They go over its channel only.
import * as v from 'valibot';

export type KeychainRequest =
  { act: 'get' | 'remove'; account: string } | { act: 'set'; account: string; key: string };

export const requestSchema = v.variant('act', [
  v.object({ act: v.picklist(['get', 'remove']), account: v.string() }),
  v.object({ act: v.literal('set'), account: v.string(), key: v.string() }),
]);

/** `reached` comes first, once the platform's store was reached; exactly one other message follows. */
export type KeychainReply = { kind: 'reached' } | KeychainOutcome;

export type KeychainOutcome =
  | { kind: 'present'; key: string }
  | { kind: 'absent' }
  | { kind: 'stored' }
  | { kind: 'removed' }
  | KeychainFailure;

export type KeychainFailure = { kind: 'locked' } | { kind: 'unavailable'; message: string };

export const replySchema = v.variant('kind', [
  v.object({ kind: v.literal('present'), key: v.string() }),
  v.object({ kind: v.literal('reached') }),
  v.object({ kind: v.picklist(['absent', 'stored', 'removed', 'locked']) }),
  v.object({ kind: v.literal('unavailable'), message: v.string() }),
]);
