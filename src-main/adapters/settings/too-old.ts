// What `minimumVersion` means for this version: nothing, that it must be updated by a day, or that it uploads nothing.
import { AppError } from '../../contract/errors.ts';
import { isOlderVersion, versionFloorOf } from '../../contract/text/version-floor.ts';

type TooOld = { sentences: readonly string[]; bars: AppError | null };

/** Null when the version is new enough. */
export const tooOld = (
  minimum: string | null,
  { version, nowMs }: { version: string; nowMs: number },
): TooOld | null => {
  const floor = minimum === null ? null : versionFloorOf(minimum);
  if (floor === null || !isOlderVersion(version, floor.version)) return null;
  const required = `Outtray ${floor.version} or newer is required${floor.day === null ? '' : ` from ${floor.day}`}`;
  if (nowMs < floor.fromMs)
    return {
      sentences: [`${required}; this is ${version}, which will then upload nothing. Update it.`],
      bars: null,
    };
  const message = `${required}; this is ${version}, so nothing is uploaded.`;
  const remedy = 'Update Outtray, or ask your administrator for the update.';
  return { sentences: [message], bars: new AppError('not-allowed', message, remedy) };
};
