// Files of a drop that got no link: each action of their lines does what it says.
import { rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import {
  call,
  chosen,
  eventually,
  leave,
  pressed,
  sayYes,
  setStage,
  type Stage,
  startWatching,
} from './stage.ts';

describe.skipIf(!canLaunch)('what a drop left out', () => {
  let stage: Stage;
  let app: RunningApp;
  let folder: string;

  beforeEach(async () => {
    stage = await setStage({ givenFolders: 'files' });
    app = await startWatching(stage);
    folder = path.join(stage.home, 'Desktop');
    for (const name of ['notes.txt', 'talk/slides.txt']) await stage.put(path.join(folder, name), name);
    await symlink(path.join(folder, 'talk/slides.txt'), path.join(folder, 'latest'));
  });
  afterEach(() => leave(stage, app));

  const ticket = () => app.window.getByRole('region', { name: 'Files you added' });
  const line = (name: string) => ticket().getByRole('listitem').filter({ hasText: name });
  const says = async (name: string, reason: string | RegExp): Promise<void> => {
    await line(name).locator('.reason', { hasText: reason }).waitFor();
  };
  const press = (name: string, act: string) =>
    line(name)
      .getByRole('button', { name: new RegExp(`^${act}`) })
      .click();
  const sent = (): string[] =>
    stage.service
      .files()
      .map(({ filename }) => filename)
      .toSorted();
  const questions = async (): Promise<string[]> =>
    (await app.asked()).flatMap(({ how }) => (how === 'showMessageBox' ? [how] : []));

  test('in a mixed drop: the file that a link leads to is uploaded, a file that is gone is chosen again in its folder', async () => {
    const gone = await stage.put(path.join(folder, 'gone.txt'));
    const paths = await chosen(app, path.join(folder, 'notes.txt'), path.join(folder, 'latest'), gone);
    await rm(gone);
    await call(app.window, 'files.upload', { paths });
    await says('latest', 'is a link to talk/slides.txt');
    await says('gone', 'was deleted, moved or renamed before it was read');
    await ticket().getByText('Link copied').waitFor();
    expect(sent()).toEqual(['notes.txt']);

    const again = await stage.put(path.join(folder, 'again.txt'));
    await app.answer('showOpenDialog', { canceled: false, filePaths: [again] });
    await press('gone', 'Choose again…');
    await eventually(sent).toEqual(['again.txt', 'notes.txt']);
    const dialogs = (await app.asked()).filter(({ how }) => how === 'showOpenDialog');
    expect(dialogs.at(-1)?.options).toMatchObject({ defaultPath: folder });

    await app.dropFiles('main', [path.join(folder, 'latest')]);
    await says('latest', 'is a link to talk/slides.txt');
    await press('latest', 'Upload that file');
    await eventually(sent).toEqual(['again.txt', 'notes.txt', 'slides.txt']);
    expect(await questions()).toEqual([]);
  });

  test('in a folder whose files get a link each: a hidden one is uploaded all the same, the others stay', async () => {
    for (const name of ['.hidden', 'film.part']) await stage.put(path.join(folder, name), name);
    await app.dropFiles('main', [folder]);
    await eventually(sent).toEqual(['notes.txt', 'slides.txt']);
    await says('.hidden', 'hidden');
    await says('film', 'unfinished download');
    await says('latest', 'is a link to talk/slides.txt');
    await press('.hidden', 'Upload anyway');
    // The service gives no name that begins with a dot.
    await eventually(sent).toEqual(['hidden', 'notes.txt', 'slides.txt']);
    await ticket().getByText('Link copied').waitFor();
    expect(await questions()).toEqual([]);
  });

  test('whatever the number, the actions of a line are for all of its files', async () => {
    await call(app.window, 'queue.pause', { untilMs: null });
    const many = path.join(folder, 'many');
    for (let at = 0; at < 103; at += 1) await stage.put(path.join(many, `.hidden ${String(at)}`), String(at));
    for (let at = 0; at < 205; at += 1) await stage.put(path.join(many, `${String(at)}.txt`), String(at));
    await app.dropFiles('main', [many]);
    await says('103 ×', 'hidden');
    await ticket().getByRole('button', { name: 'Cancel 205' }).click();
    await says('205 ×', 'cancelled');
    await press('205 ×', 'Undo');
    await ticket().getByRole('button', { name: 'Cancel 205' }).waitFor();
    await ticket().getByRole('button', { name: 'Cancel 205' }).click();
    await sayYes(app);
    await press('103 ×', 'Upload anyway');
    await ticket().getByRole('button', { name: 'Cancel 103' }).waitFor();
    const asked = (await app.asked()).find(({ how }) => how === 'showMessageBox');
    expect(asked?.options).toMatchObject({ message: expect.stringContaining('103') as string });
  });

  test('a file that was renamed on its way is uploaded under its new name', async () => {
    await call(app.window, 'queue.pause', { untilMs: null });
    const draft = await stage.put(path.join(folder, 'clip draft.mp4'));
    await app.dropFiles('main', [draft]);
    await ticket().getByRole('button', { name: 'Cancel 1' }).waitFor();
    await rename(draft, path.join(folder, 'clip final.mp4'));
    await pressed(app, 'queue.resume', {});
    await says('clip draft', 'was renamed to clip final.mp4');
    await press('clip draft', 'Upload clip final.mp4');
    await eventually(sent).toEqual(['clip final.mp4']);
  });

  type Way = 'alone' | 'mixed' | 'in a folder';
  /** `meanwhile`: what happens to the file while the queue is paused. */
  type Case = {
    name: string;
    make?: (file: string) => Promise<unknown>;
    meanwhile?: (file: string) => Promise<void>;
    says: string | RegExp;
    acts: string[];
  };
  const cases: Case[] = [
    { name: 'empty.txt', make: (file) => stage.put(file, ''), says: 'empty', acts: ['Upload anyway'] },
    {
      name: 'latest',
      make: (file) => symlink(path.join(folder, 'notes.txt'), file),
      says: 'is a link to',
      acts: ['Upload that file'],
    },
    { name: 'server.iso', says: /larger than|is over/, acts: ['Dismiss'] },
    { name: 'clip.heic', says: /does not accept/, acts: ['Dismiss'] },
    { name: '.env', says: 'looks like a secret · not public', acts: ['Keep private', 'Make public…'] },
    { name: 'gone.txt', meanwhile: (file) => rm(file), says: 'was deleted', acts: ['Choose again…'] },
    {
      name: 'draft.txt',
      meanwhile: (file) => rename(file, path.join(path.dirname(file), 'final.txt')),
      says: 'was renamed to final.txt',
      acts: ['Upload final.txt'],
    },
  ];
  test.each<Way>(['alone', 'mixed', 'in a folder'])(
    'each case says why and what can be done: %s',
    async (way) => {
      for (const [filename, status] of [
        ['server.iso', 413],
        ['clip.heic', 415],
      ] as const)
        stage.service.faults.add({
          match: { path: '/files/upload', filename },
          times: null,
          fault: { kind: 'answer', status },
        });
      for (const [at, { name, make, meanwhile, says: reason, acts }] of cases.entries()) {
        const dir = path.join(folder, `case ${String(at)}`);
        const file = path.join(dir, name);
        const ok = await stage.put(path.join(dir, 'ok.txt'), `${way} ${String(at)}`);
        await (make ?? ((of) => stage.put(of, `${way} ${name}`)))(file);
        if (meanwhile !== undefined) await call(app.window, 'queue.pause', { untilMs: null });
        if (way === 'alone') await app.dropFiles('main', [file]);
        else await app.dropFiles('main', way === 'mixed' ? [ok, file] : [dir]);
        if (meanwhile !== undefined) {
          await ticket()
            .getByRole('button', { name: way === 'alone' ? 'Cancel 1' : 'Cancel 2' })
            .waitFor();
          await meanwhile(file);
          await pressed(app, 'queue.resume', {});
        }
        const stem = name.replace(/\.\w+$/, '') || name;
        await says(stem, reason);
        expect(await line(stem).getByRole('button').allInnerTexts()).toEqual(acts);
        if (name !== '.env') continue;
        await press('.env', 'Keep private');
        await says('.env', 'cancelled');
        expect(await line('.env').getByRole('button').allInnerTexts()).toEqual(['Undo']);
      }
    },
  );
});
