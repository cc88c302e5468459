// What the window shows of the extra certificate authority: whose it is, until when, and its fingerprint.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import type { CaFileView } from '../../contract/window-commands.ts';

/** The first certificate of a PEM file. Throws `bad-setting` when there is none that can be read. */
export const viewCaFile = async (file: string): Promise<CaFileView> => {
  try {
    const certificate = new X509Certificate(await readFile(file));
    return {
      path: file,
      sha256: certificate.fingerprint256,
      subject: certificate.subject.replaceAll('\n', ', '),
      validUntilMs: Date.parse(certificate.validTo),
    };
  } catch (cause) {
    throw new AppError(
      'bad-setting',
      `${file} holds no certificate that can be read.`,
      'Choose a PEM file.',
      {
        cause,
      },
    );
  }
};
