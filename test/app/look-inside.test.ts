// Look inside in the built app: its worker is found, the queue names rule and line, one decision releases a file, and the
// secret is nowhere but in its file.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { agreed, call, chosen, leave, setStage, type Stage, startWatching, untilStatus } from './stage.ts';

/** In parts, so that no scanner takes this file for a leak. */
const token = ['gh', 'p_wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('');

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(inside) : entry.isFile() ? [inside] : [];
  });

describe.skipIf(!canLaunch)('a text with a secret', () => {
  let stage: Stage;
  let app: RunningApp;
  beforeEach(async () => {
    stage = await setStage();
    app = await startWatching(stage);
  });
  afterEach(() => leave(stage, app));

  const heldId = async (): Promise<number> => (await call(app.window, 'queue.get', {})).held.at(-1)?.id ?? 0;

  test('is held with its rule and line, and uploaded when a person decides so', async () => {
    const { window } = app;
    await stage.put('notes.txt', `a line\n${token}\n`);
    await untilStatus(window, ({ counts }) => counts.held === 1);
    await window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await window.getByText('Line 2 looks like a secret (github).').waitFor();
    expect(stage.service.files()).toEqual([]);
    // A line without a name for it shows nothing; another version of the file is another line.
    const excerpts = window.locator('code.excerpt');
    expect(await call(window, 'queue.excerpt', { id: await heldId() })).toEqual({ excerpt: null });
    expect(await excerpts.allTextContents()).toEqual(['']);
    await stage.put('notes.txt', `a line\nexport GH_TOKEN="${token}" # ${token}\n`);
    await window.getByText('GH_TOKEN=').waitFor();
    expect(await excerpts.allTextContents()).toEqual(['GH_TOKEN=••••••••']);
    const answers = [await call(window, 'queue.excerpt', { id: await heldId() })];
    expect(answers).toEqual([{ excerpt: 'GH_TOKEN=••••••••' }]);

    // Two of them are one question, and each shows where its secret is.
    await stage.put('other.txt', `${token} in the first line`);
    await untilStatus(window, ({ counts }) => counts.held === 2);
    await window.getByText('2 files look like secrets').waitFor();

    const shown = await call(window, 'window.diagnostics', {});
    const queue = await call(window, 'queue.get', {});
    const said = [
      ...[shown, queue, answers].map((one) => JSON.stringify(one)),
      await window.content(),
      await app.clipboardText(),
    ];
    const planted = filesBelow(stage.folder);
    const kept = filesBelow(stage.home)
      .filter((file) => !planted.includes(file))
      .map((file) => readFileSync(file, 'latin1'));
    expect([...said, ...kept].filter((text) => text.includes(token.slice(4, 24)))).toEqual([]);

    const { held } = await call(window, 'queue.get', {});
    await agreed(app, 'queue.confirm', { ids: held.map(({ id }) => id) });
    await untilStatus(window, ({ counts }) => counts.uploaded === 2 && counts.held === 0);
  });

  test('is held when it is dropped on the window, too', async () => {
    const file = await stage.put(path.join(stage.home, 'given.txt'), `a\nb\n${token}`);
    await call(app.window, 'files.upload', { paths: await chosen(app, file) });
    await untilStatus(app.window, ({ outside }) => outside.held === 1);
    await app.window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await app.window.getByText('Line 3 looks like a secret (github).').waitFor();
  });
});
