// What says "copied" agrees with the clipboard, and from no door is a link copied before its host is trusted.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, onRealElectron, type RunningApp } from '../support/app.ts';
import {
  desktopPath,
  eventually,
  leave,
  lookAway,
  openPopover,
  reload,
  sayYes,
  setStage,
  type Stage,
  untilStatus,
  watchFolder,
} from './stage.ts';

declare global {
  var copied: { claims: () => string[]; said: Set<string> };
}

// The popover is a part of it: of Windows and macOS.
describe.skipIf(!canLaunch || onRealElectron)('on the clipboard', () => {
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage();
    const env = { PATH: await desktopPath(stage.home), ELECTRON_DOUBLE_MODES: 'platform=win32' };
    app = await stage.start({ apiKey: stage.service.key, env });
    await watchFolder(app, stage.folder);
    await untilStatus(app.window, ({ watch }) => watch === 'live');
    await reload(app);
  });
  afterEach(() => leave(stage, app));

  const ticket = () => app.window.getByRole('region', { name: 'Files you added' });
  const row = (name: string) => app.window.locator('.row', { hasText: name });
  const put = (...names: string[]): Promise<string[]> =>
    Promise.all(names.map((name) => stage.put(path.join(stage.home, 'Desktop', name))));
  const clipboard = (): Promise<string> => app.clipboardText();
  const linkOf = (name: string): string =>
    stage.service.files().find(({ filename }) => filename === name)?.link ?? '';
  const copyElsewhere = (text: string): Promise<void> =>
    app.electron.evaluate(({ clipboard: board }, given) => board.writeText(given), text);

  /** From now on the page knows what it says is copied, and all that it has said: its sentences, and the names of its buttons. */
  const listen = (page: Page): Promise<void> =>
    page.evaluate(() => {
      const said = new Set<string>();
      const claims = (): string[] => {
        const shown = [
          ...document.querySelectorAll<HTMLElement>('p, button, span, [role=status], [role=alert]'),
        ]
          .filter((one) => one.checkVisibility() && one.closest('[aria-hidden=true]') === null)
          // The name of a button stands for the words on it.
          .filter((one) => one.matches('button') || one.closest('button[aria-label]') === null)
          .map((one) => one.getAttribute('aria-label') ?? (one.children.length === 0 ? one.textContent : ''))
          .map((text) => text.trim())
          .filter((text) => /\bcopied\b/i.test(text) && !/when/.test(text));
        for (const one of shown) said.add(one);
        return shown;
      };
      globalThis.copied = { claims, said };
      new MutationObserver(claims).observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      claims();
    });
  const claimsOf = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.copied.claims());
  /** Whether the clipboard has what the sentence names, or as many links. */
  const agrees = (claim: string, held: string): boolean => {
    const named = /(?:Link copied|Copied): (.+?)(?: ·.*)?$/.exec(claim)?.[1]?.trim();
    // The button of a drop says it of all its links.
    const count = claim === 'Copied' ? 3 : Number(/(\d+) links copied/.exec(claim)?.[1] ?? 1);
    const links = held.split('\n');
    const isLinks = links.every((link) => stage.service.files().some((file) => file.link === link));
    return isLinks && (named === undefined ? links.length === count : held === linkOf(named));
  };

  test('whatever says "copied" agrees with it at every moment, whoever writes to it', async () => {
    const { window } = app;
    const pages = [window];
    await listen(window);
    const wrong: string[] = [];
    let toldBefore = 0;
    /** A message to the page takes a moment, and longer on a busy machine. */
    const isStillWrong = async (claim: string): Promise<boolean> => {
      const untilMs = performance.now() + 2_000;
      while (performance.now() < untilMs) {
        await sleep(100);
        const claims = (await Promise.all(pages.map(claimsOf))).flat();
        if (!claims.includes(claim) || agrees(claim, await clipboard())) return false;
      }
      return true;
    };
    const sample = async (): Promise<void> => {
      const before = await Promise.all(pages.map(claimsOf));
      const told = (await app.notifications()).slice(toldBefore);
      const held = await clipboard();
      const after = await Promise.all(pages.map(claimsOf));
      toldBefore += told.length;
      // Only what was said before and after: between two questions to it the page may change.
      const claims = before.flatMap((some, at) => some.filter((one) => after[at]?.includes(one) === true));
      for (const claim of claims)
        if (!agrees(claim, held) && (await isStillWrong(claim))) wrong.push(`${claim} | ${held}`);
      for (const { title, body } of told)
        if (/copied|clipboard/i.test(title + body) && held === 'of another program')
          wrong.push(`${title} ${body} | ${held}`);
    };
    const whileSampling = async (act: () => Promise<void>): Promise<void> => {
      const sampling = new AbortController();
      const samples = (async () => {
        while (!sampling.signal.aborted) {
          await sample();
          await sleep(10);
        }
      })();
      try {
        await act();
      } finally {
        sampling.abort();
        await samples;
      }
    };
    const says = (claim: RegExp): Promise<void> =>
      eventually(async () => (await window.evaluate(() => [...globalThis.copied.said])).join('\n')).toMatch(
        claim,
      );
    /** Nothing is said to be copied any more. */
    const isSilent = (): Promise<void> => eventually(() => claimsOf(window)).toEqual([]);

    const files = await put('one.txt', 'two.txt', 'three.txt');
    /** The card may have closed meanwhile: a copy of another link is the next deed. */
    const dropAgain = async (): Promise<void> => {
      await app.dropFiles('main', files);
      await ticket()
        .getByText(/3 links copied/)
        .waitFor();
    };
    const saysNoMore = (): Promise<void> =>
      eventually(async () => (await claimsOf(window)).join('|')).not.toContain('3 links copied');
    await whileSampling(async () => {
      await dropAgain();
      await says(/3 links copied/);
      for (const name of ['two', 'one']) {
        await row(`${name}.txt`)
          .getByRole('button', { name: /^Copy link/ })
          .click();
        await says(new RegExp(`^Copied: ${name}`, 'm'));
        await saysNoMore();
      }

      // Another door of the app, another program, the page itself.
      await dropAgain();
      const popover = await openPopover(app);
      await listen(popover);
      pages.push(popover);
      await popover.getByRole('button', { name: 'Copy link to two.txt', exact: true }).click();
      await eventually(clipboard).toBe(linkOf('two.txt'));
      await saysNoMore();
    });
    await dropAgain();
    await lookAway(app);
    await copyElsewhere('of another program');
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.focus());
    await ticket().getByText('Already shared.', { exact: true }).waitFor();
    await isSilent();

    await ticket().getByRole('button', { name: 'Copy all' }).click();
    await ticket()
      .getByText(/3 links copied/)
      .waitFor();
    await window.evaluate(() => document.dispatchEvent(new ClipboardEvent('copy', { bubbles: true })));
    await isSilent();
    expect(wrong).toEqual([]);
  });

  test('is no link of a new host, from any door, until a person trusts the host once', async () => {
    const { window } = app;
    stage.service.change({ linkHost: 'https://cdn.example.net' });
    await lookAway(app);
    await stage.put('watched.txt');
    await stage.put('second.txt');
    await eventually(async () => (await app.notifications()).length).toBe(1);
    await copyElsewhere('of another program');
    const popover = await openPopover(app);
    await Promise.all([window, popover].map(listen));
    await row('watched.txt').waitFor();
    const doors: Record<string, () => Promise<void>> = {
      'the notification': () => app.clickNotification(),
      'the popover': () =>
        popover.getByRole('button', { name: 'Copy link to watched.txt', exact: true }).click(),
      'the newest of the popover': () => popover.getByRole('button', { name: 'Copy newest 2' }).click(),
      'its row': () =>
        row('watched.txt')
          .getByRole('button', { name: /^Copy link/ })
          .click(),
      'the key': async () => {
        await row('watched.txt').click();
        await window.keyboard.press('Control+c');
      },
      'all rows': async () => {
        await window.getByRole('grid').focus();
        await window.keyboard.press('Control+a');
        await window.keyboard.press('Control+c');
      },
    };
    let questions = 0;
    for (const [door, open] of Object.entries(doors)) {
      await open();
      questions += 1;
      await eventually(async () => (await app.asked()).length).toBe(questions);
      expect(JSON.stringify((await app.asked()).at(-1)?.options), door).toContain(
        'to cdn.example.net · new to Outtray',
      );
      expect(await (await app.frame()).evaluate((frame) => frame.isVisible()), door).toBe(true);
      expect([await clipboard(), await claimsOf(window), await claimsOf(popover)], door).toEqual([
        'of another program',
        [],
        [],
      ]);
    }
    await sayYes(app);
    await app.clickNotification();
    await eventually(async () => (await clipboard()).split('\n').toSorted()).toEqual(
      [linkOf('watched.txt'), linkOf('second.txt')].toSorted(),
    );
    for (const door of ['its row', 'the key']) {
      await copyElsewhere('of another program');
      await doors[door]?.();
      await eventually(clipboard).toBe(linkOf('watched.txt'));
    }
    expect((await app.asked()).length).toBe(questions + 1);
  });
});
