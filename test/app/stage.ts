// What the tests of the whole app share: a home of its own, the service, the running app, and a user's hands.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Reply } from '../../src-main/contract/client.ts';
import type { CommandAnswer, CommandInput, CommandName } from '../../src-main/contract/commands.ts';
import type { EngineStatus } from '../../src-main/contract/model.ts';
import type {
  Bridge,
  WindowCommandAnswer,
  WindowCommandInput,
  WindowCommandName,
} from '../../src-main/contract/window-commands.ts';
import { startService, type Service } from '../service/service.ts';
import type { ServiceOptions } from '../service/options.ts';
import { launchApp, type LaunchOptions, type RunningApp } from '../support/app.ts';

declare global {
  interface Window {
    outtray: Bridge;
  }
}

type Answer<Name> = Name extends CommandName
  ? CommandAnswer<Name>
  : Name extends WindowCommandName
    ? WindowCommandAnswer<Name>
    : never;
type Input<Name> = Name extends CommandName
  ? CommandInput<Name>
  : Name extends WindowCommandName
    ? WindowCommandInput<Name>
    : never;

export type Stage = {
  service: Service;
  home: string;
  folder: string;
  start(options?: Partial<LaunchOptions>): Promise<RunningApp>;
  /** Writes a file into the watched folder, or elsewhere with an absolute path. */
  put(name: string, content?: string): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The service with generous limits, so that no test waits for permits it is not about. */
export const setStage = async (options: ServiceOptions = {}): Promise<Stage> => {
  const service = await startService({ store: 'disk', ...options });
  const home = await mkdtemp(path.join(tmpdir(), 'outtray-app-'));
  const folder = path.join(home, 'Shared');
  await mkdir(folder);
  const running = new Set<RunningApp>();
  return {
    service,
    home,
    folder,
    async start(more = {}) {
      const app = await launchApp({ home, serviceUrl: service.baseUrl, ...more });
      running.add(app);
      if (more.expectWindow !== false) await app.window.locator('h1').first().waitFor({ state: 'attached' });
      void app.ended.then(() => running.delete(app));
      return app;
    },
    async put(name, content = `content of ${name}`) {
      const file = path.resolve(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    async [Symbol.asyncDispose]() {
      for (const app of running) await app.kill();
      await service.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** What the window's own code does, done by the test: any command of both tables. Errors come as they are. */
export const reply = (page: Page, name: string, input: unknown): Promise<Reply> =>
  page.evaluate(([wanted, given]) => window.outtray.call(wanted, given), [name, input] as const);

export const call = async <Name extends CommandName | WindowCommandName>(
  page: Page,
  name: Name,
  input: Input<Name>,
): Promise<Answer<Name>> => {
  const answer = await reply(page, name, input);
  if (!answer.ok) throw new Error(`${name}: ${answer.error.code}: ${answer.error.message}`);
  return answer.answer as Answer<Name>;
};

/** Waits until the status is as wanted. */
export const untilStatus = async (
  page: Page,
  wanted: (status: EngineStatus) => boolean,
  timeout = 20_000,
): Promise<EngineStatus> => {
  let last: EngineStatus | null = null;
  await expect
    .poll(async () => wanted((last = await call(page, 'app.status', {}))), { timeout, interval: 100 })
    .toBe(true)
    .catch((cause: unknown) => {
      throw new Error(`The status stayed ${JSON.stringify(last)}`, { cause });
    });
  if (last === null) throw new Error('No status came.');
  return last;
};

export const eventually = <Value>(ask: () => Value | Promise<Value>, timeout = 15_000) =>
  expect.poll(ask, { timeout, interval: 100 });
