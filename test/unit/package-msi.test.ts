// The MSI puts the command on PATH. The lines of the project come from electron-builder itself.
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import addPath, { withPath } from '../../resources/package/windows/msi-path.mjs';

type Maker = { computeFileDeclaration: (this: object, folder: string) => Promise<{ files: string }> };

/** The components of a folder as electron-builder declares them in the project of its MSI. */
const declared = async (folder: string): Promise<string> => {
  const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
  // Its parts need each other: the whole first.
  builder('app-builder-lib');
  const { default: target } = builder('app-builder-lib/out/targets/MsiTarget.js') as {
    default: { prototype: Maker };
  };
  const packager = {
    appInfo: { productFilename: 'Outtray', productName: 'Outtray', id: 'app.outtray.desktop' },
    platformSpecificBuildOptions: {},
    fileAssociations: [],
  };
  const options = { perMachine: true, oneClick: true };
  const maker = Object.assign(Object.create(target.prototype) as Maker, { packager, options });
  return (await maker.computeFileDeclaration(folder)).files;
};

test('the MSI adds the folder of outtray.exe to the PATH of the machine, in the component of that file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'outtray-msi-'));
  try {
    mkdirSync(path.join(folder, 'bin'));
    for (const name of ['Outtray.exe', 'bin/outtray.exe', 'bin/path.ps1'])
      writeFileSync(path.join(folder, name), '');
    const project = path.join(folder, 'project.wxs');
    writeFileSync(project, await declared(folder));
    await addPath(project);
    const components = readFileSync(project, 'utf8').match(/<Component[^]*?<\/Component>/g) ?? [];
    expect(components).toHaveLength(3);
    const [component, ...others] = components.filter((one) => one.includes('<Environment'));
    expect(others).toEqual([]);
    expect(component).toContain('Name="outtray.exe"');
    expect(component).toContain(
      'Name="PATH" Value="[APPLICATIONFOLDER]bin" Action="set" Part="last" System="yes" Permanent="no"/>',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a project without the command, or with two, is refused', () => {
  const line = '<File Name="outtray.exe" Source="$(var.appDir)\\bin\\outtray.exe" KeyPath="yes"/>';
  expect(withPath(line)).toContain('<Environment ');
  expect(() => withPath('<Wix/>')).toThrow('0 times');
  expect(() => withPath(line + line)).toThrow('2 times');
});

test('electron-builder is configured to request it, and the MSI is for the machine', () => {
  expect(parseYaml(readFileSync('electron-builder.yml', 'utf8'))).toMatchObject({
    msiProjectCreated: 'resources/package/windows/msi-path.mjs',
    msi: { perMachine: true },
  });
});
