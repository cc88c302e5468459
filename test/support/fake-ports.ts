// The small ports in memory: settings, keys, places, log.
import { createHash } from 'node:crypto';
import type { KeyState } from '../../src-main/contract/answers.ts';
import { AppError } from '../../src-main/contract/errors.ts';
import {
  checkSetting,
  defaultSettings,
  settingNames,
  type SettingName,
  type Settings,
  type SettingView,
} from '../../src-main/contract/settings.ts';
import type { Api } from '../../src-main/engine/ports/api.ts';
import type { Inspect, Spool } from '../../src-main/engine/ports/files.ts';
import type { Keys, Log, Places, RunProgram, SettingsPort } from '../../src-main/engine/ports/ports.ts';

export const createFakeSettings = (
  given: Partial<Settings> = {},
): SettingsPort & { locked: Set<SettingName>; bar(error: AppError | null): void } => {
  let barred: AppError | null = null;
  const locked = new Set<SettingName>();
  let settings: Settings = { ...defaultSettings(), baseUrl: 'https://files.example/api/v1', ...given };
  const listeners = new Set<(settings: Settings) => void>();
  return {
    locked,
    current: () => settings,
    isLocked: (name) => locked.has(name),
    barred: () => barred,
    bar(error) {
      barred = error;
      for (const hear of listeners) hear(settings);
    },
    view: () =>
      settingNames.map(
        // Name and value belong together, which a mapped union cannot see.
        (name) => ({ name, value: settings[name], origin: 'user', lockedBy: null }) as SettingView,
      ),
    async set(name, value) {
      const checked = checkSetting(name, value);
      if (!checked.ok) throw new AppError('bad-setting', checked.problem);
      settings = { ...settings, [name]: checked.value };
      for (const hear of listeners) hear(settings);
    },
    onChange(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  };
};

/**
 * Finds the word SECRET, and the word GPS in contents that begin with PHOTO (one with FIXED cannot be cut; CAMERA is
 * other metadata). A content with the word ENDLESS is not searched in time.
 */
export const createFakeInspect = (): Inspect => ({
  async findIn({ bytes }) {
    const lines = Buffer.from(bytes).toString().split('\n');
    if (lines.some((line) => line.includes('ENDLESS')))
      return [{ kind: 'secret', rule: 'not-read', line: null }];
    const at = lines.findIndex((line) => line.includes('SECRET'));
    return at === -1 ? [] : [{ kind: 'secret', rule: 'word', line: at + 1 }];
  },
  excerpt({ bytes }, { line }) {
    const found = Buffer.from(bytes).toString().split('\n')[(line ?? 0) - 1];
    return Promise.resolve(found === undefined ? null : found.replace(/SECRET.*/, '••••••••'));
  },
  async photo(file, head, cutsAll) {
    if (!Buffer.from(head).toString('latin1').startsWith('\x01\x02\x03PHOTO')) return null;
    const content = Buffer.from(await file.head(file.stamp.sizeBytes));
    const shows = content.includes('GPS') ? 'location' : 'nothing';
    const word = shows === 'location' ? 'GPS' : 'CAMERA';
    const at = content.indexOf(word);
    if (at === -1 || (shows === 'nothing' && !cutsAll)) return null;
    if (content.includes('FIXED')) return shows === 'nothing' ? null : { shows, cut: null };
    const rest = Buffer.concat([content.subarray(0, at), content.subarray(at + word.length)]);
    const parts = [
      { from: 0, to: at },
      { from: at + word.length, to: content.length },
    ];
    const sha256 = createHash('sha256').update(rest).digest('hex');
    return { shows, cut: { parts, sizeBytes: rest.length, sha256 } };
  },
});

export type FakeSpool = Spool & {
  /** Its files, from the beginning or put there by the test; without zips. */
  kept: { dir: string; name: string | null; isGuarded: boolean }[];
  /** What was packed, by the path of each zip. */
  packed: Map<string, { name: string; bytes: Buffer }[]>;
};

let spooled = 0;
/** A zip is one line for each file, at `/spool/1/NAME` and so on, where `write` puts it. */
export const createFakeSpool = (write?: (path: string, content: Uint8Array) => void): FakeSpool => ({
  kept: [],
  packed: new Map(),
  keep: () => Promise.reject(new AppError('disk', 'There is no spool.')),
  async pack(name, files, signal) {
    if (write === undefined) throw new AppError('disk', 'There is no spool.');
    const members: { name: string; bytes: Buffer }[] = [];
    for await (const file of files) {
      const pieces: Buffer[] = [];
      for await (const piece of file.pieces) pieces.push(Buffer.from(piece));
      members.push({ name: file.name, bytes: Buffer.concat(pieces) });
    }
    if (signal.aborted) throw new AppError('aborted', 'Stopped.');
    const path = `/spool/${String(++spooled)}/${name}`;
    const lines = members.map(({ name: inside, bytes }) =>
      Buffer.concat([Buffer.from(`${inside}: `), bytes]),
    );
    write(path, Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from('\n'), line]))));
    this.packed.set(path, members);
    return path;
  },
  holds: (dir) => /^\/spool\/[^/]+$/.test(dir),
  async remove(dir) {
    this.kept = this.kept.filter((one) => one.dir !== dir);
  },
  async list() {
    return [...this.kept];
  },
});

