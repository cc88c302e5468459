// The Group Policy template (ADMX) and its texts (ADML), one file per language. Values as the registry reader accepts
// them: DWORD 0/1 for flags, DWORD or QWORD for whole numbers, text for fractions and choices, REG_MULTI_SZ for lists.
import { rowOf, settingNames, type SettingName } from '../../../src-main/contract/settings.ts';
import { policyWords, recommendedNames, type PolicyWords } from './policy-words.ts';

/** A recommended value is a default that the user may change. Its policy has the texts of the locked one. */
type Layer = 'locked' | 'recommended';
const layers: readonly Layer[] = ['locked', 'recommended'];
const namesIn: Record<Layer, readonly SettingName[]> = {
  locked: settingNames.filter((name) => rowOf(name).tuning !== true),
  recommended: recommendedNames.filter((name) => rowOf(name).tuning !== true),
};
const keys: Record<Layer, string> = {
  locked: 'Software\\Policies\\Outtray',
  recommended: 'Software\\Policies\\Outtray\\Recommended',
};
const roots: Record<Layer, string> = { locked: 'outtray', recommended: 'outtray_recommended' };
/** Every policy and category of the template needs a name of its own. */
const endings: Record<Layer, string> = { locked: '', recommended: '_recommended' };

const largestDword = 4_294_967_295;
const isShort = ({ max }: { max: number | null }): boolean => max !== null && max <= largestDword;

export const admx = (): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <policyNamespaces>
    <target prefix="outtray" namespace="Outtray.Policies" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <supportedOn>
    <definitions>
      <definition name="SUPPORTED_OUTTRAY" displayName="$(string.SUPPORTED_OUTTRAY)" />
    </definitions>
  </supportedOn>
  <categories>
${layers.flatMap(categories).join('\n')}
  </categories>
  <policies>
${layers.flatMap((layer) => namesIn[layer].map((name) => policy(name, layer))).join('\n')}
  </policies>
</policyDefinitions>
`;

const categories = (layer: Layer): string[] => [
  `    <category name="${roots[layer]}" displayName="$(string.${roots[layer]})" />`,
  ...Object.keys(policyWords.groups)
    .filter((group) => namesIn[layer].some((name) => rowOf(name).group === group))
    .map(
      (group) => `    <category name="group_${group}${endings[layer]}" displayName="$(string.group_${group})">
      <parentCategory ref="${roots[layer]}" />
    </category>`,
    ),
];

const policy = (name: SettingName, layer: Layer): string => {
  const row = rowOf(name);
  const own = `${name}${endings[layer]}`;
  const place = `      <parentCategory ref="group_${rowOf(name).group}${endings[layer]}" />
      <supportedOn ref="SUPPORTED_OUTTRAY" />`;
  const head = `    <policy name="${own}" class="Both" displayName="$(string.${name})" explainText="$(string.${own}_text)" key="${keys[layer]}"`;
  if (row.kind === 'flag')
    return `${head} valueName="${name}">
${place}
      <enabledValue><decimal value="1" /></enabledValue>
      <disabledValue><decimal value="0" /></disabledValue>
    </policy>`;
  return `${head} presentation="$(presentation.${name})">
${place}
      <elements>
${element(name)}
      </elements>
    </policy>`;
};

const element = (name: SettingName): string => {
  const row = rowOf(name);
  const names = `id="${name}" valueName="${name}"`;
  switch (row.kind) {
    case 'whole':
      return isShort(row)
        ? `        <decimal ${names} minValue="${row.min}" maxValue="${row.max ?? Number.MAX_SAFE_INTEGER}" required="true" />`
        : `        <longDecimal ${names} minValue="${row.min}" maxValue="${row.max ?? Number.MAX_SAFE_INTEGER}" required="true" />`;
    case 'choice':
      return `        <enum ${names} required="true">
${row.of
  .map(
    (choice) =>
      `          <item displayName="$(string.${name}_${choice})"><value><string>${choice}</string></value></item>`,
  )
  .join('\n')}
        </enum>`;
    case 'list':
      return `        <multiText ${names} required="true" />`;
    case 'flag':
    case 'share':
    case 'text':
    case 'path':
      return `        <text ${names} maxLength="4096" required="true" />`;
  }
};

export const adml = (words: PolicyWords): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitionResources xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <displayName>Outtray</displayName>
  <description>${escaped(words.description)}</description>
  <resources>
    <stringTable>
      <string id="SUPPORTED_OUTTRAY">${escaped(words.supported)}</string>
      <string id="outtray">Outtray</string>
      <string id="outtray_recommended">${escaped(words.recommended)}</string>
${Object.entries(words.groups)
  .map(([group, title]) => `      <string id="group_${group}">${escaped(title)}</string>`)
  .join('\n')}
${namesIn.locked.flatMap((name) => strings(name, words)).join('\n')}
    </stringTable>
    <presentationTable>
${namesIn.locked.flatMap((name) => presentation(name, words)).join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;

const strings = (name: SettingName, words: PolicyWords): string[] => {
  const { title, text } = words.settings[name];
  const row = rowOf(name);
  return [
    `      <string id="${name}">${escaped(title)}</string>`,
    `      <string id="${name}_text">${escaped(`${text} ${words.whenLocked}`)}</string>`,
    ...(namesIn.recommended.includes(name)
      ? [
          `      <string id="${name}_recommended_text">${escaped(`${text} ${words.whenRecommended}`)}</string>`,
        ]
      : []),
    ...(row.kind === 'choice'
      ? row.of.map((choice) => `      <string id="${name}_${choice}">${choice}</string>`)
      : []),
  ];
};

const presentation = (name: SettingName, words: PolicyWords): string[] => {
  const control = presented(name, words);
  return control === null
    ? []
    : [`      <presentation id="${name}">`, `        ${control}`, '      </presentation>'];
};

const presented = (name: SettingName, words: PolicyWords): string | null => {
  const title = escaped(words.settings[name].title);
  const row = rowOf(name);
  switch (row.kind) {
    case 'flag':
      return null;
    case 'whole':
      return isShort(row)
        ? `<decimalTextBox refId="${name}">${title}</decimalTextBox>`
        : `<longDecimalTextBox refId="${name}">${title}</longDecimalTextBox>`;
    case 'choice':
      return `<dropdownList refId="${name}" noSort="true">${title}</dropdownList>`;
    case 'list':
      return `<multiTextBox refId="${name}" showAsDialog="true">${title}</multiTextBox>`;
    case 'share':
    case 'text':
    case 'path':
      return `<textBox refId="${name}"><label>${title}</label></textBox>`;
  }
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
