// The settings as the engine has them, and setting one: checked here first by the same schema, so that a problem shows
// beside the field before anything is sent.
import { tick } from 'svelte';
import {
  checkSetting,
  defaultSettings,
  type SettingName,
  type Settings as Values,
  type SettingView,
} from '../../src-main/contract/settings.ts';
import { toAppError } from '../../src-main/contract/errors.ts';
import { say } from '../words/say.svelte.ts';
import { settingProblem } from '../words/setting-problem.ts';
import { problem } from '../words/show.ts';
import type { Session } from './session.svelte.ts';

export class Settings {
  readonly #session: Session;

  views = $state.raw<readonly SettingView[]>([]);
  problems = $state.raw<Partial<Record<SettingName, string>>>({});
  /** The setting saved last, and how many times: its row shows that for a moment. */
  saved = $state.raw<{ name: SettingName | null; times: number }>({ name: null, times: 0 });

  readonly values: Values = $derived(
    Object.assign(defaultSettings(), Object.fromEntries(this.views.map((view) => [view.name, view.value]))),
  );

  constructor(session: Session) {
    this.#session = session;
  }

  follow(): () => void {
    void this.read();
    return this.#session.onSettings(() => void this.read());
  }

  async read(): Promise<void> {
    this.views =
      (await this.#session.attempt(() => this.#session.client.call('settings.get', {}))) ?? this.views;
  }

  view(name: SettingName): SettingView | undefined {
    return this.views.find((view) => view.name === name);
  }

  /** Why the value cannot be changed here; empty: it can. */
  lock(name: SettingName): string {
    const view = this.view(name);
    if (view === undefined) return '';
    if (view.lockedBy !== null) return say('settings.locked', { who: view.lockedBy });
    if (view.origin === 'environment') return say('settings.environment');
    return view.origin === 'command-line' ? say('settings.commandLine') : '';
  }

  /** `per`: how many of the setting's own units one unit of its field is, for messages about limits. */
  async set(name: SettingName, value: unknown, per = 1): Promise<void> {
    const checked = checkSetting(name, value);
    if (!checked.ok) {
      const wrong = settingProblem(checked.problem, per);
      const text = 'text' in wrong ? wrong.text : say(wrong.key, wrong.values);
      this.refuse(name, text);
      return;
    }
    try {
      this.views = await this.#session.client.call('settings.set', { name, value: checked.value });
      this.problems = Object.fromEntries(Object.entries(this.problems).filter(([known]) => known !== name));
      this.saved = { name, times: this.saved.times + 1 };
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'aborted') await this.#showAgain(name, checked.value);
      else this.refuse(name, problem(known));
    }
  }

  /** The value in its field is not sent. */
  refuse(name: SettingName, problem: string): void {
    this.problems = { ...this.problems, [name]: problem };
  }

  /** The user declined `value`, which the field still shows: setting it and setting it back updates the field. */
  async #showAgain(name: SettingName, value: unknown): Promise<void> {
    const stored = this.views;
    this.views = stored.map((view) => (view.name === name ? ({ ...view, value } as SettingView) : view));
    await tick();
    this.views = stored;
  }
}
