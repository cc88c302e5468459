// Every row of the table of calls, against the checks before its handler.
import { expect, test } from 'vitest';
import type { CallFacts } from '../../src-main/contract/catalogue/calls.ts';
import { answerCall } from '../../src-main/contract/client.ts';
import { commands, type Handlers } from '../../src-main/contract/commands.ts';
import { withRights } from '../../src-main/contract/rights.ts';
import { defaultSettings } from '../../src-main/contract/settings.ts';
import { createSenderCheck } from '../../src-main/shell/window/sender-check.ts';

const calls = Object.entries<CallFacts>(commands);
const signal = new AbortController().signal;
const echo = new Proxy({} as Handlers, { get: () => (input: unknown) => input });

const [page, popover] = [{ name: 'window' }, { name: 'popover' }];
const check = createSenderCheck({
  origin: 'outtray://app',
  pages: [{ contents: () => page }, { contents: () => popover, isPopover: true }],
  answer: (name, input) => Promise.resolve({ ok: true, answer: { name, input } }),
  redact: (text) => text,
  isLeaving: () => false,
});
const from = (contents: object) => ({ contents, frame: { origin: 'outtray://app', parent: null }, load: {} });

test('the names of the window’s calls begin with `window.`, and no others', () => {
  expect(calls.filter(([, { handledBy }]) => handledBy === 'window').map(([name]) => name)).toEqual(
    calls.flatMap(([name]) => (name.startsWith('window.') ? [name] : [])),
  );
});

test.each(calls)('%s is refused with the wrong kind of input, or a field too many', async (name) => {
  for (const input of ['no object', { noSuchField: true }]) {
    const reply = await answerCall(echo, name, input, signal);
    expect(reply).toMatchObject({ ok: false, error: { code: 'bad-use' } });
  }
});

test.each(calls.filter(([, { handledBy }]) => handledBy === 'engine'))(
  '%s is refused where the right in its row is missing',
  (name, { right }) => {
    const done = Object.fromEntries(Object.keys(commands).map((one) => [one, () => one]));
    const rights = { allowPause: false, allowCopy: false, allowGivenFiles: false, allowAccountChange: false };
    const current = { ...defaultSettings(), ...rights };
    const behind = withRights(done as unknown as Handlers, { current: () => current, view: () => [] });
    const ask = (): unknown => (behind as unknown as Record<string, () => unknown>)[name]?.();
    if (right === undefined) expect(ask()).toBe(name);
    else expect(ask).toThrow(`the setting ${right} is false`);
  },
);

test.each(calls)('%s is open to the popover if its row allows it', async (name, { popover: isOpen }) => {
  const refused = { ok: false, error: { code: 'bad-use', message: 'This page may not ask for that.' } };
  expect(await check(from(popover), name, {})).toMatchObject(isOpen === true ? { ok: true } : refused);
});

test.each(calls)('%s reads more than 64 KiB if its row allows it', async (name, { takesPaths }) => {
  const answer = await check(from(page), name, { text: 'a'.repeat(65 * 1024) });
  expect(answer.ok).toBe(takesPaths === true);
});
