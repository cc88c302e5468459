// Replaces `fpm -s dir -t deb|rpm` as electron-builder 26 calls it: fpm itself comes from GitHub. Its packages are for
// the check; releases of the app are made with fpm.
import { readFpmCall } from './fpm-call.ts';
import { makeLinuxPackage } from './linux-package.ts';

makeLinuxPackage({ ...readFpmCall(process.argv.slice(2)), compression: 'fast' });
