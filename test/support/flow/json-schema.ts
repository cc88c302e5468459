// The schema of the command's JSON, which the user guide links to.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const schema = path.join(import.meta.dirname, '../../../resources/docs/command-json.schema.json');
const follows = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')) as object);

/** Null: the line follows the schema. */
export const problemsOf = (line: object): string | null =>
  follows(line) ? null : ajv.errorsText(follows.errors);
