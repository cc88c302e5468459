// What CycloneDX demands of a bill of materials, as JSON Schema: the facts of CycloneDX/specification,
// schema/bom-1.6.schema.json, for the keys that ours has and those that the NTIA's minimum requires. No other key is
// allowed here.

const component = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'name', 'version', 'bom-ref', 'purl', 'licenses'],
  properties: {
    type: {
      enum: [
        'application',
        'framework',
        'library',
        'container',
        'platform',
        'operating-system',
        'device',
        'device-driver',
        'firmware',
        'file',
        'machine-learning-model',
        'data',
        'cryptographic-asset',
      ],
    },
    'bom-ref': { type: 'string', minLength: 1 },
    name: { type: 'string' },
    version: { type: 'string', maxLength: 1024 },
    purl: { type: 'string', pattern: '^pkg:(npm|generic)/' },
    licenses: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: {
        oneOf: [
          {
            type: 'object',
            additionalProperties: false,
            required: ['license'],
            properties: {
              license: {
                type: 'object',
                additionalProperties: false,
                required: ['id'],
                // The identifiers of SPDX that our packages have.
                properties: {
                  id: {
                    enum: [
                      'MIT',
                      'ISC',
                      'BSD-2-Clause',
                      'BSD-3-Clause',
                      'Apache-2.0',
                      '0BSD',
                      'Python-2.0',
                      'BlueOak-1.0.0',
                    ],
                  },
                },
              },
            },
          },
          {
            type: 'object',
            additionalProperties: false,
            required: ['expression'],
            properties: { expression: { type: 'string' } },
          },
        ],
      },
    },
    hashes: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['alg', 'content'],
        properties: {
          alg: { enum: ['SHA-256', 'SHA-512'] },
          content: { type: 'string', pattern: '^([a-fA-F0-9]{64}|[a-fA-F0-9]{128})$' },
        },
      },
    },
    components: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'name', 'version'],
        properties: {
          type: { const: 'library' },
          name: { type: 'string' },
          version: { type: 'string', maxLength: 1024 },
        },
      },
    },
  },
};

export const cyclonedx = {
  type: 'object',
  additionalProperties: false,
  required: ['bomFormat', 'specVersion', 'serialNumber', 'metadata', 'components', 'dependencies'],
  properties: {
    $schema: { const: 'http://cyclonedx.org/schema/bom-1.6.schema.json' },
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    serialNumber: {
      type: 'string',
      pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    },
    version: { type: 'integer', minimum: 1 },
    metadata: {
      type: 'object',
      additionalProperties: false,
      required: ['timestamp', 'tools', 'supplier'],
      properties: {
        timestamp: { type: 'string', format: 'date-time' },
        lifecycles: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['phase'],
            properties: {
              phase: {
                enum: [
                  'design',
                  'pre-build',
                  'build',
                  'post-build',
                  'operations',
                  'discovery',
                  'decommission',
                ],
              },
            },
          },
        },
        tools: {
          type: 'object',
          additionalProperties: false,
          properties: {
            components: { type: 'array', items: { type: 'object', required: ['type', 'name'] } },
          },
        },
        supplier: {
          type: 'object',
          additionalProperties: false,
          properties: {
            name: { type: 'string' },
            url: { type: 'array', items: { type: 'string', format: 'uri' } },
          },
        },
        component,
      },
    },
    components: { type: 'array', uniqueItems: true, items: component },
    dependencies: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['ref'],
        properties: {
          ref: { type: 'string' },
          dependsOn: { type: 'array', uniqueItems: true, items: { type: 'string' } },
        },
      },
    },
  },
};
