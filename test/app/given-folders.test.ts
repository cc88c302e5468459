// Folders that reach the app by other doors than its window: one link for all, or one for each file in them.
import path from 'node:path';
import { expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, setStage, type Stage, startWatching } from './stage.ts';

/** What support/probe.cjs keeps in main. */
declare const probe: { trays: { tray: { emit(event: string, ...given: unknown[]): void } }[] };

/** A folder outside the watched one, with two files of its own. */
const folderOf = async (stage: Stage, name: string): Promise<string> => {
  const folder = path.join(stage.home, name);
  for (const file of ['1', '2']) await stage.put(path.join(folder, `${name}-${file}.txt`));
  return folder;
};
const sent = (stage: Stage): string[] =>
  stage.service
    .files()
    .map(({ filename }) => filename)
    .toSorted();
const linkOf = (stage: Stage, name: string): string =>
  stage.service.files().find(({ filename }) => filename === name)?.link ?? `no ${name}`;
const asked = async (app: RunningApp): Promise<number> =>
  (await app.asked()).filter(({ how }) => how === 'showMessageBox').length;
const end = async (app: RunningApp): Promise<void> => {
  await app.quit();
  expect(app.complaints).toEqual([]);
};

test.skipIf(!canLaunch)(
  'a folder among the arguments opens the app, at the first start and at a second one; the setting decides how it is uploaded',
  async () => {
    await using stage = await setStage({ givenFolders: 'zip' });
    await (await startWatching(stage)).quit();
    const [first, second, third] = [
      await folderOf(stage, 'first'),
      await folderOf(stage, 'second'),
      await folderOf(stage, 'third'),
    ];
    const app = await stage.start({ apiKey: stage.service.key, args: [first] });
    await eventually(() => sent(stage)).toEqual(['first.zip']);
    await eventually(() => app.clipboardText()).toBe(linkOf(stage, 'first.zip'));

    const relative = path.relative(process.cwd(), second);
    expect(await stage.run([relative])).toEqual({ code: 0, stdout: '', stderr: '' });
    await eventually(() => sent(stage)).toEqual(['first.zip', 'second.zip']);
    await call(app.window, 'settings.set', { name: 'givenFolders', value: 'files' });
    expect(await stage.run([third])).toEqual({ code: 0, stdout: '', stderr: '' });
    await eventually(() => sent(stage)).toEqual(['first.zip', 'second.zip', 'third-1.txt', 'third-2.txt']);
    expect(await asked(app)).toBe(0);
    await end(app);
  },
);

test.skipIf(!canLaunch)(
  'a folder triggers a question at a second start, and on the icon of tray and dock',
  async () => {
    await using stage = await setStage();
    const app = await startWatching(stage);
    const doors: Record<string, (folder: string) => Promise<unknown>> = {
      again: (folder) => stage.run([folder]),
      tray: (folder) =>
        app.electron.evaluate((_modules, dropped) => {
          probe.trays.at(-1)?.tray.emit('drop-files', {}, [dropped]);
        }, folder),
      dock: (folder) =>
        app.electron.evaluate(({ app: electronApp }, opened) => {
          electronApp.emit('open-file', { preventDefault: () => undefined }, opened);
        }, folder),
    };
    let questions = 0;
    for (const [door, give] of Object.entries(doors)) {
      const before = sent(stage);
      await app.answer('showMessageBox', { response: 2, checkboxChecked: false });
      await give(await folderOf(stage, `${door}-none`));
      await eventually(() => asked(app)).toBe((questions += 1));
      expect(sent(stage)).toEqual(before);

      await app.answer('showMessageBox', { response: 0, checkboxChecked: false });
      await give(await folderOf(stage, `${door}-zip`));
      await eventually(() => sent(stage)).toEqual([...before, `${door}-zip.zip`].toSorted());
      await eventually(() => app.clipboardText()).toBe(linkOf(stage, `${door}-zip.zip`));

      await app.answer('showMessageBox', { response: 1, checkboxChecked: false });
      await give(await folderOf(stage, `${door}-files`));
      const each = [`${door}-files-1.txt`, `${door}-files-2.txt`];
      await eventually(() => sent(stage)).toEqual([...before, `${door}-zip.zip`, ...each].toSorted());
      const links = each.map((name) => linkOf(stage, name)).toSorted();
      await eventually(async () => (await app.clipboardText()).split('\n').toSorted()).toEqual(links);
      questions += 2;
      expect(await asked(app)).toBe(questions);
    }
    await end(app);
  },
);
