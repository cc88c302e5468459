import { expect, test, vi } from 'vitest';
import type { SettingName, SettingView } from '../../../src-main/contract/settings.ts';
import { createFakeSettings } from '../../support/fake-ports.ts';

vi.mock('electron', () => ({ app: {} }));
const { resetSettings } = await import('../../../src-main/shell/reset-settings.ts');

const resetWith = async (allowAccountChange: boolean): Promise<SettingName[]> => {
  const reset: SettingName[] = [];
  const { current, onChange } = createFakeSettings({ allowAccountChange });
  const view = (): SettingView[] => [
    { name: 'baseUrl', value: 'https://a.example', origin: 'user', lockedBy: null },
    { name: 'keyCommand', value: 'pass show a', origin: 'user', lockedBy: null },
    { name: 'notify', value: false, origin: 'user', lockedBy: null },
    { name: 'allowAccountChange', value: allowAccountChange, origin: 'policy', lockedBy: 'Set elsewhere.' },
  ];
  const set = async (name: SettingName): Promise<void> => void reset.push(name);
  await resetSettings({ settings: { current, onChange, view, set, warnings: () => [], former: () => [] } });
  return reset;
};

test('the window resets the settings of the user, but keeps the account where a policy forbids another one', async () => {
  expect(await resetWith(true)).toEqual(['baseUrl', 'keyCommand', 'notify']);
  expect(await resetWith(false)).toEqual(['notify']);
});
