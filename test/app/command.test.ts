// The command beside the running app.
import { expect, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import { setStage } from './stage.ts';

test.skipIf(!canLaunch)(
  'a command beside the running app detects it, and its pause applies there',
  async () => {
    await using stage = await setStage();
    const app = await stage.start({ apiKey: stage.service.key });
    const status = await stage.command(['status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ running: true });
    expect(await stage.command(['pause', '1h'])).toMatchObject({ code: 0 });
    await expect.poll(async () => (await app.tray())?.items.map(({ label }) => label)).toContain('Resume');
    await app.quit();
  },
);