export type FakeKeys = Keys & {
  /** Null: there is a key. */
  missing: AppError | null;
  stored: string | null;
};

/** As the real one, without a salt. */
export const markOfFake = (key: string, baseUrl: string | null): string => `${key} at ${baseUrl ?? ''}`;

export const createFakeKeys = (api: () => Api, address: () => string | null = () => ''): FakeKeys => {
  const state = async (): Promise<KeyState> =>
    it.missing !== null || it.stored === null
      ? { kind: 'absent' }
      : { kind: 'stored', lastFour: it.stored.slice(-4) };
  const it: FakeKeys = {
    missing: null,
    stored: 'key-1234',
    state,
    async require() {
      if (it.missing !== null) throw it.missing;
    },
    async mark() {
      if (it.missing !== null) throw it.missing;
      return markOfFake(it.stored ?? '', address());
    },
    tryOut: () => api(),
    askAgain: () => undefined,
    async store(key) {
      it.stored = key;
      it.missing = null;
      return await state();
    },
    async remove() {
      it.stored = null;
      it.missing = new AppError('key-missing', 'No API key is stored.');
      return await state();
    },
  };
  return it;
};

/** Where Outtray keeps its own data. */
export const ownFolder = '/home/me/.outtray';

export const createFakePlaces = (refused: readonly string[] = ['/home/me']): Places => ({
  async acceptFolder(path) {
    if (refused.includes(path)) throw new AppError('folder-refused', 'This folder may not be watched.');
    return path.replace(/\/+$/, '');
  },
  screenshots: async () => '/pictures/Screenshots',
  isPasted: (dir) => dir === `${ownFolder}/pasted`,
  async ownIn(path) {
    if (path === ownFolder || path.startsWith(`${ownFolder}/`)) return path;
    return ownFolder.startsWith(`${path}/`) ? ownFolder : null;
  },
  async assertApart(folder, others) {
    const isIn = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`);
    if (others.some((other) => isIn(folder, other) || isIn(other, folder)))
      throw new AppError('folder-refused', 'This folder is watched already.');
  },
});

export type FakePrograms = {
  runs: { command: string; event: Record<string, unknown>; isOver: boolean }[];
  /** How a run ends: null with code 0, otherwise why it failed. */
  end: (event: Record<string, unknown>) => Promise<string | null>;
  run: RunProgram;
};

/** Each run ends at once with code 0. */
export const createFakePrograms = (): FakePrograms => {
  const fake: FakePrograms = {
    runs: [],
    end: () => Promise.resolve(null),
    async run(command, input, signal) {
      const run = { command, event: JSON.parse(input) as Record<string, unknown>, isOver: false };
      fake.runs.push(run);
      const stopped = new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => resolve('it was stopped'), { once: true });
      });
      const problem = await Promise.race([fake.end(run.event), stopped]);
      run.isOver = true;
      return { output: '', problem };
    },
  };
  return fake;
};

export type Logged = {
  level: 'debug' | 'info' | 'warn' | 'error';
  event: string;
  fields: Record<string, unknown>;
};

export const createFakeLog = (): Log & { lines: Logged[] } => {
  const lines: Logged[] = [];
  const write =
    (level: Logged['level']) =>
    (event: string, fields: Record<string, unknown> = {}): void => {
      lines.push({ level, event, fields });
    };
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
};
