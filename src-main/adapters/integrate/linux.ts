// The entries of Nautilus, Nemo and Dolphin, one file each. Each follows the documents of its file manager, cited
// there. `words`: the command; the paths follow.
import { entryLabels } from './labels.ts';
import type { Language } from '../../contract/text/speech.ts';
import { execWord, keyValue, shellWords } from './words.ts';

/**
 * A script in `nautilus/scripts` of the user's data folder. Its name is the entry. Nautilus has no place for scripts
 * for all users.
 */
export const nautilusScript = (words: readonly string[], mark: string): string =>
  [
    '#!/bin/sh',
    `# ${mark}`,
    // One path a line. The arguments are relative names that lack each `%` and the character after it: GLib takes those
    // for a field code (`run_script` in src/nautilus-files-view.c of github.com/GNOME/nautilus;
    // expand_application_parameters in gio/gdesktopappinfo.c of GLib 2.84).
    'paths=$NAUTILUS_SCRIPT_SELECTED_FILE_PATHS',
    'uris=$NAUTILUS_SCRIPT_SELECTED_URIS',
    'lines() { printf %s "$1" | wc -l; }',
    'if [ -n "$paths" ] && [ "$(lines "$paths")" -eq "$(lines "$uris")" ]; then',
    "  IFS='",
    "'",
    '  set -f',
    '  set -- $paths',
    'else',
    // A name with a line feed makes more lines than there are URIs. Then only the arguments distinguish the names, and
    // with a `%` in one of them (`%25` in a URI) nothing does: no file is better than a wrong one.
    '  case $uris in *%25*) set -- ;; esac',
    'fi',
    `exec ${shellWords(words)} "$@"`,
    '',
  ].join('\n');

/** The name of a language in desktop entries for all users. */
const localeOf = (language: string): string => (language === 'zh' ? 'zh_CN' : language);

/** `language` null: for all users, in every language. */
const names = (language: Language | null): string[] =>
  language === null
    ? [
        `Name=${entryLabels.en}`,
        ...Object.entries(entryLabels).flatMap(([one, label]) =>
          one === 'en' ? [] : [`Name[${localeOf(one)}]=${label}`],
        ),
      ]
    : [`Name=${entryLabels[language]}`];

/**
 * A file in `nemo/actions` of a data folder: github.com/linuxmint/nemo/wiki/Nemo-Actions, and in that repository
 * files/usr/share/nemo/actions/sample.nemo_action and libnemo-private/nemo-action.c.
 */
export const nemoAction = (words: readonly string[], language: Language | null, mark: string): string => {
  // With `Quote=double` Nemo escapes the paths that replace %F, then GLib splits the line into arguments; no shell
  // reads it. `nodirs`: the command takes files. `Dependencies` is a list: `;` in a value is escaped.
  const line = shellWords(words).replaceAll('%', '%%');
  return [
    '[Nemo Action]',
    `# ${mark}`,
    ...names(language),
    `Exec=${keyValue(line)} %F`,
    'Icon-Name=outtray',
    'Selection=NotNone',
    'Extensions=nodirs;',
    'Quote=double',
    `Dependencies=${keyValue(words[0] ?? '').replaceAll(';', '\\;')};`,
    '',
  ].join('\n');
};

/**
 * A service menu in `kio/servicemenus` of a data folder; one in the user's own data folder must be executable
 * (Creating Dolphin Service Menus, develop.kde.org/docs/apps/dolphin/service-menus).
 */
export const dolphinMenu = (words: readonly string[], language: Language | null, mark: string): string =>
  [
    '[Desktop Entry]',
    `# ${mark}`,
    'Type=Service',
    // All files and no folders: mimeTypeListContains in src/widgets/kfileitemactions.cpp of KIO 5.116.
    'MimeType=application/octet-stream;',
    'X-KDE-Protocols=file',
    'X-KDE-Priority=TopLevel',
    'Actions=upload;',
    `TryExec=${keyValue(words[0] ?? '')}`,
    '',
    '[Desktop Action upload]',
    ...names(language),
    'Icon=outtray',
    // KIO passes each file of %F as a separate argument (Desktop Entry Specification 1.5,
    // specifications.freedesktop.org/desktop-entry-spec/latest).
    `Exec=${keyValue(words.map(execWord).join(' '))} %F`,
    '',
  ].join('\n');

/**
 * For all users of Thunar. Each user has the custom actions as one whole file, so a package adds to "Send To" instead:
 * a desktop entry in `Thunar/sendto` of a data folder. Without MimeType it takes all files. (In
 * github.com/xfce-mirror/thunar: thunar/thunar-sendto-model.c, and docs/manual/C/Thunar.xml.in as of 2009.)
 */
export const thunarSendTo = (words: readonly string[], mark: string): string =>
  [
    '[Desktop Entry]',
    `# ${mark}`,
    'Type=Application',
    ...names(null),
    'Icon=outtray',
    `TryExec=${keyValue(words[0] ?? '')}`,
    `Exec=${keyValue(words.map(execWord).join(' '))} %F`,
    'Terminal=false',
    'NoDisplay=true',
    '',
  ].join('\n');
