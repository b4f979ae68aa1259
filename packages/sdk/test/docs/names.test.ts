import { buildOpenApiDocument, isJsonObject } from '@gatehouse/contract';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parse, publicItems } from './support/public-api.ts';

/** What the API takes and returns, and has no name in the contract. */
const OWN = [
  // Objects inside of others, which the contract writes in place.
  'AccessGraphApplication',
  'AccessGraphIntegration',
  'AccessPolicyReason',
  // What `request` serves, by endpoint.
  'Endpoints',
  // Queries that are a plain page query.
  'ListGrantsQuery',
  'ListGroupMembersQuery',
  'ListGroupsQuery',
  'ListMembersQuery',
  'ListSessionsQuery',
  'ListTokensQuery',
  // A helper type.
  'Open',
  'WhatIfEdge',
  'WhatIfPerson',
  'WhatIfTools',
  'WhatIfTotal',
];

/** The names of the types that the contract exports. */
function contractTypes(): string[] {
  return parse('../contract/src/index.ts')
    .statements.filter(ts.isExportDeclaration)
    .flatMap(({ exportClause }) =>
      exportClause && ts.isNamedExports(exportClause) ? [...exportClause.elements] : [],
    )
    .filter(({ isTypeOnly }) => isTypeOnly)
    .map(({ name }) => name.text);
}

/** The names of the schemas in the OpenAPI document. */
function documentSchemas(): string[] {
  const { components } = buildOpenApiDocument({ version: '0.0.0' });
  return isJsonObject(components) ? Object.keys(Object(components.schemas)) : [];
}

describe('the names of the types', () => {
  it('are those of the contract and of the OpenAPI document', () => {
    const known = new Set([...contractTypes(), ...documentSchemas()]);
    const types = publicItems().filter(({ file }) => file.startsWith('src/types/'));
    const unknown = types.map(({ name }) => name).filter((name) => !known.has(name));
    expect(unknown.sort()).toEqual(OWN);
  });
});
