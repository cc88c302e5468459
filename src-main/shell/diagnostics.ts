// The diagnostic bundle: one text, redacted, shown before it is saved, and saved exactly as shown. Nothing of it leaves
// the machine by itself.
import { open } from 'node:fs/promises';
import { arch, release } from 'node:os';
import { AppError } from '../contract/errors.ts';
import type { Entry } from '../contract/entries.ts';
import type { EngineStatus } from '../contract/model.ts';
import type { SettingView } from '../contract/settings.ts';
import type { UserTexts } from './app-context.ts';

/** The end of the log: hours of normal use, and still a text that can be read and mailed. */
const maxLogBytes = 256 * 1024;

export type DiagnosticSources = {
  version: string;
  versions: NodeJS.ProcessVersions;
  platform: string;
  nowMs: number;
  status: EngineStatus;
  settings: readonly SettingView[];
  /** Kind and last four characters only. */
  keyKind: string;
  /** What settings or policy had wrong. */
  warnings: readonly string[];
  /** The newest, oldest first. */
  entries: readonly Entry[];
  logTail: string;
};

/** Pure: the bundle before secrets are taken out. `homeFolder` becomes `~`, so that it does not name the user. */
export const diagnosticText = (sources: DiagnosticSources, homeFolder: string): string => {
  const { versions } = sources;
  const sections = [
    ['Outtray', `${sources.version}, ${new Date(sources.nowMs).toISOString()}`],
    [
      'System',
      `${sources.platform} ${release()} ${arch()}, Electron ${versions.electron}, Chromium ${versions.chrome}, Node ${versions.node}`,
    ],
    ['Key', sources.keyKind],
    ['Status', JSON.stringify(sources.status, null, 2)],
    [
      'Settings',
      sources.settings
        .map(({ name, value, origin, lockedBy }) =>
          [`${name} = ${JSON.stringify(value)}`, `(${origin}${lockedBy === null ? '' : ', locked'})`].join(
            ' ',
          ),
        )
        .join('\n'),
    ],
    ['Warnings', sources.warnings.join('\n') || 'none'],
    [
      'What happened last',
      sources.entries
        .map(({ atMs, uploadId, path, body }) =>
          [new Date(atMs).toISOString(), uploadId ?? '-', path ?? '-', JSON.stringify(body)].join(' '),
        )
        .join('\n'),
    ],
    ['Log', sources.logTail],
  ];
  const text = sections.map(([title, body]) => `== ${title}\n${body}\n`).join('\n');
  return homeFolder.length > 1 ? text.replaceAll(homeFolder, '~') : text;
};

/** The end of a file from the start of a line; empty when there is none. */
export const tailOf = async (file: string): Promise<string> => {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return '';
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - maxLogBytes);
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    const text = bytes.toString('utf8', 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
};

export type Diagnostics = {
  make(): Promise<string>;
  /** Saves what was last shown; null when the user chose no place. */
  save(): Promise<string | null>;
};

export const createDiagnostics = (options: {
  gather: () => Promise<DiagnosticSources>;
  homeFolder: string;
  redact: (text: string) => string;
  choosePlace: (name: string) => Promise<string | null>;
  texts: Pick<UserTexts, 'create'>;
}): Diagnostics => {
  let shown: string | null = null;
  const make = async (): Promise<string> => {
    shown = options.redact(diagnosticText(await options.gather(), options.homeFolder));
    return shown;
  };
  return {
    make,
    async save() {
      const text = shown ?? (await make());
      const place = await options.choosePlace('outtray-diagnostics.txt');
      if (place === null) return null;
      try {
        await save(options.texts, place, text);
      } catch (cause) {
        throw new AppError('disk', `${place} cannot be written.`, 'Choose another place.', { cause });
      }
      return place;
    },
  };
};

/** The dialog has asked whether a file that is there may be replaced. */
const save = async (texts: Pick<UserTexts, 'create'>, place: string, text: string): Promise<void> => {
  const file = await texts.create(place, true);
  try {
    await file.write(text);
    await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
};
