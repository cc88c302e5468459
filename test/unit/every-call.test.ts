// Every row of the two tables of calls, against the checks before its handler.
import { expect, test } from 'vitest';
import type { CallFacts } from '../../src-main/contract/catalogue/calls.ts';
import { answerCall } from '../../src-main/contract/client.ts';
import { commands, isCommandName, type Handlers } from '../../src-main/contract/commands.ts';
import { withRights } from '../../src-main/contract/rights.ts';
import { defaultSettings } from '../../src-main/contract/settings.ts';
import {
  answerWindowCall,
  windowCommands,
  type WindowHandlers,
} from '../../src-main/contract/window-commands.ts';
import { createSenderCheck } from '../../src-main/shell/window/sender-check.ts';

const calls = Object.entries<CallFacts>({ ...commands, ...windowCommands });
const signal = new AbortController().signal;
const echo = <Of extends object>(): Of => new Proxy({} as Of, { get: () => (input: unknown) => input });

const [page, popover] = [{ name: 'window' }, { name: 'popover' }];
const check = createSenderCheck({
  origin: 'outtray://app',
  pages: [{ contents: () => page }, { contents: () => popover, isPopover: true }],
  answer: (name, input) => Promise.resolve({ ok: true, answer: { name, input } }),
  redact: (text) => text,
  isLeaving: () => false,
});
const from = (contents: object) => ({ contents, frame: { origin: 'outtray://app', parent: null }, load: {} });

test('no name is in both tables', () => {
  expect(calls).toHaveLength(Object.keys(commands).length + Object.keys(windowCommands).length);
});

test.each(calls)('%s is refused with the wrong kind of input, or a field too many', async (name) => {
  for (const input of ['no object', { noSuchField: true }]) {
    const reply = isCommandName(name)
      ? await answerCall(echo<Handlers>(), name, input, signal)
      : await answerWindowCall(echo<WindowHandlers>(), name, input);
    expect(reply).toMatchObject({ ok: false, error: { code: 'bad-use' } });
  }
});

test.each(Object.entries<CallFacts>(commands))(
  '%s is refused where the right in its row is missing',
  (name, { right }) => {
    const done = Object.fromEntries(Object.keys(commands).map((one) => [one, () => one]));
    const rights = { allowPause: false, allowCopy: false, allowGivenFiles: false, allowAccountChange: false };
    const current = { ...defaultSettings(), ...rights };
    const behind = withRights(done as unknown as Handlers, { current: () => current, view: () => [] });
    const ask = (): unknown => (isCommandName(name) ? (behind[name] as () => unknown)() : null);
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
