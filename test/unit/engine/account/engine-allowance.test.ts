// The rules of an administrator through the whole engine: what they refuse is never sent, however it was given.
import { expect, test } from 'vitest';
import type { Settings } from '../../../../src-main/contract/settings.ts';
import { share, started } from '../../../support/fake-world.ts';

const rules: [what: string, rule: Partial<Settings>, code: string][] = [
  ['a forbidden folder', { forbiddenRoots: ['/tray/private', '/elsewhere'] }, 'outside'],
  ['a folder not allowed', { allowedRoots: ['/tray/open'] }, 'outside'],
  ['a forbidden kind', { forbiddenTypes: ['exe'] }, 'refused'],
  ['too many bytes', { maxFileBytes: 3 }, 'too-large'],
];

test.each(rules)(
  '%s: neither watched nor given by hand nor tried again is it sent',
  async (_what, rule, code) => {
    const { world, run } = await started({ settings: { recursive: true, ...rule } });
    world.disk.write('/tray/private/setup.exe', 'long');
    world.disk.write('/elsewhere/other.exe', 'long');
    await run.call('files.upload', { paths: ['/elsewhere/other.exe'] });
    for (const name of ['setup.exe', 'other.exe']) {
      const { state } = await world.until(name, 'failed');
      expect(state).toMatchObject({ kind: 'failed', code });
    }
    await run.call('files.upload', { paths: ['/elsewhere/other.exe'], again: true });
    await run.call('queue.retry', {});
    await world.clock.advance(3_600_000);
    expect(world.service.stored).toEqual([]);
    expect(world.rows().map(({ state }) => state.kind)).toEqual(['failed', 'failed']);
  },
);

test('what the rules allow is sent as ever', async () => {
  const { world } = await started({
    settings: { allowedRoots: ['/tray'], allowedTypes: ['txt'], maxFileBytes: 4 },
  });
  await share(world, 'a.txt', 'long');
  expect(world.service.stored).toHaveLength(1);
});
