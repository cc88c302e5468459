// When links end. A link ends when its time is over by the wall clock and by the limiter's time, which never runs ahead
// of the time that this machine can prove (design/decisions.md, Expiry). So a wall clock that is set forward ends no link.
import { call, wording } from '../../contract/text/wording.ts';
import { spanSetting, spanText, type ExpireWish } from '../../contract/expiry.ts';
import { AppError } from '../../contract/errors.ts';
import { rulesOfFolder } from '../shared/folder.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { Attempt } from '../ports/ledger.ts';
import type { Ends, LinkLife, Upload } from '../ports/uploads.ts';
import type { Ports } from '../ports/ports.ts';

export const createExpiry = (
  ports: Pick<Ports, 'clock' | 'settings' | 'ledger'>,
  limiter: Pick<Limiter, 'nowMs'>,
) => {
  const { clock, settings, ledger } = ports;
  const now = (): Ends => ({ atMs: clock.wallMs(), provenMs: limiter.nowMs() });
  const ceilingMs = (): number | null => spanSetting(settings.current().maxExpireAfter);

  /** A moment that is now or earlier by the wall clock. That may have been set forward since then. */
  const sinceMs = (atMs: number): Ends => {
    const passedMs = Math.max(0, clock.wallMs() - atMs);
    const provenMs = limiter.nowMs() - passedMs;
    return { atMs, provenMs: passedMs === 0 ? provenMs : Math.max(provenMs, atMs) };
  };
  const after = (from: Ends, ms: number): Ends => ({ atMs: from.atMs + ms, provenMs: from.provenMs + ms });
  const leftMs = (wish: ExpireWish, fromMs: number): number =>
    wish === 'never' ? Infinity : 'afterMs' in wish ? wish.afterMs : Math.max(0, wish.atMs - fromMs);

  const tooLong = (): AppError =>
    new AppError(
      'bad-use',
      `A link lasts at most ${spanText(ceilingMs() ?? 0)} after its upload.`,
      wording`Give an earlier time, or ask your administrator (${call('settings', 'get maxExpireAfter')}).`,
    );

  const allow = (wish: ExpireWish): void => {
    if (leftMs(wish, clock.wallMs()) > (ceilingMs() ?? Infinity)) throw tooLong();
  };

  const endsAtMs = (wanted: Ends | null, publicSinceMs: number): number | null => {
    const atMs = Math.min(wanted?.atMs ?? Infinity, publicSinceMs + (ceilingMs() ?? Infinity));
    return atMs === Infinity ? null : atMs;
  };

  return {
    /** Its end has come before it was uploaded, by both clocks: it does not go. */
    isOver({ expireWish: wish }: Pick<Upload, 'expireWish'>): boolean {
      if (wish === null || wish === 'never' || !('atMs' in wish)) return false;
      const { atMs, provenMs } = now();
      return wish.atMs <= Math.min(atMs, provenMs);
    },
    /** When the tail of an attempt left, the first moment at which its file may be public; now, if it has none. */
    tailOf(attempt: Attempt | null): Ends {
      const nowMs = clock.wallMs();
      const since = sinceMs(Math.min(nowMs, attempt?.committingAtMs ?? nowMs));
      if (attempt === null || attempt.committingAtMs === null) return since;
      // Its permit has the limiter's time of its start, whatever the wall clock has done since then.
      const [permit] = ledger.permits.after(attempt.permitId - 1);
      if (permit?.id !== attempt.permitId) return since;
      const tookMs = Math.max(0, attempt.committingAtMs - attempt.startedAtMs);
      const latestMs = permit.answeredAtMs ?? limiter.nowMs();
      return { ...since, provenMs: Math.min(permit.spentAtMs + tookMs, latestMs) };
    },
    /** Of the link that an upload gets now, public since then. */
    ofUpload({ folderId, expireWish }: Pick<Upload, 'folderId' | 'expireWish'>, publicSince: Ends): LinkLife {
      const ofFolderMs = folderId === null ? null : spanSetting(rulesOfFolder(ports, folderId).expireAfter);
      const wish = expireWish ?? (ofFolderMs === null ? 'never' : { afterMs: ofFolderMs });
      const left = leftMs(wish, publicSince.atMs);
      const wanted = left === Infinity ? null : after(publicSince, left);
      return { provenMs: publicSince.provenMs, wanted, endsAtMs: endsAtMs(wanted, publicSince.atMs) };
    },
    sinceMs,
    /** The end that a person wants for an existing link. Throws as `allow`. */
    wanted(
      wish: ExpireWish,
      { uploadedAtMs, createdAtMs }: Pick<Upload, 'uploadedAtMs' | 'createdAtMs'>,
    ): Omit<LinkLife, 'provenMs'> {
      allow(wish);
      const nowMs = clock.wallMs();
      const left = leftMs(wish, nowMs);
      const wanted = left === Infinity ? null : after(now(), left);
      return { wanted, endsAtMs: endsAtMs(wanted, uploadedAtMs ?? createdAtMs) };
    },
    /** The wish, or this time after the upload if that is earlier. */
    atMost: (wish: ExpireWish, afterMs: number): ExpireWish =>
      leftMs(wish, clock.wallMs()) > afterMs ? { afterMs } : wish,
    /** Gives the ledger the present ceiling, by which it tells the ends of all links. */
    syncCeiling(): void {
      const [known, most] = [ledger.facts.get('longest-life')?.value ?? null, ceilingMs()];
      if (known === most) return;
      if (most === null) ledger.facts.remove('longest-life');
      else ledger.facts.set('longest-life', most, clock.wallMs());
    },
    /** The longest life of a link, in milliseconds; null: no limit. */
    ceilingMs,
    /** Throws `bad-use` for a wish beyond the ceiling. */
    allow,
    now,
  };
};

export type Expiry = ReturnType<typeof createExpiry>;
