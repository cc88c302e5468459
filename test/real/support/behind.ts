// A proxy as the only address that the service is known by.
import type { Service } from '../../service/service.ts';
import type { Place } from '../../support/flow/place.ts';

/** The place asks the service through the proxy, and the service's links lead through it as well. */
export const putBehind = (proxy: { baseUrl: string }, service: Service, place: Place): void => {
  place.env['OUTTRAY_BASE_URL'] = proxy.baseUrl;
  service.change({ linkHost: new URL(proxy.baseUrl).origin });
};
