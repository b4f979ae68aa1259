import ts from 'typescript';
import { parse } from '../docs/support/public-api.ts';

/** Method and path of the endpoints that `request` alone calls: the keys of `Endpoints`. */
export function httpOnly(): string[] {
  const declared = parse('src/types/endpoints.ts').statements.filter(ts.isInterfaceDeclaration);
  return declared.flatMap(({ members }) =>
    members.flatMap(({ name }) => (name && ts.isStringLiteral(name) ? [name.text] : [])),
  );
}
