// What other programs demand of the manifests of a release card, as JSON Schema. The facts are those of
// microsoft/winget-cli, schemas/JSON/manifests/v1.6.0/manifest.installer.1.6.0.json, and of ScoopInstaller/Scoop,
// schema.json. The keys that a card has are told in full; no other key is allowed here.

const identifierPart = String.raw`[^\.\s\\/:\*\?"<>\|\x01-\x1f]{1,32}`;

export const wingetInstaller = {
  type: 'object',
  additionalProperties: false,
  required: ['PackageIdentifier', 'PackageVersion', 'Installers', 'ManifestType', 'ManifestVersion'],
  properties: {
    PackageIdentifier: {
      type: 'string',
      pattern: String.raw`^${identifierPart}(\.${identifierPart}){1,7}$`,
      maxLength: 128,
    },
    PackageVersion: { type: 'string', pattern: String.raw`^[^\\/:\*\?"<>\|\x01-\x1f]+$`, maxLength: 128 },
    Installers: {
      type: 'array',
      minItems: 1,
      maxItems: 1024,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['Architecture', 'InstallerType', 'InstallerUrl', 'InstallerSha256'],
        properties: {
          Architecture: { enum: ['x86', 'x64', 'arm', 'arm64', 'neutral'] },
          InstallerType: { enum: ['msix', 'msi', 'appx', 'exe', 'zip'] },
          InstallerUrl: { type: 'string', pattern: '^([Hh][Tt][Tt][Pp][Ss]?)://.+$', maxLength: 2048 },
          InstallerSha256: { type: 'string', pattern: '^[A-Fa-f0-9]{64}$' },
        },
      },
    },
    ManifestType: { const: 'installer' },
    ManifestVersion: { const: '1.6.0' },
  },
} as const;

export const scoopManifest = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'description', 'homepage', 'license', 'url', 'hash'],
  properties: {
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
 * Runs each cask of the JSON array on standard input in an object without methods, and prints what it called. Code in
 * a name would be called, too, and would so be seen.
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
