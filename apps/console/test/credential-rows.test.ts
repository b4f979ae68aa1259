import { credentialSchemaSchema } from '@gatehouse/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CredentialRow,
  rowsOfSchema,
  schemaOfRows,
} from '../src/views/integrations/credential-rows.ts';

const row: fc.Arbitrary<CredentialRow> = fc.record({
  title: fc.constantFrom('API key', 'Site', 'Ключ', 'constructor', '__proto__', 'API-key'),
  header: fc.constantFrom('', 'x-api-key', 'x-site'),
  prefix: fc.constantFrom('', 'Token '),
  isSecret: fc.boolean(),
  isRequired: fc.boolean(),
});

describe('the rows of a credential schema', () => {
  it('make a schema that the contract accepts, and are read from it again', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const schema = schemaOfRows(rows);
        expect(credentialSchemaSchema.safeParse(schema).error).toBeUndefined();
        expect(rowsOfSchema(schema)).toEqual(rows);
      }),
    );
  });

  it('are not there where each person enters one token', () => {
    expect(schemaOfRows([])).toBeUndefined();
    expect(rowsOfSchema(undefined)).toEqual([]);
  });

  it('are not made of a schema that says more than they can', () => {
    const properties = { key: { type: 'string', pattern: '^a+$' } };
    expect(rowsOfSchema({ type: 'object', properties })).toBeUndefined();
    expect(rowsOfSchema({ type: 'object', properties: {}, allOf: [] })).toBeUndefined();
  });
});
