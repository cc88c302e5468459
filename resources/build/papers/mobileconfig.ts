// A configuration profile with the sample policy, for macOS. The identifiers are constant, so that a newer profile
// replaces the older one.
import { exampleOf } from '../../../src-main/adapters/settings/setting-text.ts';
import { defaultSettings, settingNames, type SettingName } from '../../../src-main/contract/settings.ts';
import { samplePolicy } from './policy-schema.ts';

const macPolicy: Record<string, unknown> = {
  ...samplePolicy,
  caFile: '/Library/Application Support/Example/example-ca.pem',
};

/** The settings that the sample does not decide. */
const others = (): [name: SettingName, value: unknown][] =>
  settingNames
    .filter((name) => !Object.hasOwn(samplePolicy, name))
    .map((name) => [name, defaultSettings()[name] ?? exampleOf(name)]);

export const mobileconfig = (): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- A sample. Change the values, give it your organisation's identifiers, and hand it out by MDM: what a user installs
     by hand is managed as well, but the user can remove it. -->
<plist version="1.0">
<dict>
  <key>PayloadType</key>
  <string>Configuration</string>
  <key>PayloadVersion</key>
  <integer>1</integer>
  <key>PayloadIdentifier</key>
  <string>com.example.outtray</string>
  <key>PayloadUUID</key>
  <string>1F2B6C1E-8B0C-4E5E-9A4C-5C8D5B6C7A10</string>
  <key>PayloadDisplayName</key>
  <string>Outtray</string>
  <key>PayloadScope</key>
  <string>System</string>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadType</key>
      <string>app.outtray.desktop</string>
      <key>PayloadVersion</key>
      <integer>1</integer>
      <key>PayloadIdentifier</key>
      <string>com.example.outtray.settings</string>
      <key>PayloadUUID</key>
      <string>C0B6A6D2-3F0E-4C57-8C11-6D7B0E0F9E21</string>
${entries(macPolicy, '      ')}
      <!-- The other settings with their defaults, and an example where the default is none. Move what you decide out
           of this comment.
${entries(Object.fromEntries(others()), '      ')}
      -->
    </dict>
  </array>
</dict>
</plist>
`;

const entries = (values: object, indent: string): string =>
  Object.entries(values)
    .map(([name, value]) => `${indent}<key>${name}</key>\n${element(value, indent)}`)
    .join('\n');

const element = (value: unknown, indent: string): string => {
  if (typeof value === 'boolean') return `${indent}<${String(value)}/>`;
  if (typeof value === 'number')
    return Number.isInteger(value)
      ? `${indent}<integer>${value}</integer>`
      : `${indent}<real>${value}</real>`;
  if (Array.isArray(value)) {
    if (value.length === 0) return `${indent}<array/>`;
    const items = value.map((item) => element(item, `${indent}  `)).join('\n');
    return `${indent}<array>\n${items}\n${indent}</array>`;
  }
  if (typeof value === 'object' && value !== null)
    return `${indent}<dict>\n${entries(value, `${indent}  `)}\n${indent}</dict>`;
  return `${indent}<string>${String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</string>`;
};
