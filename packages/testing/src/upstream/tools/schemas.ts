import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { textResult } from '../results.ts';

/** JSON Schema 2020-12 vocabulary that `tools/list` must return unchanged (SEP-1613, SEP-2106). */
const contactSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, not a promise.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** Arguments mirrored into an `Mcp-Param-*` header (SEP-2243). */
const mirroredSchema = {
  type: 'object' as const,
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    level: { type: 'integer' },
  },
};

/** Conformance fixtures about input schemas, written by hand so that they stay verbatim. */
export function registerSchemaTools(server: McpServer): void {
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Uses the vocabulary of JSON Schema 2020-12.',
      inputSchema: fromJsonSchema(contactSchema),
    },
    async (args) => textResult(`Called with ${JSON.stringify(args)}`),
  );
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Mirrors an argument into a request header.',
      inputSchema: fromJsonSchema<{ region?: string; level?: number }>(mirroredSchema),
    },
    async ({ region }) => textResult(`region=${region ?? 'none'}`),
  );
}
