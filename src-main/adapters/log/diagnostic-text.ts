// The diagnostic bundle of window and command: one redacted text for those who help the user. Outtray sends it nowhere
// by itself.
import { open } from 'node:fs/promises';
import { arch, homedir, release } from 'node:os';
import type { Client } from '../../contract/client.ts';
import type { Entry } from '../../contract/entries.ts';
import type { EngineStatus } from '../../contract/model.ts';
import type { SettingView } from '../../contract/settings.ts';
import type { Ledger } from '../../engine/ports/ledger.ts';
import type { Redactor } from './redactor.ts';

/** The end of the log: hours of normal use, and still a text that can be read and mailed. */
const maxLogBytes = 256 * 1024;

type DiagnosticSources = {
  version: string;
  /** Without Electron when the command runs on Node alone. */
  versions: Readonly<Partial<Record<string, string>>>;
  platform: string;
  nowMs: number;
  status: EngineStatus;
  settings: readonly SettingView[];
  /** Kind and last four characters only. */
  keyKind: string;
  /** What is wrong with the settings or the policy. */
  warnings: readonly string[];
  /** The newest, oldest first. */
  entries: readonly Entry[];
  logTail: string;
};

/** The keys of `process.versions` that the bundle names. */
const shownParts = { electron: 'Electron', chrome: 'Chromium', node: 'Node' };

/** Pure: the bundle before secrets are taken out. `homeFolder` becomes `~`, so that it does not name the user. */
export const diagnosticText = (sources: DiagnosticSources, homeFolder: string): string => {
  const { versions } = sources;
  const sections = [
    ['Outtray', `${sources.version}, ${new Date(sources.nowMs).toISOString()}`],
    [
      'System',
      [
        `${sources.platform} ${release()} ${arch()}`,
        ...Object.entries(shownParts).flatMap(([part, title]) =>
          part in versions ? [`${title} ${versions[part] ?? ''}`] : [],
        ),
      ].join(', '),
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
  return homeFolder.length > 1 ? text.replaceAll(anyFormOf(homeFolder), '~') : text;
};

/** A path as it is, inside JSON once or twice, in a file: address, with either separator, in any capitals. */
const anyFormOf = (folder: string): RegExp => {
  const names = folder.split(/[\\/]+/).map((name) => {
    const forms = [name, encodeURIComponent(name), encodeURI(name), JSON.stringify(name).slice(1, -1)];
    return [...new Set(forms)].map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  });
  return new RegExp(names.map((forms) => `(?:${forms})`).join('[\\\\/]{1,4}'), 'gi');
};

/** The end of a file from the start of a line; empty when there is none. */
const tailOf = async (file: string): Promise<string> => {
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

/** How many of the newest entries it has: a day or two of normal use. */
const entriesInBundle = 500;

/** The bundle of this process as it is now, without secrets. Asks the keychain, and no other machine. */
export const createDiagnosis =
  ({ client, engine, settings, ledger, home, redactor }: Parts, version: string) =>
  async (): Promise<string> => {
    const { key } = await client.call('account.get', {});
    const { entries } = ledger;
    const sources: DiagnosticSources = {
      version,
      versions: process.versions,
      platform: process.platform,
      nowMs: Date.now(),
      status: engine.status(),
      settings: settings.view(),
      keyKind: 'lastFour' in key ? `${key.kind}, ends in ${key.lastFour}` : key.kind,
      warnings: settings.warnings(),
      entries: entries.after(Math.max(0, entries.lastSeq() - entriesInBundle), entriesInBundle),
      logTail: await tailOf(home.log),
    };
    return redactor.redact(diagnosticText(sources, homedir()));
  };

type Parts = {
  client: Client;
  engine: { status(): EngineStatus };
  settings: { view(): SettingView[]; warnings(): readonly string[] };
  ledger: Pick<Ledger, 'entries'>;
  home: { log: string };
  redactor: Redactor;
};
