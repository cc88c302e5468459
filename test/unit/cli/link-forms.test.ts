import { expect, test } from 'vitest';
import { formFrom } from '../../../src-main/cli/uploads/link-forms.ts';

const settings = (locked: string | null) => ({
  current: () => ({ copyTemplate: '{link}' }),
  isLocked: (name: string) => name === locked,
});

test('--format does not override a locked form', () => {
  for (const text of ['markdown', '{name} {link}'])
    expect(() => formFrom(text, settings('copyFormat'))).toThrow('copyFormat is locked by a policy.');
  expect(formFrom(undefined, settings('copyFormat'))).toBeNull();
});

test('a custom text does not override a locked template, and a named form leaves it alone', () => {
  expect(() => formFrom('{name} {link}', settings('copyTemplate'))).toThrow('copyTemplate is locked');
  expect(formFrom('markdown', settings('copyTemplate'))?.form).toBe('markdown');
});

test('without a policy --format names a form or is a custom text', () => {
  expect(formFrom('markdown', settings(null))).toEqual({ form: 'markdown', template: '{link}' });
  expect(formFrom('{name} {link}', settings('folder'))?.form).toBe('template');
});
