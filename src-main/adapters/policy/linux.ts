// Linux: /etc/outtray/policy.json, when nobody but root can have written it.
import { noPolicy, type Policy } from './given.ts';
import { parseObject, readTrustedFile } from './trusted-file.ts';

/** Throws `bad-setting` when the file is trustworthy but unreadable or no JSON object. */
export const readLinuxPolicy = ({ file = '/etc/outtray/policy.json', ownerUid = 0 } = {}): Policy => {
  const found = readTrustedFile(file, ownerUid);
  switch (found.kind) {
    case 'absent':
      return noPolicy;
    case 'ignored':
      return { ...noPolicy, warnings: [found.warning] };
    case 'read': {
      // Editors find the schema by this name; it is no setting.
      const { $schema: _schema, ...values } = parseObject(file, found.content.toString('utf8'));
      return { values, source: file, warnings: [] };
    }
  }
};
