// When links end. A link ends when its time is over by the wall clock and by the limiter's time, which never runs ahead
// of the time that this machine can prove (design/decisions.md, Expiry). So a wall clock that is set forward ends no link.
import { call, wording } from '../../contract/text/wording.ts';
import { spanSetting, spanText, type ExpireWish } from '../../contract/expiry.ts';
import { AppError } from '../../contract/errors.ts';
import { rulesOfFolder } from '../shared/folder.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { Ends, LinkLife, Upload } from '../ports/uploads.ts';
import type { Ports } from '../ports/ports.ts';

export const createExpiry = (
  ports: Pick<Ports, 'clock' | 'settings' | 'ledger'>,
  limiter: Pick<Limiter, 'nowMs'>,
) => {
  const { clock, settings, ledger } = ports;
  const now = (): Ends => ({ atMs: clock.wallMs(), provenMs: limiter.nowMs() });
  const ceilingMs = (): number | null => spanSetting(settings.current().maxExpireAfter);

  /** This time after `fromMs`, which is now or earlier by the wall clock. That may have been set forward since then. */
  const inMs = (afterMs: number, fromMs: number): Ends => {
    const [atMs, passedMs] = [fromMs + afterMs, Math.max(0, clock.wallMs() - fromMs)];
    const provenMs = limiter.nowMs() + afterMs - passedMs;
    return { atMs, provenMs: passedMs === 0 ? provenMs : Math.max(provenMs, atMs) };
  };
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
    /** Of the link that an upload gets now. */
    ofUpload(
      { folderId, expireWish }: Pick<Upload, 'folderId' | 'expireWish'>,
      publicSinceMs: number,
    ): LinkLife {
      const ofFolderMs = folderId === null ? null : spanSetting(rulesOfFolder(ports, folderId).expireAfter);
      const wish = expireWish ?? (ofFolderMs === null ? 'never' : { afterMs: ofFolderMs });
      const left = leftMs(wish, publicSinceMs);
      const wanted = left === Infinity ? null : inMs(left, publicSinceMs);
      const { provenMs } = inMs(0, publicSinceMs);
      return { provenMs, wanted, endsAtMs: endsAtMs(wanted, publicSinceMs) };
    },
    /** The end that a person wants for an existing link. Throws as `allow`. */
    wanted(
      wish: ExpireWish,
      { uploadedAtMs, createdAtMs }: Pick<Upload, 'uploadedAtMs' | 'createdAtMs'>,
    ): Omit<LinkLife, 'provenMs'> {
      allow(wish);
      const nowMs = clock.wallMs();
      const left = leftMs(wish, nowMs);
      const wanted = left === Infinity ? null : inMs(left, nowMs);
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
