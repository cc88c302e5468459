// A policy that becomes unusable, or demands a newer Outtray, while the engine runs.
import { expect, test } from 'vitest';
import { typedText } from '../../../../src-main/cli/output/typed.ts';
import { AppError } from '../../../../src-main/contract/errors.ts';
import { begin } from '../../../support/fake-world.ts';

const broken = new AppError('bad-setting', 'The policy x is not valid JSON.', 'Ask your administrator.');

test('no file is uploaded while the policy allows none, every view says why, and uploads continue by themselves', async () => {
  const { world, run } = await begin({});
  world.settings.bar(broken);
  world.disk.write('/tray/a.txt', 'content');
  await world.clock.advance(60_000);
  expect(world.row('a.txt').state.kind).toBe('ready');
  expect((await run.call('app.status', {})).gate).toEqual({
    kind: 'closed',
    reason: 'policy',
    untilMs: null,
    message: broken.message,
    remedy: broken.remedy,
  });
  expect(run.engine.trouble()).toBe(broken);
  expect(run.engine.isStill()).toBe(false);
  expect((await run.call('file.why', { path: '/tray/a.txt' })).sentence).toBe(
    `Waiting: ${broken.message} ${typedText(broken.remedy)}`,
  );
  world.settings.bar(null);
  await world.until('a.txt', 'uploaded', 10_000);
  expect((await run.call('app.status', {})).gate.kind).toBe('open');
});
