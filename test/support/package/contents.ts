// What may be in an installer. The list names what is wanted, so a file that is not expected fails the check.

/** Paths inside app.asar, with `/` and without one in front. */
const wanted: readonly RegExp[] = [
  /^package\.json$/,
  /^out\/main\/[\w.-]+\.mjs$/,
  /^out\/preload\/preload\.cjs$/,
  /^out\/window\/(popover\/)?index\.html$/,
  /^out\/window\/assets\/[\w.-]+\.(js|css|svg|png|woff2)$/,
  /^resources\/tray\/[\w.@-]+\.(png|ico)$/,
];

/** Without one of these the app does not start. */
const needed: readonly RegExp[] = [
  /^package\.json$/,
  /^out\/main\/main\.mjs$/,
  /^out\/preload\/preload\.cjs$/,
  /^out\/window\/index\.html$/,
  /^out\/window\/popover\/index\.html$/,
];

/** What is wrong with the files of an app.asar, as sentences; empty when they are right. */
export const asarProblems = (files: readonly string[]): string[] => [
  ...files
    .filter((file) => !wanted.some((pattern) => pattern.test(file)))
    .map((file) => `${file} does not belong in app.asar`),
  ...needed
    .filter((pattern) => !files.some((file) => pattern.test(file)))
    .map((pattern) => `app.asar lacks ${pattern.source}`),
];

const inResources: readonly RegExp[] = [
  /^app\.asar$/,
  /^app-update\.yml$/,
  /^package-type$/,
  /^apparmor-profile$/,
  /^licences\/(LICENSE|packages|node)\.txt$/,
  /^docs\/(pictures\/)?[\w.-]+\.(md|png|json)$/,
];

/** Paths below the app's `resources`; Electron's own files beside it are not ours to judge. */
export const resourceProblems = (files: readonly string[]): string[] =>
  files
    .filter((file) => !inResources.some((pattern) => pattern.test(file)))
    .map((file) => `resources/${file} does not belong in the package`);

/** Where a deb or rpm may put files, from the root. */
const installed: readonly RegExp[] = [
  /^opt\/Outtray\//,
  /^usr\/share\/applications\/outtray\.desktop$/,
  /^usr\/share\/icons\/hicolor\/(\d+x\d+|scalable)\/apps\/outtray\.(png|svg)$/,
  /^usr\/share\/man\/man1\/outtray\.1$/,
  /^usr\/share\/bash-completion\/completions\/outtray$/,
  /^usr\/share\/(doc\/outtray\/copyright|licenses\/outtray\/LICENSE)$/,
  /^usr\/share\/zsh\/(vendor-completions|site-functions)\/_outtray$/,
  /^usr\/share\/fish\/vendor_completions\.d\/outtray\.fish$/,
  /^usr\/bin\/outtray$/,
  /^usr\/lib\/systemd\/(user\/outtray|system\/outtray@)\.service$/,
  /^usr\/share\/metainfo\/app\.outtray\.desktop\.metainfo\.xml$/,
  /^usr\/share\/outtray\/policy\.(schema|sample)\.json$/,
];

/** The entries "Upload and copy link" of Nemo, Dolphin and Thunar. */
const entries = [
  'usr/share/nemo/actions/outtray.nemo_action',
  'usr/share/kio/servicemenus/outtray.desktop',
  'usr/share/Thunar/sendto/outtray.desktop',
];

export const installedProblems = (files: readonly string[]): string[] => [
  ...files
    .filter((file) => !entries.includes(file) && !installed.some((pattern) => pattern.test(file)))
    .map((file) => `/${file} does not belong in the system`),
  ...entries.filter((file) => !files.includes(file)).map((file) => `/${file} is missing`),
];

/** The program of the command, and all that lies beside it. */
const ofCommand: readonly RegExp[] = [
  /^(outtray|outtray\.exe)$/,
  /^lib\/keyring\.node$/,
  /^licences\/(LICENSE|packages|node)\.txt$/,
  /^outtray-cli-[\d.]+\.cdx\.json$/,
];

/** Paths in the folder of a package of the command alone. */
export const commandProblems = (files: readonly string[]): string[] => [
  ...files
    .filter((file) => !ofCommand.some((pattern) => pattern.test(file)))
    .map((file) => `${file} does not belong beside the command`),
  ...ofCommand
    .filter((pattern) => !files.some((file) => pattern.test(file)))
    .map((pattern) => `the command lacks ${pattern.source}`),
];
