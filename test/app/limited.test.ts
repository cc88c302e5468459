// A service that takes six requests a minute, and eight files: the window names the time, and nothing is amber.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canLaunch, type RunningApp } from '../support/app.ts';
import { call, eventually, leave, setStage, type Stage, startWatching, untilStatus } from './stage.ts';

declare global {
  var alarms: string[];
}

describe.skipIf(!canLaunch)('eight files, and a service that takes six requests a minute', () => {
  const perMinute = 6;
  const names = Array.from({ length: 8 }, (_, at) => `part ${String(at)}.txt`);
  let stage: Stage;
  let app: RunningApp;

  beforeEach(async () => {
    stage = await setStage({ notify: false, reconcileAfterMs: 5_000 });
    app = await startWatching(stage);
    // There is no keychain here; the notice about it is dismissed first.
    await app.window.getByText('Outtray found no keychain on this computer.').first().waitFor();
    await app.window.getByRole('button', { name: 'Dismiss' }).click();
    await watchColours();
  });
  afterEach(() => leave(stage, app));

  /** Everything in the colour of a question to the user, or of a failure, at any moment from now on. */
  const watchColours = (): Promise<void> =>
    app.window.evaluate(() => {
      const alarms: string[] = [];
      globalThis.alarms = alarms;
      const probe = document.body.appendChild(document.createElement('i'));
      const colours = ['--warn', '--bad'].map((name) => {
        probe.style.color = `var(${name})`;
        return getComputedStyle(probe).color;
      });
      probe.remove();
      const look = (): void => {
        for (const one of document.querySelectorAll<HTMLElement>('body *')) {
          const { color, backgroundColor } = getComputedStyle(one);
          if (colours.includes(color) || colours.includes(backgroundColor))
            alarms.push(`${one.tagName} ${one.className}: ${one.innerText}`);
        }
      };
      look();
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    });
  const drop = async (bytes: number): Promise<void> => {
    const files = names.map((name) =>
      stage.put(path.join(stage.home, 'Desktop', name), name.padEnd(bytes, '.')),
    );
    await app.dropFiles('main', await Promise.all(files));
  };
  const asked = (): number => stage.service.requests().length;
  const button = (name: string | RegExp) => app.window.getByRole('button', { name });
  const openQueue = async (): Promise<void> => {
    await app.window.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await app.window.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
  };
  const heading = (): Promise<string> => app.window.locator('header p').innerText();
  const expectAllShared = async (): Promise<void> => {
    await untilStatus(app.window, ({ work }) => work.ready === 8, 60_000);
    const shared = stage.service.files().map(({ filename }) => filename);
    expect(shared.sort()).toEqual(names);
    expect(await app.window.evaluate(() => globalThis.alarms)).toEqual([]);
  };

  test('nothing is amber, the sentence names the time, Try now is one request, and all get their links', async () => {
    const { window } = app;
    // A refusal before the end of a file. After it the service may have the file.
    stage.service.change({ refusal: 'early' });
    await call(window, 'settings.set', { name: 'bandwidthBytesPerSecond', value: 400_000 });
    stage.service.changeAccount({ requestsPerMinute: perMinute });
    await drop(150_000);
    await window
      .getByText(/^The service asked us to wait. Uploads continue at \d+:\d\d/)
      .first()
      .waitFor();
    await untilStatus(window, ({ sending, limit }) => sending === 0 && limit?.reason === 'rate');
    await openQueue();
    await eventually(heading).toMatch(/^The service asked us to wait · until \d+:\d\d/);
    expect(stage.service.files()).toHaveLength(perMinute);

    const refused = asked();
    await button('Try now').click();
    await eventually(asked).toBe(refused + 1);
    await untilStatus(window, ({ sending, limit }) => sending === 0 && limit?.reason === 'rate');
    expect(asked()).toBe(refused + 1);

    // A minute goes by at the service.
    stage.service.tick(60_000);
    await button('Try now').click();
    await expectAllShared();
  });

  test('a file that is refused after it was sent whole shows its next check, can be checked at once, and is sent again by itself', async () => {
    const { window } = app;
    // Longer than a busy machine needs to press *Check now*.
    await call(window, 'settings.set', { name: 'reconcileAfterMs', value: 120_000 });
    // Whole files, and then the refusal, as a full minute gives it for small ones.
    stage.service.change({ refusal: 'late', retryAfter: '8' });
    stage.service.changeAccount({ requestsPerMinute: perMinute });
    await openQueue();
    await drop(100);
    await eventually(heading).toMatch(/The service was busy · next check \d+:\d\d/);
    expect(stage.service.files()).toHaveLength(perMinute);
    stage.service.changeAccount({ requestsPerMinute: null });
    await button(/^Check now: part/)
      .first()
      .click();
    await app.window
      .getByText(/^“part \d.txt” is not there yet.* only once it can no longer turn up\.$/)
      .first()
      .waitFor();
    await call(window, 'settings.set', { name: 'reconcileAfterMs', value: 4_000 });
    await expectAllShared();
  });
});
