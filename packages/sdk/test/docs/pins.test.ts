import { routes } from '@gatehouse/contract/routes';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { methodsByOperation } from './support/api-index.ts';
import { parse, publicItems } from './support/public-api.ts';

const contractPins = parse('test-d/contract.ts').text;
const wordPins = parse('test-d/words.ts').text;

/** The public types of what the API takes and answers. */
const types = publicItems().filter(({ file }) => file.startsWith('src/types/'));

const isName = (node: ts.Node): node is ts.TypeReferenceNode | ts.ExpressionWithTypeArguments =>
  ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node);

/** The names of the types that a piece of source mentions. */
function mentioned(node: ts.Node): string[] {
  const inside: string[] = [];
  node.forEachChild((child) => {
    inside.push(...mentioned(child));
  });
  if (!isName(node)) return inside;
  const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
  return [name.getText(), ...inside];
}

/** All types that are part of those named, directly or not. */
function reachedFrom(names: readonly string[]): Set<string> {
  const reached = new Set(names);
  for (const name of reached) {
    const type = types.find((item) => item.name === name);
    if (type) for (const part of mentioned(type.node)) reached.add(part);
  }
  return reached;
}

const isWords = ({ node }: { node: ts.Node }) =>
  ts.isTypeAliasDeclaration(node) &&
  ts.isUnionTypeNode(node.type) &&
  node.type.types.every((part) => ts.isLiteralTypeNode(part) && ts.isStringLiteral(part.literal));

// That a pin holds is for the type checker; these tests are for pins that are not there.
describe('the pins of the types', () => {
  it('have a line for every operation, of its method or of the endpoint without one', () => {
    const methods = methodsByOperation();
    for (const [resource, operations] of Object.entries(routes)) {
      const start = contractPins.indexOf(`\n  ${resource}: {`);
      const lines = contractPins.slice(start, contractPins.indexOf('\n  };', start));
      for (const name of Object.keys(operations)) {
        const pin = methods.has(`${resource}.${name}`) ? 'Fits<' : 'Serves<';
        expect(lines, `${resource}.${name}`).toMatch(
          new RegExp(`\\n    ${name}: Assert<\\s*${pin}`),
        );
      }
    }
    expect(contractPins).toContain('Assert<Equals<Operations<Pins>, Operations<Contract>>>');
  });

  it('reach every public type of what the API takes and answers', () => {
    expect(contractPins).toContain('Assert<Equals<Shape<Problem>, Shape<Wire<ContractProblem>>>>');
    const methods = publicItems().filter(({ node }) => ts.isMethodDeclaration(node));
    const signatures = methods.flatMap(({ node }) => mentioned(node));
    const reached = reachedFrom([...signatures, 'Problem', 'Endpoints']);
    expect(types.length).toBeGreaterThan(45);
    expect(types.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
  });

  it('hold every list of words to a list of the contract', () => {
    const lists = types.filter(isWords).map(({ name }) => name);
    expect(lists.length).toBeGreaterThan(10);
    for (const name of lists) {
      expect(wordPins).toMatch(new RegExp(`Assert<Equals<sdk\\.${name}, contract\\.${name}>>`));
    }
  });
});
