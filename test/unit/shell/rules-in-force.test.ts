// Links are copied, in which form, and announced, by the rules of the folder of an upload.
import { expect, test } from 'vitest';
import { defaultSettings, type FolderRules, type Settings } from '../../../src-main/contract/settings.ts';
import { createRulesInForce } from '../../../src-main/shell/rules-in-force.ts';

/** Upload 1 lies in a folder with rules of its own, 2 in one without, 3 in none. */
const inForce = (own: Partial<FolderRules>, change: Partial<Settings> = {}) => {
  const settings = { ...defaultSettings(), ...change };
  const rules = (uploadId: number): FolderRules | null => {
    if (uploadId === 3) return null;
    return { ...settings, paused: false, ...(uploadId === 1 ? own : {}) };
  };
  return createRulesInForce({ settings: () => settings, rules });
};

test('a folder’s own rule overrides the settings, even when they forbid what it allows', () => {
  const rules = inForce(
    { copyLink: 'always', notify: true, copyFormat: 'markdown' },
    { copyLink: 'never', notify: false, copyFormat: 'html' },
  );
  expect([1, 2, 3, null].map((id) => rules.copyLink(id))).toEqual(['always', 'never', 'never', 'never']);
  expect([1, 2, 3, null].map((id) => rules.notify(id))).toEqual([true, false, false, false]);
  expect(rules.copyFormat([1])).toBe('markdown');
  expect(rules.copyFormat([2])).toBe('html');
  expect(rules.copyFormat([3])).toBe('html');
});

test('links of several forms are copied together in the form of the settings', () => {
  const rules = inForce({ copyFormat: 'markdown' });
  expect(rules.copyFormat([1, 1])).toBe('markdown');
  expect(rules.copyFormat([1, 2])).toBe('plain');
  expect(rules.copyFormat([1, 3])).toBe('plain');
  expect(rules.copyFormat([1], [7])).toBe('plain');
  expect(rules.copyFormat([], [7])).toBe('plain');
  expect(rules.copyFormat([])).toBe('plain');
});

test('where a policy forbids copying, no folder copies by itself', () => {
  expect(inForce({ copyLink: 'always' }, { allowCopy: false }).copyLink(1)).toBe('forbidden');
});
