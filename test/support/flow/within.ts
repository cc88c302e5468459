// A service and a machine of one test's own, for tests that run side by side.
import type { ServiceOptions } from '../../service/options.ts';
import type { Service } from '../../service/service.ts';
import { createPlace, leave, openService, type Place } from './place.ts';

/** Both are gone when `act` has ended. Time passes quickly for the commands, unless `rate` says otherwise. */
export const within = async (
  options: { service?: ServiceOptions; settings?: Record<string, unknown>; rate?: number },
  act: (service: Service, place: Place) => Promise<void>,
): Promise<void> => {
  const service = await openService(options.service);
  const place = await createPlace(service, { settings: options.settings ?? {}, rate: options.rate ?? 10 });
  try {
    await act(service, place);
  } finally {
    await leave(place, service);
  }
};

/** One run over everything in the place's folder. */
export const watchOnce = (place: Place) =>
  place.json(['watch', place.folder, '--once', '--existing', 'upload']);
