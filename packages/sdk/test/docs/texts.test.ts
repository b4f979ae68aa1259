import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type PublicItem, publicItems } from './support/public-api.ts';

const types = publicItems().filter(({ file }) => file.startsWith('src/types/'));

/** What a program passes in. */
const inputs = types.filter(({ name }) => /(?:Body|Input|Query)$/.test(name));

interface Field {
  readonly name: string;
  readonly node: ts.PropertySignature;
}

const fields: readonly Field[] = inputs.flatMap(({ name, node }) =>
  ts.isInterfaceDeclaration(node)
    ? node.members
        .filter(ts.isPropertySignature)
        .map((member) => ({ name: `${name}.${member.name.getText()}`, node: member }))
    : [],
);

/** The text above a declaration. */
function textOf(node: ts.Node): string {
  return node
    .getChildren()
    .filter(ts.isJSDoc)
    .map((comment) => comment.getText())
    .join('\n');
}

/** The values of a type that is a list of texts. */
function valuesOf({ node }: PublicItem): string[] {
  if (!ts.isTypeAliasDeclaration(node) || !ts.isUnionTypeNode(node.type)) return [];
  return node.type.types
    .filter(ts.isLiteralTypeNode)
    .map(({ literal }) => literal)
    .filter(ts.isStringLiteral)
    .map(({ text }) => text);
}

describe('what editors show', () => {
  it('is a text for each field that a program passes in', () => {
    expect(fields.length).toBeGreaterThan(40);
    const silent = fields.filter(({ node }) => textOf(node) === '').map(({ name }) => name);
    expect(silent).toEqual([]);
  });

  it('explains each value of a list that a program chooses from', () => {
    const written = fields.map(({ node }) => node.type?.getText() ?? '').join(' ');
    const chosen = types.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(written));
    const values = chosen.flatMap((type) =>
      valuesOf(type).map((value) => ({ name: `${type.name} ${value}`, value, type })),
    );
    expect(values.map(({ name }) => name)).toContain('AuthMode user_token');
    const silent = values.filter(({ value, type }) => !textOf(type.node).includes(`\`${value}\`:`));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});
