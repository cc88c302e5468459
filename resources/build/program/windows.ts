// Makes the Windows program of Node's executable and our code: both are resources of the file, so its names and version
// become ours in the same step. postject would leave Node's dead signature in it (nodejs/postject issue 75).
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

/** A resource type of Windows: RT_RCDATA, where Node looks for the code (src/node_sea_bin.cc). */
const rawData = 10;
/** "Windows, Multilingual", the code page of resources that names no language. */
const codepage = 1252;

export const windowsProgram = (node: Buffer, blob: Buffer, fuse: string, version: string): Buffer => {
  // Node's own signature ends with the first change.
  const executable = NtExecutable.from(node, { ignoreCert: true });
  const resources = NtExecutableResource.from(executable);
  const bin = new Uint8Array(blob).buffer;
  resources.entries.push({ type: rawData, id: 'NODE_SEA_BLOB', lang: 0, codepage, bin });
  const [info] = Resource.VersionInfo.fromEntries(resources.entries);
  const language = info?.getAllLanguagesForStringValues()[0];
  if (info === undefined || language === undefined)
    throw new Error('Node’s executable has no version resource.');
  info.setStringValues(language, {
    ProductName: 'Outtray',
    FileDescription: 'Outtray command',
    CompanyName: 'Outtray contributors',
    OriginalFilename: 'outtray.exe',
    InternalName: 'outtray',
    LegalCopyright: 'Outtray contributors, MIT licence. Contains Node.js.',
  });
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  info.setFileVersion(major, minor, patch, 0);
  info.setProductVersion(major, minor, patch, 0);
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(executable);
  const made = Buffer.from(executable.generate());
  const sentinel = Buffer.from(`${fuse}:0`);
  const at = made.indexOf(sentinel);
  if (at < 0 || made.includes(sentinel, at + 1))
    throw new Error('Node’s executable has not exactly one sentinel.');
  made.write('1', at + sentinel.length - 1);
  return made;
};
