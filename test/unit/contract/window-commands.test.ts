import { describe, expect, test } from 'vitest';
import {
  answerWindowCall,
  createWindowClient,
  isWindowCommandName,
  windowCommands,
  type WindowHandlers,
} from '../../../src-main/contract/window-commands.ts';

const names = Object.keys(windowCommands).filter(isWindowCommandName);
const echo = new Proxy({} as WindowHandlers, { get: () => (input: unknown) => input });

describe('the window’s own commands', () => {
  test('are answered like the others: an unknown name returns an error value', async () => {
    const unknown = await answerWindowCall(echo, 'no.such', {});
    expect(unknown).toMatchObject({ ok: false, error: { code: 'bad-use' } });
  });

  test('run with their exact input, and are refused with a field too many', async () => {
    const row = { uploadId: 7 };
    expect(await answerWindowCall(echo, 'window.copySha256', row)).toEqual({ ok: true, answer: row });
    const more = await answerWindowCall(echo, 'window.copySha256', { ...row, more: true });
    expect(more).toMatchObject({ ok: false, error: { code: 'bad-use' } });
  });

  test('return their answer through the client, or throw the returned error', async () => {
    const [name] = names;
    if (name === undefined) throw new Error('There is none.');
    const good = createWindowClient({ call: async () => ({ ok: true, answer: null }) });
    expect(await good.call(name, {})).toBeNull();
    const error = { code: 'bad-use' as const, message: 'No.', remedy: '' };
    const bad = createWindowClient({ call: async () => ({ ok: false, error }) });
    await expect(bad.call(name, {})).rejects.toMatchObject({ code: 'bad-use', message: 'No.' });
  });
});
