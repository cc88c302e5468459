// The switches of the process, which Electron passes to Chromium.
import { loud } from './loud.ts';

export class CommandLine {
  #switches = new Map<string, string>();

  /** Not Electron's. Takes an argument of the form `--name` or `--name=value`. */
  static take(of: CommandLine, argument: string): void {
    const [, name, value] = /^--?([^=]+)=?(.*)$/s.exec(argument) ?? [];
    if (name !== undefined) of.appendSwitch(name, value);
  }
  appendSwitch(name: string, value = ''): void {
    this.#switches.set(name, value);
  }
  hasSwitch(name: string): boolean {
    return this.#switches.has(name);
  }
  getSwitchValue(name: string): string {
    return this.#switches.get(name) ?? '';
  }
  /** Not Electron's. The switches of these names as arguments. */
  static argumentsOf(of: CommandLine, wanted: (name: string) => boolean): string[] {
    return [...of.#switches]
      .filter(([name]) => wanted(name))
      .map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`));
  }
}
loud('commandLine', CommandLine.prototype);
