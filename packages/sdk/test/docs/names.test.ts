import { dirname, join } from 'node:path';
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
  'AuditActor',
  'AuditFinding',
  'AuditTarget',
  // What `request` serves, by endpoint.
  'Endpoints',
  // Queries that are a plain page query.
  'ListGrantsQuery',
  'ListGroupMembersQuery',
  'ListGroupsQuery',
  'ListMembersQuery',
  'ListSessionsQuery',
  'ListTokensQuery',
  // Lists and rows inside of what a member has.
  'NamedRow',
  'NamingPolicy',
  // What the overview lists of each kind.
  'Needs',
  'Newest',
  // A helper type.
  'Open',
  'OwnedApplication',
  // What a query and a body have in common.
  'SessionsFilter',
  'WhatIfEdge',
  'WhatIfPerson',
  'WhatIfTool',
  'WhatIfTools',
  'WhatIfTotal',
];

/** The names of the types that a file of the contract exports from others. */
function contractTypes(path = '../contract/src/index.ts'): string[] {
  return parse(path)
    .statements.filter(ts.isExportDeclaration)
    .flatMap(({ exportClause, isTypeOnly, moduleSpecifier }) => {
      if (exportClause === undefined) return contractTypes(fileOf(moduleSpecifier, path));
      if (!ts.isNamedExports(exportClause)) return [];
      const { elements } = exportClause;
      return elements.filter((one) => isTypeOnly || one.isTypeOnly).map(({ name }) => name.text);
    });
}

function fileOf(specifier: ts.Expression | undefined, from: string): string {
  if (specifier === undefined || !ts.isStringLiteral(specifier)) throw new Error(from);
  return join(dirname(from), specifier.text);
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
