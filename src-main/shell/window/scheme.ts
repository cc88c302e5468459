// Joins the bundled files (bundle.ts) to Electron: the privileged scheme and its answers.
import { protocol } from 'electron';
import { answerFrom, appScheme, type PageFiles } from './bundle.ts';

/** Before the app is ready. */
export const claimScheme = (): void => {
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: { standard: true, secure: true } }]);
};

/** Once the app is ready. */
export const serveScheme = (bundle: PageFiles): void => {
  protocol.handle(appScheme, (request) => answerFrom(bundle, request));
};
