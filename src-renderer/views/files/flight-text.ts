// The texts of an upload under way.
import { isBusy, isUnwanted, type UploadView, type WaitReason } from '../../../src-main/contract/model.ts';
import { leftMs, type Pace } from '../../state/pace.ts';
import { say } from '../../words/say.svelte.ts';
import * as show from '../../words/show.ts';

type Flight = { amount: string; text: string; share: number | null };

/** `standstill`: what holds every upload back. */
export const flightText = (
  upload: UploadView,
  pace: Pace | undefined,
  standstill: WaitReason | null,
  nowMs: number,
): Flight => {
  const total = show.size(upload.sizeBytes);
  if (isUnwanted(upload.state))
    return {
      amount: total,
      text: say(upload.state.kind === 'uncertain' ? 'queue.unwanted' : 'queue.stopping'),
      share: null,
    };
  switch (upload.state.kind) {
    case 'committing':
      return { amount: total, text: say('queue.finishing'), share: 1 };
    case 'sending': {
      const sent = pace?.sentBytes ?? upload.sentBytes;
      if (sent === null) return { amount: total, text: say('queue.starting'), share: 0 };
      const share = upload.sizeBytes === 0 ? 1 : Math.min(1, sent / upload.sizeBytes);
      const speed = pace?.bytesPerSecond ?? null;
      const left = pace === undefined ? null : leftMs(pace);
      const amount = [say('size.ofTotal', { sent: show.size(sent), total })];
      if (speed !== null) amount.push(say('size.perSecond', { size: show.size(speed) }));
      const text = [show.percent(share)];
      if (left !== null) text.push(say('time.left', { wait: show.wait(left) }));
      return { amount: amount.join(' · '), text: text.join(' · '), share };
    }
    default: {
      const { kind } = upload.state;
      const own = kind === 'waiting' ? upload.state.reason : isBusy(upload.state) ? 'busy' : null;
      const reason = own ?? standstill;
      const waits = reason === null ? say('wait.ready') : show.waitReason(reason);
      const text = [kind === 'settling' ? say('files.changing') : waits];
      const untilMs = upload.state.kind === 'waiting' ? upload.state.untilMs : null;
      const atMs = upload.expectedAtMs ?? untilMs;
      if (atMs !== null) text.push(say('queue.expected', { time: show.until(nowMs, atMs) }));
      else if (isBusy(upload.state) && standstill === null)
        text.push(say('queue.lookedAt', { time: show.until(nowMs, upload.state.nextLookAtMs) }));
      return { amount: total, text: text.join(' · '), share: null };
    }
  }
};
