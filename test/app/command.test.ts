// `outtray ARGS` of the installed app: the same program without any window, with the command's own exit codes.
import { expect, test } from 'vitest';
import { canLaunch } from '../support/app.ts';
import { setStage } from './stage.ts';

test.skipIf(!canLaunch)(
  'arguments of the command run it without a window and end with its exit code',
  async () => {
    await using stage = await setStage();
    const file = await stage.put('sent.txt');
    const { key } = stage.service;

    const uploaded = await stage.run(['upload', file], { apiKey: key });
    expect(uploaded).toMatchObject({ code: 0, stdout: `${stage.service.files()[0]?.link}\n` });
    const status = await stage.run(['status', '--json'], { apiKey: key });
    expect(status.code).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({ paused: false, running: false });
    expect(await stage.run(['info', '999'], { apiKey: key })).toMatchObject({ code: 5 });
    expect(await stage.run(['list'], { apiKey: 'wrong' })).toMatchObject({ code: 3 });
    expect(await stage.run(['--json', 'upload'])).toMatchObject({ code: 2 });
  },
);

test.skipIf(!canLaunch)(
  'a command beside the running app detects it, and its pause applies there',
  async () => {
    await using stage = await setStage();
    const app = await stage.start({ apiKey: stage.service.key });
    const status = await stage.run(['status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ running: true });
    expect(await stage.run(['pause', '1h'])).toMatchObject({ code: 0 });
    await expect.poll(async () => (await app.tray())?.items.map(({ label }) => label)).toContain('Resume');
    await app.quit();
  },
);
