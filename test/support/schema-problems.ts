// Why a value does not match a JSON Schema, formats included; null: it matches.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = new Ajv2020({ allErrors: true, strictRequired: false });
addFormats.default(ajv);

export const schemaProblems = (schema: object, value: unknown): ErrorObject[] | null => {
  ajv.validate(schema, value);
  return ajv.errors ?? null;
};
