// What other programs demand of the manifests of a release and of a card, as JSON Schema. The facts are those of
// microsoft/winget-cli, schemas/JSON/manifests/v1.6.0 (version, installer, defaultLocale), and of ScoopInstaller/Scoop,
// schema.json. The keys that ours use are described in full; no other key is allowed here.

const identifierPart = String.raw`[^\.\s\\/:\*\?"<>\|\x01-\x1f]{1,32}`;
const locale = {
  type: 'string',
  pattern: '^([a-zA-Z]{2,3}|[iI]-[a-zA-Z]+|[xX]-[a-zA-Z]{1,8})(-[a-zA-Z]{1,8})*$',
  maxLength: 20,
};
const wingetUrl = { type: 'string', pattern: '^([Hh][Tt][Tt][Pp][Ss]?)://.+$', maxLength: 2048 };
const textOf = (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength });
const tag = textOf(1, 40);
const plainTypes = ['msix', 'msi', 'appx', 'exe', 'inno', 'nullsoft', 'wix', 'burn', 'portable'];

const wingetManifest = (type: string, required: readonly string[], properties: Record<string, object>) => ({
  type: 'object',
  additionalProperties: false,
  required: ['PackageIdentifier', 'PackageVersion', 'ManifestType', 'ManifestVersion', ...required],
  properties: {
    PackageIdentifier: {
      type: 'string',
      pattern: String.raw`^${identifierPart}(\.${identifierPart}){1,7}$`,
      maxLength: 128,
    },
    PackageVersion: { type: 'string', pattern: String.raw`^[^\\/:\*\?"<>\|\x01-\x1f]+$`, maxLength: 128 },
    ManifestType: { const: type },
    ManifestVersion: { const: '1.6.0' },
    ...properties,
  },
});

export const wingetVersion = wingetManifest('version', ['DefaultLocale'], { DefaultLocale: locale });

export const wingetLocale = wingetManifest(
  'defaultLocale',
  ['PackageLocale', 'Publisher', 'PackageName', 'License', 'ShortDescription'],
  {
    PackageLocale: locale,
    Publisher: textOf(2, 256),
    PublisherSupportUrl: wingetUrl,
    PackageName: textOf(2, 256),
    PackageUrl: wingetUrl,
    License: textOf(3, 512),
    ShortDescription: textOf(3, 256),
    Moniker: tag,
    Tags: { type: 'array', items: tag, maxItems: 16, uniqueItems: true },
  },
);

export const wingetInstaller = wingetManifest('installer', ['Installers'], {
  InstallerType: { enum: [...plainTypes, 'zip', 'pwa'] },
  InstallModes: {
    type: 'array',
    items: { enum: ['interactive', 'silent', 'silentWithProgress'] },
    maxItems: 3,
    uniqueItems: true,
  },
  UpgradeBehavior: { enum: ['install', 'uninstallPrevious'] },
  Commands: { type: 'array', items: tag, maxItems: 16, uniqueItems: true },
  Installers: {
    type: 'array',
    minItems: 1,
    maxItems: 1024,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['Architecture', 'InstallerUrl', 'InstallerSha256'],
      properties: {
        Architecture: { enum: ['x86', 'x64', 'arm', 'arm64', 'neutral'] },
        InstallerType: { enum: [...plainTypes, 'zip', 'pwa'] },
        NestedInstallerType: { enum: plainTypes },
        NestedInstallerFiles: {
          type: 'array',
          maxItems: 1024,
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['RelativeFilePath'],
            properties: { RelativeFilePath: textOf(1, 512), PortableCommandAlias: tag },
          },
        },
        Scope: { enum: ['user', 'machine'] },
        InstallerUrl: wingetUrl,
        InstallerSha256: { type: 'string', pattern: '^[A-Fa-f0-9]{64}$' },
        InstallerSwitches: {
          type: 'object',
          additionalProperties: false,
          properties: { Custom: textOf(1, 2048) },
        },
      },
      // winget's own check beyond its schema: an archive must name its content.
      if: { properties: { InstallerType: { const: 'zip' } }, required: ['InstallerType'] },
      then: { required: ['NestedInstallerType', 'NestedInstallerFiles'] },
    },
  },
});

const texts = { anyOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: { type: 'string' } }] };
const scoopFile = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: { type: 'string', format: 'uri', not: { pattern: String.raw`\$` } },
    hash: { type: 'string', pattern: '^[a-fA-F0-9]{64}$' },
  },
};

/** Either `url` and `hash`, or one pair for each processor. */
export const scoopManifest = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'description', 'homepage', 'license'],
  oneOf: [{ required: ['url', 'hash'] }, { required: ['architecture'] }],
  properties: {
    architecture: {
      type: 'object',
      additionalProperties: false,
      properties: { '32bit': scoopFile, '64bit': scoopFile },
    },
    pre_install: texts,
    notes: texts,
    bin: { type: 'array', minItems: 1, items: texts },
    shortcuts: {
      type: 'array',
      minItems: 1,
      items: { type: 'array', minItems: 2, maxItems: 4, items: { type: 'string' } },
    },
    version: { type: 'string', pattern: String.raw`^[\w\-.+_]+$` },
    description: { type: 'string' },
    homepage: { type: 'string', format: 'uri' },
    license: { type: 'string' },
    url: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', format: 'uri', not: { pattern: String.raw`\$` } },
    },
    hash: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', pattern: '^([a-fA-F0-9]{64}|sha256:[a-fA-F0-9]{64})$' },
    },
  },
} as const;

/** The stanzas of a cask in Homebrew's order (Cask Cookbook, rubocop-cask's STANZA_GROUPS), a group each line. */
export const caskGroups = [
  ['version', 'sha256'],
  ['url', 'name', 'desc', 'homepage'],
  ['pkg', 'stage_only'],
] as const;

/**
 * Runs each cask of the JSON array on standard input in an object without methods, and prints the calls. Code injected
 * by a name would show up as a call, too.
 */
export const caskReader = `
require 'json'
class Stanzas < BasicObject
  def initialize(calls) = @calls = calls
  def method_missing(name, *values) = @calls << [name, *values]
end
calls = nil
define_method(:cask) do |token, &stanzas|
  calls << [:cask, token]
  Stanzas.new(calls).instance_eval(&stanzas)
end
puts JSON.generate(JSON.parse($stdin.read).map { |source| calls = []; eval(source); calls })
`;
