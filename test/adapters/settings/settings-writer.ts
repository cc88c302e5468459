// A second process for the tests of the settings: opens them, reports it, and sets the given values one by one as soon as
// its input ends.
import { once } from 'node:events';
import { openSettings } from '../../../src-main/adapters/settings/settings.ts';

const [, , file = '', values = '{}'] = process.argv;
const settings = openSettings({ version: '0.1.0', file, policy: { values: {}, source: '' } });
process.stdout.write('open\n');
await once(process.stdin.resume(), 'end');
for (const [name, value] of Object.entries(JSON.parse(values) as Record<string, unknown>))
  await settings.set(name, value);
